import { invalidOption, throwIfAborted } from '../errors.ts';
import { knownOptions, wholeNumber } from '../options.ts';
import type { Generate, GenerateRequest } from './generate.ts';

/** The part of a transformers.js pipeline that is used: of `text-generation` or `text2text-generation`. */
export interface GenerationPipeline {
  (input: never, options?: never): Promise<unknown>;
  task?: string;
  tokenizer?: unknown;
}

export interface TransformersGeneratorOptions {
  /** Tokens of the answer at most. Default 256. */
  maxNewTokens?: number | undefined;
  /** Further generation options: `temperature`, `repetition_penalty`. */
  options?: Readonly<Record<string, unknown>> | undefined;
}

type Tokens = ArrayLike<number | bigint>;
interface Tokenizer {
  chat_template?: unknown;
  decode?: (tokens: Tokens, options: object) => string;
}

const optionNames: Readonly<Record<keyof TransformersGeneratorOptions, true>> = {
  maxNewTokens: true,
  options: true,
};

/**
 * Has a transformers.js pipeline write the answer, of version 2, 3 or 4: `pipeline('text-generation', …)`, as a chat
 * where the model has a template for it, or `pipeline('text2text-generation', …)`. Pieces come as the model makes them.
 * Give `answer` a `maxChars`: what is longer than the model reads is cut off.
 */
export function transformersGenerator(
  pipeline: GenerationPipeline,
  options: TransformersGeneratorOptions = {},
): Generate {
  knownOptions(options, optionNames);
  if (typeof pipeline !== 'function') {
    throw invalidOption('pipeline', pipeline, "a pipeline: await pipeline('text-generation', model)");
  }
  const max_new_tokens = wholeNumber('maxNewTokens', options.maxNewTokens ?? 256, 1);
  const { decode, chat_template } = (pipeline.tokenizer ?? {}) as Tokenizer;
  const isSeq2Seq = pipeline.task === 'text2text-generation';
  const isChat = !isSeq2Seq && typeof chat_template === 'string';
  const run = pipeline as unknown as (input: unknown, options: object) => Promise<unknown>;

  return async function* (request) {
    const { signal } = request;
    const queue = new Queue<string>();
    const made: (number | bigint)[] = [];
    let told = '';
    const tell = (isLast: boolean): void => {
      if (decode === undefined || made.length === 0) return;
      const text = decode.call(pipeline.tokenizer, made, { skip_special_tokens: true });
      // A character of several tokens is a replacement until its last one is there.
      const ready = isLast ? text : text.replace(/\ufffd+$/, '');
      if (ready.length <= told.length || !ready.startsWith(told)) return;
      queue.put(ready.slice(told.length));
      told = ready;
    };
    let isPrompt = true;
    const streamer = {
      put(batch: readonly Tokens[]) {
        throwIfAborted(signal);
        if (!isPrompt) made.push(...Array.from(batch[0]!));
        isPrompt = false;
        tell(false);
      },
      end() {},
    };
    let known = 0;
    /** Of version 2, which gives all tokens each time, the prompt's first. */
    const callback_function = (beams: readonly { output_token_ids?: Tokens }[]): void => {
      throwIfAborted(signal);
      const all = Array.from(beams[0]?.output_token_ids ?? []);
      if (known === 0) known = all.length - 1;
      made.push(...all.slice(known));
      known = all.length;
      tell(false);
    };
    const input = isChat
      ? [{ role: 'user', content: plainPrompt(request, false) }]
      : plainPrompt(request, isSeq2Seq);
    const how = {
      do_sample: false,
      ...options.options,
      max_new_tokens,
      streamer,
      callback_function,
      ...(!isSeq2Seq && { return_full_text: false }),
    };
    const work = (async () => run(input, how))().then((output) => {
      tell(true);
      if (told === '') queue.put(textOf(output));
    });
    work.then(
      () => queue.end(),
      (error: unknown) => queue.fail(error),
    );
    yield* queue;
  };
}

/** In one message, since not every template has a place for the system's; the question first where the rest may be cut off. */
function plainPrompt({ instructions, context, question }: GenerateRequest, isCut: boolean): string {
  const parts = isCut
    ? [instructions, `Question: ${question}`, context]
    : [instructions, context, `Question: ${question}`];
  return `${parts.join('\n\n')}\n\nAnswer:`;
}

/** `[{ generated_text }]`, a text or, of a chat, messages of which the last is the answer. */
function textOf(output: unknown): string {
  const first: unknown = Array.isArray(output) ? output[0] : output;
  const text = (first as { generated_text?: unknown } | undefined)?.generated_text;
  const last: unknown = Array.isArray(text)
    ? (text.at(-1) as { content?: unknown } | undefined)?.content
    : text;
  return typeof last === 'string' ? last : '';
}

/** What callbacks put in and a reader takes out. */
class Queue<T> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #wake = (): void => {};
  #isOver = false;
  #error: { value: unknown } | undefined;

  put(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  fail(value: unknown): void {
    this.#error = { value };
    this.end();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift()!;
      if (this.#error !== undefined) throw this.#error.value;
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
