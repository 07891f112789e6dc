import { ShelfmarkError } from '../errors.ts';

/** Bytes that all of this origin takes up and may take up, as far as the browser tells; undefined where it does not. */
export async function storageSpace(): Promise<{ usage?: number; quota?: number } | undefined> {
  const told = await globalThis.navigator?.storage?.estimate?.();
  if (told === undefined) return undefined;
  const { usage, quota } = told;
  return { ...(usage !== undefined && { usage }), ...(quota !== undefined && { quota }) };
}

/**
 * `QUOTA_EXCEEDED`, with the browser's figures where it gives any.
 *
 * @param message Puts the sentence together, given these figures in words, or nothing
 */
export async function outOfSpace(
  message: (space: string) => string,
  cause: unknown,
): Promise<ShelfmarkError> {
  // The estimate is a courtesy.
  const space = await storageSpace().catch(() => undefined);
  return new ShelfmarkError('QUOTA_EXCEEDED', message(inWords(space)), { cause, estimate: space });
}

function inWords(space: { usage?: number; quota?: number } | undefined): string {
  const megabytes = (bytes = 0) => Math.round(bytes / 1e6);
  return space === undefined ? '' : ` (${megabytes(space.usage)} MB of ${megabytes(space.quota)} MB in use)`;
}
