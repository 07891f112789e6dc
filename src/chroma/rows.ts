import { show } from '../errors.ts';
import { hasLoneSurrogate } from '../split/cut.ts';
import { ByteReader, ByteWriter } from '../store/bytes.ts';
import { documentIdOf } from '../store/ids.ts';
import { sameData } from '../store/metadata.ts';
import { PlainWriter } from '../store/plain-data.ts';
import { PlainReader } from '../store/plain-data-reader.ts';
import type { ChunkRecord, Metadata } from '../types.ts';
import type { GetResult, RowMetadata } from './client.ts';
import { keys, nativeMetadata } from './where.ts';

/** A record as it was read from the engine. */
export interface Row {
  record: ChunkRecord;
  documentId: string;
  /** Rises with the order of insertion. */
  order: number;
}

/** Any string as one the engine takes for an id: as JSON spells it, which is the string itself where it is plain. */
export const chromaId = (id: string): string => JSON.stringify(id).slice(1, -1);

const fromChromaId = (id: string): string => JSON.parse(`"${id}"`) as string;

/** Text and metadata of a record as the engine keeps them. Everything is in `head`; the rest is there to be filtered by. */
export function toRow(record: ChunkRecord, order: number): { document: string; metadata: RowMetadata } {
  const { id, text, metadata, ...head } = record;
  const broken = hasLoneSurrogate(text);
  return {
    document: broken ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text,
    metadata: {
      ...nativeMetadata(metadata),
      [keys.document]: chromaId(documentIdOf(id)),
      [keys.order]: order,
      [keys.head]: JSON.stringify({
        ...head,
        ...spell(metadata, `record ${show(id)}`),
        ...(broken && { text }),
      }),
    },
  };
}

/** The change that makes of a stored record's metadata this one: keys that are gone are taken away. */
export function laidOver(before: RowMetadata | null | undefined, after: RowMetadata): RowMetadata {
  const gone = Object.keys(before ?? {}).filter((key) => !Object.hasOwn(after, key));
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...after };
}

/** What was read, as records; what this library did not write has its text and its own metadata, and comes last. */
export function rowsOf({ ids, documents, metadatas }: GetResult): Row[] {
  return ids.map((given, at) => {
    const stored = metadatas[at] ?? {};
    const { [keys.head]: head, [keys.order]: order, [keys.document]: document, ...rest } = stored;
    const text = documents[at] ?? '';
    if (typeof head !== 'string') {
      return {
        record: { id: given, text, ...(Object.keys(rest).length > 0 && { metadata: rest as Metadata }) },
        documentId: documentIdOf(given),
        order: Number.MAX_SAFE_INTEGER,
      };
    }
    const { packed: other, ...own } = JSON.parse(head) as Partial<ChunkRecord> & { packed?: string };
    return {
      record: {
        id: fromChromaId(given),
        text,
        ...own,
        ...(other !== undefined && { metadata: unpacked(other) }),
      },
      documentId: fromChromaId(String(document)),
      order: Number(order),
    };
  });
}

/** Metadata as text: as JSON where that carries it, else packed as an index file packs it. */
function spell(metadata: Metadata | undefined, owner: string): { metadata?: Metadata; packed?: string } {
  if (metadata === undefined) return {};
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(metadata));
  } catch {
    // It holds itself, or a big integer.
  }
  return sameData(copy, metadata) ? { metadata } : { packed: packed(metadata, owner) };
}

function packed(metadata: Metadata, owner: string): string {
  const [values, roots, all] = [new PlainWriter(), new ByteWriter(), new ByteWriter()];
  values.owner = owner;
  values.refer(roots, metadata, [], 0);
  values.finish(all);
  all.bytes(roots.written);
  return btoa(Array.from(all.written, (byte) => String.fromCharCode(byte)).join(''));
}

function unpacked(text: string): Metadata {
  const from = new ByteReader(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  const values = new PlainReader(from);
  const metadata = values.value(from, [], 0) as Metadata;
  values.finish();
  return metadata;
}
