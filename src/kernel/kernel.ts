import { ShelfmarkError, show } from '../errors.ts';
import type { AtxHeading, TextInput } from '../types.ts';
import type { BlockList } from './block-list.ts';

/** A run of whole records, or one record longer than the limit. Offsets are UTF-16 code units. */
export interface RecordPiece {
  charStart: number;
  charEnd: number;
  /** The slice of the text. */
  text: string;
  /** Trimming and joining the records gives another text than the slice. Never set where `sliced`. */
  rejoin: boolean;
  /** One record longer than `size`. */
  oversize: boolean;
}

export interface PackOptions {
  /** Divides the records; not empty. */
  separator: string;
  /** Largest piece, in UTF-16 code units. */
  size: number;
  /**
   * True counts the slice from the first record's first character to the last one's last and keeps a record's
   * indentation; false is the reference: records are trimmed and counted as if joined anew.
   */
  sliced: boolean;
}

export interface BlockOptions {
  /** Metadata at the very start is a block of its own. */
  frontMatter: boolean;
}

/** The other scans over one text. Both implementations give identical results. */
export interface TextKernel {
  readonly kind: KernelKind;
  /** What `/^(#{1,6})[ \t]+(.+?)[ \t]*$/gm` matches, in linear time. */
  atxHeadings(text: TextInput): AtxHeading[];
  packRecords(text: TextInput, options: PackOptions): RecordPiece[];
  /** SHA-256 of the text in UTF-8, in hex; a lone surrogate counts as U+FFFD. */
  sha256(text: string): string;
}

/** The scan for the structure of Markdown. Both implementations give identical results. */
export interface BlockKernel {
  readonly kind: KernelKind;
  /** The blocks of a document, as CommonMark 0.31 and GitHub's tables have them, in linear time. */
  scanBlocks(text: TextInput, options: BlockOptions): BlockList;
}

export type KernelKind = 'wasm' | 'js';

/** Which implementation of a kernel runs, and why, where it is not the first choice. */
export interface KernelState {
  kernel: KernelKind;
  reason?: string;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isShared = (bytes: Uint8Array): boolean =>
  typeof SharedArrayBuffer === 'function' && bytes.buffer instanceof SharedArrayBuffer;

/** The string a text means. Shared memory is copied first, since a decoder takes none. */
export const decodeText = (text: TextInput): string =>
  typeof text === 'string' ? text : decoder.decode(isShared(text) ? text.slice() : text);

/** Throws `INVALID_DOCUMENT` for what is neither a string nor bytes. */
export function checkText(text: unknown, owner = ''): asserts text is TextInput {
  if (typeof text === 'string' || text instanceof Uint8Array) return;
  throw new ShelfmarkError(
    'INVALID_DOCUMENT',
    `The text${owner} is ${show(text)}; give a string or a Uint8Array of UTF-8.`,
  );
}
