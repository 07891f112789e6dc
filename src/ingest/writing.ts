import { byHeading } from '../split/by-heading.ts';
import type { Splitter } from '../types.ts';

// So that a store's part of it is there as well.
export { Plan } from '../store/changing.ts';
/*
 * What an index needs to change and not to answer: splitters, the text kernel, the pipeline. A page that searches what
 * is there has its answers before any of it is fetched.
 */
export { addDocuments, syncDocuments } from './add.ts';
export { completeDocuments } from './embed.ts';
export { reembedDocuments } from './reembed.ts';
export { repairDocuments } from './repair.ts';
export { beginRun, finishRun } from './run.ts';

/** How documents are cut where nothing else is said. */
export const defaultSplitter = (): Splitter => byHeading();
