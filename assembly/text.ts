// The text module: headings as a pattern matches them, records and hashes. Numbers in, numbers out.
export { exhausted, reset, reserve, results } from './memory';
export { validate } from './utf8';
export { atxHeadings, gathered, gatherTitles, headingUnits } from './headings';
export { packRecords } from './records';
export { sha256 } from './sha256';

/** Raised whenever the meaning of an export changes; the host refuses another one. */
export const ABI_VERSION: i32 = 3;
