import { readFile } from 'node:fs/promises';
import { messageOf, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { markdownHeadings } from '../split/markdown-headings.ts';
import { plainTitle } from '../split/plain-title.ts';
import type { SplitterDocument } from '../types.ts';
import { type FoundFile, unreadable } from './find-files.ts';
import { frontMatterTitle } from './front-matter.ts';
import { htmlToMarkdown } from './html.ts';

/** How the address of a page is made of its uri. */
export interface Addresses {
  /** What stands before the path; without it documents have no address. */
  baseUrl: string | undefined;
  /** What stands in place of `.md` or `.html`. */
  ext: string;
}

/**
 * Reads files into documents, each with its title and, where there is a base, the address of its page in
 * `metadata.url`.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` naming the files that cannot be read or are not UTF-8
 */
export async function readFiles(
  files: readonly FoundFile[],
  addresses: Addresses,
  signal: AbortSignal,
): Promise<SplitterDocument[]> {
  const documents: SplitterDocument[] = [];
  const faults: string[] = [];
  for (const file of files) {
    throwIfAborted(signal);
    try {
      documents.push(documentOf(file, await textOf(file.path), addresses));
    } catch (error) {
      if (!(error instanceof ShelfmarkError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length === 0) return documents;
  const more = faults.length > 5 ? ` And ${faults.length - 5} more files.` : '';
  throw new ShelfmarkError('INVALID_DOCUMENT', faults.slice(0, 5).join('\n') + more);
}

function documentOf({ uri, kind }: FoundFile, source: string, addresses: Addresses): SplitterDocument {
  const page = kind === 'html' ? htmlToMarkdown(source) : { text: source, title: undefined };
  const title =
    kind === 'text' ? undefined : (frontMatterTitle(source) ?? firstTitle(page.text) ?? page.title);
  const url = addresses.baseUrl === undefined ? undefined : addressOf(uri, kind, addresses);
  return {
    uri,
    text: page.text,
    ...(title !== undefined && { title }),
    ...(url !== undefined && { metadata: { url } }),
  };
}

/** What a reader sees of the first heading of the first level. */
function firstTitle(text: string): string | undefined {
  const heading = markdownHeadings(text, { slugger: 'docusaurus' }).find(({ level }) => level === 1);
  const title = heading === undefined ? '' : plainTitle(heading.title).trim();
  return title === '' ? undefined : title;
}

/** Where a page is served: texts and sheets under their own name, others as the site's generator names them. */
function addressOf(uri: string, kind: FoundFile['kind'], { baseUrl = '', ext }: Addresses): string {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  let path = kind === 'text' ? uri : uri.replace(/\.[^./]*$/, ext);
  if (ext === '' && kind !== 'text') path = path.replace(/(^|\/)index$/, '$1');
  return base + path.split('/').map(encodeURIComponent).join('/');
}

async function textOf(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    throw unreadable(path, messageOf(cause), cause);
  }
  const [a, b] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) {
    throw notUtf8(path, 'begins with the mark of UTF-16');
  }
  // Zeros are UTF-8 as well, and no text.
  if (isUtf16(bytes)) throw notUtf8(path, 'looks like UTF-16');
  try {
    // Without its mark, where it has one.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notUtf8(path, `is not UTF-8 in line ${badLine(bytes)}`);
  }
}

const notUtf8 = (path: string, what: string): ShelfmarkError =>
  new ShelfmarkError('INVALID_DOCUMENT', `${path} ${what}; save it as UTF-8.`);

/** Half of the bytes of a western text are zero. */
const isUtf16 = (bytes: Uint8Array): boolean => bytes.filter((byte) => byte === 0).length * 4 > bytes.length;

/** The line that holds the first byte which is no UTF-8, from 1. */
function badLine(bytes: Uint8Array): number {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true });
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const next = bytes.indexOf(0x0a, from);
    const end = next < 0 ? bytes.length : next + 1;
    const part = bytes.subarray(from, end);
    const again = new TextEncoder().encode(whole.decode(part));
    if (again.length !== part.length || again.some((byte, at) => byte !== part[at])) return line;
    from = end;
  }
  return line;
}

/** Files that would be one page of a site, as a note says it. */
export function sharedAddresses(documents: readonly SplitterDocument[]): string[] {
  const first = new Map<unknown, string>();
  return documents.flatMap(({ uri, metadata }) => {
    const url = metadata?.['url'];
    if (url === undefined) return [];
    const other = first.get(url);
    if (other === undefined) {
      first.set(url, uri);
      return [];
    }
    return [`${show(other)} and ${show(uri)} have one address, ${url}.`];
  });
}
