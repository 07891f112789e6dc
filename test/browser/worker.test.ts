import { describe, expect, it } from 'vitest';
import { ShelfmarkError } from '../../src/errors.ts';
import { Index as LocalIndex } from '../../src/facade/index.ts';
import { openIndex } from '../../src/open-index.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import type { Hit, Hits, Progress } from '../../src/types.ts';
import { connectIndex } from '../../src/worker/client.ts';
import { serveIndex } from '../../src/worker/host.ts';
import { freshName, guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';
import { connect, fault, makeWorker, turn, workers } from './worker-helpers.ts';

const plain = (hits: Hits): Omit<Hit, 'neighbours'>[] => hits.map(({ neighbours: _, ...hit }) => hit);

describe('an index in a worker', () => {
  it('has the methods of an index on the page, no more and no fewer', async () => {
    const index = await connect();
    const methodsOf = (object: object) => Object.getOwnPropertyNames(object).sort();
    expect(methodsOf(Object.getPrototypeOf(index))).toEqual(methodsOf(LocalIndex.prototype));
  });

  it('answers as an index on the page does', async () => {
    const [there, here] = [
      await connect({ embedder: 'letters' }),
      await open({ embedder: letters().embedder }),
    ];
    const report = await there.add([guide, notes]);
    const { elapsedMs: _, ...rest } = report;
    expect(report.elapsedMs).toBeGreaterThan(0);
    expect(await here.add([guide, notes])).toMatchObject(rest);
    for (const mode of ['auto', 'lexical', 'semantic', 'hybrid'] as const) {
      const [got, wanted] = [
        await there.search('zebra zoo', { mode, topK: 3 }),
        await here.search('zebra zoo', { mode, topK: 3 }),
      ];
      expect(got.length).toBeGreaterThan(0);
      expect(plain(got)).toEqual(plain(wanted));
      expect(got.legStates).toEqual(wanted.legStates);
      expect(Object.keys(got)).toEqual(Object.keys(wanted));
    }
    expect(await there.documents()).toEqual(await here.documents());
    expect(await there.chunks('guide.md')).toEqual(await here.chunks('guide.md'));
    expect(await there.chunks('nowhere.md')).toEqual([]);
    expect(await there.text('guide.md')).toBe(guide.text);
    expect(await there.text('nowhere.md')).toBeUndefined();
    expect(await there.stats()).toEqual(await here.stats());
    expect(await there.sync([guide])).toMatchObject({ unchanged: 1, removed: 1 });
    expect(await there.remove(['guide.md', 'nowhere.md'])).toBe(1);
    expect(await there.remove('guide.md')).toBe(0);
    expect(await there.repair()).toMatchObject({ documents: 0 });
    expect(await there.estimate()).toMatchObject({ persisted: false, quota: expect.any(Number) });
    expect(typeof (await there.persist())).toBe('boolean');
  });

  it('gives hits their neighbours', async () => {
    const index = await connect();
    await index.add([guide]);
    const [hit] = await index.search('zebra');
    const chunks = await index.chunks('guide.md');
    expect(await hit!.neighbours()).toEqual({ previous: chunks[0] });
    const [first] = await index.search('refunds');
    expect(await first!.neighbours()).toEqual({ next: chunks[1] });
  });

  it('says which leg failed, and why', async () => {
    const index = await connect({ embedder: 'failing' });
    await index.add([notes]);
    const hits = await index.search('quick zigzag', { mode: 'hybrid' });
    expect(hits).toHaveLength(1);
    expect(hits.legStates).toEqual({ lexical: 'used', semantic: 'failed' });
    expect(hits.legError).toBeInstanceOf(ShelfmarkError);
    expect(hits.legError).toMatchObject({
      code: 'EMBEDDER_FAILED',
      cause: { message: 'cannot read zigzag' },
    });
  });

  it('embeds everything anew for another embedder', async () => {
    const name = freshName();
    const first = await connect({ name, embedder: 'letters' });
    await first.add([guide, notes]);
    await first.close();
    const second = await connect({ name, embedder: 'letters', id: 'others' });
    expect(await fault(second.add([guide]))).toMatchObject({ code: 'EMBEDDER_MISMATCH' });
    const seen: Progress[] = [];
    const report = await second.reembed({ onProgress: (progress) => seen.push(progress) });
    expect(report).toMatchObject({ embedder: 'others', embedded: 3 });
    expect(seen.map(({ stage }) => stage)).toContain('embed');
    expect(await second.stats()).toMatchObject({ embedder: 'others', pending: 0 });
  });

  it('exports a file that outlives the worker', async () => {
    const index = await connect({ embedder: 'letters' });
    await index.add([guide, notes]);
    const file = await index.export();
    expect(file).toBeInstanceOf(Blob);
    const stats = await index.stats();
    await index.close();
    const read = await openIndex({ from: file, embedder: letters().embedder });
    expect(await read.stats()).toMatchObject({ documents: 2, chunks: stats.chunks });
    expect(await read.text('guide.md')).toBe(guide.text);
    await read.close();
  });

  it('copies bytes, of a larger buffer only the part', async () => {
    const index = await connect();
    const buffer = new TextEncoder().encode(`before ${guide.text} after`);
    const text = buffer.subarray(7, buffer.length - 6);
    await index.add([{ uri: 'bytes.md', text }]);
    expect(await index.text('bytes.md')).toBe(guide.text);
    expect(buffer.byteLength).toBeGreaterThan(guide.text.length);
    expect(text.byteLength).toBe(guide.text.length);
  });

  it('reads documents behind proxies and getters, with their pages', async () => {
    const index = await connect();
    const pages = ['First page, of boats.', 'Second page, of ropes.'];
    class Page {
      uri = 'pages.md';
      get text(): string {
        return pages.join('\n\n');
      }
      pages = new Proxy(pages, {});
      render = (): void => {};
    }
    const documents = new Proxy([new Proxy(new Page(), {})], {});
    expect(await index.add(documents)).toMatchObject({ documents: 1, failed: [] });
    expect(await index.text('pages.md')).toBe(pages.join('\n\n'));
  });

  it('tells how far it is, and rejects with what the callback throws', async () => {
    const index = await connect({ embedder: 'letters' });
    const seen: Progress[] = [];
    await index.add([guide, notes], { onProgress: (progress) => seen.push(progress) });
    expect(seen).toContainEqual({ stage: 'split', done: 2, total: 2 });
    expect(seen).toContainEqual({ stage: 'load-model', done: 26, total: 26, bytes: 26 });
    expect(seen).toContainEqual({ stage: 'embed', done: 3, total: 3 });
    expect(seen).toContainEqual({ stage: 'store', done: 2, total: 2 });
    const own = new RangeError('mine');
    const onProgress = (): never => {
      throw own;
    };
    expect(await fault(index.add([{ uri: 'new.md', text: 'Something new.' }], { onProgress }))).toBe(own);
    expect(await index.text('guide.md')).toBe(guide.text);
  });
});

describe('errors of an index in a worker', () => {
  it('keep class, code, message, figures and cause', async () => {
    const index = await connect({ embedder: 'quota' });
    const error = await fault(index.add([guide]));
    expect(error).toBeInstanceOf(ShelfmarkError);
    expect(error).toMatchObject({
      name: 'ShelfmarkError',
      code: 'QUOTA_EXCEEDED',
      message: 'no room for the model',
      estimate: { usage: 5, quota: 6 },
    });
    expect(error.cause).toBeInstanceOf(TypeError);
    expect(error.cause).toMatchObject({ message: 'the disk is full' });
    expect(error.stack).toContain('serve.worker');
  });

  it('are those of an index on the page, for what is given and for what is asked', async () => {
    const [there, here] = [await connect(), await open()];
    await there.add([guide]);
    await here.add([guide]);
    const calls: ((index: typeof here) => Promise<unknown>)[] = [
      (index) => index.search('zebra', { topK: 0 }),
      (index) => index.search(5 as unknown as string),
      (index) => index.search('zebra', { mode: 'semantic' }),
      (index) => index.add([{ uri: '', text: 'x' }]),
      (index) => index.add([guide, guide]),
      (index) => index.add([null] as unknown as []),
      (index) => index.add({} as unknown as []),
      (index) => index.add([{ uri: 'a', text: 'b', metadata: { f: () => {} } }]),
      (index) => index.reembed(),
    ];
    for (const call of calls) {
      const [got, wanted] = [await fault(call(there)), await fault(call(here))];
      expect(got.code, String(call)).toBe(wanted.code);
      if (!String(call).includes('metadata')) expect(got.message).toBe(wanted.message);
    }
    const report = await there.add([{ uri: 'empty.md', text: '# Only a heading' }]);
    expect(report.failed).toMatchObject([{ uri: 'empty.md', code: 'EMPTY_DOCUMENT' }]);
  });

  it('name the document, or the call, that cannot be sent', async () => {
    const index = await connect();
    const metadata = { deep: { render: () => {} } };
    const documents = [guide, { uri: 'odd.md', text: 'Some text.', metadata }];
    const error = await fault(index.add(documents));
    expect(error.code).toBe('INVALID_DOCUMENT');
    expect(error.message).toContain('"odd.md"');
    const filter = { lang: () => {} };
    expect(await fault(index.search('zebra', { filter }))).toMatchObject({ code: 'INVALID_OPTION' });
    expect(await index.stats()).toMatchObject({ documents: 0 });
  });

  it('of opening reject the connection, which can be tried again', async () => {
    const worker = makeWorker();
    const error = await fault(connectIndex(worker, { send: {} }));
    expect(error).toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('name') });
    const index = await connect({}, worker);
    expect(await index.stats()).toMatchObject({ documents: 0 });
    expect(await fault(connectIndex(makeWorker, { startTimeout: 0 }))).toMatchObject({
      code: 'INVALID_OPTION',
    });
    expect(() => serveIndex()).toThrow(/openIndex/);
  });
});

describe('aborting what a worker does', () => {
  it('rejects with the reason itself, whatever it is, and leaves whole documents', async () => {
    const index = await connect({ embedder: 'slow' });
    const many = Array.from({ length: 600 }, (_, at) => ({ uri: `${at}.md`, text: `Number ${at} of many.` }));
    for (const reason of [new Error('enough'), Symbol('enough'), { stop: () => {} }, undefined]) {
      const control = new AbortController();
      let steps = 0;
      const adding = index.add(many, {
        signal: control.signal,
        onProgress: ({ stage }) => {
          if (stage === 'embed' && ++steps === 2) control.abort(reason);
        },
      });
      const error = await fault(adding);
      expect(error).toBe(control.signal.reason);
      const documents = await index.documents();
      expect(documents).toHaveLength(600);
      expect(documents.some(({ vectors }) => vectors === 'pending')).toBe(true);
      expect((await index.search('number 17', { mode: 'lexical' }))[0]).toMatchObject({ docUri: '17.md' });
    }
    expect(await index.add(many)).toMatchObject({ documents: 600, chunks: 600, failed: [] });
    expect(await index.stats()).toMatchObject({ pending: 0, chunks: 600 });
  });

  it('is heard between the batches of an embedder that never leaves its thread', async () => {
    const index = await connect({ embedder: 'busy' });
    const many = Array.from({ length: 2000 }, (_, at) => ({
      uri: `${at}.md`,
      text: `Number ${at} of many.`,
    }));
    const control = new AbortController();
    let last = 0;
    let at = 0;
    const adding = index.add(many, {
      signal: control.signal,
      onProgress: ({ stage, done }) => {
        if (stage === 'embed') last = done;
        if (stage !== 'embed' || at > 0) return;
        at = done;
        control.abort();
      },
    });
    expect(await fault(adding)).toBe(control.signal.reason);
    expect(at).toBeGreaterThan(0);
    expect(last).toBeLessThan(at + 256);
  });

  it('does not begin what was aborted before', async () => {
    const index = await connect();
    const signal = AbortSignal.abort('no');
    expect(await fault(index.add([guide], { signal }))).toBe('no');
    expect(await fault(index.search('zebra', { signal }))).toBe('no');
    expect(await index.stats()).toMatchObject({ documents: 0 });
  });
});

describe('several at once', () => {
  it('searches while it adds', async () => {
    const index = await connect({ embedder: 'slow' });
    await index.add([guide]);
    const many = Array.from({ length: 500 }, (_, at) => ({ uri: `${at}.md`, text: `Number ${at} of many.` }));
    let over = false;
    const adding = index.add(many).finally(() => {
      over = true;
    });
    let answers = 0;
    while (!over) {
      const [hit] = await index.search('zebra', { mode: 'lexical' });
      expect(hit).toMatchObject({ heading: 'Zebras' });
      if (!over) answers++;
    }
    expect(answers).toBeGreaterThan(2);
    expect(await adding).toMatchObject({ documents: 500, failed: [] });
  });

  it('two workers and a page share one index', async () => {
    const name = freshName();
    const [one, two] = [await connect({ name }), await connect({ name })];
    const page = await open({ name });
    await Promise.all([one.add([guide]), two.add([notes])]);
    for (const index of [one, two, page]) {
      expect((await index.documents()).map(({ uri }) => uri).sort()).toEqual(['guide.md', 'notes.md']);
      expect(await index.search('zebra')).toHaveLength(1);
    }
  });

  it('one worker serves two indexes, and ends with the last of them', async () => {
    const worker = makeWorker();
    const [one, two] = [await connect({}, worker), await connect({}, worker)];
    await one.add([guide]);
    expect(await two.stats()).toMatchObject({ documents: 0 });
    await one.close();
    await two.add([notes]);
    expect(await fault(one.stats())).toMatchObject({ code: 'STORE_CLOSED' });
    expect(await two.search('quokkas')).toHaveLength(1);
    await two.close();
    // Nothing answers any more.
    await turn(100);
    const error = await fault(connectIndex(worker, { send: { name: freshName() }, startTimeout: 300 }));
    expect(error).toMatchObject({ code: 'WORKER_FAILED', message: expect.stringContaining('0.3 s') });
  });
});

describe('the end of an index in a worker', () => {
  it('close() ends both; what is running rejects, and what was stored is there again', async () => {
    const name = freshName();
    const index = await connect({ name, embedder: 'slow' });
    const many = Array.from({ length: 600 }, (_, at) => ({ uri: `${at}.md`, text: `Number ${at} of many.` }));
    const adding = fault(index.add(many));
    await turn(400);
    await index.close();
    await index.close();
    expect(await adding).toMatchObject({ code: 'STORE_CLOSED' });
    for (const call of [index.add([guide]), index.search('x'), index.documents(), index.export()]) {
      expect(await fault(call)).toMatchObject({ code: 'STORE_CLOSED' });
    }
    const again = await connect({ name, embedder: 'letters' });
    expect(await again.add(many)).toMatchObject({ failed: [] });
    expect(await again.stats()).toMatchObject({ documents: 600, chunks: 600, pending: 0 });
    expect(workers).toHaveLength(2);
  });

  it('destroy() deletes what there was, after close() too', async () => {
    const name = freshName();
    const index = await connect({ name });
    await index.add([guide]);
    await index.close();
    await index.destroy();
    const again = await connect({ name });
    expect(await again.stats()).toMatchObject({ documents: 0 });
  });

  it('keeps documents as they were cut there', async () => {
    const index = await connect();
    await index.add([guide]);
    const { splitter } = await index.stats();
    expect(splitter).toBe(byHeading().id);
  });
});
