// One arena a module: everything a call needs is taken from its top, and the whole is reset between calls.
//
//   __heap_base            top                 end of memory
//        | text, padding, results … |  free         |
//
// Memory only grows (WebAssembly cannot shrink it), so the host drops an instance that held a very large text.

/** Zero bytes kept after every text, so that a vector load past its end reads nothing of another call. */
export const PADDING: usize = 64;

const ALIGN: usize = 15;
const PAGE_BITS: usize = 16;

export let top: usize = (__heap_base + ALIGN) & ~ALIGN;

/** Forgets all that was reserved. */
export function reset(): void {
  top = (__heap_base + ALIGN) & ~ALIGN;
}

/** Makes room up to `end`; false where the engine gives no more memory. */
function grow(end: usize): bool {
  const have = (<usize>memory.size()) << PAGE_BITS;
  if (end <= have) return true;
  const pages = (end - have + 0xffff) >> PAGE_BITS;
  // Growing by half again keeps the number of growths logarithmic where results are pushed one by one.
  const ahead = pages + (<usize>memory.size() >> 1);
  return memory.grow(<i32>ahead) >= 0 || memory.grow(<i32>pages) >= 0;
}

/** Takes `bytes` plus zeroed padding, 16-byte aligned; 0 where there is no memory left. */
export function reserve(bytes: usize): usize {
  const start = top;
  const end = (start + bytes + PADDING + ALIGN) & ~ALIGN;
  if (end < start || !grow(end)) return 0;
  memory.fill(start + bytes, 0, PADDING);
  top = end;
  return start;
}

// Results of unknown number are pushed to the top of the arena as 32-bit words.
let first: usize = 0;

/** 1 once a call was given up because the engine had no more memory. */
export let exhausted: i32 = 0;

export function beginResults(): void {
  first = top;
}

/** Makes room for `words` more; traps where there is no memory left, which the host reports as such. */
@inline
export function room(words: usize): usize {
  const at = top;
  const end = at + (words << 2);
  if (!grow(end)) {
    exhausted = 1;
    unreachable();
  }
  top = end;
  return at;
}

export function results(): usize {
  return first;
}

/** Forgets the results from `at` on. */
export function dropResults(at: usize): void {
  top = at;
}

/** Makes room for `bytes` before the results by moving them up; answers by how much. */
export function shiftResults(bytes: usize): usize {
  const from = first;
  const size = top - from;
  room(bytes >> 2);
  first = from + bytes;
  memory.copy(first, from, size);
  return bytes;
}
