/** Stands in for what packages import for parts that are not measured: what is not installed, or runs in Node alone. */
export function createHash(): never {
  throw new Error('Nothing that is measured hashes with Node.');
}
