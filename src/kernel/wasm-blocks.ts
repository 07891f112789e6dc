import type { TextInput } from '../types.ts';
import * as BlockKind from './block-kinds.ts';
import { BLOCK_WORDS, type BlockList } from './block-list.ts';
import { scanBlocks as scanBlocksOfTwin } from './blocks.ts';
import { type BlockKernel, decodeText } from './kernel.ts';
import type { WasmModule } from './wasm.ts';
import { enter, openModule, type ScanExports, type ScanMemory, scan } from './wasm-memory.ts';

export interface BlockExports extends ScanExports {
  scanBlocks(at: number, length: number, frontMatter: boolean): number;
  blockUnits(): void;
}

export type BlockMemory = ScanMemory<BlockExports>;

/** The function below as a kernel. */
export function wasmBlocks(module: WasmModule): BlockKernel {
  const memory: BlockMemory = openModule(module, 'blocks');
  return { kind: 'wasm', scanBlocks: (text, { frontMatter }) => scanBlocks(memory, text, frontMatter) };
}

/** Puts a text into memory and scans it; undefined where it is no UTF-8, or too much for the memory there is. */
function scanned(memory: BlockMemory, text: TextInput, frontMatter: boolean) {
  const entered = enter(memory, text);
  if (entered === undefined) return undefined;
  const { kernel, at, length } = entered;
  const count = scan(kernel, () => kernel.scanBlocks(at, length, frontMatter));
  if (count === undefined) return undefined;
  return {
    ...entered,
    count,
    words: new Uint32Array(kernel.memory.buffer, kernel.results(), count * BLOCK_WORDS),
  };
}

export function scanBlocks(memory: BlockMemory, text: TextInput, frontMatter: boolean): BlockList {
  const found = scanned(memory, text, frontMatter);
  if (found === undefined) return scanBlocksOfTwin(decodeText(text), frontMatter);
  const { kernel, ascii, count, words } = found;
  if (!ascii) kernel.blockUnits();
  return { words: words.slice(), count };
}

/** Headings among the blocks, and their titles one behind the other: each as long as its record says. */
export interface HeadingList extends BlockList {
  titles: string;
}

export function scanHeadings(
  memory: BlockMemory,
  bytes: Uint8Array,
  frontMatter: boolean,
): HeadingList | undefined {
  const found = scanned(memory, bytes, frontMatter);
  if (found === undefined) return undefined;
  const { kernel, at, ascii, words } = found;
  const places: number[] = [];
  let size = 0;
  for (let i = 0; i < words.length; i += BLOCK_WORDS) {
    if (words[i]! > BlockKind.Setext) continue;
    places.push(i);
    size += words[i + 6]! - words[i + 5]!;
  }
  const source = new Uint8Array(kernel.memory.buffer);
  const gathered = new Uint8Array(size);
  let to = 0;
  for (const i of places) {
    const end = at + words[i + 6]!;
    for (let from = at + words[i + 5]!; from < end; from++) gathered[to++] = source[from]!;
  }
  if (!ascii) kernel.blockUnits();
  const kept = new Uint32Array(places.length * BLOCK_WORDS);
  places.forEach((i, n) => {
    for (let word = 0; word < BLOCK_WORDS; word++) kept[n * BLOCK_WORDS + word] = words[i + word]!;
  });
  return { words: kept, count: places.length, titles: decodeText(gathered) };
}
