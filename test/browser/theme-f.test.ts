/**
 * Cases from public bug reports of search boxes, pages and citations, each with the right value, on the search box and
 * the library. Those of the demo and of the docs site (B184, B185, B191, B192, B194) are in test/e2e and test/offline.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import '../../src/element/index.ts';
import { verifyQuotes } from '../../src/index.ts';
import { openIndex } from '../../src/open-index.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import type { EmbedderLike, SplitterDocument } from '../../src/types.ts';
import { letters } from './letters.ts';

const pwned = () => Object.keys(window).filter((key) => key.startsWith('pwned'));

afterEach(() => {
  for (const element of document.querySelectorAll('shelfmark-search')) element.remove();
});

/** An open search box over these documents. */
async function box(documents: SplitterDocument[], embedder?: EmbedderLike) {
  const index = await openIndex({ persist: false, ...(embedder !== undefined && { embedder }) });
  await index.add(documents);
  const element = document.createElement('shelfmark-search');
  element.index = index;
  element.baseUrl = '/docs/';
  // What a reader follows would take the test page away.
  const followed: string[] = [];
  element.addEventListener('shelfmark-select', (event) => {
    event.preventDefault();
    followed.push((event as CustomEvent<{ hit: { docUri: string } }>).detail.hit.docUri);
  });
  document.body.append(element);
  element.open();
  const root = element.shadowRoot!;
  const input = root.querySelector<HTMLInputElement>('[role="combobox"]')!;
  const options = () => [...root.querySelectorAll<HTMLElement>('[role="option"]')];
  const type = (text: string) => {
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  };
  const ask = async (text: string) => {
    type(text);
    await vi.waitFor(() => expect(options().length).toBeGreaterThan(0), 5000);
    await vi.waitFor(() => expect(root.querySelector('[data-state="busy"]')).toBeNull(), 5000);
  };
  return { element, root, input, options, type, ask, followed };
}

describe('what documents hold', () => {
  it('is shown as text, whatever it would be as HTML (B178)', async () => {
    const { ask, options, root } = await box([
      { uri: 'a.md', text: '# T\n\n<img src=x onerror=window.pwned=1> find me' },
    ]);
    await ask('find');
    expect(options()[0]!.textContent).toContain('<img src=x onerror=window.pwned=1> find me');
    expect(root.querySelectorAll('img, script, iframe')).toHaveLength(0);
    expect(pwned()).toEqual([]);
  });

  it('never becomes a link that runs something (B180)', async () => {
    const addresses = ['java\nscript:window.pwned=3', 'data:text/html,x', 'javascript:window.pwned=4'];
    const { ask, root } = await box(
      addresses.map((url, at) => ({
        uri: `${at}.md`,
        metadata: { url },
        text: `# T${at}\n\n[go](${url}) to the harbour`,
      })),
    );
    await ask('harbour');
    const links = [...root.querySelectorAll<HTMLAnchorElement>('[href]')].map(({ href }) => href);
    expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
    expect(pwned()).toEqual([]);
  });

  it('keeps its angle brackets where words are marked (B181)', async () => {
    const { ask, options, root } = await box([{ uri: 'a.md', text: 'use List<String> here' }]);
    await ask('here');
    expect(options()[0]!.textContent).toContain('use List<String> here');
    expect([...root.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['here']);
  });

  it('is escaped once (B182)', async () => {
    const { ask, root } = await box([{ uri: 'a.md', text: '# Q & A <b>\ntext' }]);
    await ask('text');
    expect(root.querySelector('[role="listbox"]')!.textContent).toContain('Q & A <b>');
    expect(root.innerHTML).not.toContain('&amp;amp;');
  });

  it('may be a picture as text: it fills no snippet (B185)', async () => {
    const picture = `![i](data:image/png;base64,${'A'.repeat(300_000)})`;
    const { ask, options } = await box([
      { uri: 'a.md', text: `# Ships\n\n${picture}\n\nThe harbour at night.` },
    ]);
    await ask('harbour');
    expect(options().length).toBeLessThanOrEqual(5);
    for (const option of options()) expect(option.textContent!.length).toBeLessThan(1000);
  });
});

describe('the search box', () => {
  it('ignores the Enter that ends a composition, flagged or not (B186)', async () => {
    const { ask, input, element, followed } = await box([
      { uri: 'a.md', text: '地域の住民が町づくりを進める' },
    ]);
    await ask('住民');
    const enter = (init: KeyboardEventInit & { keyCode?: number }) =>
      input.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
      );
    enter({ isComposing: false, keyCode: 229 });
    enter({ isComposing: true });
    expect([followed, element.isOpen]).toEqual([[], true]);
    enter({ keyCode: 13 });
    await vi.waitFor(() => expect(followed).toEqual(['a.md']));
  });

  it('ends with the results of what was typed last, however slow the one before was (B188)', async () => {
    const real = letters().embedder;
    const answered: string[] = [];
    const { type, options } = await box(
      [
        { uri: 'search.md', text: 'A search finds words.' },
        { uri: 'se.md', text: 'The se is an abbreviation.' },
      ],
      {
        id: 'letters',
        async embed(texts, how) {
          if (how?.kind === 'query') {
            await new Promise((done) => setTimeout(done, texts[0] === 'se' ? 500 : 20));
            answered.push(texts[0]!);
          }
          return real.embed(texts);
        },
      },
    );
    type('se');
    await new Promise((done) => setTimeout(done, 200));
    type('search');
    await vi.waitFor(() => expect(options()[0]?.textContent).toContain('A search finds words.'), 5000);
    await new Promise((done) => setTimeout(done, 700));
    expect(options()[0]!.textContent).toContain('A search finds words.');
    expect(answered.at(-1)).toBe(answered.includes('se') ? 'se' : 'search');
  });

  it('says politely how many results there are, or none, and names every control (B189)', async () => {
    const { ask, type, root } = await box([
      { uri: 'a.md', text: '# One\n\nThe harbour.' },
      { uri: 'b.md', text: '# Two\n\nThe harbour.' },
    ]);
    const live = root.querySelector('[role="status"]')!;
    expect(live.getAttribute('aria-live')).toBe('polite');
    await ask('harbour');
    await vi.waitFor(() => expect(live.textContent).toMatch(/^2\b/), 5000);
    type('qqqzzzx');
    await vi.waitFor(() => expect(live.textContent).toMatch(/no (results|passages)|nothing/i), 5000);
    for (const control of root.querySelectorAll<HTMLElement>('button, input, [role="listbox"], dialog')) {
      const { hidden } = control;
      const name = control.getAttribute('aria-label') ?? control.getAttribute('aria-labelledby');
      if (!hidden) expect(name ?? control.textContent?.trim(), control.outerHTML).not.toBe('');
    }
  });
});

describe('a citation', () => {
  it('across the border of two chunks is one range of the source (B195)', async () => {
    const text =
      '# Returns\n\nThe parcel goes back to the warehouse by the carrier that brought it.\n\nWhoever sends it keeps the receipt of the carrier.\n';
    const index = await openIndex({
      persist: false,
      splitter: byHeading({ maxChars: 90, minChars: 10, overlapChars: 0 }),
    });
    await index.add([{ uri: 'returns.md', text }]);
    const chunks = await index.chunks('returns.md');
    expect(chunks).toHaveLength(2);
    const quote = 'the carrier that brought it.\n\nWhoever sends it keeps the receipt';
    const [check] = verifyQuotes(`“${quote.replace('\n\n', ' ')}” [${chunks[0]!.id}]`, chunks, {
      documents: [{ uri: 'returns.md', text }],
    });
    expect(check).toMatchObject({ status: 'spans-chunks', docUri: 'returns.md' });
    expect(text.slice(check!.charStart, check!.charEnd)).toBe(quote);
  });
});
