import { checksum } from '../src/kernel/checksum.ts';
import { deflate, inflate } from '../src/store/deflate.ts';

/** A section of an index file, its content not compressed. */
export interface CraftedSection {
  kind: number;
  number: number;
  content: Uint8Array<ArrayBuffer>;
  /** What the directory says instead of the length of the content. */
  rawBytes?: number;
}

const VECTORS = 5;

/** The sections of a file that is as it was written. */
export async function sectionsOf(file: Blob): Promise<CraftedSection[]> {
  const bytes = await file.arrayBuffer();
  const view = new DataView(bytes);
  const sections: CraftedSection[] = [];
  for (let at = 20; sections.length < view.getUint16(6, true); at += 24) {
    const [kind, number] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const offset = Number(view.getBigUint64(at + 8, true));
    const stored = new Uint8Array(bytes, offset, view.getUint32(at + 16, true));
    const raw = view.getUint32(at + 20, true);
    sections.push({ kind, number, content: kind === VECTORS ? stored.slice() : await inflate(stored, raw) });
  }
  return sections;
}

/** A file of these sections, whatever they are, with lengths and checksums that hold. */
export async function craft(sections: readonly CraftedSection[]): Promise<Uint8Array<ArrayBuffer>> {
  const stored = await Promise.all(
    sections.map(({ kind, content }) => (kind === VECTORS ? content : deflate(content))),
  );
  const padded = (bytes: number) => (bytes + 3) & ~3;
  const headBytes = 20 + sections.length * 24;
  const bytes = new Uint8Array(stored.reduce((sum, { length }) => sum + padded(length), headBytes));
  const view = new DataView(bytes.buffer);
  let offset = headBytes;
  for (const [at, { kind, number, content, rawBytes = content.length }] of sections.entries()) {
    const line = 20 + at * 24;
    const { length } = stored[at]!;
    bytes.set(stored[at]!, offset);
    view.setUint16(line, kind, true);
    view.setUint16(line + 2, number, true);
    view.setUint32(line + 4, checksum(new Uint32Array(bytes.buffer, offset, padded(length) / 4)), true);
    view.setBigUint64(line + 8, BigInt(offset), true);
    view.setUint32(line + 16, length, true);
    view.setUint32(line + 20, rawBytes, true);
    offset += padded(length);
  }
  view.setUint32(0, 0x464c4853, true);
  view.setUint16(4, 1, true);
  view.setUint16(6, sections.length, true);
  view.setBigUint64(8, BigInt(bytes.length), true);
  view.setUint32(16, checksum(new Uint32Array(bytes.buffer, 0, headBytes / 4)), true);
  return bytes;
}
