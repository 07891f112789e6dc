/** Numbers and bytes of the stream that `assembly/packed.ts` draws. */

export class PackedWriter {
  #bytes = new Uint8Array(1 << 12);
  #length = 0;

  /** @param value below 2^32 */
  number(value: number): void {
    this.#ensure(5);
    while (value >= 0x80) {
      this.#bytes[this.#length++] = value | 0x80;
      value >>>= 7;
    }
    this.#bytes[this.#length++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #ensure(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * this.#bytes.length + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class PackedReader {
  /** In place of a number: there is none. No field may have it as its value. */
  readonly none = 0xffffffff;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next number, or `none` where the stream ends within it or it has more than 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; this.#at < this.#bytes.length; shift += 7) {
      const byte = this.#bytes[this.#at++]!;
      if (shift === 28 && byte > 15) return this.none;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    return this.none;
  }

  /** The next bytes, undefined where there are fewer. */
  bytes(count: number): Uint8Array | undefined {
    if (count > this.#bytes.length - this.#at) return undefined;
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A token in UTF-8; undefined for bytes that cannot be one. */
export function decodeToken(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0 || bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
