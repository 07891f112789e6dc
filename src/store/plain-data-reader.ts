import { ByteReader, unzigzag } from './bytes.ts';
import {
  CONSTANTS,
  errorFields,
  errorNames,
  type Kind,
  kinds,
  type Last,
  placeInList,
  SHAPE_PLACE,
  Shape,
  viewNames,
} from './plain-data.ts';

/** A value with its kind, while what it holds is still to be read. */
interface Container {
  kind: Kind;
  value: object;
}

/** The constructor of that name, where this engine has it. */
function constructorOf(name: string | undefined): new (...args: unknown[]) => object {
  const found: unknown = name === undefined ? undefined : Reflect.get(globalThis, name);
  if (typeof found !== 'function') throw new Error(`there is no ${name} here`);
  return found as new (
    ...args: unknown[]
  ) => object;
}

/** By halves, since not every engine reads many digits in linear time. */
function fromHex(digits: string): bigint {
  if (digits.length <= 4096) return BigInt(`0x${digits}`);
  const rest = digits.length >> 1;
  return (fromHex(digits.slice(0, -rest)) << BigInt(rest * 4)) | fromHex(digits.slice(-rest));
}

/** Plain assignment to `__proto__` would change the prototype instead. */
function define(target: object, key: string, value: unknown): void {
  if (key !== '__proto__') (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/**
 * Reads the list a `PlainWriter` wrote, and then what refers to it. Throws any error for bytes that are something
 * else; whatever it answers is plain data.
 */
export class PlainReader {
  readonly #values: unknown[] = [...CONSTANTS];
  readonly #containers: Container[] = [];
  readonly #heads: ByteReader;
  readonly #links: ByteReader;
  readonly #text: ByteReader;
  readonly #lists: Last = [];
  #high = CONSTANTS.length;

  constructor(from: ByteReader) {
    const count = from.size();
    this.#heads = new ByteReader(from.block());
    this.#links = new ByteReader(from.block());
    this.#text = new ByteReader(from.block());
    // Twice through the list, since what a value holds may come after it.
    for (let at = 0; at < count; at++) this.#values.push(this.#make());
    this.#heads.end();
    this.#text.end();
  }

  /** What containers hold; comes after the roots, as the references of both count on from each other. */
  finish(): void {
    for (const container of this.#containers) this.#fill(container);
    this.#links.end();
  }

  /** The value referred to. Lists, objects and the like are empty until `finish`. */
  value(from: ByteReader, last: Last, place: number): unknown {
    const value = this.#read(from, last, place);
    if (value instanceof Shape) throw new Error('keys stand where a value should');
    return value;
  }

  #read(from: ByteReader, last: Last, place: number): unknown {
    const code = from.count();
    const isNew = code % 2 === 0;
    const number = isNew ? this.#high + code / 2 : (last[place] ?? 0) + unzigzag((code - 1) / 2);
    if (isNew) this.#high = number + 1;
    last[place] = number;
    return this.#at(number);
  }

  #at(number: number): unknown {
    if (!(number >= 0 && number < this.#values.length)) throw new Error(`there is no value ${number}`);
    return this.#values[number];
  }

  #stringAt(number: number): string {
    const value = this.#at(number);
    if (typeof value !== 'string') throw new Error('a key is no string');
    return value;
  }

  #make(): unknown {
    const heads = this.#heads;
    const kind = kinds[heads.count()];
    switch (kind) {
      case 'string':
        return this.#text.text(heads);
      case 'integer':
        return heads.integer();
      case 'float':
        return heads.float();
      case 'bigint': {
        const negative = heads.count() === 1;
        const magnitude = fromHex(heads.text());
        return negative ? -magnitude : magnitude;
      }
      case 'date':
        return new Date(heads.float());
      case 'regexp':
        return new RegExp(heads.text(), heads.text());
      case 'buffer':
        return new Uint8Array(heads.block()).buffer;
      case 'view':
        return this.#view();
      case 'boxed':
        return this.#box(this.#at(heads.count()));
      case 'shape':
        return this.#shape();
      case undefined:
        throw new Error('a value is of no known kind');
      default:
        return this.#container(kind);
    }
  }

  #view(): unknown {
    const heads = this.#heads;
    const make = constructorOf(viewNames[heads.count()]);
    const buffer = this.#at(heads.count());
    if (!(buffer instanceof ArrayBuffer)) throw new Error('a view has no buffer');
    return new make(buffer, heads.count(), heads.count());
  }

  #box(value: unknown): unknown {
    if (!['boolean', 'number', 'string', 'bigint'].includes(typeof value)) throw new Error('a box is empty');
    return Object(value);
  }

  #shape(): Shape {
    const keys = Array.from({ length: this.#heads.size() }, () => this.#stringAt(this.#heads.count()));
    if (new Set(keys).size < keys.length) throw new Error('a key is there twice');
    return new Shape(keys);
  }

  #container(kind: Kind): object {
    const value = this.#empty(kind);
    this.#containers.push({ kind, value });
    return value;
  }

  #empty(kind: Kind): object {
    if (kind === 'map') return new Map();
    if (kind === 'set') return new Set();
    if (kind === 'error') return new (constructorOf(errorNames[this.#heads.count()]))();
    return kind === 'object' ? {} : [];
  }

  #fill({ kind, value }: Container): void {
    if (kind === 'object') this.#fillObject(value);
    else if (kind === 'error') this.#fillError(value);
    else if (kind === 'list') for (const item of this.#items()) (value as unknown[]).push(item);
    else if (kind === 'set') for (const item of this.#items()) (value as Set<unknown>).add(item);
    else if (kind === 'map') {
      for (const [key, item] of this.#pairs()) (value as Map<unknown, unknown>).set(key, item);
    } else this.#fillSparse(value as unknown[]);
  }

  *#items(): Generator<unknown> {
    const count = this.#links.size();
    for (let at = 0; at < count; at++) yield this.value(this.#links, this.#lists, placeInList(at));
  }

  *#pairs(): Generator<[unknown, unknown]> {
    let key: unknown;
    let whole = true;
    for (const item of this.#items()) {
      if (whole) key = item;
      else yield [key, item];
      whole = !whole;
    }
    if (!whole) throw new Error('a key is without a value');
  }

  #fillObject(value: object): void {
    const shape = this.#read(this.#links, this.#lists, SHAPE_PLACE);
    if (!(shape instanceof Shape)) throw new Error('an object is without keys');
    for (const [at, key] of shape.keys.entries()) define(value, key, this.value(this.#links, shape.last, at));
  }

  #fillError(value: object): void {
    for (const field of errorFields) {
      const item = this.value(this.#links, this.#lists, 0);
      Reflect.deleteProperty(value, field);
      // Without one it would show where it was read, which is nobody's business.
      if (item !== undefined || field === 'stack') {
        Object.defineProperty(value, field, { value: item, writable: true, configurable: true });
      }
    }
  }

  #fillSparse(value: unknown[]): void {
    // Engines set memory aside for a length that is not very large, and none once it was.
    value.length = 2 ** 32 - 1;
    value.length = this.#links.count();
    const { length } = value;
    for (const [key, item] of this.#pairs()) {
      if (typeof key !== 'string' || key === 'length') throw new Error('a key of a list is no string');
      define(value, key, item);
    }
    if (value.length !== length) throw new Error('a list is longer than it says');
  }
}
