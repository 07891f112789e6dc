import { invalidOption, messageOf, ShelfmarkError, show, throwIfAborted } from '../errors.ts';
import { knownOptions } from '../options.ts';
import type { Generate } from './generate.ts';
import { eventsOf } from './sse.ts';

export interface OpenAIGeneratorOptions {
  /** Where the API lies, up to `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1`. */
  baseUrl: string | URL;
  model: string;
  /**
   * Sent as `Authorization: Bearer`, or a function that answers it for each request. It is kept nowhere but in this
   * generator, and stands in no error. A key that a page holds can be read by whoever uses the page: use your own server.
   */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Further headers of the request. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Further members of the request's body: `temperature`, `max_tokens`. */
  body?: Readonly<Record<string, unknown>> | undefined;
}

const optionNames: Readonly<Record<keyof OpenAIGeneratorOptions, true>> = {
  baseUrl: true,
  model: true,
  apiKey: true,
  headers: true,
  body: true,
};

/** Of an answer that is an error, what is told. */
const longestFault = 500;

interface Choice {
  delta?: { content?: unknown };
  message?: { content?: unknown };
  finish_reason?: unknown;
}
interface Answered {
  choices?: Choice[];
  error?: { message?: unknown } | string;
}

/**
 * Has an endpoint that speaks OpenAI's chat completions write the answer: OpenAI, Ollama, llama.cpp, vLLM, LM Studio, a
 * server of your own. Streams; a server that does not is waited for. Passages and question are sent there.
 *
 * @throws ShelfmarkError `INVALID_OPTION`; when asked, `GENERATOR_FAILED` with the server's status and message
 */
export function openAIGenerator(options: OpenAIGeneratorOptions): Generate {
  knownOptions(options, optionNames);
  const { model, apiKey, headers = {}, body = {} } = options;
  const url = addressOf(options.baseUrl);
  if (typeof model !== 'string' || model === '') throw invalidOption('model', model, "the model's name");
  if (typeof apiKey === 'string') checkKey(apiKey);
  else if (apiKey !== undefined && typeof apiKey !== 'function') throw invalidKey();

  return async function* ({ messages, signal }) {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    if (key !== undefined) checkKey(key);
    const secrets = [key, ...Object.values(headers)].filter((one) => one !== undefined && one.length > 7);
    const told = (text: string): string =>
      secrets
        .reduce<string>((rest, secret) => rest.replaceAll(secret!, '…'), text)
        .slice(0, longestFault)
        .replace(/\.+$/, '');
    const failed = (what: string): ShelfmarkError =>
      new ShelfmarkError('GENERATOR_FAILED', `${url.origin}${url.pathname} ${told(what)}.`);

    let response: Response;
    try {
      response = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ ...body, model, messages, stream: true }),
        credentials: 'omit',
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      throwIfAborted(signal);
      // The cause is left out: what could not be sent may hold the key.
      throw failed(
        `could not be reached (${messageOf(error)}); check the address, the network and, in a page, that the server allows its origin`,
      );
    }
    if (!response.ok) {
      const text = await response.text().catch(() => '');
      throw failed(`answered ${response.status}: ${faultOf(text) ?? response.statusText}`);
    }
    if (response.body === null) throw failed('answered without a body');
    if (/\bjson\b/.test(response.headers.get('content-type') ?? '')) {
      const whole = parsed(await response.text());
      const content = whole?.choices?.[0]?.message?.content;
      if (typeof content !== 'string') throw failed(`answered no text: ${faultOf(whole) ?? 'no choices'}`);
      yield content;
      return;
    }
    let ended = false;
    for await (const data of eventsOf(response.body)) {
      if (data === '[DONE]') {
        ended = true;
        break;
      }
      const event = parsed(data);
      if (event === undefined) throw failed(`sent an event that is no JSON: ${show(data)}`);
      const fault = faultOf(event);
      if (fault !== undefined) throw failed(`failed while answering: ${fault}`);
      const choice = event.choices?.[0];
      const content = choice?.delta?.content;
      if (typeof content === 'string' && content !== '') yield content;
      ended ||= typeof choice?.finish_reason === 'string';
    }
    if (!ended) throw failed('ended before the answer did; ask again');
  };
}

function addressOf(baseUrl: string | URL): URL {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl, globalThis.location?.href);
  } catch {
    // Refused below.
  }
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    // Not shown: it may hold a key.
    throw new ShelfmarkError(
      'INVALID_OPTION',
      'baseUrl is no address of an API; give one of http or https without a name and password in it.',
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
}

/** Never shows it. */
const invalidKey = (): ShelfmarkError =>
  new ShelfmarkError(
    'INVALID_OPTION',
    'apiKey is no key; give a string of visible ASCII characters without blanks, or a function that answers one.',
  );

function checkKey(key: unknown): void {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) throw invalidKey();
}

function parsed(text: string): Answered | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What an answer says went wrong. */
function faultOf(answered: string | Answered | undefined): string | undefined {
  const read = typeof answered === 'string' ? (parsed(answered) ?? { error: answered }) : answered;
  const error = read?.error;
  const message = typeof error === 'object' && error !== null ? error.message : error;
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}
