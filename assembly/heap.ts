// Blocks for an index that lives long and grows: sizes are powers of two, and a freed block waits in the list of
// its size. Memory only grows, so the host drops the whole instance when the index is closed or compacted.

const PAGE_BITS: usize = 16;
const SMALLEST: usize = 4; // 16 bytes

let top: usize = (__heap_base + 15) & ~15;
const free = memory.data(32 * 4, 16);

/** 1 once a call was given up because the engine had no more memory. */
export let exhausted: i32 = 0;

/** Bytes taken from the engine so far that are in use or wait in a free list. */
export function heapBytes(): usize {
  return top;
}

@inline
function sizeClass(bytes: usize): usize {
  const bits: usize = bytes <= 16 ? SMALLEST : 32 - clz(<u32>(bytes - 1));
  return bits;
}

/** A block of at least `bytes`, 16-byte aligned, its content undefined. Traps where there is no memory left. */
export function alloc(bytes: usize): usize {
  const bits = sizeClass(bytes);
  const slot = free + (bits << 2);
  const waiting = <usize>load<u32>(slot);
  if (waiting == 0) return keep(<usize>1 << bits);
  store<u32>(slot, load<u32>(waiting));
  return waiting;
}

/**
 * A block of just `bytes`, a multiple of 16, that is never given back: rounding large ones up would waste a lot.
 * It holds zeros, as all memory does that was never used.
 */
export function keep(bytes: usize): usize {
  const start = top;
  const end = start + bytes;
  const have = (<usize>memory.size()) << PAGE_BITS;
  if (end < start) fail();
  if (end > have) {
    const pages = <i32>((end - have + 0xffff) >> PAGE_BITS);
    // A quarter ahead, so that growing costs little and wastes little.
    const ahead = pages + (memory.size() >> 2);
    if (memory.grow(ahead) < 0 && memory.grow(pages) < 0) fail();
  }
  top = end;
  return start;
}

/** Gives a block back; `bytes` is what it was asked for. */
export function release(block: usize, bytes: usize): void {
  const slot = free + (sizeClass(bytes) << 2);
  store<u32>(block, load<u32>(slot));
  store<u32>(slot, <u32>block);
}

/** A larger block with the old content, the rest zeroed; `block` may be 0. */
export function regrow(block: usize, bytes: usize, wanted: usize): usize {
  const next = alloc(wanted);
  if (block != 0) {
    memory.copy(next, block, bytes);
    release(block, bytes);
  }
  memory.fill(next + bytes, 0, wanted - bytes);
  return next;
}

function fail(): void {
  exhausted = 1;
  unreachable();
}
