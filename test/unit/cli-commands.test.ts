import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import { openIndex } from '../../src/open-index.ts';
import { Folder, shelfmark, site } from '../cli-run.ts';

const repository = join(import.meta.dirname, '../..');
let made: Folder;
beforeAll(async () => {
  made = new Folder(site);
  const words = ['build', '.', '--out', 'words.shelf', '--base-url', '/docs/'];
  expect((await shelfmark(words, { cwd: made.path })).code).toBe(0);
  const embedded = ['build', '.', '-o', 'embedded.shelf', '--embed'];
  expect((await shelfmark(embedded, { cwd: made.path })).code).toBe(0);
});
afterAll(() => made.remove());
const query = (...args: string[]) => shelfmark(['query', ...args], { cwd: made.path });

describe('shelfmark build --embed', () => {
  it('embeds what has changed, and gives the same bytes as from nothing', async () => {
    using copy = new Folder(site);
    const build = () => shelfmark(['build', '.', '--out', 'x.shelf', '--embed'], { cwd: copy.path });
    writeFileSync(join(copy.path, 'x.shelf'), readFileSync(join(made.path, 'embedded.shelf')));
    expect((await build()).out[2]).toBe('0 added, 0 changed, 7 unchanged, 0 removed, 0 chunks embedded');
    copy.write('a.md', '# First\n\nA page before all others.');
    copy.write('moved.txt', site['notes.txt']!);
    const { out, notes } = await build();
    // What is there under another name is known.
    expect(out[2]).toBe('2 added, 0 changed, 7 unchanged, 0 removed, 1 chunks embedded');
    expect(notes).toContain('Embedding …\n');
    const grown = readFileSync(join(copy.path, 'x.shelf'));
    writeFileSync(join(copy.path, 'x.shelf'), '');
    expect((await build()).out[2]).toMatch(/^9 added/);
    expect(Buffer.compare(grown, readFileSync(join(copy.path, 'x.shelf')))).toBe(0);
  });

  it('makes what an index with the same embedder makes', async () => {
    const built = await openIndex({ from: readFileSync(join(made.path, 'embedded.shelf')) });
    const { embedder, pending, dimensions } = await built.stats();
    expect([embedder, pending, dimensions]).toEqual([transformersEmbedder().id, 0, 100]);
  });

  it('goes on from nothing where the file has no vectors, and the other way round', async () => {
    using copy = new Folder(site);
    writeFileSync(join(copy.path, 'x.shelf'), readFileSync(join(made.path, 'embedded.shelf')));
    const build = (...more: string[]) =>
      shelfmark(['build', '.', '--out', 'x.shelf', ...more], { cwd: copy.path });
    expect((await build()).out[2]).toBe('7 added, 0 changed, 0 unchanged, 0 removed');
    await build('--embed');
    const [again, first] = [join(copy.path, 'x.shelf'), join(made.path, 'embedded.shelf')].map((path) =>
      readFileSync(path),
    );
    expect(again!.equals(first!)).toBe(true);
  });
});

describe('shelfmark query', () => {
  it('answers with rank, heading path, snippet, address and scores', async () => {
    const { code, out, notes } = await query('words.shelf', 'are gift cards refunded', '--top-k', '1');
    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(out).toEqual([
      '1. Refunds: how and when › Refunds',
      '   Refunds are issued within 14 days of the return. ## Exceptions Gift cards are never refunded, and neither are opened records.',
      expect.stringMatching(
        /^ {3}\/docs\/guide\/refunds\.html#refunds {3}\d+\.\d{3}, lexical \d+\.\d{3} \(1\.\)$/,
      ),
      '',
    ]);
  });

  it('names file and line where pages have no address, and uses vectors where there are any', async () => {
    const { out } = await query('embedded.shelf', 'are gift cards refunded', '--top-k', '1');
    expect(out[2]).toMatch(/guide\/refunds\.md:\d+ .*lexical .*semantic /);
    const semantic = await query('embedded.shelf', 'shipping', '--mode', 'semantic');
    expect(semantic.out[0]).toMatch(/^1\. Delivery/);
    const lexical = await query('embedded.shelf', 'gift', '--mode', 'lexical');
    expect(lexical.out[2]).not.toContain('semantic');
  });

  it('gives hits as JSON, as openIndex finds them', async () => {
    const { out } = await query('embedded.shelf', 'are gift cards refunded', '--json');
    const index = await openIndex({
      from: readFileSync(join(made.path, 'embedded.shelf')),
      embedder: transformersEmbedder(),
    });
    const hits = await index.search('are gift cards refunded', { mode: 'hybrid' });
    expect(hits.length).toBe(5);
    expect(JSON.parse(out.join('\n'))).toEqual(JSON.parse(JSON.stringify(hits)));
  });

  it('says nothing that a terminal would obey', async () => {
    using copy = new Folder({
      'a.md': '---\ntitle: "A\\u001b[2J"\n---\n\n# B\u009b2J\n\nText \u001b[31mred\u0007 and half \ud83d.',
    });
    await shelfmark(['build', '.', '--out', 'x.shelf'], { cwd: copy.path });
    const { out } = await shelfmark(['query', 'x.shelf', 'half'], { cwd: copy.path });
    expect(out.slice(0, 2)).toEqual(['1. A[2J › B2J', '   Text [31mred and half \ufffd.']);
  });

  it('says where there is nothing', async () => {
    expect((await query('words.shelf', 'zyzzyva')).out).toEqual(['Nothing found.']);
    expect((await query('words.shelf', '?')).out).toEqual(['Nothing found.']);
  });

  it.each([
    [['none.shelf', 'x'], 1, /There is no file .*none\.shelf.*\(FORMAT\)/],
    [['notes.txt', 'x'], 1, /does not start with the mark of an index file.*\(FORMAT\)/],
    [['words.shelf', 'x', '--mode', 'semantic'], 1, /no vectors.*--embed.*\(UNSUPPORTED\)/],
    [['words.shelf', 'x', '--mode', 'best'], 2, /--mode is 'best'; give auto, hybrid, lexical, semantic/],
    [['words.shelf', 'x', '--top-k', '0'], 2, /--top-k is '0'; give a whole number from 1 to 10000/],
    [['words.shelf', 'x', '--top-k', '1e3'], 2, /--top-k is '1e3'/],
    [['words.shelf'], 2, /Missing argument: "<question>"/],
    [['words.shelf', 'two', 'words'], 2, /Unexpected argument 'words'/],
  ])('query %j is refused', async (args, code, message) => {
    const answer = await query(...args);
    expect(answer).toEqual({ code, out: [], notes: expect.stringMatching(message) });
    expect(answer.notes.trimEnd()).not.toContain('\n');
  });
});

describe('the command line', () => {
  it('tells its version and how it is used', async () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    expect(await shelfmark(['--version'])).toEqual({ code: 0, out: [version], notes: '' });
    for (const args of [['--help'], ['-h'], ['help'], ['build', '--help'], ['query', 'x', '-h']]) {
      const { code, out } = await shelfmark(args);
      expect([code, out[0]]).toEqual([0, expect.stringContaining('shelfmark')]);
      for (const name of ['build', 'query', 'push', 'copy-model'])
        expect(out.join('\n')).toContain(`shelfmark ${name} `);
    }
  });

  it.each([
    [[], /Missing command/],
    [['biuld'], /Unknown command 'biuld'/],
    [['--fast'], /Unknown option '--fast'/],
    [['push'], /Missing argument: <file>/],
    [['push', 'x'], /Missing option: --to/],
    [['push', 'x', '--to', 'y'], /--to is 'y'; give the address/],
    [['push', 'x.shelf', '--to', 'http://localhost:1'], /--collection is 'x'; give 3 to 512/],
    [
      ['push', 'handbook.shelf', '--to', 'http://localhost:1', '--header', 'secret'],
      /--header is no 'Name: value'/,
    ],
    [['build'], /Missing argument: <dir>/],
    [['build', '.'], /Missing option: --out/],
    [['build', '.', '--out'], /--out/],
    [['build', '.', '--out', 'x', '--out', 'y'], /'--out' is given twice/],
    [['build', '.', '--out', 'x', '--embedd'], /Unknown option '--embedd'/],
    [['build', '.', '--out', 'x', '--embed=yes'], /--embed/],
    [['build', '.', '--out', 'x', '--slugger', 'none'], /--slugger is 'none'; give github/],
    [['build', '.', '--out', 'x', '--ext', '/'], /--ext is '\/'/],
    [['build', '.', 'more', '--out', 'x'], /Unexpected argument 'more'/],
    [['copy-model'], /Missing argument: <public-dir>/],
    [['copy-model', 'x', '--all'], /Unknown option '--all'/],
  ])('%j is not understood: exit code 2', async (args, message) => {
    const { code, out, notes } = await shelfmark(args);
    expect([code, out]).toEqual([2, []]);
    expect(notes).toMatch(message);
    expect(notes).toMatch(/See shelfmark --help\.\n$/);
  });
});

describe('shelfmark copy-model', () => {
  it('puts the model and the runtime where an app serves them, once', async () => {
    using app = new Folder();
    const target = join(app.path, 'public');
    const first = await shelfmark(['copy-model', target], { cwd: repository });
    expect(first.code).toBe(0);
    const models = join(repository, 'models');
    const files = readdirSync(join(models, 'glove-static'), { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      const from = join(file.parentPath, file.name);
      const copied = readFileSync(join(target, 'models', from.slice(models.length)));
      expect(copied.equals(readFileSync(from)), from).toBe(true);
    }
    expect(statSync(join(target, 'ort/ort-wasm-simd.wasm')).size).toBeGreaterThan(1e6);
    const again = await shelfmark(['copy-model', target], { cwd: repository });
    expect(again.out.map((line) => line.slice(0, 8))).toEqual(again.out.map(() => 'is there'));
    expect(again.out.length).toBe(first.out.length);
    const damaged = join(target, 'models/glove-static/config.json');
    writeFileSync(damaged, readFileSync(damaged, 'utf8').replace('{', ' '));
    const mended = await shelfmark(['copy-model', target], { cwd: repository });
    expect(mended.out.filter((line) => line.startsWith('copied'))).toEqual([`copied    ${damaged}`]);
  });

  it('says what to do where the library is not installed', async () => {
    using app = new Folder();
    const { code, notes } = await shelfmark(['copy-model', 'public'], { cwd: app.path });
    expect(code).toBe(1);
    expect(notes).toMatch(
      /@xenova\/transformers is not installed .*npm install @xenova\/transformers.*\(MODEL_LOAD_FAILED\)/,
    );
    expect(existsSync(join(app.path, 'public/models/glove-static/config.json'))).toBe(true);
    expect(existsSync(join(app.path, 'public/ort'))).toBe(false);
  });

  it('takes the runtime of the newer library too, beside that of the older where both are installed', async () => {
    const [older, newer] = ['node_modules/@xenova/transformers/', 'node_modules/@huggingface/transformers/'];
    const files = {
      [`${newer}package.json`]: '{}',
      [`${newer}node_modules/onnxruntime-web/package.json`]: '{}',
      [`${newer}node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.mjs`]: 'newer',
      [`${newer}node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm`]: 'newer',
    };
    const copied = async (app: Folder): Promise<unknown> => {
      expect((await shelfmark(['copy-model', 'public'], { cwd: app.path })).code).toBe(0);
      const all = readdirSync(join(app.path, 'public'), { recursive: true }).map(String);
      return Object.fromEntries(
        all
          .filter((name) => /ort.*\.(mjs|wasm)$/.test(name))
          .map((name) => [name, readFileSync(join(app.path, 'public', name), 'utf8')]),
      );
    };
    using alone = new Folder(files);
    expect(await copied(alone)).toEqual({
      'ort/ort-wasm-simd-threaded.mjs': 'newer',
      'ort/ort-wasm-simd-threaded.wasm': 'newer',
    });
    using both = new Folder({
      ...files,
      [`${older}package.json`]: '{}',
      [`${older}dist/ort-wasm-simd-threaded.wasm`]: 'older',
    });
    expect(await copied(both)).toEqual({
      'ort/ort-wasm-simd-threaded.wasm': 'older',
      'ort-huggingface/ort-wasm-simd-threaded.mjs': 'newer',
      'ort-huggingface/ort-wasm-simd-threaded.wasm': 'newer',
    });
  });

  it('is what a model that is not there names', async () => {
    using app = new Folder();
    await expect(transformersEmbedder({ modelPath: app.path }).load?.()).rejects.toMatchObject({
      code: 'MODEL_LOAD_FAILED',
      message: expect.stringContaining('npx shelfmark copy-model <public folder>'),
    });
  });
});
