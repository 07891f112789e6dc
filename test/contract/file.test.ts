import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenCap } from '../../src/ingest/cap.ts';
import { fingerprint, prepare } from '../../src/ingest/prepare.ts';
import { sha256 } from '../../src/kernel/load.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { decodeFile, encodeFile } from '../../src/store/file.ts';
import { runs } from '../arbitraries.ts';
import { sectionsOf } from '../crafted.ts';
import { expectSameGraph, plainData, segmentOver, snapshotOf, snapshots } from '../snapshots.ts';

const bytesOf = async (file: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await file.arrayBuffer());

const numRuns = Math.min(Math.ceil(runs() / 10), 20_000);

/** One document with one record, and this as what its owner keeps. */
const keeping = (info: unknown) =>
  snapshotOf({ documents: [{ id: 'd', heads: [{ id: 'd#0' }], texts: { texts: ['t'] }, rows: [0], info }] });

const passed = async (info: unknown) => {
  const { entries } = await decodeFile(await encodeFile(keeping(info)), 'f');
  return entries[0]!.info;
};

const document = {
  id: 'guide/refunds.md',
  heads: [
    { id: 'guide/refunds.md#0', heading: 'Refunds', charStart: 0, charEnd: 10, metadata: { lang: 'en' } },
    { id: 'guide/refunds.md#1', heading: 'How long', charStart: 10, charEnd: 21, metadata: { lang: 'en' } },
  ],
  texts: { text: '# Refunds\nTwo weeks. é' },
  rows: [0, 1],
  info: {
    source: sha256('# Refunds\nTwo weeks. é'),
    hashes: ['Refunds\n# Refunds\n', 'How long\nTwo weeks. é']
      .map((read) => sha256(read).slice(0, 32))
      .join(''),
    odd: new Map<unknown, unknown>([
      [-0, Number.NaN],
      [/x/g, new Date(0)],
      [Object('b'), Object.assign([], { 1: 2n, 2: 0.5 })],
    ]),
  },
};
const small = snapshotOf({
  documents: [document],
  dimensions: 2,
  format: 'int8',
  words: [segmentOver([document], 'a')],
});

/** `small`, as Node wrote it. Where it is not read any more, `FILE_VERSION` has to rise and both be read. */
const firstRelease =
  'U0hMRgEABQAYAgAAAAAAAOfV5XkBAAAAURVAF4wAAAAAAAAARwAAAEwAAAACAAAANfJsddQAAAAAAAAA1QAAAAUBAAADAAAA' +
  'KOKFqqwBAAAAAAAAHQAAABsAAAAEAAAAMub/ncwBAAAAAAAAHwAAAB0AAAAFAAAAvpbzz+wBAAAAAAAALAAAACwAAAAdxzEK' +
  'gDAMQNG7/DlTJ+nqSarNULAJtFVR8e6Cb3sPWhfNWRsRRUiWtuv+mxAOXYe3TqTYmBByqWq9uHViEJqfs+82iOH9AAA1jj1u' +
  'g0AUhOctiPzIsXEky00i+QQJXsBAldaSu9zgLW93sWSDZIySMlXOmaNEBGWqme9r5umATYg4DDHHHDFmmCFaBPHyEcAX3eB2' +
  'QWuEhHv1qfwd/qMeniOoAEpDqQn9vK2i0YAownIsQTjyb/LDUezrxbqhlf7lLGd7ZeErN5bl2Pr3Sey7j82pa33fDZfaNtw3' +
  'tu9EqqQ0ScEu2Rnhgnc169LkqYgpdOmKnF3OGadcOy6TQqo0zcSZKtNZxVuj6xO33rZmqwlqukogWtF6fPq38AsAAABjZmTU' +
  'U1YISk0rzUsp5gopz1coT03NLtZTOLwSAAAAAGNKZGJkYJBWSs/PS1WIKU2xMDBQYmBjYGFkYmZhBQAAU01WUwEAAQACAAAA' +
  'AgAAAAoNgvIAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAE=';

describe('an index in a file', () => {
  it('is what it was', async () => {
    await fc.assert(
      fc.asyncProperty(snapshots, async (snapshot) => {
        const file = await encodeFile(snapshot);
        const { hash, ...back } = await decodeFile(file, 'f');
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
        expectSameGraph(back, snapshot, 'any order');
      }),
      { numRuns },
    );
  });

  it('is the same to the byte each time, and read alike from a blob and from bytes in the middle of others', async () => {
    await fc.assert(
      fc.asyncProperty(snapshots, async (snapshot) => {
        const [one, two] = [
          await bytesOf(await encodeFile(snapshot)),
          await bytesOf(await encodeFile(snapshot)),
        ];
        expect(two).toEqual(one);
        const around = new Uint8Array(one.length + 7);
        around.set(one, 3);
        const read = await decodeFile(around.subarray(3, 3 + one.length), 'f');
        expectSameGraph(read, await decodeFile(new Blob([one]), 'f'));
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });

  it('has a hash of its own for each content', async () => {
    const hashes = new Set<string>();
    for (const info of ['a', 'b', 1, undefined])
      hashes.add((await decodeFile(await encodeFile(keeping(info)), 'f')).hash);
    expect(hashes.size).toBe(4);
  });

  it('may be without documents, and miss segments that held nothing', async () => {
    const empty = snapshotOf({ documents: [] });
    const { hash: _, ...back } = await decodeFile(await encodeFile(empty), 'f');
    expectSameGraph(back, empty, 'any order');
    const rows = [600];
    const sparse = snapshotOf({
      documents: [{ ...document, heads: [{ id: 'x' }], texts: { texts: ['x'] }, rows }],
      dimensions: 1,
    });
    delete (sparse.vectors as ArrayBuffer[])[0];
    const { vectors } = await decodeFile(await encodeFile(sparse), 'f');
    expect(Object.keys(vectors)).toEqual(['1']);
  });
});

it('leaves out the hashes that its texts give again', async () => {
  const text = '# Refunds\n\nTwo weeks. \ud83d\n\n## Where\n\nHere.\n';
  const given = { uri: 'guide.md', title: 'Guide', text, pages: [text], metadata: { lang: 'en' } };
  const splitter = byHeading();
  const how = { splitter, embedder: undefined };
  const known = fingerprint(given, text, splitter, 'a');
  const { put, info } = await prepare(given, text, known, how, new TokenCap(how));
  const heads = put.records.map(({ text: _, ...head }) => head);
  const snapshot = snapshotOf({
    documents: [{ id: 'guide.md', heads, texts: { text }, rows: heads.map((_, at) => at), info }],
  });
  const file = await encodeFile(snapshot);
  const [, documents] = await sectionsOf(file);
  const written = new TextDecoder().decode(documents!.content);
  expect(written).toContain('Guide');
  expect(written).not.toMatch(/[0-9a-f]{16}/);
  expectSameGraph((await decodeFile(file, 'f')).entries, snapshot.entries, 'any order');
});

it('reads what the first release of the format wrote', async () => {
  const bytes = Uint8Array.from(atob(firstRelease), (character) => character.charCodeAt(0));
  const { hash: _, ...back } = await decodeFile(bytes, 'f');
  expectSameGraph(back, small, 'any order');
});

describe('plain data of documents in a file', () => {
  it('is what it was, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plainData, { maxLength: 8 }), async (values) => {
        expectSameGraph(await passed(values), values);
      }),
      { numRuns },
    );
  });

  it('may share parts and hold itself', async () => {
    const shared = { word: 'shared' };
    const buffer = new ArrayBuffer(16);
    const cycle: Record<string, unknown> = { shared, again: [shared, new Map([[shared, shared]])] };
    cycle['views'] = [new Uint16Array(buffer, 2, 3), new DataView(buffer, 4), buffer];
    cycle['self'] = new Set([cycle]);
    cycle['boxed'] = [Object(-0), Object(1n), Object('s'), Object(false)];
    cycle['error'] = new RangeError('wrong', { cause: cycle });
    expectSameGraph(await passed(cycle), cycle);
  });

  it('may be a list with a length of its own, an own __proto__, and an invalid date', async () => {
    const list: unknown[] = [];
    list[5] = 1;
    list.length = 3_000_000_000;
    Object.assign(list, { extra: 'key' });
    const odd = { list, own: JSON.parse('{"__proto__": {"polluted": true}}'), date: new Date(Number.NaN) };
    expectSameGraph(await passed(odd), odd);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('may be nested 100,000 deep', async () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 50_000; level++) deep = [{ deep }];
    expectSameGraph(await passed(deep), deep);
  });

  it.each<[string, unknown]>([
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a Blob', new Blob(['x'])],
    ['a Promise', Promise.resolve()],
    ['a WeakMap', new WeakMap()],
    [
      'what throws when it is read',
      {
        get x() {
          throw new Error('not now');
        },
      },
    ],
  ])('is refused by the name of its document where it is %s', async (_, value) => {
    await expect(encodeFile(keeping({ deep: [value] }))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('document "d"'),
    });
  });
});

describe('a file that is not as it was written', () => {
  const refused = async (bytes: Uint8Array<ArrayBuffer> | Blob, words: string | RegExp = '') => {
    await expect(decodeFile(bytes, 'docs.shelf')).rejects.toMatchObject({
      code: 'FORMAT',
      message: expect.stringMatching(words),
    });
    await expect(decodeFile(bytes, 'docs.shelf')).rejects.toThrow('File "docs.shelf"');
  };
  const text = (content: string) => new TextEncoder().encode(content);

  it('is refused wherever it is cut', async () => {
    const bytes = await bytesOf(await encodeFile(small));
    for (let length = 0; length < bytes.length; length++) await refused(bytes.slice(0, length));
    await refused(bytes.slice(0, bytes.length - 4), 'was cut or altered; get it again');
  });

  it('is refused whichever byte is altered', async () => {
    const bytes = await bytesOf(await encodeFile(small));
    for (let at = 0; at < bytes.length; at++) {
      for (const change of [1, 0x80, 0xff]) {
        const altered = bytes.slice();
        altered[at]! ^= change;
        await refused(altered);
      }
    }
  });

  it('is refused with bytes behind it', async () => {
    const bytes = await bytesOf(await encodeFile(small));
    await refused(new Blob([bytes, new Uint8Array(4)]), 'get it again');
  });

  it('is refused as what it is', async () => {
    await refused(text(''), 'is empty');
    await refused(text('\ufeff\n<!DOCTYPE html><title>404</title>'), /page \(HTML.*address/);
    await refused(Uint8Array.from([0x1f, 0x8b, 8, 0, 0]), /gzip.*unpack/);
    await refused(text('{"documents": []}'), 'mark of an index file');
  });

  it('is refused where a newer library wrote it', async () => {
    const bytes = await bytesOf(await encodeFile(small));
    bytes[4] = 2;
    await refused(bytes, /version 2 .*up to 1; update the library/);
    bytes[4] = 0;
    await refused(bytes, 'no version');
  });
});
