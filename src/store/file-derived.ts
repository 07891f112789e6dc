import { sha256 } from '../kernel/load.ts';
import { hasLoneSurrogate } from '../split/cut.ts';
import { headAt } from './columns.ts';
import { readingOf } from './reading.ts';
import { type Entry, type Texts, textAt } from './table.ts';

/*
 * What an index keeps with a document (`DocumentInfo`, src/ingest/prepare.ts) is half hashes, which nothing compresses
 * and which the document's text gives again. They are left out of a file where they are just that, a hash of the text
 * at the start of `source` and one a record in `hashes`, and are made again when it is read. How they are made is
 * thereby part of the file format.
 */

/** Hex digits of a record's hash. */
const HASH_CHARS = 32;
/** Characters hashed for each of the text, and beside them; more, and nobody would wait for it. */
const [LIMIT_FACTOR, LIMIT_REST] = [16, 1024];

/** What was left out, as bits. */
const SOURCE = 1;
const HASHES = 2;

type Info = { source: string; hashes: string };

/** The hashes of a document of which the whole text is there. */
function sourceOf({ text }: Texts): string | undefined {
  return text === undefined ? undefined : sha256(hasLoneSurrogate(text) ? JSON.stringify(text) : text);
}

/** A hash a record, one after the other, or undefined where there is something unusual about the records. */
function hashesOf(entry: Entry, texts: Texts): string | undefined {
  if (texts.text === undefined) return undefined;
  let left = texts.text.length * LIMIT_FACTOR + LIMIT_REST;
  const hashes: string[] = [];
  for (let at = 0; at < entry.rows.length; at++) {
    const head = headAt(entry.id, entry.columns, at);
    const path: unknown = head.headingPath ?? [];
    if (!Array.isArray(path)) return undefined;
    const parts: unknown[] = [head.title, head.heading, head.context, ...path];
    // Anything else might take forever to be made a string.
    if (!parts.every((part) => part === undefined || typeof part === 'string')) return undefined;
    const reading = readingOf(head, textAt(texts, { entry, at }));
    left -= reading.length + path.length;
    if (left < 0) return undefined;
    hashes.push(sha256(reading).slice(0, HASH_CHARS));
  }
  return hashes.join('');
}

const isInfo = (info: unknown): info is Info =>
  typeof info === 'object' &&
  info !== null &&
  Object.prototype.toString.call(info) === '[object Object]' &&
  ['source', 'hashes'].every((key) => typeof Object.getOwnPropertyDescriptor(info, key)?.value === 'string');

/** Which parts of a document's info are left out of a file, and what is written instead of each. */
export function leaveOut(entry: Entry, texts: Texts): { instead: Partial<Info>; left: number } {
  const { info } = entry;
  if (!isInfo(info)) return { instead: {}, left: 0 };
  const source = sourceOf(texts);
  const hasSource = source !== undefined && info.source.startsWith(source);
  const hasHashes = info.hashes !== '' && info.hashes === hashesOf(entry, texts);
  return {
    instead: {
      ...(hasSource && { source: info.source.slice(source.length) }),
      ...(hasHashes && { hashes: '' }),
    },
    left: (hasSource ? SOURCE : 0) | (hasHashes ? HASHES : 0),
  };
}

/** Puts what was left out into a document's info. Throws any error where it cannot have been. */
export function putBack(entry: Entry, texts: Texts, left: number): void {
  if (left === 0) return;
  const { info } = entry;
  if (left > (SOURCE | HASHES) || !isInfo(info)) throw new Error('hashes were left out of nothing');
  const source = (left & SOURCE) === 0 ? '' : sourceOf(texts);
  const hashes = (left & HASHES) === 0 ? info.hashes : hashesOf(entry, texts);
  if (source === undefined || hashes === undefined)
    throw new Error('hashes were left out that cannot be made');
  info.source = source + info.source;
  info.hashes = hashes;
}
