import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { decodeFile, type Snapshot } from '../store/file.ts';

/** What an index file begins with. */
const mark = 'SHLF';

const hasErrno = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string } | undefined)?.code ?? '');

/** The bytes of a file that may be missing. */
async function bytesAt(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (cause) {
    if (hasErrno(cause, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new ShelfmarkError('FORMAT', `${path} cannot be read: ${messageOf(cause)}.`, { cause });
  }
}

/** An index file's bytes. @throws ShelfmarkError `FORMAT` where there is none */
export async function readIndexFile(path: string): Promise<Uint8Array> {
  const bytes = await bytesAt(path);
  if (bytes === undefined) {
    throw new ShelfmarkError('FORMAT', `There is no file ${path}; make it with shelfmark build.`);
  }
  return bytes;
}

/**
 * The index a build is to go on from; undefined where there is none, or an empty file.
 *
 * @param isFresh Whether what is in it is of no interest, as long as it is an index
 * @throws ShelfmarkError `FORMAT` for a file that is something else, which is then left alone
 */
export async function readPrevious(
  path: string,
  isFresh: boolean,
): Promise<(Snapshot & { hash: string }) | undefined> {
  const bytes = await bytesAt(path);
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (new TextDecoder().decode(bytes.subarray(0, mark.length)) !== mark) {
    throw new ShelfmarkError(
      'FORMAT',
      `${path} is there and is no index, so it is not written over; give another --out, or delete it.`,
    );
  }
  if (isFresh) return undefined;
  try {
    return await decodeFile(bytes, path);
  } catch (cause) {
    throw new ShelfmarkError('FORMAT', `${messageOf(cause)} To build it anew, give --fresh.`, { cause });
  }
}

/**
 * Writes a file whole or not at all: beside it first, then in its place; what a link leads to stays in its place. Folders
 * are made.
 *
 * @throws ShelfmarkError `UNSUPPORTED` where it cannot be written, `QUOTA_EXCEEDED` on a full disk, the signal's reason
 */
export async function writeWhole(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const folder = dirname(target);
  const beside = join(folder, `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  // A process that ends in between leaves nothing behind.
  const tidy = (): void => rmSync(beside, { force: true });
  process.once('exit', tidy);
  try {
    await mkdir(folder, { recursive: true });
    const file = await open(beside, 'wx');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    throwIfAborted(signal);
    await rename(beside, target);
  } catch (cause) {
    await rm(beside, { force: true });
    throwIfAborted(signal);
    const code = hasErrno(cause, 'ENOSPC', 'EDQUOT') ? 'QUOTA_EXCEEDED' : 'UNSUPPORTED';
    throw new ShelfmarkError(code, `${path} cannot be written: ${messageOf(cause)}.`, { cause });
  } finally {
    process.off('exit', tidy);
  }
}
