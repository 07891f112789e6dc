// Sets of rows as the host gives them: a bit a row, in 32-bit words.

/** A row is allowed where its bit is set; `bits` 0 allows all. */
@inline
export function allows(bits: usize, bitCount: u32, row: u32): bool {
  return ((wordOf(bits, bitCount, row) >> (row & 31)) & 1) != 0;
}

/** The 32 rows that a row is one of; `bits` 0 allows all, and rows past the end are not allowed. */
@inline
export function wordOf(bits: usize, bitCount: u32, row: u32): u32 {
  if (bits == 0) return -1;
  return row < bitCount ? load<u32>(bits + (<usize>(row >> 5) << 2)) : 0;
}
