// The text module: what reads documents. Numbers in, numbers out.
export { exhausted, reset, reserve, results } from './memory';
export { units, validate } from './utf8';
export { blockUnits } from './block-list';
export { scanBlocks } from './blocks';
export { atxHeadings, gathered, gatherTitles, headingUnits } from './headings';
export { packRecords } from './records';
export { sha256 } from './sha256';

/** Raised whenever the meaning of an export changes; the host refuses another one. */
export const ABI_VERSION: i32 = 2;
