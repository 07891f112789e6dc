import { afterEach, describe, expect, it } from 'vitest';
import { answer, augment, promptApiGenerator } from '../../src/answer/index.ts';
import { formatContext } from '../../src/cite/context.ts';
import { hostileDocuments, mark } from '../hostile.ts';
import { guide, notes } from './index-helpers.ts';
import { connect } from './worker-helpers.ts';

const short = hostileDocuments.filter(({ text }) => text.length < 100_000);

afterEach(() => {
  document.body.replaceChildren();
});

describe('answers in a browser', () => {
  it('from an index in a worker, with evidence', async () => {
    const index = await connect();
    await index.add([guide, notes]);
    const told = await answer('How long do refunds take?', {
      retriever: index.retriever(),
      baseUrl: '/docs/',
    });
    expect(told.citations[0]).toMatchObject({
      quote: 'Refunds are issued within fourteen days.',
      verified: true,
      docUri: 'guide.md',
    });
    const { charStart, charEnd, link } = told.citations[0]!;
    expect(guide.text.slice(charStart, charEnd)).toBe('Refunds are issued within fourteen days.');
    expect(link).toMatch(/^\/docs\/guide\.md#refunds:~:text=Refunds%20are/);
    const foreign = { retriever: index.retriever(), floor: undefined as number | undefined };
    expect(await answer('Which refunds do airlines in Kenya owe passengers?', foreign)).toMatchObject({
      known: false,
      passages: [],
    });
    foreign.floor = 0;
    expect(await answer('Which refunds do airlines in Kenya owe passengers?', foreign)).toMatchObject({
      known: true,
    });
    const { messages } = await augment([{ role: 'user', content: 'zebras?' }], {
      retriever: index.retriever(),
    });
    expect(messages[0]!.content).toContain('zebra zoo');
  });

  it('Chromium’s own Prompt API: where there is no model, that is told by its code', async () => {
    const { LanguageModel } = globalThis as { LanguageModel?: { availability(): Promise<string> } };
    const there = LanguageModel === undefined ? 'unavailable' : await LanguageModel.availability();
    const index = await connect();
    await index.add([guide]);
    const asked = answer('refunds?', { retriever: index.retriever(), generate: promptApiGenerator() });
    if (there === 'available') expect((await asked).text).not.toBe('');
    else {
      const error = await asked.catch((thrown: unknown) => thrown);
      const code = there === 'unavailable' ? 'UNSUPPORTED' : 'MODEL_LOAD_FAILED';
      expect(error).toMatchObject({ name: 'ShelfmarkError', code });
    }
  });

  it('a context that somebody writes as HTML after all makes no element but its own', async () => {
    for (const { uri, text, title, metadata } of short) {
      const passage = { id: `${uri}#0`, docUri: uri, text, heading: title, ...metadata, score: 1 };
      const box = document.createElement('div');
      box.innerHTML = formatContext([passage]);
      document.body.append(box);
      expect(
        [...box.querySelectorAll('*')].map(({ localName }) => localName),
        uri,
      ).toEqual(['source']);
      const names = box.firstElementChild!.getAttributeNames();
      expect(names.filter((name) => !/^(?:id|uri|heading|page)$/.test(name))).toEqual([]);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(Object.keys(window).filter((key) => key.startsWith(mark))).toEqual([]);
  });

  it('a link of an answer, put into a page, leads to a page of the web', async () => {
    for (const { uri, text, metadata } of short) {
      const found = { id: `${uri}#0`, docUri: uri, text, score: 1, ...(metadata && { metadata }) };
      const told = await answer('harbour?', { retriever: { retrieve: async () => [found] } });
      for (const { link } of told.citations) {
        const anchor = document.createElement('a');
        anchor.href = link!;
        expect(anchor.protocol, uri).toMatch(/^https?:$/);
        expect(anchor.host, uri).toBe(location.host);
      }
    }
  });
});
