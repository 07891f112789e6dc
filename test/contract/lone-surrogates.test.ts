import { describe, expect, it } from 'vitest';
import { analyze } from '../../src/kernel/js-lexical.ts';
import { hasLoneSurrogate } from '../../src/split/cut.ts';

const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
const isHigh = (unit: string) => unit >= '\ud800' && unit <= '\udbff';
const isLow = (unit: string) => unit >= '\udc00' && unit <= '\udfff';

/** https://bugs.webkit.org/show_bug.cgi?id=319651: some engines see pairs where there are none. */
describe('a lone surrogate', () => {
  it('is seen beside any code unit', () => {
    expect(units.filter((unit) => hasLoneSurrogate(unit))).toEqual(
      units.filter((u) => isHigh(u) || isLow(u)),
    );
    expect(units.filter((unit) => !hasLoneSurrogate(`\ud83d${unit}`))).toEqual(units.filter(isLow));
    expect(units.filter((unit) => !hasLoneSurrogate(`${unit}\ude00`))).toEqual(units.filter(isHigh));
    expect(hasLoneSurrogate('a😀😀\ufeffb')).toBe(false);
    expect(hasLoneSurrogate('a😀\ude00')).toBe(true);
  });

  it('that a stemmer leaves becomes U+FFFD, whatever follows it', () => {
    for (const [stem, token] of [
      ['\ud83d\uff21', '\ufffd\uff21'],
      ['a\0😀\ude00', 'a\ufffd😀\ufffd'],
    ] as const) {
      const tokens: string[] = [];
      analyze({ kind: 'unicode', diacritics: true, stem: () => stem })('word', (one) => tokens.push(one));
      expect(tokens).toEqual([token]);
    }
  });
});
