import fc from 'fast-check';

const words = [
  'a',
  'of',
  'cats.',
  'Why?',
  '漢字',
  '。',
  '😀',
  'e\u0301',
  '👩‍👧',
  '🇩🇪🇫🇷',
  '`x`',
  '|',
  '\u00a0',
  'x'.repeat(30),
];
const line = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 })
  .map((parts) => parts.join(' '));
const lines = (low: number, high: number) => fc.array(line, { minLength: low, maxLength: high });
const indented = (text: string, mark: string, rest: string) =>
  text
    .split('\n')
    .map((one, index) => (index === 0 ? mark : one === '' ? rest.trimEnd() : rest) + one)
    .join('\n');

const leaf = fc.oneof(
  { weight: 4, arbitrary: lines(1, 4).map((all) => all.join('\n')) },
  fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(([level, title]) => `${'#'.repeat(level)} ${title}`),
  fc.integer({ min: 1, max: 6 }).map((level) => '#'.repeat(level)),
  fc.tuple(line, fc.constantFrom('===', '---')).map(([title, mark]) => `${title}\n${mark}`),
  fc
    .tuple(fc.constantFrom('```', '~~~~'), fc.constantFrom('', 'js', ' ts {1,3}'), lines(0, 6), fc.boolean())
    .map(([mark, info, all, ends]) => [mark + info, ...all, '', ...(ends ? [mark] : [])].join('\n')),
  lines(1, 6).map((rows) => ['| a | b |', '|---|---|', ...rows.map((row) => `| ${row} | y |`)].join('\n')),
  lines(1, 3).map((all) => all.map((one) => `    ${one}`).join('\n')),
  line.map((one) => `<div>\n# ${one}\n</div>`),
  fc.constantFrom('---', '> ', '-', '>\n>\n>', '* * *', '<!-- # x -->', '', '[a]: /b'),
);

const block: fc.Memo<string> = fc.memo((depth) =>
  depth <= 1
    ? leaf
    : fc.oneof(
        { weight: 4, arbitrary: leaf },
        blocks(depth - 1).map((text) => indented(text, '- ', '  ')),
        blocks(depth - 1).map((text) => indented(text, '10. ', '    ')),
        blocks(depth - 1).map((text) => indented(text, '> ', '> ')),
        fc.array(line, { minLength: 1, maxLength: 8 }).map((all) => all.map((one) => `* ${one}`).join('\n')),
      ),
);
const blocks = (depth: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(block(depth), { minLength: 1, maxLength: 5 }), fc.constantFrom('\n\n', '\n', '\n\n\n\n'))
    .map(([all, gap]) => all.join(gap));

/** Documents of every kind of block, nested, with every ending of lines. */
export const markdownText = fc
  .tuple(
    fc.constantFrom('', '', '\ufeff', '---\ntitle: a\n# b\n---\n', '\n\n'),
    fc.array(block(3), { maxLength: 10 }),
    fc.constantFrom('\n\n', '\n\n', '\n'),
    fc.constantFrom('\n', '\n', '\r\n', '\r'),
  )
  .map(([start, all, gap, ending]) => (start + all.join(gap)).replaceAll('\n', ending));
