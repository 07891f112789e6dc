import { messageOf, ShelfmarkError, throwIfAborted } from '../errors.ts';
import { knownOptions, maybeFunction } from '../options.ts';
import type { Generate } from './generate.ts';

/** The part of the Prompt API that is used: https://webmachinelearning.github.io/prompt-api/ */
export interface PromptApi {
  availability(options?: object): Promise<'unavailable' | 'downloadable' | 'downloading' | 'available'>;
  create(options?: object): Promise<PromptSession>;
}
export interface PromptSession {
  promptStreaming(input: string, options?: { signal?: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

export interface PromptApiGeneratorOptions {
  /** The API. Default: the page's `LanguageModel`. */
  languageModel?: PromptApi | undefined;
  /** Languages of the documents and the answer, as BCP 47 tags. Default `['en']`. */
  languages?: readonly string[] | undefined;
  /** Told how much of the model is downloaded, from 0 to 1, where it is not there yet. */
  onDownload?: ((loaded: number) => void) | undefined;
}

const optionNames: Readonly<Record<keyof PromptApiGeneratorOptions, true>> = {
  languageModel: true,
  languages: true,
  onDownload: true,
};

/**
 * Has the browser's own language model write the answer: nothing leaves the machine. Its first use downloads the model,
 * which browsers allow only in answer to a click or a key. In pages alone: workers have no such model.
 *
 * @throws ShelfmarkError when asked: `UNSUPPORTED` where the browser has none, or none for these languages;
 * `MODEL_LOAD_FAILED` where it cannot be made ready
 */
export function promptApiGenerator(options: PromptApiGeneratorOptions = {}): Generate {
  knownOptions(options, optionNames);
  const { languages = ['en'], onDownload } = options;
  maybeFunction('onDownload', onDownload);
  return async function* ({ messages, signal }) {
    const api = options.languageModel ?? (globalThis as { LanguageModel?: PromptApi }).LanguageModel;
    if (api === undefined) throw unsupported('This browser has no language model of its own');
    const expected = [{ type: 'text', languages: [...languages] }];
    const wanted = { expectedInputs: expected, expectedOutputs: expected };
    if ((await api.availability(wanted)) === 'unavailable') {
      throw unsupported(`This browser's language model is not to be had here in ${languages.join(', ')}`);
    }
    const [system, user] = [messages[0]!, messages[1]!];
    const session = await created(api, {
      ...wanted,
      initialPrompts: [system],
      ...(signal !== undefined && { signal }),
      monitor(target: EventTarget) {
        target.addEventListener('downloadprogress', (event) => {
          onDownload?.((event as unknown as { loaded: number }).loaded);
        });
      },
    });
    try {
      const stream = session.promptStreaming(user.content, { ...(signal !== undefined && { signal }) });
      const reader = stream.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      } finally {
        reader.cancel().catch(() => {});
      }
    } finally {
      session.destroy();
    }

    async function created(from: PromptApi, how: object): Promise<PromptSession> {
      try {
        return await from.create(how);
      } catch (cause) {
        throwIfAborted(signal);
        const why = `The browser's language model could not be made ready (${messageOf(cause)})`;
        throw new ShelfmarkError(
          'MODEL_LOAD_FAILED',
          `${why}; its download has to be started by a click or a key.`,
          { cause },
        );
      }
    }
  };
}

const unsupported = (why: string): ShelfmarkError =>
  new ShelfmarkError('UNSUPPORTED', `${why}; use another generator, or leave \`generate\` out.`);
