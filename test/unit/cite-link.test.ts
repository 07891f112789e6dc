import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citationLink } from '../../src/cite/link.ts';
import { renderedBlocks } from '../../src/cite/rendered.ts';
import { nastyText, runs } from '../arbitraries.ts';

const hit = (text: string, rest: object = {}) => ({ docUri: 'refunds.md', slug: 'timing', text, ...rest });

describe('citationLink', () => {
  it.each([
    ['Refunds take five days.', 'Refunds%20take%20five%20days.'],
    ['Refunds take **five** `working` days', 'Refunds%20take%20five%20working%20days'],
    [
      'See [the page](https://a.b/c), a well-known one & more',
      'See%20the%20page%2C%20a%20well%2Dknown%20one%20%26%20more',
    ],
    ['## Timing\n\nOne two three four five six.', 'Timing,two%20three%20four%20five%20six.'],
    ['- first item here\n- last item', 'first%20item%20here,last%20item'],
    ['| Kind | Days |\n|---|---|\n| Card | 5 |', 'Kind,5'],
    ['> quoted\n> text', 'quoted%20text'],
    ['```js\nlet a = 1;\nlet b = 2;\n```', 'let%20a%20%3D%201%3B,let%20b%20%3D%202%3B'],
    ['<p>Raw <b>html</b></p>', 'Raw%20html'],
    ['caf\u00e9 \ud800!', 'caf%C3%A9%20%EF%BF%BD!'],
  ])('%s', (text, directive) => {
    expect(citationLink(hit(text))).toBe(`refunds.md#timing:~:text=${directive}`);
  });

  it('gives a long text by its first and last words', () => {
    const text = Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ');
    expect(citationLink(hit(text))).toBe(
      'refunds.md#timing:~:text=word0%20word1%20word2%20word3%20word4,word95%20word96%20word97%20word98%20word99',
    );
  });

  it('makes the address of the page', () => {
    const link = (rest: object, baseUrl?: string) =>
      citationLink(hit('x', rest), { baseUrl, textFragment: false });
    expect(link({})).toBe('refunds.md#timing');
    expect(link({}, 'https://a.b/docs/')).toBe('https://a.b/docs/refunds.md#timing');
    expect(link({}, '/docs/')).toBe('/docs/refunds.md#timing');
    expect(link({ docUri: '/a b/c#d?.md' }, '/docs/')).toBe('/docs/a%20b/c%23d%3F.md#timing');
    expect(link({ docUri: 'https://a.b/c?q=1#old' })).toBe('https://a.b/c?q=1#timing');
    expect(link({ docUri: 'https://a.b/c#old', slug: undefined })).toBe('https://a.b/c#old');
    expect(link({ metadata: { url: 'https://a.b/page' } })).toBe('https://a.b/page#timing');
    expect(citationLink({ content: 'x', metadata: { source: 'm.md' } })).toBe('m.md#:~:text=x');
    expect(citationLink(hit('***'))).toBe('refunds.md#timing');
  });

  it('makes no address that runs something or leads elsewhere', () => {
    for (const docUri of [
      'javascript:alert(1)',
      ' JavaScript:alert(1)',
      'data:text/html,x',
      '//evil.example/x',
      '\\\\evil.example',
      'vbscript:x',
    ]) {
      for (const baseUrl of [undefined, '/docs/', 'https://a.b/docs/']) {
        const link = citationLink(hit('x', { docUri, metadata: { url: 'javascript:alert(1)' } }), {
          baseUrl,
        });
        const url = new URL(link, 'https://a.b/here/page');
        expect(url.origin).toBe('https://a.b');
      }
    }
    expect(() => citationLink(hit('x'), { baseUrl: 'javascript:alert(1)//' })).toThrow(/^baseUrl is/);
  });

  it('stays on the host of baseUrl, whatever the path of it and the name of the document', () => {
    for (const docUri of [
      'refunds.md',
      'evil.example/x',
      '@evil.example',
      ':80',
      '.evil.example',
      '/x',
      'http://[',
    ]) {
      for (const baseUrl of [
        'https://a.b',
        'https://a.b?x=1',
        'https://a.b#x',
        'https://a.b/docs',
        '//a.b',
        '//a.b/c',
      ]) {
        const url = new URL(citationLink(hit('x', { docUri }), { baseUrl }), 'https://other.example/');
        expect(`${url.protocol}//${url.host}`).toBe('https://a.b');
      }
    }
    expect(citationLink(hit('x'), { baseUrl: 'https://a.b?x=1' })).toBe(
      'https://a.b/refunds.md#timing:~:text=x',
    );
  });

  it('stays below baseUrl, whatever the document climbs', () => {
    const link = (docUri: string, baseUrl?: string) =>
      citationLink(hit('x', { docUri, slug: undefined }), { baseUrl, textFragment: false });
    for (const docUri of [
      '../../x',
      '..',
      './../x',
      'a/../../x',
      '/../x',
      '\\..\\x',
      '%2e%2e/x',
      '..\\..\\x',
    ]) {
      for (const baseUrl of ['https://a.b/docs/v1/', '//a.b/docs/v1/', '/docs/v1/index.html']) {
        const url = new URL(link(docUri, baseUrl), 'https://a.b/here/page');
        expect(url.href.startsWith('https://a.b/docs/v1/'), docUri).toBe(true);
      }
    }
    expect(link('a/../b/./c.md', '/docs/')).toBe('/docs/b/c.md');
    expect(link('a..b/...md', '/docs/')).toBe('/docs/a..b/...md');
    // Without a base, the uri is what the page itself may link to.
    expect(link('../c.md')).toBe('../c.md');
  });

  it('takes an address for a page where no other host is asked for', () => {
    const link = (baseUrl?: string) =>
      citationLink(hit('x', { docUri: 'https://a.b/c', slug: undefined }), { baseUrl, textFragment: false });
    expect(link()).toBe('https://a.b/c');
    expect(link('https://a.b/docs/')).toBe('https://a.b/c');
    expect(link('//a.b/docs/')).toBe('https://a.b/c');
    expect(link('http://a.b/docs/')).toBe('http://a.b/docs/https%3A//a.b/c');
    expect(link('//other.example')).toBe('//other.example/https%3A//a.b/c');
    expect(link('/docs/')).toBe('/docs/https%3A//a.b/c');
  });

  it('leaves nothing in an address that could end an attribute', () => {
    for (const address of ['https://a.b/"><script>', 'https://a.b/?"><b>', 'https://a.b/#"><b>']) {
      const slug = undefined;
      expect(citationLink(hit('x', { slug, metadata: { url: address } }))).not.toMatch(/["<>]/);
      expect(citationLink(hit('x', { slug, docUri: address }))).not.toMatch(/["<>]/);
    }
  });

  it('ends with words that do not stand earlier in the passage', () => {
    const text = `Begin here now. ${'one two three four five. '.repeat(20)}Then one two three four five.`;
    expect(citationLink(hit(text))).toMatch(/,Then%20one%20two%20three%20four%20five\.$/);
  });

  it('points to its own passage where the page has others like it', () => {
    const text = '## Example\n\nThe second one is this.';
    const pageText = 'Example\n\nThe first one is that.\n\nMore of it.\n\nExample\n\nThe second one is this.';
    expect(citationLink(hit(text), { pageText })).toBe(
      'refunds.md#timing:~:text=it.-,Example,The%20second%20one%20is%20this.',
    );
    expect(citationLink(hit('Same words.'), { pageText: 'Same words. Other. Same words.' })).toBe(
      'refunds.md#timing:~:text=Same%20words.',
    );
    const long = 'one two three four five six seven. '.repeat(10).trim();
    const start = citationLink(hit(`${long} Right.`), {
      pageText: `one two three four five other. ${long} Right.`,
    });
    expect(start).toContain('text=one%20two%20three%20four%20five%20six,');
  });

  it('decodes to words of the rendered text, whatever the passage', () => {
    fc.assert(
      fc.property(nastyText, nastyText, (text, pageText) => {
        const link = citationLink(hit(text), { pageText });
        const directive = link.split(':~:text=')[1];
        if (directive === undefined) return;
        expect(directive).toMatch(/^(?:[^\s,&-]+-,)?[^\s,&-]+(?:,[^\s,&-]+)?(?:,-[^\s,&-]+)?$/);
        const shown = [...renderedBlocks(text), pageText].map((block) =>
          block
            .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
            .replace(/\s+/g, ' ')
            .toLowerCase(),
        );
        for (const part of directive.replace(/^[^,]*-,|,-[^,]*$/g, '').split(',')) {
          const words = decodeURIComponent(part).replace(/\s+/g, ' ').toLowerCase();
          expect(shown.some((block) => block.includes(words))).toBe(true);
        }
      }),
      { numRuns: runs() },
    );
  });

  it('takes time that grows with the passage', () => {
    for (const unit of ['a', 'a ', '# a\n', '| a ', '`', '```\n', '[a](', '<a ', '> ', '- a\n', '\\', '漢']) {
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      const started = performance.now();
      citationLink(hit(text), { pageText: text });
      expect(performance.now() - started, JSON.stringify(unit)).toBeLessThan(5000);
    }
  });
});
