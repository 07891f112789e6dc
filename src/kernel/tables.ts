/** Tables as GitHub reads them (GFM 4.10): cells are divided by pipes without a backslash, in code too. */
import { isBlankCode, type Source } from './lines.ts';

const PIPE = 0x7c;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const DASH = 0x2d;

/** Cells of the row [from, end); 0 for a lone pipe. */
export function rowCells(text: Source, from: number, end: number): number {
  let cells = 0;
  /** A cell begins with what comes next, be it the pipe that ends it. */
  let fresh = true;
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBlankCode(code)) continue;
    if (code === PIPE && at === from) continue;
    if (fresh) cells++;
    fresh = code === PIPE;
    if (code === BACKSLASH && (text.charCodeAt(at + 1) === BACKSLASH || text.charCodeAt(at + 1) === PIPE))
      at++;
  }
  return cells;
}

/** Cells of the delimiter row [from, end), whose `---`, `:--`, `--:` and `:-:` align a column each; 0 where it is none. */
export function delimiterCells(text: Source, from: number, end: number): number {
  const code = (): number => (at < end ? text.charCodeAt(at) : -1);
  const skip = (): void => {
    while (isBlankCode(code())) at++;
  };
  let at = from;
  let cells = 0;
  /** Dashes alone underline a heading. */
  let marked = code() === PIPE;
  if (marked) {
    at++;
    skip();
  }
  while (at < end) {
    if (code() === COLON) {
      marked = true;
      at++;
    }
    if (code() !== DASH) return 0;
    while (code() === DASH) at++;
    if (code() === COLON) {
      marked = true;
      at++;
    }
    cells++;
    skip();
    if (at >= end) break;
    if (code() !== PIPE) return 0;
    marked = true;
    at++;
    skip();
  }
  return marked ? cells : 0;
}
