import fc from 'fast-check';

declare const __RUNS__: number | undefined;

/** Cases a property gets: `SHELFMARK_RUNS`, 2,000 unless given. CI runs 20,000 and more. */
export const runs = (): number => (typeof __RUNS__ === 'number' ? __RUNS__ : 2000);

/** Characters that scanners trip over, lone surrogates included. */
const nasty = [
  '#',
  '#',
  '#',
  ' ',
  ' ',
  '\t',
  '\n',
  '\n',
  '\r',
  '\r\n',
  'a',
  'b',
  '.',
  '|',
  '`',
  '-',
  '\0',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u200d',
  '\u0301',
  'é',
  '漢',
  '。',
  '😀',
  '\ud83d',
  '\ude00',
];

export const nastyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...nasty), maxLength: 120 }),
  // Long runs cross the blocks that vector code reads at once.
  fc
    .array(fc.tuple(fc.constantFrom(...nasty), fc.integer({ min: 1, max: 40 })), { maxLength: 12 })
    .map((parts) => parts.map(([unit, count]) => unit.repeat(count)).join('')),
);

/** Any text without lone surrogates. */
export const wholeText = fc.string({ unit: 'binary', maxLength: 300 });
