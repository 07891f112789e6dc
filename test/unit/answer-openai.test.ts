import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { answer } from '../../src/answer/answer.ts';
import { type OpenAIGeneratorOptions, openAIGenerator } from '../../src/answer/openai.ts';
import { eventsOf } from '../../src/answer/sse.ts';
import type { Retriever } from '../../src/types.ts';

const passage = {
  id: 'a.md#0',
  text: 'Refunds take fourteen days.',
  score: 1,
  docUri: 'a.md',
  charStart: 0,
  charEnd: 27,
};
const retriever: Retriever = { retrieve: async () => [passage] };
const key = 'sk-live-0123456789abcdef';

interface Asked {
  url: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on this machine that answers as told; real HTTP. */
async function serve(
  respond: (response: ServerResponse, asked: Asked) => void | Promise<void>,
): Promise<{ baseUrl: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { url = '', method = '', headers } = request;
    const one = { url, method, headers, body: JSON.parse(Buffer.concat(parts).toString()) };
    asked.push(one);
    await respond(response, one);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

/** Sends bytes in pieces of a size, so that characters and lines are cut anywhere. */
async function trickle(response: ServerResponse, text: string, size: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}

const ask = (options: OpenAIGeneratorOptions, more: object = {}) =>
  answer('How long do refunds take?', { retriever, generate: openAIGenerator(options), ...more });

const said = 'Fourteen days – “Refunds take fourteen days” [a.md#0]. 🙂';

describe('an endpoint that speaks OpenAI’s stream', () => {
  it.each([1, 2, 3, 7, 64, 100_000])('answers token by token, cut every %i bytes', async (size) => {
    const words = said.match(/.{1,4}/gsu)!;
    const { baseUrl, asked } = await serve((response) =>
      trickle(response, `: hello\n\n${words.map(delta).join('')}${finish}data: [DONE]\n\n`, size),
    );
    const tokens: string[] = [];
    const told = await ask(
      {
        baseUrl,
        model: 'small',
        apiKey: key,
        body: { temperature: 0, stream: false },
        headers: { 'x-app': 'docs' },
      },
      { onToken: (token: string) => tokens.push(token) },
    );
    expect(told.text).toBe(said);
    expect(tokens).toEqual(words);
    expect(told.citations).toMatchObject([{ id: 'a.md#0', verified: true, charStart: 0, charEnd: 26 }]);
    const [one] = asked;
    expect(one).toMatchObject({
      url: '/v1/chat/completions',
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-app': 'docs' },
      body: { model: 'small', stream: true, temperature: 0 },
    });
    const messages = one!.body['messages'] as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]!.content).toContain('<source id="a.md#0">Refunds take fourteen days.</source>');
  });

  it('is understood with other line ends, without [DONE], without a stream and without a key', async () => {
    const body = delta(said) + finish;
    const ways: ((response: ServerResponse) => void | Promise<void>)[] = [
      (response) => trickle(response, body.replaceAll('\n', '\r\n'), 3),
      (response) => trickle(response, body.replaceAll('\n', '\r'), 1),
      (response) => trickle(response, body.trimEnd(), 1000),
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
        response.end(JSON.stringify({ choices: [{ message: { content: said } }] }));
      },
    ];
    for (const way of ways) {
      const { baseUrl, asked } = await serve(way);
      expect((await ask({ baseUrl: `${baseUrl}///`, model: 'm' })).text).toBe(said);
      expect(asked[0]!.headers.authorization).toBeUndefined();
      expect(asked[0]!.url).toBe('/v1/chat/completions');
    }
  });

  it('gets a fresh key each time where a function gives it', async () => {
    const { baseUrl, asked } = await serve((response) => trickle(response, delta('Yes.') + finish, 100));
    let count = 0;
    const generate = openAIGenerator({ baseUrl, model: 'm', apiKey: async () => `key-number-${++count}` });
    for (let at = 0; at < 2; at++) await answer('q', { retriever, generate });
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-number-1',
      'Bearer key-number-2',
    ]);
  });
});

/** Everything an error shows: message, stack, causes and what it carries. */
function shown(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  const own = JSON.stringify(error, Object.getOwnPropertyNames(error));
  return `${error.message}\n${error.stack}\n${own}\n${error.cause === undefined ? '' : shown(error.cause)}`;
}

describe('what goes wrong at an endpoint', () => {
  const cases: [what: string, respond: (response: ServerResponse, asked: Asked) => void, says: RegExp][] = [
    [
      'a refused key, which the server repeats',
      (response, { headers }) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: `Incorrect API key: ${headers.authorization}.` } }));
      },
      /answered 401: Incorrect API key: Bearer …\.$/,
    ],
    [
      'a page of HTML',
      (response) => void response.writeHead(502).end('<html>Bad gateway</html>'),
      /answered 502: <html>Bad gateway/,
    ],
    [
      'an error without a body',
      (response) => void response.writeHead(503).end(),
      /answered 503: Service Unavailable/,
    ],
    [
      'an error in the middle',
      (response) =>
        void trickle(response, delta('We') + event({ error: { message: `overloaded ${key}` } }), 9),
      /failed while answering: overloaded …\.$/,
    ],
    ['no JSON', (response) => void trickle(response, 'data: {"choices"\n\n', 9), /no JSON/],
    ['an early end', (response) => void trickle(response, delta('Well'), 9), /ended before the answer did/],
    [
      'JSON without an answer',
      (response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
      /no text/,
    ],
    ['a cut connection', (response) => void response.destroy(), /could not be reached/],
    ['nothing said', (response) => void trickle(response, finish, 9), /wrote nothing/],
  ];
  it.each(cases)('%s: fails by name, without the key', async (_what, respond, says) => {
    const { baseUrl } = await serve(respond);
    const error = await ask({ baseUrl, model: 'm', apiKey: key }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ShelfmarkError', code: 'GENERATOR_FAILED' });
    expect((error as Error).message).toMatch(says);
    expect(shown(error)).not.toContain(key);
  });

  it('nobody there: says where it looked, without what stands in the address', async () => {
    const { baseUrl } = await serve(() => {});
    servers.pop()!.close();
    const error = await ask({ baseUrl: `${baseUrl}?api-key=${key}`, model: 'm' }).catch(
      (thrown: unknown) => thrown,
    );
    expect((error as Error).message).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions could not be reached/,
    );
    expect(shown(error)).not.toContain(key);
  });

  it('aborting ends the request', async () => {
    const closed: Promise<void>[] = [];
    const { baseUrl } = await serve((response) => {
      closed.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta('one'));
    });
    const control = new AbortController();
    const reason = new Error('enough');
    const thrown = ask(
      { baseUrl, model: 'm' },
      { signal: control.signal, onToken: () => control.abort(reason) },
    );
    await expect(thrown).rejects.toBe(reason);
    await closed[0];
  });

  it('a key that cannot be one, and an address that cannot, are refused and not shown', async () => {
    const secret = 'geheim-schlüssel';
    for (const apiKey of [secret, `${key}\n`, ' ', '', 7 as never]) {
      const refused = (() => {
        try {
          openAIGenerator({ baseUrl: 'http://x/', model: 'm', apiKey });
        } catch (error) {
          return error;
        }
        return undefined;
      })();
      expect(refused).toMatchObject({ code: 'INVALID_OPTION' });
      expect(shown(refused)).not.toMatch(/geheim|sk-live/);
    }
    const later = ask({ baseUrl: 'http://127.0.0.1:1/', model: 'm', apiKey: () => secret });
    const error = await later.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_OPTION' });
    expect(shown(error)).not.toContain('geheim');
    for (const baseUrl of ['', '/v1', 'ftp://x/', 'javascript:alert(1)', `https://me:${key}@x/v1`]) {
      expect(() => openAIGenerator({ baseUrl, model: 'm' })).toThrow(/baseUrl is no address/);
    }
    expect(() => openAIGenerator({ baseUrl: 'http://x', model: '' })).toThrow(/model/);
    expect(() => openAIGenerator({ baseUrl: 'http://x', model: 'm', key } as never)).toThrow(
      /Unknown option key/,
    );
  });

  it('the generator keeps its key to itself', () => {
    const generate = openAIGenerator({ baseUrl: 'http://x', model: 'm', apiKey: key });
    expect(
      JSON.stringify({ generate, own: Object.getOwnPropertyDescriptors(generate), text: String(generate) }),
    ).not.toContain(key);
  });
});

it('events are those of the standard, in lines that are long and come in small pieces', async () => {
  const read = async (pieces: string[]) => {
    const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
    const events: string[] = [];
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        const next = bytes.shift();
        if (next === undefined) controller.close();
        else controller.enqueue(next);
      },
    });
    for await (const one of eventsOf(stream)) events.push(one);
    return events;
  };
  expect(await read(['\ufeffdata:a\r', '\ndata: b\nid: 7\n', '\nevent: x\n\ndata\n\n: c\ndata:  d'])).toEqual(
    ['a\nb', '', ' d'],
  );
  const long = 'x'.repeat(1_000_000);
  const begun = performance.now();
  const pieces = Array.from({ length: 10_000 }, (_, at) => long.slice(at * 100, (at + 1) * 100));
  expect(await read(['data: ', ...pieces, '\n\n'])).toEqual([long]);
  expect(performance.now() - begun).toBeLessThan(5000);
});
