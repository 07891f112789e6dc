import { describe, expect, it } from 'vitest';
import { tokensAtMost } from '../../src/embed/token-bound.ts';

describe('tokensAtMost', () => {
  it('is no less than the bytes of a text in any normal form, in either case', () => {
    const bytes = (text: string) => new TextEncoder().encode(text).length;
    // One by one, but for ideographs, Hangul, surrogates and what is unassigned.
    const isDull = (code: number) => (code >= 0x3400 && code < 0xf900) || code >= 0x20000;
    for (let code = 0; code <= 0x10ffff; code += isDull(code) ? 251 : 1) {
      const text = String.fromCodePoint(code);
      for (const form of ['NFD', 'NFKD']) {
        const normal = text.normalize(form);
        const most = Math.max(bytes(normal), bytes(normal.toLowerCase()), bytes(normal.toUpperCase()));
        if (most > tokensAtMost(text)) expect(`U+${code.toString(16)} ${form} ${most}`).toBe('');
      }
    }
    expect(tokensAtMost('plain ASCII')).toBe(11);
  });
});
