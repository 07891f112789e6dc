import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { openIndex } from '../../src/open-index.ts';
import { connectIndex } from '../../src/worker/client.ts';
import { freshName, guide, notes } from './index-helpers.ts';
import { connect, fault, makeWorker, turn, workers } from './worker-helpers.ts';

const failed = { name: 'ShelfmarkError', code: 'WORKER_FAILED' };
const many = Array.from({ length: 1500 }, (_, at) => ({
  uri: `${at}.md`,
  text: `# Number ${at}\n\n${`One of many, the ${at}th. `.repeat(20)}`,
}));

/** Waits until as many chunks are embedded. */
function whenEmbedded(chunks: number): {
  reached: Promise<void>;
  onProgress: (progress: { stage: string; done: number }) => void;
} {
  let resolve = (): void => {};
  const reached = new Promise<void>((done) => {
    resolve = done;
  });
  return { reached, onProgress: ({ stage, done }) => stage === 'embed' && done >= chunks && resolve() };
}

describe('a worker that does not start', () => {
  it('B140: rejects for a script that is not there, and starts once it is', async () => {
    const address = new URL('./not-there.worker.js', import.meta.url);
    const error = await fault(connectIndex(address));
    expect(error).toBeInstanceOf(ShelfmarkError);
    expect(error).toMatchObject(failed);
    expect(error.message).toContain(String(address));
    expect(error.message).toContain('status 200');
    let isThere = true;
    const index = await connect({}, () => (isThere ? makeWorker() : new Worker(address, { type: 'module' })));
    await index.add([guide]);
    isThere = false;
    workers.at(-1)!.terminate();
    await turn(500);
    expect(await fault(index.search('zebra'))).toMatchObject(failed);
    expect(await fault(index.search('zebra'))).toMatchObject(failed);
    isThere = true;
    expect(await index.search('zebra')).toHaveLength(1);
  });

  it('says what a script failed with', async () => {
    const make = (): Worker =>
      new Worker(new URL('./serve-broken.worker.ts', import.meta.url), { type: 'module' });
    expect(await fault(connectIndex(make))).toMatchObject({
      ...failed,
      message: expect.stringMatching(/broken at the start.*serve-broken.*starts it anew/),
    });
    expect(await fault(connectIndex(make()))).toMatchObject({
      ...failed,
      message: expect.stringMatching(/broken at the start.*Connect to a new one/),
    });
  });

  it('gives up on one that serves nothing', async () => {
    const make = (): Worker =>
      new Worker(new URL('./serve-nothing.worker.ts', import.meta.url), { type: 'module' });
    expect(await fault(connectIndex(make, { startTimeout: 1500 }))).toMatchObject({
      ...failed,
      message: expect.stringContaining('must call serveIndex'),
    });
  });

  it('waits for one whose script takes its time', async () => {
    const make = (): Worker =>
      new Worker(new URL('./serve-late.worker.ts', import.meta.url), { type: 'module' });
    const index = await connectIndex(make);
    await index.add([guide]);
    expect(await index.search('zebra')).toHaveLength(1);
    await index.close();
  });

  it('says what to do where none can be made', async () => {
    const cause = new ReferenceError('Worker is not defined');
    const error = await fault(
      connectIndex(() => {
        throw cause;
      }),
    );
    expect(error).toMatchObject({ ...failed, cause, message: expect.stringContaining('openIndex') });
  });
});

describe('a worker that ends', () => {
  it('terminated while adding, rejects what is pending; the next call starts another, with nothing half-written', async () => {
    const name = freshName();
    const index = await connect({ name, embedder: 'slow' });
    await index.add([guide]);
    const { reached, onProgress } = whenEmbedded(300);
    const adding = fault(index.add(many, { onProgress }));
    await reached;
    const searching = fault(index.search('number', { mode: 'semantic' }));
    workers.at(-1)!.terminate();
    const error = await adding;
    expect(error).toBeInstanceOf(ShelfmarkError);
    expect(error).toMatchObject({
      ...failed,
      message: expect.stringContaining('The next call starts it anew'),
    });
    expect(await searching).toMatchObject(failed);

    expect(await index.search('zebra', { mode: 'lexical' })).toHaveLength(1);
    expect(workers).toHaveLength(2);
    const given = new Map(many.map(({ uri, text }) => [uri, text]));
    given.set(guide.uri, guide.text);
    const documents = await index.documents();
    expect(documents.length).toBeGreaterThan(1000);
    for (const { uri, chunks } of documents) {
      const text = await index.text(uri);
      expect(text).toBe(given.get(uri));
      const listed = await index.chunks(uri);
      expect(listed).toHaveLength(chunks);
      for (const chunk of listed) expect(text!.slice(chunk.charStart, chunk.charEnd)).toBe(chunk.text);
    }
    expect((await index.stats()).damaged).toBeUndefined();
    expect(await index.add(many)).toMatchObject({ failed: [] });
    expect(await index.stats()).toMatchObject({ documents: 1501, pending: 0 });
  });

  it('terminated while idle, is started by the next call', async () => {
    const index = await connect();
    await index.add([guide]);
    workers.at(-1)!.terminate();
    await turn(500);
    expect(await index.search('zebra')).toHaveLength(1);
    expect(workers).toHaveLength(2);
  });

  it.each(['throw', 'close'] as const)('crashing by %s, rejects what is pending', async (crashing) => {
    const index = await connect({ crashing, embedder: 'slow' });
    const told: string[] = [];
    const listen = (event: ErrorEvent): void => void told.push(event.message);
    window.addEventListener('error', listen);
    const error = await fault(index.add([{ ...guide, uri: 'crash.md' }, ...many]));
    window.removeEventListener('error', listen);
    expect(error).toMatchObject(failed);
    if (crashing === 'throw') expect(error.message).toContain('a fault of its own');
    expect(told).toEqual([]);
    expect(await index.add([notes])).toMatchObject({ documents: 1 });
    expect(workers).toHaveLength(2);
  });

  it('that was passed in is not replaced, and says so', async () => {
    const index = await connect({}, makeWorker());
    await index.add([guide]);
    workers.at(-1)!.terminate();
    await turn(500);
    const error = await fault(index.search('zebra'));
    expect(error).toMatchObject({ ...failed, message: expect.stringContaining('Connect to a new one') });
    expect(await fault(index.documents())).toBe(error);
    await index.close();
    expect(await fault(index.documents())).toMatchObject({ code: 'STORE_CLOSED' });
  });

  it('whose message cannot be read rejects what is pending', async () => {
    const index = await connect({ embedder: 'slow' });
    const adding = fault(index.add(many));
    await turn(200);
    workers.at(-1)!.dispatchEvent(new MessageEvent('messageerror'));
    expect(await adding).toMatchObject({ ...failed, message: expect.stringContaining('one version') });
    expect(await index.add([guide])).toMatchObject({ documents: 1 });
  });

  it('that is closed while it starts leaves nothing behind', async () => {
    const name = freshName();
    const index = await connect({ name });
    await index.add([guide]);
    workers.at(-1)!.terminate();
    await turn(500);
    const searching = index.search('zebra').catch((error: unknown) => error);
    await index.close();
    await searching;
    expect(await fault(index.search('zebra'))).toMatchObject({ code: 'STORE_CLOSED' });
    const page = await openIndex({ name });
    expect(await page.text('guide.md')).toBe(guide.text);
    await page.destroy();
  });
});
