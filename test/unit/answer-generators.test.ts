import { describe, expect, it } from 'vitest';
import { answer } from '../../src/answer/answer.ts';
import type { Generate } from '../../src/answer/generate.ts';
import { type PromptApi, promptApiGenerator } from '../../src/answer/prompt-api.ts';
import { transformersGenerator } from '../../src/answer/transformers.ts';
import type { Retriever } from '../../src/types.ts';

const passage = { id: 'a.md#0', text: 'Refunds take fourteen days.', score: 1, docUri: 'a.md' };
const retriever: Retriever = { retrieve: async () => [passage] };
const said = 'Refunds take fourteen days [a.md#0]. Gern! 🙂';

async function ask(generate: Generate, signal?: AbortSignal) {
  const tokens: string[] = [];
  const onToken = (token: string) => tokens.push(token);
  const told = await answer('How long?', { retriever, generate, signal, onToken });
  return { ...told, tokens };
}

/** Bytes as tokens: what a tokenizer decodes of half a character is a replacement. */
const encode = (text: string): number[] => [...new TextEncoder().encode(text)];
const tokenizer = {
  chat_template: '{{ messages }}',
  decode: (tokens: ArrayLike<number | bigint>) =>
    new TextDecoder().decode(Uint8Array.from(Array.from(tokens, (token) => Number(token)))),
};

/*
 * No generative model is small enough to be at hand, so these are functions that call and answer as the pipelines of
 * transformers.js do: version 2 calls back with all tokens of a beam, 3 and 4 put them into a streamer, the prompt's first.
 */
type Call = (input: unknown, options: Record<string, never>) => Promise<unknown>;
const pipelineOf = (task: string, call: Call, more: object = {}) =>
  Object.assign(call, { task, tokenizer, ...more }) as never;
const prompt = encode('the prompt');

describe('a pipeline of transformers.js', () => {
  const answered = (input: unknown) =>
    Array.isArray(input)
      ? [{ generated_text: [...input, { role: 'assistant', content: said }] }]
      : [{ generated_text: said }];

  it('versions 3 and 4 stream by a streamer, whole characters at a time', async () => {
    let seen: { input: unknown; options: Record<string, unknown> } | undefined;
    const pipeline = pipelineOf('text-generation', async (input, options) => {
      seen = { input, options };
      const streamer = options['streamer'] as unknown as { put(batch: bigint[][]): void; end(): void };
      streamer.put([prompt.map(BigInt)]);
      for (const token of encode(said)) {
        await Promise.resolve();
        streamer.put([[BigInt(token)]]);
      }
      streamer.end();
      return answered(input);
    });
    const told = await ask(
      transformersGenerator(pipeline, { maxNewTokens: 99, options: { repetition_penalty: 1.1 } }),
    );
    expect(told.text).toBe(said);
    expect(told.tokens.length).toBeGreaterThan(20);
    expect(told.tokens.join('')).not.toContain('\ufffd');
    expect(seen!.input).toEqual([
      {
        role: 'user',
        content: expect.stringMatching(/<source id="a\.md#0">[\s\S]*Question: How long\?\n\nAnswer:$/),
      },
    ]);
    expect(seen!.options).toMatchObject({
      max_new_tokens: 99,
      do_sample: false,
      repetition_penalty: 1.1,
      return_full_text: false,
    });
  });

  it('version 2 streams by a callback', async () => {
    const pipeline = pipelineOf('text-generation', async (input, options) => {
      const callback = options['callback_function'] as unknown as (beams: object[]) => void;
      const all = [...prompt];
      for (const token of encode(said)) {
        await Promise.resolve();
        all.push(token);
        callback([{ output_token_ids: all }]);
      }
      return answered(input);
    });
    const told = await ask(transformersGenerator(pipeline));
    expect(told.text).toBe(said);
    expect(told.tokens.length).toBeGreaterThan(20);
  });

  it('without a stream, or a tokenizer, the answer comes at once; as a chat or as a text', async () => {
    const inputs: unknown[] = [];
    const call: Call = async (input) => {
      inputs.push(input);
      return answered(input);
    };
    for (const more of [{}, { tokenizer: {} }, { tokenizer: undefined, task: 'text2text-generation' }]) {
      const copy: Call = (input, options) => call(input, options);
      const told = await ask(transformersGenerator(pipelineOf('text-generation', copy, more)));
      expect(told.tokens).toEqual([said]);
    }
    expect(inputs.map((input) => typeof input)).toEqual(['object', 'string', 'string']);
    // What a short model cuts off is the end.
    expect((inputs[2] as string).indexOf('Question:')).toBeLessThan(
      (inputs[2] as string).indexOf('<source id'),
    );
  });

  it('fails by name, and stops at the next token when aborted', async () => {
    const cause = new Error('out of memory');
    const failing = pipelineOf('text-generation', async () => {
      throw cause;
    });
    await expect(ask(transformersGenerator(failing))).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      cause,
    });
    const control = new AbortController();
    const reason = new Error('enough');
    let stopped: unknown;
    const endless = pipelineOf('text-generation', async (_input, options) => {
      const streamer = options['streamer'] as unknown as { put(batch: number[][]): void };
      try {
        for (let at = 0; ; at++) {
          streamer.put([[65]]);
          await new Promise((resolve) => setTimeout(resolve));
          if (at === 3) control.abort(reason);
        }
      } catch (error) {
        stopped = error;
        throw error;
      }
    });
    await expect(ask(transformersGenerator(endless), control.signal)).rejects.toBe(reason);
    await expect.poll(() => stopped).toBe(reason);
    for (const odd of [[], undefined, [{ generated_text: 7 }]]) {
      const pipeline = pipelineOf('text-generation', async () => odd);
      await expect(ask(transformersGenerator(pipeline))).rejects.toMatchObject({
        message: expect.stringContaining('wrote nothing'),
      });
    }
    expect(() => transformersGenerator('t5' as never)).toThrow(/pipeline/);
    expect(() => transformersGenerator(failing, { maxNewTokens: 0 })).toThrow(/maxNewTokens/);
  });
});

/* No browser here has the model itself, so this is the interface as its specification describes it. */
function promptApi(pieces: string[], how: Partial<PromptApi> = {}) {
  const log: unknown[] = [];
  const api: PromptApi = {
    async availability(options) {
      log.push(['availability', options]);
      return 'available';
    },
    async create(options) {
      const {
        monitor,
        signal: _signal,
        ...rest
      } = options as { monitor(target: EventTarget): void; signal?: AbortSignal };
      log.push(['create', rest]);
      const target = new EventTarget();
      monitor(target);
      for (const loaded of [0, 0.5, 1])
        target.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded }));
      return {
        promptStreaming(input) {
          log.push(['prompt', input]);
          return new ReadableStream({
            async pull(controller) {
              const piece = pieces.shift();
              if (piece === undefined) controller.close();
              else controller.enqueue(piece);
            },
            cancel: () => void log.push('cancelled'),
          });
        },
        destroy: () => void log.push('destroyed'),
      };
    },
    ...how,
  };
  return { api, log };
}

describe('the language model of the browser', () => {
  it('gets the instructions as its system prompt, streams, and is let go', async () => {
    const { api, log } = promptApi(['Refunds take ', 'fourteen days [a.md#0].']);
    const loaded: number[] = [];
    const told = await ask(
      promptApiGenerator({ languageModel: api, languages: ['de'], onDownload: (one) => loaded.push(one) }),
    );
    expect(told.text).toBe('Refunds take fourteen days [a.md#0].');
    expect(loaded).toEqual([0, 0.5, 1]);
    const expected = [{ type: 'text', languages: ['de'] }];
    expect(log).toEqual([
      ['availability', { expectedInputs: expected, expectedOutputs: expected }],
      [
        'create',
        {
          expectedInputs: expected,
          expectedOutputs: expected,
          initialPrompts: [{ role: 'system', content: expect.stringContaining('Answer the question') }],
        },
      ],
      ['prompt', expect.stringContaining('<source id="a.md#0">')],
      'destroyed',
    ]);
  });

  it('that is missing, not to be had, or fails to load is told by its code', async () => {
    await expect(ask(promptApiGenerator())).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const none = promptApi([], { availability: async () => 'unavailable' });
    await expect(ask(promptApiGenerator({ languageModel: none.api }))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
    });
    const cause = new DOMException('Requires a user gesture', 'NotAllowedError');
    const refused = promptApi([], { create: () => Promise.reject(cause) });
    await expect(ask(promptApiGenerator({ languageModel: refused.api }))).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringContaining('click'),
      cause,
    });
  });

  it('is let go where the answer is aborted', async () => {
    const { api, log } = promptApi(Array.from({ length: 1000 }, () => 'word '));
    const control = new AbortController();
    const reason = new Error('enough');
    const generate = promptApiGenerator({ languageModel: api });
    const thrown = answer('How long?', {
      retriever,
      generate,
      signal: control.signal,
      onToken: () => control.abort(reason),
    });
    await expect(thrown).rejects.toBe(reason);
    await expect.poll(() => [...log.slice(-2)].sort()).toEqual(['cancelled', 'destroyed']);
  });
});
