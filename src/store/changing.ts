/*
 * What a store needs to change and not to answer. Fetched with the first change; an index fetches it ahead of that, with
 * the rest of what changes it (src/ingest/writing.ts).
 */

export { changedSegments } from './changed-segments.ts';
export { writeDirectory } from './idb-directory.ts';
export { deleteOnly, onlyRemoves, putChange, putStaged } from './idb-save.ts';
export { packWords } from './pack-words.ts';
export { Plan } from './plan.ts';
export { stagedChecksum } from './rebuild.ts';
