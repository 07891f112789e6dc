import { messageOf, ShelfmarkError, show } from '../errors.ts';
import { ByteWriter, isPlainInteger, zigzag } from './bytes.ts';

/*
 * Values that structuredClone takes, as a list in which each stands once. A value is referred to by its number in the
 * list, so that what was shared is shared again, data may hold itself, and nothing is walked by recursion:
 *
 *   heads   a kind for each, and what it is made of where that needs no other value or one further up
 *   links   the values that lists, objects, maps, sets and errors hold, in the order of the list
 *   text    the characters of all strings
 *
 * Whoever writes roots (the columns of documents) refers to them by numbers of the same list.
 */

/** They have a number without being listed; what comes after them is. */
export const CONSTANTS: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
];
const MINUS_ZERO = 7;

/** Part of the format: a kind keeps its place. */
export const kinds = [
  'string',
  'integer',
  'float',
  'bigint',
  'object',
  'list',
  'sparse',
  'map',
  'set',
  'date',
  'regexp',
  'buffer',
  'view',
  'boxed',
  'error',
  'shape',
] as const;
export type Kind = (typeof kinds)[number];
const kindNumber = Object.fromEntries(kinds.map((kind, at) => [kind, at])) as Record<Kind, number>;

/** Part of the format, as `kinds` is. */
export const viewNames = [
  'DataView',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'Float16Array',
];
export const errorNames = [
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
];
const boxes: Record<string, { prototype: object }> = { Boolean, Number, String, BigInt };
export const errorFields = ['message', 'stack', 'cause'];

/** References written before at the same places of alike things, near which the next ones mostly are. */
export type Last = number[];

/** Keys of objects in their order; in the list like any other value, since most objects share theirs. */
export class Shape {
  readonly keys: readonly string[];
  /** The reference written last for each key. */
  readonly last: Last = [];
  constructor(keys: readonly string[]) {
    this.keys = keys;
  }
}

/** Lists are mostly short ones of a kind, paths and tags, so that an item is near the one at its place before. */
export const placeInList = (at: number): number => at % 16;
/** Where the shape of an object stands among them. */
export const SHAPE_PLACE = 16;

/** What an object is, whichever realm made it. */
const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** An array's keys are its indices, with none left out and nothing beside them. */
const isDense = (array: readonly unknown[], keys: readonly string[]): boolean =>
  keys.length === array.length && (keys.length === 0 || keys[keys.length - 1] === String(keys.length - 1));

export class PlainWriter {
  /** Whose values are being written, for the message where one cannot be. */
  owner = '';
  readonly #numbers = new Map<unknown, number>(
    CONSTANTS.slice(0, MINUS_ZERO).map((value, at) => [value, at]),
  );
  readonly #shapes = new Map<string, Shape>();
  readonly #containers: { value: object; kind: Kind; owner: string }[] = [];
  readonly #overrides = new Map<object, Readonly<Record<string, unknown>>>();
  readonly #heads = new ByteWriter();
  readonly #links = new ByteWriter();
  readonly #text = new ByteWriter();
  readonly #lists: Last = [];
  #next = CONSTANTS.length;
  /** Everything below was referred to, or needs no reference. */
  #high = CONSTANTS.length;

  /** Writes other values for some properties of an object. */
  override(value: object, properties: Readonly<Record<string, unknown>>): void {
    this.#overrides.set(value, properties);
  }

  /** Refers to a value, listing it where it is new. */
  refer(to: ByteWriter, value: unknown, last: Last, place: number): void {
    this.#write(to, this.#numberOf(value), last, place);
  }

  #write(to: ByteWriter, number: number, last: Last, place: number): void {
    if (number >= this.#high) {
      to.count((number - this.#high) * 2);
      this.#high = number + 1;
    } else to.count(zigzag(number - (last[place] ?? 0)) * 2 + 1);
    last[place] = number;
  }

  #numberOf(value: unknown): number {
    if (Object.is(value, -0)) return MINUS_ZERO;
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#writing(() => this.#list(value));
    const number = this.#next++;
    this.#numbers.set(value, number);
    return number;
  }

  /** Names the owner in what goes wrong: a kind of data that cannot be written, or a getter that throws. */
  #writing(write: () => void): void {
    try {
      write();
    } catch (cause) {
      if (cause instanceof ShelfmarkError) throw cause;
      throw new ShelfmarkError(
        'UNSUPPORTED',
        `What ${this.owner} holds cannot be written to a file (${messageOf(cause)}); keep to plain data.`,
        { cause },
      );
    }
  }

  #kind(kind: Kind): void {
    this.#heads.count(kindNumber[kind]);
  }

  /** Writes the head of a value, after whatever it is made of. */
  #list(value: unknown): void {
    switch (typeof value) {
      case 'string':
        this.#kind('string');
        this.#text.text(value, this.#heads);
        return;
      case 'number':
        this.#kind(isPlainInteger(value) ? 'integer' : 'float');
        if (isPlainInteger(value)) this.#heads.integer(value);
        else this.#heads.float(value);
        return;
      case 'bigint': {
        this.#kind('bigint');
        this.#heads.count(value < 0n ? 1 : 0);
        // Digits of a base that is a power of two take linear time to make and to read.
        this.#heads.text((value < 0n ? -value : value).toString(16));
        return;
      }
      case 'object':
        this.#listObject(value!);
        return;
      default:
        throw new TypeError(`there is ${typeof value === 'symbol' ? 'a symbol' : show(value)}`);
    }
  }

  #listObject(value: object): void {
    if (value instanceof Shape) {
      const keys = value.keys.map((key) => this.#numberOf(key));
      this.#kind('shape');
      this.#heads.count(keys.length);
      for (const key of keys) this.#heads.count(key);
      return;
    }
    if (Array.isArray(value)) {
      this.#container(value, isDense(value, Object.keys(value)) ? 'list' : 'sparse');
      return;
    }
    const tag = tagOf(value);
    if (tag === 'Object') this.#container(value, 'object');
    else if (tag === 'Map') this.#container(value, 'map');
    else if (tag === 'Set') this.#container(value, 'set');
    else if (tag === 'Error') {
      this.#container(value, 'error');
      this.#heads.count(Math.max(0, errorNames.indexOf((value as Error).name)));
    } else if (tag === 'Date') {
      const time = Date.prototype.getTime.call(value);
      this.#kind('date');
      this.#heads.float(time);
    } else if (tag === 'RegExp') {
      const { source, flags } = value as RegExp;
      this.#kind('regexp');
      this.#heads.text(source);
      this.#heads.text(flags);
    } else if (tag === 'ArrayBuffer') this.#listBuffer(value as ArrayBuffer);
    else if (viewNames.includes(tag)) this.#listView(value as DataView | Uint8Array, viewNames.indexOf(tag));
    else if (Object.hasOwn(boxes, tag)) {
      const primitive = this.#numberOf(boxes[tag]!.prototype.valueOf.call(value));
      this.#kind('boxed');
      this.#heads.count(primitive);
    } else throw new TypeError(`there is a ${tag}`);
  }

  #container(value: object, kind: Kind): void {
    this.#kind(kind);
    this.#containers.push({ value, kind, owner: this.owner });
  }

  #listBuffer(buffer: ArrayBuffer): void {
    if ((buffer as { resizable?: boolean }).resizable)
      throw new TypeError('there is a resizable ArrayBuffer');
    const bytes = new Uint8Array(buffer);
    this.#kind('buffer');
    this.#heads.block(bytes);
  }

  #listView(view: DataView | Uint8Array, name: number): void {
    const buffer = this.#numberOf(view.buffer);
    this.#kind('view');
    this.#heads.count(name);
    this.#heads.count(buffer);
    this.#heads.count(view.byteOffset);
    this.#heads.count(name === 0 ? view.byteLength : (view as Uint8Array).length);
  }

  /** Writes what containers hold, and what is in that; then the list itself. Nothing can be referred to any more. */
  finish(to: ByteWriter): void {
    // The list grows as it is walked, which depth cannot overflow.
    for (const { value, kind, owner } of this.#containers) {
      this.owner = owner;
      this.#writing(() => this.#fill(value, kind));
    }
    to.count(this.#next - CONSTANTS.length);
    for (const part of [this.#heads, this.#links, this.#text]) to.block(part.written);
  }

  #fill(value: object, kind: Kind): void {
    const link = (item: unknown, place: number) => this.refer(this.#links, item, this.#lists, place);
    const links = (items: readonly unknown[]) => {
      this.#links.count(items.length);
      for (const [at, item] of items.entries()) link(item, placeInList(at));
    };
    if (kind === 'object') this.#fillObject(value as Record<string, unknown>);
    else if (kind === 'list') links(value as unknown[]);
    else if (kind === 'map') links([...(value as Map<unknown, unknown>)].flat());
    else if (kind === 'set') links([...(value as Set<unknown>)]);
    else if (kind === 'sparse') {
      this.#links.count((value as unknown[]).length);
      links(Object.entries(value).flat());
    } else {
      for (const field of errorFields) {
        // The stack is the error's own, although in some engines its prototype answers for it.
        const isOwn = field === 'stack' || Object.hasOwn(value, field);
        link(isOwn ? (value as Record<string, unknown>)[field] : undefined, 0);
      }
    }
  }

  #fillObject(value: Record<string, unknown>): void {
    const keys = Object.keys(value);
    const spelt = JSON.stringify(keys);
    const shape = this.#shapes.get(spelt) ?? new Shape(keys);
    this.#shapes.set(spelt, shape);
    this.refer(this.#links, shape, this.#lists, SHAPE_PLACE);
    const other = this.#overrides.get(value) ?? {};
    for (const [at, key] of keys.entries()) {
      const item = Object.hasOwn(other, key) ? other[key] : value[key];
      this.refer(this.#links, item, shape.last, at);
    }
  }
}
