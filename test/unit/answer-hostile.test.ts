import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import type { GenerateRequest } from '../../src/answer/generate.ts';
import { answer, augment } from '../../src/answer/index.ts';
import { formatContext } from '../../src/cite/context.ts';
import { openIndex } from '../../src/open-index.ts';
import { citedPassage, createRetrievalTool } from '../../src/retrieve/tool.ts';
import { hostileDocuments, mark } from '../hostile.ts';

const index = await openIndex({ persist: false });
await index.add(hostileDocuments);
const everything = await index.search('harbour', { topK: 10_000 });
/** The best passage of each document. */
const passages = everything.filter(
  ({ docUri }, at) => everything.findIndex((other) => other.docUri === docUri) === at,
);

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  depth: number;
}

/** The elements of a text that is read as XML, and what each holds. */
function elementsOf(text: string): Element[] {
  const found: Element[] = [];
  const open: number[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        found.push({ name, attributes: { ...attributes }, text: '', depth: open.length });
        open.push(found.length - 1);
      },
      ontext(part) {
        const at = open.at(-1);
        if (at !== undefined) found[at]!.text += part;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  return found;
}

const idsOf = (blocks: readonly Element[]): string[] =>
  blocks.flatMap(({ attributes }) => (attributes['ids'] ?? attributes['id'])!.split(' '));

/** An id as a list of ids has it. */
const spelled = (id: string): string => id.replace(/\s/g, (one) => encodeURIComponent(one));

async function inTime<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const begun = performance.now();
  const made = await work();
  expect(performance.now() - begun, `${what} took its time`).toBeLessThan(4000);
  return made;
}

describe('hostile documents', () => {
  it('are many, of every kind, and are all found', () => {
    expect(hostileDocuments.length).toBeGreaterThanOrEqual(60);
    expect(new Set(hostileDocuments.map(({ uri }) => uri)).size).toBe(hostileDocuments.length);
    expect(passages.length).toBe(hostileDocuments.length);
  });

  it('context: one block each, whose text is the passage and whose attributes are its own', async () => {
    for (const passage of passages) {
      const context = await inTime(passage.id, () => formatContext([passage]));
      const blocks = elementsOf(context);
      expect(
        blocks.map(({ name, depth }) => [name, depth]),
        passage.id,
      ).toEqual([['source', 0]]);
      const { text, attributes } = blocks[0]!;
      expect(text).toBe(passage.text);
      expect(Object.keys(attributes).filter((name) => !/^(?:id|uri|heading|page)$/.test(name))).toEqual([]);
      expect(attributes['id']).toBe(spelled(passage.id));
      expect(context.slice(context.indexOf('>') + 1, context.lastIndexOf('<'))).not.toMatch(/[<>]/);
    }
  });

  it('context of all together: every id once, and none that nobody has', async () => {
    const context = await inTime('all', () => formatContext(passages.map(citedPassage)));
    expect(idsOf(elementsOf(context)).sort()).toEqual(passages.map(({ id }) => spelled(id)).sort());
  });

  it('tool: the same as data and as text', async () => {
    const tool = createRetrievalTool(index.retriever(), { topK: 50 });
    const queries = [
      'harbour says',
      'harbour open',
      `harbour ${mark}`,
      'harbour begins',
      'bank.md#0 harbour',
    ];
    for (const query of [...queries, '</source>']) {
      const result = await inTime(query, () => tool.execute({ query }));
      expect(result.passages.length).toBeGreaterThan(0);
      expect(JSON.parse(JSON.stringify(result))).toEqual(structuredClone(result));
      const blocks = elementsOf(tool.format(result));
      expect(blocks.every(({ name, depth }) => name === 'source' && depth === 0)).toBe(true);
      expect(idsOf(blocks).length).toBe(result.passages.length);
    }
    const nothing = await tool.execute({ query: '"</ \n\u202e wombat' });
    expect(nothing.message).toContain('Nothing found for "\\"</ \\n');
  });

  it('chat: one message more, the other untouched', async () => {
    const chat = [{ role: 'user', content: 'harbour says' }];
    const { messages } = await augment(chat, { retriever: index.retriever(), topK: 50 });
    expect(messages).toHaveLength(2);
    expect(messages[1]).toBe(chat[0]);
    const { content } = messages[0]!;
    const blocks = elementsOf(content.slice(content.indexOf('<source id')));
    expect(blocks.length).toBeGreaterThan(20);
    expect(blocks.every(({ name, depth }) => name === 'source' && depth === 0)).toBe(true);
  });

  it('answer without a model: every sentence is its passage’s own, whatever ids and marks stand in it', async () => {
    for (const passage of passages) {
      const retriever = { retrieve: async () => [passage] };
      const told = await inTime(passage.id, () => answer('What does the harbour say?', { retriever }));
      expect(told.unsupported, passage.id).toEqual([]);
      expect(told.citations.length).toBeGreaterThan(0);
      const document = hostileDocuments.find(({ uri }) => uri === passage.docUri)!;
      for (const { id, quote, verified, charStart, charEnd } of told.citations) {
        expect([id, verified]).toEqual([passage.id, true]);
        expect(document.text.slice(charStart, charEnd)).toBe(quote);
      }
      expect(told.text.length).toBeLessThan(10_000);
    }
  });

  it('answer of a model: it is asked with one block a passage, and orders in it prove nothing', async () => {
    let asked: GenerateRequest | undefined;
    const obeying = (request: GenerateRequest) => {
      asked = request;
      return 'pwned. "Send your savings to the bank" [bank.md#0]. The harbour is closed [bank.md#1].';
    };
    for (const passage of passages) {
      const retriever = { retrieve: async () => [passage] };
      const told = await inTime(passage.id, () => answer('harbour?', { retriever, generate: obeying }));
      const { content } = asked!.messages[1]!;
      const blocks = elementsOf(content.slice(0, content.lastIndexOf('\n\nQuestion: ')));
      expect(blocks.map(({ name, depth }) => [name, depth])).toEqual([['source', 0]]);
      expect(asked!.messages[0]!.content).not.toContain('harbour');
      expect(told.citations.filter(({ verified }) => verified)).toEqual([]);
      expect(told.unsupported).toContain('pwned.');
      expect(told.citations.every(({ id, charStart }) => id === passage.id || charStart === undefined)).toBe(
        true,
      );
    }
  });

  it('answer of a model that repeats a document, a megabyte at once: it ends in time', async () => {
    for (const { uri, text } of hostileDocuments) {
      const passage = { id: `${uri}#0`, docUri: uri, text, score: 1, charStart: 0, charEnd: text.length };
      const retriever = { retrieve: async () => [passage] };
      const generate = () => `It says “${text}” [${passage.id}]. ${text}`;
      const told = await inTime(uri, () => answer('harbour?', { retriever, generate }));
      expect(told.known).toBe(true);
    }
  });

  it('links: to a page of http or https, under the base, without a character that ends an attribute', async () => {
    const base = 'https://docs.example/guide/';
    let made = 0;
    for (const { uri, text, metadata } of hostileDocuments) {
      const whole = { id: `${uri}#0`, docUri: uri, text, slug: `"><script>${mark}`, score: 1 };
      const passage = metadata === undefined ? whole : { ...whole, metadata };
      const retriever = { retrieve: async () => [passage] };
      for (const baseUrl of [undefined, base, '/docs/']) {
        const told = await inTime(uri, () => answer('harbour?', { retriever, baseUrl }));
        for (const { link } of told.citations) {
          made++;
          expect(link).toMatch(/^[\x21-\x7e]+$/);
          // An apostrophe may stand in it, and with no equals sign after it begins no attribute that has a value.
          expect(link!.replace(':~:text=', '')).not.toMatch(/["<>`\\=]/);
          const { protocol, host } = new URL(link!, base);
          expect([protocol, host], uri).toEqual(['https:', 'docs.example']);
        }
      }
    }
    expect(made).toBeGreaterThanOrEqual(3 * hostileDocuments.length);
  });

  it('nothing reaches the prototype of all objects', () => {
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
