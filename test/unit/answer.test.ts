import { describe, expect, it } from 'vitest';
import { answer } from '../../src/answer/answer.ts';
import { extractive } from '../../src/answer/extractive.ts';
import type { Generate, GenerateRequest, Piece } from '../../src/answer/generate.ts';
import { openIndex } from '../../src/open-index.ts';
import type { Retriever } from '../../src/types.ts';

const refunds = {
  uri: 'docs/refunds.md',
  metadata: { url: 'https://shop.example/refunds', lang: 'en' },
  text:
    '# Refunds\n\n## How to ask\n\nWrite to the shop with the receipt. A refund is asked for by mail.\n\n' +
    '## Timing\n\nRefunds are issued within fourteen days. Deposits take longer, since they are paid by cheque.\n',
};
const deposits = {
  uri: 'deposits.md',
  text: '# Deposits\n\nA deposit is paid at the counter. It is “safe with us”, says the manager.\n',
};
const texts = new Map([refunds, deposits].map(({ uri, text }) => [uri, text]));

const index = await openIndex({ persist: false });
await index.add([refunds, deposits]);
const retriever = index.retriever();

/** A generator that writes what it is told to, cut anywhere. */
const writing =
  (text: string, size = 3): Generate =>
  () =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));

const idOf = async (words: string): Promise<string> => {
  const [hit] = await index.search(words, { topK: 1 });
  return hit!.id;
};
const timing = await idOf('issued fourteen days');
const deposit = await idOf('counter manager');

describe('an answer without a model', () => {
  it('is the sentence that answers, word for word, with its place and its passage', async () => {
    const { text, known, citations, passages, unsupported } = await answer('How long do refunds take?', {
      retriever,
    });
    expect(known).toBe(true);
    expect(text).toMatch(/^“Refunds are issued within fourteen days\.” \[docs\/refunds\.md#\d\]/);
    expect(unsupported).toEqual([]);
    expect(citations[0]).toMatchObject({
      id: timing,
      quote: 'Refunds are issued within fourteen days.',
      verified: true,
      status: 'verified',
      docUri: 'docs/refunds.md',
    });
    expect(passages.map(({ id }) => id)).toContain(timing);
    for (const { quote, docUri, charStart, charEnd, verified } of citations) {
      expect(verified).toBe(true);
      expect(texts.get(docUri!)!.slice(charStart, charEnd)).toBe(quote);
    }
  });

  it('streams: the pieces joined are the text', async () => {
    const pieces: string[] = [];
    const { text } = await answer('refund deposit counter days', {
      retriever,
      generate: extractive({ sentences: 5 }),
      onToken: (piece) => pieces.push(piece),
    });
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
  });

  it('says that it does not know where nothing is found, and asks no generator', async () => {
    const asked: GenerateRequest[] = [];
    const tokens: string[] = [];
    const generate: Generate = (request) => {
      asked.push(request);
      return 'made up';
    };
    const onToken = (text: string) => tokens.push(text);
    const told = await answer('wombat xylophone', { retriever, generate, onToken });
    expect(told).toEqual({
      text: 'I do not know: these documents do not say it.',
      known: false,
      citations: [],
      passages: [],
      unsupported: [],
    });
    expect(tokens).toEqual([told.text]);
    expect(asked).toEqual([]);
    const floored = index.retriever({ minScore: { lexical: 1000 } });
    expect(await answer('refunds', { retriever: floored, notFound: 'Weiß ich nicht.' })).toMatchObject({
      text: 'Weiß ich nicht.',
      known: false,
    });
  });

  it('tells as many sentences as it is to, and none twice where chunks overlap', async () => {
    const doubled: Retriever = {
      retrieve: async () => [
        {
          id: 'a#0',
          text: 'The pump holds nine litres. It is blue.',
          score: 2,
          docUri: 'a',
          charStart: 0,
          charEnd: 39,
        },
        { id: 'a#1', text: 'The pump holds nine litres. Fill the pump with oil.', score: 1, docUri: 'a' },
      ],
    };
    const ask = (sentences: number) =>
      answer('how many litres does the pump hold', {
        retriever: doubled,
        generate: extractive({ sentences }),
      });
    expect((await ask(1)).text).toBe('“The pump holds nine litres.” [a#0]');
    expect((await ask(9)).text.match(/nine litres/g)).toHaveLength(1);
    const [first] = (await ask(1)).citations;
    expect(first).toMatchObject({ charStart: 0, charEnd: 27 });
  });

  it('where a passage does not say where it lies, its pieces do not either', async () => {
    const bare: Retriever = {
      retrieve: async () => [{ id: 'x', text: 'Zebras graze. Lions sleep.', score: 1 }],
    };
    const { citations } = await answer('lions', { retriever: bare });
    expect(citations).toEqual([{ id: 'x', quote: 'Lions sleep.', verified: true, status: 'verified' }]);
  });

  it('refuses a number of sentences that is none', () => {
    for (const sentences of [0, 21, 1.5, '3' as never]) {
      expect(() => extractive({ sentences })).toThrow(/sentences is .*from 1 to 20/);
    }
  });
});

describe('the evidence for what a model writes', () => {
  const ask = (text: string) =>
    answer('How long do refunds and a deposit take?', {
      retriever,
      generate: writing(text),
      linkOf: ({ docUri, charStart }) => `/${docUri}?at=${charStart}`,
    });

  it('a quote in the passage cited is verified, with its place in the document and a link there', async () => {
    const { citations, unsupported } = await ask(
      `The shop says that "refunds are issued within fourteen days" [${timing}].`,
    );
    expect(unsupported).toEqual([]);
    const [citation] = citations;
    expect(citation).toMatchObject({ id: timing, verified: true, status: 'verified' });
    const { charStart, charEnd } = citation!;
    expect(refunds.text.slice(charStart, charEnd)).toBe('Refunds are issued within fourteen days');
    expect(citation!.link).toBe(`/docs/refunds.md?at=${charStart}`);
  });

  it('tells a fabricated quote, one under the wrong id, an id that does not exist and one without a quote apart', async () => {
    const { citations, unsupported, known } = await ask(
      `They say "refunds take nine years" [${timing}]. "A deposit is paid at the counter" [${timing}]. ` +
        `Nothing is free [nowhere.md#4]. Cheques are slow [${deposit}]. The moon is made of cheese.`,
    );
    expect(known).toBe(true);
    expect(citations.map(({ id, quote, verified, status }) => [id, quote, verified, status])).toEqual([
      [timing, 'refunds take nine years', false, 'absent'],
      [timing, 'A deposit is paid at the counter', false, 'wrong-source'],
      ['nowhere.md#4', undefined, false, undefined],
      [deposit, undefined, false, undefined],
    ]);
    expect(citations[2]).toEqual({ id: 'nowhere.md#4', verified: false });
    const { charStart, charEnd } = citations[3]!;
    expect(deposits.text.slice(charStart, charEnd)).toContain('paid at the counter');
    expect(unsupported).toEqual(['Nothing is free [nowhere.md#4].', 'The moon is made of cheese.']);
  });

  it('a citation behind the full stop belongs to the sentence before it', async () => {
    const { unsupported } = await ask(
      `Refunds take two weeks. [${timing}] Deposits take longer. [${timing}, ${deposit}]\n\n- a point [${deposit}]\n- another point\n`,
    );
    expect(unsupported).toEqual(['another point']);
  });

  it('knows the sentence for not knowing, whatever a model puts around it', async () => {
    for (const said of [
      'I do not know: these documents do not say it.',
      '“I do not know: these documents do not say it”\n',
      '**I do not know: these documents do not say it.**',
    ]) {
      expect(await ask(said)).toMatchObject({ known: false, citations: [], unsupported: [], text: said });
    }
  });

  it('the model gets instructions, escaped blocks and the question', async () => {
    let seen: GenerateRequest | undefined;
    await answer('How long do refunds take?', {
      retriever,
      notFound: 'No idea.',
      generate: (request) => {
        seen = request;
        return 'Soon.';
      },
    });
    expect(seen!.context).toContain(`<source id="${timing}" heading="Refunds">`);
    expect(seen!.messages).toEqual([
      { role: 'system', content: expect.stringContaining('No idea.') },
      { role: 'user', content: `${seen!.context}\n\nQuestion: How long do refunds take?` },
    ]);
    expect(seen!.passages[0]).not.toHaveProperty('metadata');
  });

  it('a context that is too large for its budget leaves passages out; one that leaves no room is not knowing', async () => {
    let seen = '';
    const generate: Generate = ({ context }) => {
      seen = context;
      return 'Soon.';
    };
    await answer('refunds deposit', { retriever, generate, maxChars: 200 });
    expect(seen.length).toBeLessThanOrEqual(200);
    expect(seen).toContain('<source');
    expect(await answer('refunds', { retriever, generate, maxChars: 5 })).toMatchObject({ known: false });
  });
});

describe('what generators may give', () => {
  const stream = (pieces: string[]) =>
    new ReadableStream<string>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  async function* later(pieces: Piece[]): AsyncGenerator<Piece> {
    for (const piece of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield piece;
    }
  }
  const ask = (generate: Generate, onToken?: (text: string) => void) =>
    answer('refunds', { retriever, generate, onToken });

  it('a string, a promise, a list, a stream, an async iterable and pieces of passages', async () => {
    const ways: Generate[] = [
      () => 'So it is.',
      async () => 'So it is.',
      () => ['So ', 'it is.'],
      () => stream(['So it', ' is.']),
      () => later(['S', 'o it is', '.']),
    ];
    for (const way of ways) expect((await ask(way)).text).toBe('So it is.');
    const mixed = await ask(() => later(['See: ', { id: timing, start: 0, end: 7 }, '!']));
    expect(mixed.text).toMatch(/^See: “.{7}” \[docs\/refunds\.md#\d\]!$/);
    expect(mixed.citations[0]).toMatchObject({ id: timing, verified: true });
  });

  it('a character in two tokens is told whole', async () => {
    const tokens: string[] = [];
    const { text } = await ask(
      () => ['a\ud83d', '\ude42', 'b\ud83d'],
      (piece) => tokens.push(piece),
    );
    expect(text).toBe('a🙂b\ud83d');
    expect(tokens).toEqual(['a', '🙂', 'b', '\ud83d']);
  });

  it('nothing, and what is no text, fail by name', async () => {
    for (const nothing of ['', '  \n', [], ['', '']]) {
      await expect(ask(() => nothing)).rejects.toMatchObject({
        code: 'GENERATOR_FAILED',
        message: expect.stringContaining('wrote nothing'),
      });
    }
    const odd: unknown[] = [undefined, 7, {}, [7], [null], [{ id: 'nowhere', start: 0, end: 1 }]];
    odd.push(
      [{ id: timing, start: -1, end: 5 }],
      [{ id: timing, start: 3, end: 3 }],
      [{ id: timing, start: 0, end: 1e6 }],
    );
    for (const one of odd) {
      await expect(ask(() => one as never)).rejects.toMatchObject({ code: 'GENERATOR_FAILED' });
    }
  });

  it('a failure is named, at once or in the middle, and keeps its cause', async () => {
    const cause = new TypeError('the model has a cold');
    const failing: Generate[] = [
      () => {
        throw cause;
      },
      async () => {
        throw cause;
      },
      async function* () {
        yield 'Well';
        throw cause;
      },
      () => new ReadableStream({ pull: (controller) => controller.error(cause) }),
    ];
    for (const way of failing) {
      await expect(ask(way)).rejects.toMatchObject({
        name: 'ShelfmarkError',
        code: 'GENERATOR_FAILED',
        message: expect.stringContaining('the model has a cold'),
        cause,
      });
    }
  });

  it('what onToken throws rejects as it is, and ends the generator', async () => {
    let ended = false;
    const fault = new Error('no room on the screen');
    const generate: Generate = async function* () {
      try {
        yield 'one';
        yield 'two';
      } finally {
        ended = true;
      }
    };
    const thrown = ask(generate, () => {
      throw fault;
    });
    await expect(thrown).rejects.toBe(fault);
    expect(ended).toBe(true);
  });
});

describe('aborting', () => {
  const reason = new Error('enough');

  it('before, while passages are looked for, and while a generator hangs', async () => {
    await expect(answer('refunds', { retriever, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const hang = new Promise<never>(() => {});
    const slow: Retriever = { retrieve: () => hang };
    const hanging: Generate[] = [
      () => hang,
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => hang }) }),
    ];
    const calls = [
      (signal: AbortSignal) => answer('refunds', { retriever: slow, signal }),
      ...hanging.map(
        (generate) => (signal: AbortSignal) => answer('refunds', { retriever, generate, signal }),
      ),
    ];
    for (const call of calls) {
      const control = new AbortController();
      const thrown = call(control.signal);
      setTimeout(() => control.abort(reason), 5);
      await expect(thrown).rejects.toBe(reason);
    }
  });

  it('between tokens, also by onToken; the stream is cancelled', async () => {
    const control = new AbortController();
    let thrown: Promise<unknown> | undefined;
    const cancelled = new Promise((resolve) => {
      const endless = new ReadableStream<string>({ pull: (to) => to.enqueue('word '), cancel: resolve });
      thrown = answer('refunds', {
        retriever,
        generate: () => endless,
        signal: control.signal,
        onToken: () => control.abort(reason),
      });
    });
    await expect(thrown).rejects.toBe(reason);
    await cancelled;
  });
});

it('refuses by name what it cannot work with', async () => {
  const refused: [question: unknown, options: unknown, name: RegExp][] = [
    ['', { retriever }, /question/],
    [7, { retriever }, /question/],
    ['q', undefined, /options/],
    ['q', {}, /retriever/],
    ['q', { retriever: index }, /index\.retriever\(\)/],
    ['q', { retriever, generate: 'gpt' }, /generate/],
    ['q', { retriever, onToken: 1 }, /onToken/],
    ['q', { retriever, topK: 0 }, /topK is 0/],
    ['q', { retriever, notFound: ' ' }, /notFound/],
    ['q', { retriever, signal: {} }, /signal/],
    ['q', { retriever, linkOf: '/x' }, /linkOf/],
    ['q', { retriever, minScore: {} }, /Unknown option minScore/],
  ];
  for (const [question, options, name] of refused) {
    const thrown = answer(question as string, options as never);
    await expect(thrown).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(name),
    });
  }
});
