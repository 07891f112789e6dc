import { ShelfmarkError } from '../errors.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Compresses bytes, without a header. */
export const deflate = (bytes: Bytes): Promise<Bytes> =>
  through(bytes, () => new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);

/** Inflates bytes to exactly as many as are expected; throws any error where it is another number. */
export async function inflate(bytes: Bytes, expected: number): Promise<Bytes> {
  const raw = await through(bytes, () => new DecompressionStream('deflate-raw'), expected);
  if (raw.length < expected) throw new Error(`${raw.length} bytes came out where ${expected} should`);
  return raw;
}

async function through(bytes: Bytes, make: () => GenericTransformStream, limit: number): Promise<Bytes> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform(make)).getReader();
  const parts: Bytes[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(parts, length);
    length += value.length;
    parts.push(value);
    if (length <= limit) continue;
    reader.cancel().catch(() => {});
    throw new Error(`more than ${limit} bytes came out`);
  }
}

function transform(make: () => GenericTransformStream): ReadableWritablePair<Bytes, Bytes> {
  try {
    return make() as ReadableWritablePair<Bytes, Bytes>;
  } catch (cause) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      "This browser has no CompressionStream for 'deflate-raw', in which index files are kept; use a newer one.",
      { cause },
    );
  }
}

function joined(parts: readonly Bytes[], length: number): Bytes {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
