import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { shownCharacter } from '../../src/cite/named.ts';
import { renderedBlocks } from '../../src/cite/rendered.ts';
import { citationLink, verifyQuotes } from '../../src/index.ts';

const markdown = new MarkdownIt({ html: false });
/** What a renderer shows for a reference; undefined where it shows the reference itself. */
function rendered(name: string): string | undefined {
  const shown = markdown.renderInline(`x&${name};x`).slice(1, -1);
  const plain = shown.replace(
    /&(amp|lt|gt|quot);/g,
    (_, one: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[one]!,
  );
  // Of a name it does not know markdown-it reads `&gt` out of `&gtilde;`.
  return plain.length > 2 ? undefined : plain;
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const accents = ['grave', 'acute', 'circ', 'tilde', 'uml', 'ring', 'cedil', 'caron'];
const prose =
  'mdash ndash hellip lsquo rsquo ldquo rdquo laquo raquo larr rarr uarr darr copy reg trade sect para middot bull deg times divide plusmn minus ne le ge frac12 euro pound szlig aelig oslash thorn check Hat Tab NewLine nbsp amp lt gt quot apos constructor toString'.split(
    ' ',
  );

describe('characters that have names', () => {
  it('are those that a renderer shows', () => {
    for (const name of prose) expect(shownCharacter(name), name).toBe(rendered(name));
  });

  it('with accents too', () => {
    const there = letters.flatMap((letter) =>
      accents
        .map((accent) => `${letter}${accent}`)
        .filter((name) => rendered(name)?.normalize('NFD').startsWith(letter)),
    );
    expect(there.length).toBeGreaterThan(100);
    for (const name of there) expect(shownCharacter(name), name).toBe(rendered(name));
    for (const name of ['Acedil', 'xacute', 'egg', 'graves'])
      expect(shownCharacter(name), name).toBeUndefined();
  });

  it('stand for themselves in quotes and links', () => {
    const text =
      'Caf&eacute; du Port &mdash; closed on 1&frac12; days &amp; holidays &rarr; see `a &mdash; b`.';
    const passage = { id: 'a#0', text, docUri: 'a.md', charStart: 0, charEnd: text.length };
    const quote = 'Café du Port — closed on 1½ days & holidays';
    expect(verifyQuotes(`“${quote}” [a#0]`, [passage])).toMatchObject([{ status: 'verified', charStart: 0 }]);
    expect(renderedBlocks(text)).toEqual([`${quote} → see a &mdash; b.`]);
    expect(citationLink(passage, { baseUrl: 'https://x.example/' })).toContain(
      `text=${encodeURIComponent('Café')}`,
    );
  });
});
