// The blocks module: the structure of Markdown. Numbers in, numbers out.
export { exhausted, reset, reserve, results } from './memory';
export { validate } from './utf8';
export { blockUnits } from './block-list';
export { scanBlocks } from './block-scan';

/** Raised whenever the meaning of an export changes; the host refuses another one. */
export const ABI_VERSION: i32 = 1;
