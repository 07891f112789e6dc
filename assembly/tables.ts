// Tables as GitHub reads them. The twin of src/kernel/tables.ts.
import { blanksEnd, code, isBlank, lineEnd } from './block-line';

const PIPE: u32 = 0x7c;
const BACKSLASH: u32 = 0x5c;
const COLON: u32 = 0x3a;
const DASH: u32 = 0x2d;

/** Cells of the row [from, end); 0 for a lone pipe. */
export function rowCells(from: usize, end: usize): u32 {
  let cells = 0;
  let fresh = true;
  for (let at = from; at < end; at++) {
    const c = code(at);
    if (isBlank(c) || (c == PIPE && at == from)) continue;
    if (fresh) cells++;
    fresh = c == PIPE;
    if (c == BACKSLASH && (code(at + 1) == BACKSLASH || code(at + 1) == PIPE)) at++;
  }
  return cells;
}

/** Cells of the delimiter row from `at` to the end of the line; 0 where it is none. */
export function delimiterCells(at: usize): u32 {
  let cells = 0;
  let marked = code(at) == PIPE;
  if (marked) at = blanksEnd(at + 1);
  while (at < lineEnd) {
    if (code(at) == COLON) {
      marked = true;
      at++;
    }
    if (code(at) != DASH) return 0;
    while (code(at) == DASH) at++;
    if (code(at) == COLON) {
      marked = true;
      at++;
    }
    cells++;
    at = blanksEnd(at);
    if (at >= lineEnd) break;
    if (code(at) != PIPE) return 0;
    marked = true;
    at = blanksEnd(at + 1);
  }
  return marked ? cells : 0;
}
