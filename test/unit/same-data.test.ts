import { describe, expect, it } from 'vitest';
import { sameData } from '../../src/store/metadata.ts';

describe('metadata that structured clone can copy', () => {
  it.each<[string, () => unknown, () => unknown]>([
    ['maps', () => new Map([['a', { b: 1 }]]), () => new Map([['a', { b: 2 }]])],
    ['maps with other keys', () => new Map([[{ a: 1 }, 1]]), () => new Map([[{ a: 2 }, 1]])],
    ['sets', () => new Set([1, 'x']), () => new Set([1, 'y'])],
    ['sets of another size', () => new Set([1]), () => new Set([1, 2])],
    ['numbers in an array of their kind', () => new Float32Array([1, 2]), () => new Float32Array([1, 3])],
    ['an array of another kind', () => new Uint8Array([1]), () => new Int8Array([1])],
    ['a view', () => new Uint8Array([9, 1, 2, 9]).subarray(1, 3), () => new Uint8Array([1, 2, 9])],
    ['bytes', () => new Uint8Array([1, 2]).buffer, () => new Uint8Array([1]).buffer],
    ['a view and what it looks into', () => new DataView(new ArrayBuffer(2)), () => new ArrayBuffer(2)],
    ['a map and a set', () => new Map(), () => new Set()],
    ['a map and an object', () => new Map(), () => ({})],
    ['an object and bytes', () => ({}), () => new ArrayBuffer(0)],
  ])('is compared by value where it is %s', (_, one, other) => {
    expect(sameData({ a: one() }, { a: structuredClone(one()) })).toBe(true);
    expect(sameData({ a: one() }, { a: other() })).toBe(false);
    expect(sameData({ a: other() }, { a: one() })).toBe(false);
  });

  it('that holds itself in a map is compared by value', () => {
    const cycle = (value: number) => {
      const map = new Map<string, unknown>([['value', value]]);
      return map.set('self', new Set([map]));
    };
    expect(sameData(cycle(1), cycle(1))).toBe(true);
    expect(sameData(cycle(1), cycle(2))).toBe(false);
  });
});
