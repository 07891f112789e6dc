import type { TextInput } from '../types.ts';
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

export function scanBlocks(memory: BlockMemory, text: TextInput, frontMatter: boolean): BlockList {
  const entered = enter(memory, text);
  const count =
    entered && scan(entered.kernel, () => entered.kernel.scanBlocks(entered.at, entered.length, frontMatter));
  if (count === undefined) return scanBlocksOfTwin(decodeText(text), frontMatter);
  const { kernel, ascii } = entered!;
  if (!ascii) kernel.blockUnits();
  const words = new Uint32Array(kernel.memory.buffer, kernel.results(), count * BLOCK_WORDS).slice();
  return { words, count };
}
