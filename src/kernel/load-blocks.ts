import inlined from '../../build/blocks.wasm.js';
import type { TextInput } from '../types.ts';
import type { BlockList } from './block-list.ts';
import { scanBlocks as scanBlocksOfTwin } from './blocks.ts';
import { type BlockOptions, decodeText } from './kernel.ts';
import { memoryOf } from './memory-of.ts';
import { blockSource } from './state.ts';
import * as wasm from './wasm-blocks.ts';

/** The blocks of a Markdown document, as CommonMark 0.31 and GitHub's tables have them, in time linear in the input. */
export function scanBlocks(input: TextInput, { frontMatter }: BlockOptions): BlockList {
  // Strings too: over a corpus of them WebAssembly takes as long as the twin, or less (Node 20), and in a first pass in
  // Chromium 156, before the engine has compiled the twin, 11 against 61 ms (eslint's documents) or 77 against 84 ms
  // (rust-book).
  const memory = memoryOf(blockSource, 'blocks', inlined);
  return memory === undefined
    ? scanBlocksOfTwin(decodeText(input), frontMatter)
    : wasm.scanBlocks(memory, input, frontMatter);
}

/**
 * The headings of a Markdown document that is bytes, and their titles one behind the other, and nothing else is
 * decoded. Undefined where it takes the string to read them.
 */
export function scanHeadings(bytes: Uint8Array, { frontMatter }: BlockOptions): wasm.HeadingList | undefined {
  const memory = memoryOf(blockSource, 'blocks', inlined);
  return memory && wasm.scanHeadings(memory, bytes, frontMatter);
}
