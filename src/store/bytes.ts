import { hasLoneSurrogate } from '../split/cut.ts';

const encoder = new TextEncoder();
/** A mark at the start of a text is part of it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Integers below this magnitude can be subtracted from each other, doubled and written. */
export const INTEGER_LIMIT = 2 ** 50;

/** Whether a number can be written as a difference to another such one: an integer, not too large, not -0. */
export const isPlainInteger = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) < INTEGER_LIMIT && !Object.is(value, -0);

/** Values one after the other, in bytes that grow as needed. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** What was written; a view that holds until more is. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #room(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }

  #byte(value: number): void {
    // Making room may replace the bytes.
    const at = this.#room(1);
    this.#bytes[at] = value;
  }

  /** An integer from 0, seven bits a byte, the lowest first. */
  count(value: number): void {
    let rest = value;
    // Not by shifts, which end at 32 bits.
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#byte((rest % 0x80) | 0x80);
    this.#byte(rest);
  }

  /** An integer of either sign, small where its magnitude is. */
  integer(value: number): void {
    this.count(zigzag(value));
  }

  float(value: number): void {
    const at = this.#room(8);
    this.#view.setFloat64(at, value, true);
    // Engines may keep any of the many bit patterns that mean NaN.
    if (Number.isNaN(value)) this.#view.setBigUint64(at, 0x7ff8000000000000n, true);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#room(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** Bytes with their length before them. */
  block(bytes: Uint8Array): void {
    this.count(bytes.length);
    this.bytes(bytes);
  }

  /** A text, its length in front or in a writer of lengths: twice the number of bytes, odd where they are JSON. */
  text(text: string, lengths: ByteWriter = this): void {
    // UTF-8 knows no lone surrogates; JSON spells them out.
    const spelt = hasLoneSurrogate(text);
    const bytes = encoder.encode(spelt ? JSON.stringify(text) : text);
    lengths.count(bytes.length * 2 + (spelt ? 1 : 0));
    this.bytes(bytes);
  }
}

/** Reads what a `ByteWriter` wrote. Throws where there is less than is asked for, before it allocates anything. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  #take(bytes: number): number {
    if (bytes > this.left) throw new Error(`${bytes} bytes are wanted where ${this.left} are left`);
    const at = this.#at;
    this.#at += bytes;
    return at;
  }

  count(): number {
    let value = 0;
    for (let unit = 1; unit <= 2 ** 49; unit *= 0x80) {
      const byte = this.#bytes[this.#take(1)]!;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
    }
    throw new Error('a number is too large');
  }

  /** A count of things that take at least a byte each of what is left. */
  size(): number {
    const value = this.count();
    if (value > this.left) throw new Error(`${value} values are announced where ${this.left} bytes are left`);
    return value;
  }

  integer(): number {
    return unzigzag(this.count());
  }

  float(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A view of the next bytes. */
  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return this.#bytes.subarray(at, at + length);
  }

  block(): Uint8Array {
    return this.bytes(this.count());
  }

  text(lengths: ByteReader = this): string {
    const length = lengths.count();
    const text = decoder.decode(this.bytes(Math.floor(length / 2)));
    if (length % 2 === 0) return text;
    const value: unknown = text.startsWith('"') ? JSON.parse(text) : undefined;
    if (typeof value !== 'string') throw new Error('a text in JSON is something else');
    return value;
  }

  /** Throws unless everything was read. */
  end(): void {
    if (this.left > 0) throw new Error(`${this.left} bytes too many`);
  }
}

/** 0, -1, 1, -2, … as 0, 1, 2, 3, … */
export const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
export const unzigzag = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
