import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { messageOf, ShelfmarkError, show } from '../errors.ts';

/** What is read, by the end of a file's name in lower case. */
const kinds = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdx': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.txt': 'text',
  '.csv': 'text',
} as const;

export type FileKind = (typeof kinds)[keyof typeof kinds];

export interface FoundFile {
  /** Where it lies. */
  path: string;
  /** Its path in the folder, with slashes and in Unicode's composed form, so that every system gives the same. */
  uri: string;
  kind: FileKind;
}

/** As `sort` orders strings: by code units, whatever the language of the machine. */
const byUri = (a: FoundFile, b: FoundFile): number => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);

/**
 * The files of a folder and those in it that can be read, in the order of their uris. Left out is what begins with a dot,
 * and `node_modules`. Symbolic links are followed, but not into a folder that the link is in.
 *
 * @throws ShelfmarkError `INVALID_DOCUMENT` where a folder or link cannot be read, and where two files have one uri
 */
export async function findFiles(folder: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const top = await statOf(folder);
  if (!top.isDirectory()) throw unreadable(folder, 'it is not a folder');
  await walk(folder, '', [await real(folder)], found);
  found.sort(byUri);
  for (const [at, { uri, path }] of found.entries()) {
    const next = found[at + 1];
    if (next?.uri !== uri) continue;
    throw new ShelfmarkError(
      'INVALID_DOCUMENT',
      `Two files have the uri ${show(uri)}, ${JSON.stringify(path)} and ${JSON.stringify(next.path)}, whose names differ in how accents are spelt; rename one of them.`,
    );
  }
  return found;
}

async function walk(
  folder: string,
  uri: string,
  above: readonly string[],
  found: FoundFile[],
): Promise<void> {
  for (const name of await namesIn(folder)) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const path = join(folder, name);
    const kind = kindOf(name);
    // What is neither read nor a folder may be whatever it is.
    const what = kind === undefined ? await statOf(path).catch(() => undefined) : await statOf(path);
    const own = `${uri}${name}`;
    if (what?.isDirectory()) {
      const target = await real(path);
      if (!above.includes(target)) await walk(path, `${own}/`, [...above, target], found);
    } else if (kind !== undefined && what?.isFile()) {
      found.push({ path, uri: own.normalize('NFC'), kind });
    }
  }
}

const kindOf = (name: string): FileKind | undefined =>
  (kinds as Record<string, FileKind>)[extname(name).toLowerCase()];

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw unreadable(folder, messageOf(cause), cause);
  }
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    throw unreadable(path, messageOf(cause), cause);
  }
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw unreadable(path, messageOf(cause), cause);
  }
}

/** A file or folder that cannot be read. */
export const unreadable = (path: string, why: string, cause?: unknown): ShelfmarkError =>
  new ShelfmarkError('INVALID_DOCUMENT', `${path} cannot be read: ${why}`.replace(/\.?$/, '.'), { cause });
