import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../src/cli/html.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { markdownHeadings } from '../../src/split/markdown-headings.ts';
import { runs } from '../arbitraries.ts';

const text = (html: string): string => htmlToMarkdown(html).text;

describe('a page of HTML as Markdown', () => {
  it.each([
    ['<h1>A</h1><p>b</p><h2>C  d</h2>e<p>f', '# A\n\nb\n\n## C d\n\ne\n\nf\n'],
    ['<p>one<br>two</p><p>a <b>b</b>&nbsp;&lt;c&gt;</p>', 'one\ntwo\n\na b\u00a0<c>\n'],
    ['<ul><li>a<li><p>b</p><p>c</p><ul><li>d</ul></ul>', '- a\n- b\n\n    c\n\n    - d\n'],
    ['<ol start=3><li>a<li>b</ol>', '3. a\n4. b\n'],
    ['<blockquote><p>a</p><p>b</p></blockquote>c', '> a\n\n> b\n\nc\n'],
    ['<pre><code class="language-js">a &lt; b\n\n# c</code></pre>', '```js\na < b\n\n# c\n```\n'],
    ['<pre>\n```\n</pre>', '````\n```\n````\n'],
    ['<p>use <code>a|b</code>', 'use `a|b`\n'],
    [
      '<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1<td><p>2</p><p>3|4</p></table>',
      '| A | B |\n| --- | --- |\n| 1 | 2 3\\|4 |\n',
    ],
    ['<table><tr><th>A<tr><td>1<td>2<tr><td>3</table>', '| A |  |\n| --- | --- |\n| 1 | 2 |\n| 3 |\n'],
    ['<table><tr><td>all of the page</table>', 'all of the page\n'],
    ['<dl><dt>a</dt><dd>b</dd></dl>', 'a\n\nb\n'],
    [
      '<p># no heading<p>- no item<p>1. nor this<p>&lt;script> is text',
      '\\# no heading\n\n\\- no item\n\n1\\. nor this\n\n\\<script> is text\n',
    ],
    ['', ''],
  ])('%s', (html, markdown) => {
    expect(text(html)).toBe(markdown);
  });

  it('reads what is the page’s own', () => {
    const own = '<p>own</p>';
    expect(
      text(`<nav>menu</nav><script>1</script><p hidden>no</p><aside>ad</aside>${own}<footer>f</footer>`),
    ).toBe('own\n');
    expect(text(`<header>site</header><main>${own}<article>and</article></main><p>after`)).toBe(
      'own\n\nand\n',
    );
    expect(text(`<div>site</div><div role=main>${own}</div>`)).toBe('own\n');
    expect(text(`<div>site</div><article>${own}</article>`)).toBe('own\n');
    expect(htmlToMarkdown(`<head><title> A\n b </title><style>p{}</style></head><body>${own}`)).toEqual({
      text: 'own\n',
      title: 'A b',
    });
  });

  it('keeps the anchors that pages have', () => {
    const html =
      '<h1 id="refund-timing">Refund timing</h1><p>a<h2 id="x1">How<a class="headerlink" href="#x1">¶</a></h2><p>b' +
      '<section id="late"><h2>Late</h2><p>c</section><h2>None</h2><p>d<h2 id="none-1">None</h2><p>e<h3 id=k><a href="#k">Link</a></h3>f';
    const markdown = text(html);
    expect(markdown.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Refund timing',
      '## How {#x1}',
      '## Late',
      '## None',
      '## None {#none-1}',
      '### Link {#k}',
    ]);
    const headings = markdownHeadings(markdown, { slugger: 'docusaurus' });
    expect(headings.map(({ slug }) => slug)).toEqual(['refund-timing', 'x1', 'late', 'none', 'none-1', 'k']);
    expect(headings.map(({ title }) => title)).toEqual([
      'Refund timing',
      'How',
      'Late',
      'None',
      'None',
      'Link',
    ]);
  });

  it('has the headings of any page, in its order', () => {
    const word = fc.stringMatching(/^[a-z#*_>|`\-{}&;<1.]{1,8}$/);
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
    const spelt = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const block = fc.oneof(
      fc.tuple(
        fc.integer({ min: 1, max: 6 }),
        word.map((own) => `t${own.replace(/[{}#]/g, '')}`),
      ),
      fc.tuple(fc.constantFrom('p', 'blockquote', 'pre', 'li', 'td', 'div'), words),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), (blocks) => {
        const html = blocks
          .map(([kind, own]) => {
            const name = typeof kind === 'number' ? `h${kind}` : kind;
            const [before, after] =
              name === 'li' ? ['<ul>', '</ul>'] : name === 'td' ? ['<table><tr>', '</table>'] : ['', ''];
            return `${before}<${name}>${spelt(String(own))}</${name}>${after}`;
          })
          .join('');
        const wanted = blocks.flatMap(([kind, own]) =>
          typeof kind === 'number' ? [{ level: kind, title: own }] : [],
        );
        const found = markdownHeadings(text(html), { slugger: 'docusaurus' });
        expect(found.map(({ level, title }) => ({ level, title }))).toEqual(wanted);
      }),
      { numRuns: runs() },
    );
  });

  it('is about as long as the page, however its elements stand in each other', () => {
    const count = 3000;
    const hostile = [
      '<ul><li>a'.repeat(count),
      '<blockquote>a'.repeat(count),
      '<blockquote><ul><li><p>a'.repeat(count),
      `<table><tr>${'<td>a'.repeat(count)}${'<tr><td>a'.repeat(count)}`,
      '<table><tr><td>a'.repeat(count),
      '<h2 id=a>a'.repeat(count),
      '<h2>a</h2>'.repeat(count),
      `<pre>${'```a\n'.repeat(count)}`,
      `<div>${'<a href=#>¶'.repeat(count)}`,
      '<nav>'.repeat(count),
      '<article>a'.repeat(count),
      '&'.repeat(count * 5),
      `<p>${' \n'.repeat(count * 5)}a`,
    ];
    for (const html of hostile) {
      const { length } = text(html);
      expect(length, html.slice(0, 30)).toBeLessThanOrEqual(20 * html.length);
    }
  });

  it('is made of any text there is', () => {
    const tag = fc
      .tuple(
        fc.constantFrom('<', '</'),
        fc.constantFrom(
          ...'h1 h2 p ul ol li pre code table tr td blockquote main article nav a br title svg x'.split(' '),
        ),
        fc.constantFrom('', ' id=a', ' hidden', ' href="#"', ' class=language-js', ' start=7'),
      )
      .map(([open, name, attribute]) => `${open}${name}${attribute}>`);
    const part = fc.oneof(
      { weight: 3, arbitrary: tag },
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('\n', '<', '&lt;', '```', '# '),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const markdown = text(parts.join(''));
        expect(markdown === '' || markdown.endsWith('\n')).toBe(true);
        for (const { charStart, charEnd, text: own } of byHeading({ slugger: 'docusaurus' }).split({
          uri: 'x.html',
          text: markdown,
        })) {
          expect(markdown.slice(charStart, charEnd)).toBe(own);
        }
      }),
      { numRuns: runs() },
    );
  });

  it('loses no word', () => {
    const html =
      '<div>a<p>b<ul><li>c<ol><li>d<pre>e</pre>f</ol>g</ul>h<table><tr><th>i<td>j<table><tr><td>k</table>l</table>m<h2>n';
    const letters = text(html).replace(/[^a-n]/g, '');
    expect(letters).toBe('abcdefghijklmn');
    const pieces = byHeading({ slugger: 'docusaurus' }).split({ uri: 'x.html', text: `${text(html)}\no` });
    expect(pieces.length).toBeGreaterThan(0);
  });
});
