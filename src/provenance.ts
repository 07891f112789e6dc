import type { Provenance } from './types.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * Where a retrieved value comes from. Reads a chunk (`docUri`, `page`, `heading`), a document with
 * `metadata` (`source` stands for a missing `docUri`) or a chat message; what is absent or of another type is
 * left out. Where `metadata` is an object, it alone is read.
 */
export function chunkProvenance(value: unknown): Provenance {
  if (!isRecord(value)) return {};
  const from = isRecord(value['metadata']) ? value['metadata'] : value;
  const docUri = from['docUri'] ?? from['source'];
  const { page, heading } = from;
  const provenance: Provenance = {};
  if (typeof docUri === 'string' && docUri !== '') provenance.docUri = docUri;
  if (typeof page === 'number' && Number.isFinite(page)) provenance.page = page;
  if (typeof heading === 'string' && heading !== '') provenance.heading = heading;
  return provenance;
}

/** The passage a retrieved value carries: its `content` where that is a string, else its `text`, else `''`. */
export function passageText(value: unknown): string {
  if (!isRecord(value)) return '';
  if (typeof value['content'] === 'string') return value['content'];
  return typeof value['text'] === 'string' ? value['text'] : '';
}
