import { hasCode, messageOf, ShelfmarkError, show } from '../errors.ts';
import { checksum } from '../kernel/checksum.ts';
import { sha256 } from '../kernel/load.ts';
import type { VectorFormat } from '../types.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { deflate, inflate } from './deflate.ts';
import { checkSnapshot } from './file-check.ts';
import { decodeDocuments, encodeDocuments } from './file-documents.ts';
import { decodeTexts, decodeWords, encodeTexts, encodeWords } from './file-texts.ts';
import type { LexicalSegment } from './segments.ts';
import type { Entry, Texts } from './table.ts';

/*
 * An index in a file, little-endian, every part at a multiple of 4:
 *
 *   0        4        6         8                16        20
 *   | SHLF   | version| sections| bytes in all   | checksum| directory, 24 a section | sections …
 *
 *   0      2        4         8            16             20
 *   | kind | number | checksum| offset     | stored bytes | raw bytes |
 *
 * Sections follow each other in this order, without gaps but for zeros up to a multiple of 4:
 *
 *   1 meta        JSON: embedder, splitter, analyzer, vectors, dimensions, rowCount
 *   2 documents   src/store/file-documents.ts
 *   3 texts       src/store/file-texts.ts
 *   4 words       likewise, number 0, 1, …
 *   5 vectors     src/vectors/format.ts, number of the segment
 *
 * All but vectors are compressed (DEFLATE without a header). The checksum of a section is over its stored bytes and
 * the zeros; that in the header over header and directory, with 0 in its own place.
 */
const MAGIC = 0x464c4853;
const HEADER_BYTES = 20;
const DIRECTORY_BYTES = 24;
const CHECKSUM_AT = 16;
/** Highest version this reader knows, and the one it writes. */
export const FILE_VERSION = 1;
const [META, DOCUMENTS, TEXTS, WORDS, VECTORS] = [1, 2, 3, 4, 5];
/** Nothing that was deflated is longer than this by byte that is stored. */
const DEFLATE_LIMIT = 1032;

/** Everything an index keeps. */
export interface Snapshot {
  meta: {
    embedder?: string;
    splitter?: string;
    analyzer?: string;
    vectors: VectorFormat;
    dimensions: number;
    rowCount: number;
  };
  entries: readonly Entry[];
  /** By document id, one for each entry. */
  texts: ReadonlyMap<string, Texts>;
  /** Stored segments by their number, as src/vectors/format.ts encodes them. */
  vectors: readonly ArrayBuffer[];
  words: readonly LexicalSegment[];
}

interface Section {
  kind: number;
  number: number;
  /** With the zeros at the end. */
  stored: Uint8Array<ArrayBuffer>;
  storedBytes: number;
  rawBytes: number;
}

/**
 * Writes an index to a file. The same snapshot gives the same bytes in one engine; others may compress it otherwise.
 * Throws `UNSUPPORTED` for data that cannot be written, `STORE_CORRUPT` for a snapshot that `decodeFile` would refuse.
 */
export async function encodeFile(snapshot: Snapshot): Promise<Blob> {
  const { meta, entries, texts, vectors, words } = snapshot;
  try {
    checkSnapshot(snapshot);
  } catch (cause) {
    throw new ShelfmarkError(
      'STORE_CORRUPT',
      `The index cannot be written to a file (${messageOf(cause)}); repair it first, or add the documents again.`,
      { cause },
    );
  }
  const sections = [
    await compressed(META, 0, encodeMeta(meta)),
    await compressed(DOCUMENTS, 0, encodeDocuments(entries, texts)),
    await compressed(TEXTS, 0, encodeTexts(entries.map(({ id }) => texts.get(id)!))),
  ];
  for (const [at, segment] of words.entries()) {
    sections.push(await compressed(WORDS, at, encodeWords(segment, entries)));
  }
  // Unlike a loop, it passes over segments that are not there.
  vectors.forEach((bytes, at) => {
    sections.push(section(VECTORS, at, new Uint8Array(bytes), bytes.byteLength));
  });
  return new Blob([encodeHead(sections), ...sections.map(({ stored }) => stored)], {
    type: 'application/octet-stream',
  });
}

/**
 * Reads a file that `encodeFile` wrote. What it holds is plain data that fits together, whoever wrote it.
 * Throws `FORMAT` for everything else.
 *
 * @param name What the file is called in a message.
 * @returns Also a `hash` that another content will not have.
 */
export async function decodeFile(
  bytes: Blob | Uint8Array,
  name: string,
): Promise<Snapshot & { hash: string }> {
  const refuse: Refuse = (what, advice = 'get it again', cause) =>
    new ShelfmarkError('FORMAT', `File ${show(name)} ${what}; ${advice}.`, { cause });
  try {
    const { directory, hash } = await readHead(bytes, refuse);
    const snapshot = await readSections(bytes, directory, refuse);
    checkSnapshot(snapshot);
    return { ...snapshot, hash };
  } catch (cause) {
    if (hasCode(cause, 'FORMAT', 'UNSUPPORTED')) throw cause;
    throw refuse(`does not hold an index as it should (${messageOf(cause)})`, undefined, cause);
  }
}

/** The `hash` that `decodeFile` would answer, without reading more than the directory. */
export async function fileHash(bytes: Blob | Uint8Array, name: string): Promise<string> {
  const refuse: Refuse = (what, advice = 'get it again', cause) =>
    new ShelfmarkError('FORMAT', `File ${show(name)} ${what}; ${advice}.`, { cause });
  return (await readHead(bytes, refuse)).hash;
}

type Refuse = (what: string, advice?: string, cause?: unknown) => ShelfmarkError;

const padded = (bytes: number): number => Math.ceil(bytes / 4) * 4;

function section(kind: number, number: number, stored: Uint8Array<ArrayBuffer>, rawBytes: number): Section {
  if (Math.max(stored.length, rawBytes) >= 2 ** 32 || number >= 2 ** 16) {
    throw new ShelfmarkError('UNSUPPORTED', 'The index is too large to be written to a file.');
  }
  const whole = new Uint8Array(padded(stored.length));
  whole.set(stored);
  return { kind, number, stored: whole, storedBytes: stored.length, rawBytes };
}

async function compressed(kind: number, number: number, raw: ByteWriter): Promise<Section> {
  const { written } = raw;
  return section(kind, number, await deflate(written), written.length);
}

function encodeHead(sections: readonly Section[]): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(HEADER_BYTES + sections.length * DIRECTORY_BYTES);
  const view = new DataView(head.buffer);
  let offset = head.length;
  for (const [at, { kind, number, stored, storedBytes, rawBytes }] of sections.entries()) {
    const line = HEADER_BYTES + at * DIRECTORY_BYTES;
    view.setUint16(line, kind, true);
    view.setUint16(line + 2, number, true);
    view.setUint32(line + 4, checksumOf(stored), true);
    view.setBigUint64(line + 8, BigInt(offset), true);
    view.setUint32(line + 16, storedBytes, true);
    view.setUint32(line + 20, rawBytes, true);
    offset += stored.length;
  }
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, FILE_VERSION, true);
  view.setUint16(6, sections.length, true);
  view.setBigUint64(8, BigInt(offset), true);
  view.setUint32(CHECKSUM_AT, checksumOf(head), true);
  return head;
}

const checksumOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): number =>
  checksum(new Uint32Array(buffer, byteOffset, byteLength / 4));

/** Some bytes of a file, in memory of their own. */
async function read(file: Blob | Uint8Array, from: number, to: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file instanceof Uint8Array) return new Uint8Array(file.subarray(from, to));
  return new Uint8Array(await file.slice(from, to).arrayBuffer());
}

interface Line {
  kind: number;
  number: number;
  checksum: number;
  offset: number;
  storedBytes: number;
  rawBytes: number;
}

async function readHead(
  file: Blob | Uint8Array,
  refuse: Refuse,
): Promise<{ directory: Line[]; hash: string }> {
  const size = file instanceof Uint8Array ? file.length : file.size;
  const start = await read(file, 0, HEADER_BYTES);
  checkStart(start, refuse);
  const header = new DataView(start.buffer);
  const count = header.getUint16(6, true);
  const total = Number(header.getBigUint64(8, true));
  if (total !== size) throw refuse(`is ${size} bytes long where it says ${total}: it was cut or altered`);
  const headBytes = HEADER_BYTES + count * DIRECTORY_BYTES;
  if (headBytes > size) throw refuse('is shorter than its directory: it was altered');
  const head = await read(file, 0, headBytes);
  const view = new DataView(head.buffer);
  view.setUint32(CHECKSUM_AT, 0, true);
  if (checksumOf(head) !== header.getUint32(CHECKSUM_AT, true)) throw damaged('directory', refuse);

  const directory: Line[] = [];
  let end = headBytes;
  for (let at = HEADER_BYTES; at < headBytes; at += DIRECTORY_BYTES) {
    const line: Line = {
      kind: view.getUint16(at, true),
      number: view.getUint16(at + 2, true),
      checksum: view.getUint32(at + 4, true),
      offset: Number(view.getBigUint64(at + 8, true)),
      storedBytes: view.getUint32(at + 16, true),
      rawBytes: view.getUint32(at + 20, true),
    };
    if (line.offset !== end) throw new Error(`a section starts at ${line.offset} instead of ${end}`);
    end += padded(line.storedBytes);
    directory.push(line);
  }
  if (end !== total) throw new Error(`its sections end at ${end} instead of ${total}`);
  // The checksums in it stand for everything else.
  return { directory, hash: sha256(Array.from(head, (byte) => byte.toString(16).padStart(2, '0')).join('')) };
}

const damaged = (what: string, refuse: Refuse): ShelfmarkError =>
  refuse(`was altered: its ${what} does not match the checksum`);

/** Refuses what is no index file of a known version, by what it is as far as can be told. */
function checkStart(start: Uint8Array<ArrayBuffer>, refuse: Refuse): void {
  const another = 'give the one that index.export() made';
  if (start.length === 0) throw refuse('is empty', another);
  const view = new DataView(start.buffer);
  const marks = [0x53, 0x48, 0x4c, 0x46];
  if (!marks.slice(0, start.length).every((mark, at) => start[at] === mark)) {
    const text = new TextDecoder().decode(start).trimStart();
    if (text.startsWith('<'))
      throw refuse('is a page (HTML or XML), not an index: check its address', another);
    if (start[0] === 0x1f && start[1] === 0x8b) {
      throw refuse('is compressed with gzip', 'unpack it, or serve it with Content-Encoding: gzip');
    }
    throw refuse('does not start with the mark of an index file', another);
  }
  if (start.length < HEADER_BYTES) throw refuse(`was cut after ${start.length} bytes`);
  const version = view.getUint16(4, true);
  if (version > FILE_VERSION) {
    throw refuse(
      `says it is of version ${version} of the format, this library reads up to ${FILE_VERSION}`,
      'update the library or, where it is the newest, get the file again',
    );
  }
  if (version === 0) throw refuse('has no version: it was altered');
}

async function readSections(
  file: Blob | Uint8Array,
  directory: readonly Line[],
  refuse: Refuse,
): Promise<Snapshot> {
  checkOrder(directory);
  const names = ['', 'description', 'documents', 'texts', 'words', 'vectors'];
  const stored = async (line: Line): Promise<Uint8Array<ArrayBuffer>> => {
    const whole = await read(file, line.offset, line.offset + padded(line.storedBytes));
    if (checksumOf(whole) !== line.checksum) throw damaged(names[line.kind]!, refuse);
    return whole.subarray(0, line.storedBytes);
  };
  const raw = async (line: Line): Promise<ByteReader> => {
    const bytes = await stored(line);
    if (line.rawBytes > line.storedBytes * DEFLATE_LIMIT) {
      throw new Error(`${line.storedBytes} bytes are said to be ${line.rawBytes} compressed`);
    }
    return new ByteReader(await inflate(bytes, line.rawBytes));
  };
  const [meta, documents, texts, ...others] = directory as [Line, Line, Line, ...Line[]];
  const description = decodeMeta(await raw(meta));
  const kept = decodeTexts(await raw(texts));
  const entries = decodeDocuments(await raw(documents), kept);
  const snapshot = {
    meta: description,
    entries,
    texts: new Map(entries.map(({ id }, at) => [id, kept[at]!])),
    words: [] as LexicalSegment[],
    vectors: [] as ArrayBuffer[],
  };
  for (const line of others) {
    if (line.kind === WORDS) snapshot.words.push(decodeWords(await raw(line), entries));
    else if (line.rawBytes !== line.storedBytes) throw new Error('vectors are compressed');
    else snapshot.vectors[line.number] = (await stored(line)).slice().buffer;
  }
  return snapshot;
}

/** Throws unless the sections are those that are known, in their order. */
function checkOrder(directory: readonly Line[]): void {
  const kinds = directory.slice(0, 3).map(({ kind }) => kind);
  if (kinds.join() !== [META, DOCUMENTS, TEXTS].join()) throw new Error('it lacks a section');
  let before: Line = { ...directory[2]!, number: 0 };
  for (const line of directory.slice(3)) {
    if (line.kind !== WORDS && line.kind !== VECTORS) throw new Error(`section ${line.kind} is unknown`);
    const follows = line.kind === before.kind ? line.number > before.number : line.kind > before.kind;
    if (!follows) throw new Error('sections are out of order');
    before = line;
  }
}

const metaKeys = ['embedder', 'splitter', 'analyzer', 'vectors', 'dimensions', 'rowCount'] as const;

function encodeMeta(meta: Snapshot['meta']): ByteWriter {
  const out = new ByteWriter();
  // Keys in one order, whatever the order in the snapshot.
  out.bytes(
    new TextEncoder().encode(JSON.stringify(Object.fromEntries(metaKeys.map((key) => [key, meta[key]])))),
  );
  return out;
}

function decodeMeta(from: ByteReader): Snapshot['meta'] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(from.bytes(from.left));
  const given = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  const meta = Object.fromEntries(
    metaKeys.flatMap((key) => (Object.hasOwn(given, key) ? [[key, given[key]]] : [])),
  );
  return meta as unknown as Snapshot['meta'];
}
