import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { Folder, shelfmark, site } from '../cli-run.ts';
import { dataDir } from '../data-server.ts';

const folders: Folder[] = [];
function folder(files?: Readonly<Record<string, string | Uint8Array>>): Folder {
  const made = new Folder(files);
  folders.push(made);
  return made;
}
afterEach(() => {
  for (const made of folders.splice(0)) made.remove();
});

const bytesOf = (made: Folder, name = 'out/docs.shelf') =>
  new Uint8Array(readFileSync(join(made.path, name)));
const build = (made: Folder, ...args: string[]) =>
  shelfmark(['build', '.', '--out', 'out/docs.shelf', ...args], { cwd: made.path });

describe('shelfmark build', () => {
  it('reads pages, sheets and texts into one file, in order, and makes its folder', async () => {
    const made = folder(site);
    const { code, out, notes } = await build(made, '--base-url', '/docs/');
    expect({ code, notes }).toEqual({ code: 0, notes: 'Splitting …\nStoring …\n' });
    const [head, line, changes, written] = out as [string, string, string, string];
    expect(head.trim().split(/\s+/)).toEqual(['files', 'chunks', 'bytes', 'gzip', 'time']);
    const bytes = bytesOf(made);
    expect(line.trim().split(/\s+/).slice(0, 4)).toEqual([
      '7',
      expect.stringMatching(/^\d+$/),
      bytes.length.toLocaleString('en'),
      gzipSync(bytes, { level: 9 }).length.toLocaleString('en'),
    ]);
    expect(changes).toBe('7 added, 0 changed, 0 unchanged, 0 removed');
    expect(written).toMatch(/^out\/docs\.shelf written, [0-9a-f]{64}$/);
    expect(readdirSync(join(made.path, 'out'))).toEqual(['docs.shelf']);
    const index = await openIndex({ from: bytes });
    const documents = await index.documents();
    expect(documents.map(({ uri, title, metadata }) => [uri, title, metadata?.['url']])).toEqual([
      ['guide/delivery.markdown', 'Delivery', '/docs/guide/delivery.html'],
      ['guide/refunds.md', 'Refunds: how and when', '/docs/guide/refunds.html'],
      ['guide/späte Fälle.mdx', 'Late cases', '/docs/guide/sp%C3%A4te%20F%C3%A4lle.html'],
      ['index.md', 'Handbook', '/docs/index.html'],
      ['legal/terms.html', 'Terms & conditions', '/docs/legal/terms.html'],
      ['notes.txt', undefined, '/docs/notes.txt'],
      ['prices.csv', undefined, '/docs/prices.csv'],
    ]);
  });

  it('leaves front matter out of what is found, and offsets and lines as they are', async () => {
    const made = folder(site);
    await build(made);
    const index = await openIndex({ from: bytesOf(made) });
    const chunks = await index.chunks('guide/refunds.md');
    const text = site['guide/refunds.md']!;
    expect(await index.text('guide/refunds.md')).toBe(text);
    expect(chunks[0]).toMatchObject({ line: 6, headingPath: ['Refunds'] });
    for (const { text: own, charStart, charEnd } of chunks) expect(text.slice(charStart, charEnd)).toBe(own);
    expect(chunks.map((chunk) => chunk.text).join()).not.toContain('sidebar_position');
    expect(await index.search('sidebar_position')).toEqual([]);
  });

  it.each([
    [['--ext', ''], '/d/guide/refunds', '/d/'],
    [['--ext', '.md'], '/d/guide/refunds.md', '/d/index.md'],
    [
      ['--base-url', 'https://shop.example/d', '--ext', ''],
      'https://shop.example/d/guide/refunds',
      'https://shop.example/d/',
    ],
  ])('gives pages the addresses that %j says', async (args, refunds, index) => {
    const made = folder({ 'guide/refunds.md': '# R\n\nRefunds.', 'index.md': '# I\n\nStart.' });
    const base = args.includes('--base-url') ? [] : ['--base-url', '/d'];
    expect((await build(made, ...base, ...args)).code).toBe(0);
    const documents = await (await openIndex({ from: bytesOf(made) })).documents();
    expect(documents.map(({ metadata }) => metadata?.['url'])).toEqual([refunds, index]);
  });

  it('makes the anchors of the generator that is named', async () => {
    const made = folder({ 'a.md': '# Straße & Co. {#own}\n\nA street, and a company.' });
    const slugs: (string | undefined)[] = [];
    for (const slugger of ['github', 'vitepress', 'docusaurus', 'mdbook']) {
      await build(made, '--slugger', slugger);
      slugs.push((await (await openIndex({ from: bytesOf(made) })).chunks('a.md'))[0]?.slug);
    }
    expect(slugs).toEqual(['straße--co-own', 'own', 'own', 'own']);
  });

  it('writes nothing where nothing has changed', async () => {
    const made = folder(site);
    const first = await build(made);
    const before = statSync(join(made.path, 'out/docs.shelf'));
    const { code, out } = await build(made);
    const after = statSync(join(made.path, 'out/docs.shelf'));
    expect(code).toBe(0);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(out[2]).toBe('0 added, 0 changed, 7 unchanged, 0 removed');
    expect(out[3]).toBe(first.out[3]!.replace('written', 'is up to date'));
  });

  it('gives the same bytes from nothing and from any file before', async () => {
    const made = folder(site);
    await build(made);
    const steps: [string, () => void, string[], string][] = [
      [
        'a page changes',
        () => made.write('index.md', '# Handbook\n\nNew.'),
        [],
        '0 added, 1 changed, 6 unchanged, 0 removed',
      ],
      [
        'one comes first',
        () => made.write('a.md', '# A\n\nFirst of all.'),
        [],
        '1 added, 0 changed, 7 unchanged, 0 removed',
      ],
      [
        'one goes',
        () => rmSync(join(made.path, 'notes.txt')),
        [],
        '0 added, 0 changed, 7 unchanged, 1 removed',
      ],
      [
        'one loses all it said',
        () => made.write('a.md', '# A\n'),
        [],
        '0 added, 0 changed, 6 unchanged, 1 removed',
      ],
      ['all get addresses', () => {}, ['--base-url', '/'], '0 added, 6 changed, 0 unchanged, 0 removed'],
      ['and words', () => {}, ['--base-url', '/', '--words'], '6 added, 0 changed, 0 unchanged, 0 removed'],
    ];
    for (const [name, change, args, counts] of steps) {
      change();
      const { code, out } = await build(made, ...args);
      expect({ name, code, counts: out[2] }).toEqual({ name, code: 0, counts });
      const grown = bytesOf(made);
      rmSync(join(made.path, 'out'), { recursive: true });
      await build(made, ...args);
      expect(Buffer.compare(grown, bytesOf(made)), name).toBe(0);
    }
  });

  it('goes on from nothing with --fresh', async () => {
    const made = folder(site);
    await build(made);
    expect((await build(made, '--fresh')).out[2]).toBe('7 added, 0 changed, 0 unchanged, 0 removed');
  });

  it('names pages without a passage, and leaves them out', async () => {
    const made = folder({ 'a.md': '# Only\n\n## headings\n', 'b.md': '# B\n\nText.', 'c.txt': ' \n' });
    const { code, notes } = await build(made);
    expect(code).toBe(0);
    expect(notes).toContain('"a.md" has no passage to find');
    expect(notes).toContain('"c.txt" has no passage to find');
    expect((await (await openIndex({ from: bytesOf(made) })).documents()).map(({ uri }) => uri)).toEqual([
      'b.md',
    ]);
  });

  it('says which files share an address', async () => {
    const made = folder({ 'a.md': '# A\n\nText.', 'a.html': '<p>Text.' });
    expect((await build(made)).notes).not.toContain('address');
    expect((await build(made, '--base-url', '/')).notes).toContain(
      '"a.html" and "a.md" have one address, /a.html.',
    );
  });

  it('draws a bar where somebody looks on', async () => {
    const made = folder(site);
    const args = ['build', made.path, '--out', join(made.path, 'x.shelf')];
    const { notes } = await shelfmark(args, { isTty: true });
    expect(notes).toMatch(/^\r\u001b\[KSplitting +[█░]{24} \d+ %/);
    expect(notes).toContain(`${'█'.repeat(24)} 100 %`);
    expect(notes.endsWith('\r\u001b[K')).toBe(true);
  });
});

describe('what build refuses', () => {
  async function refusal(made: Folder, code: string): Promise<string> {
    const answer = await build(made);
    expect(answer.code).toBe(1);
    expect(answer.out).toEqual([]);
    expect(answer.notes.trimEnd().endsWith(`(${code})`), answer.notes).toBe(true);
    expect(answer.notes).not.toMatch(/^\s+at /m);
    expect(existsSync(join(made.path, 'out/docs.shelf'))).toBe(false);
    return answer.notes;
  }

  it('a folder with nothing to read, and one with nothing to find', async () => {
    expect(await refusal(folder({ 'logo.png': '' }), 'EMPTY_DOCUMENT')).toContain('no file that ends in .md');
    expect(await refusal(folder({ 'a.md': '# A' }), 'EMPTY_DOCUMENT')).toContain('no file has a passage');
  });

  it('files that are not UTF-8, told apart, and reads one with its mark', async () => {
    const utf16 = Buffer.from('\ufeff# A\n\nText of the page.', 'utf16le');
    const made = folder({
      'bom.md': '\ufeff# With a mark\n\nText.',
      'latin.md': Buffer.from('# A\n\nfein\nCaf\xe9.\n', 'latin1'),
      'utf16.md': utf16,
      'utf16be.md': Buffer.from(utf16).swap16(),
      'unmarked.txt': utf16.subarray(2),
    });
    const notes = await refusal(made, 'INVALID_DOCUMENT');
    expect(notes).toMatch(/latin\.md is not UTF-8 in line 4; save it as UTF-8\./);
    expect(notes).toMatch(/utf16\.md begins with the mark of UTF-16; save it as UTF-8\./);
    expect(notes).toMatch(/utf16be\.md begins with the mark of UTF-16/);
    for (const name of ['latin.md', 'utf16.md', 'utf16be.md']) rmSync(join(made.path, name));
    expect(await refusal(made, 'INVALID_DOCUMENT')).toMatch(/unmarked\.txt looks like UTF-16/);
    rmSync(join(made.path, 'unmarked.txt'));
    expect((await build(made)).code).toBe(0);
    const index = await openIndex({ from: bytesOf(made) });
    expect(await index.documents()).toMatchObject([{ uri: 'bom.md', title: 'With a mark' }]);
    expect((await index.text('bom.md'))?.startsWith('# With')).toBe(true);
  });

  it('what cannot be read: a file, the folder', async () => {
    const made = folder({ 'a.md': '# A\n\nText.' });
    symlinkSync(join(made.path, 'gone'), join(made.path, 'b.md'));
    expect(await refusal(made, 'INVALID_DOCUMENT')).toMatch(/b\.md cannot be read: ENOENT/);
    const missing = await shelfmark(['build', 'none', '--out', 'x'], { cwd: made.path });
    expect([missing.code, missing.notes]).toEqual([1, expect.stringMatching(/none cannot be read: ENOENT/)]);
    const file = await shelfmark(['build', 'a.md', '--out', 'x'], { cwd: made.path });
    expect(file.notes).toMatch(/a\.md cannot be read: it is not a folder/);
  });

  it('two files of one uri', async () => {
    const made = folder({ 'cafe\u0301.md': '# A\n\nText.', 'caf\u00e9.md': '# B\n\nText.' });
    // Where a file system spells names one way only, there is but one of them.
    if (readdirSync(made.path).length === 1) return;
    expect(await refusal(made, 'INVALID_DOCUMENT')).toContain('Two files have the uri "café.md"');
  });

  it('a target that is no index, and one of a newer version, which stay as they are', async () => {
    const made = folder({ 'a.md': '# A\n\nText.', 'out/docs.shelf': 'my notes' });
    expect((await build(made)).notes).toContain('is there and is no index');
    expect((await build(made, '--fresh')).code).toBe(1);
    expect(new TextDecoder().decode(bytesOf(made))).toBe('my notes');
    rmSync(join(made.path, 'out/docs.shelf'));
    await build(made);
    const newer = bytesOf(made);
    newer[4] = 9;
    made.write('out/docs.shelf', newer);
    const { code, notes } = await build(made);
    expect([code, notes]).toEqual([1, expect.stringMatching(/version 9.*--fresh.*\(FORMAT\)/)]);
    expect(Buffer.compare(bytesOf(made), newer)).toBe(0);
    expect((await build(made, '--fresh')).code).toBe(0);
  });

  it('a target that is a folder, without a trace', async () => {
    const made = folder({ 'a.md': '# A\n\nText.' });
    mkdirSync(join(made.path, 'out/docs.shelf'), { recursive: true });
    expect((await build(made)).code).toBe(1);
    expect(readdirSync(join(made.path, 'out'))).toEqual(['docs.shelf']);
  });
});

it('follows links, and none in a circle', async () => {
  const made = folder({ 'a/b.md': '# B\n\nText.', 'other/c.md': '# C\n\nText.' });
  symlinkSync('..', join(made.path, 'a/up'));
  symlinkSync('.', join(made.path, 'a/self'));
  symlinkSync('../other', join(made.path, 'a/other'));
  expect((await build(made)).code).toBe(0);
  const documents = await (await openIndex({ from: bytesOf(made) })).documents();
  expect(documents.map(({ uri }) => uri)).toEqual(['a/b.md', 'a/other/c.md', 'other/c.md']);
});

it('writes where a link leads', async () => {
  const made = folder({ 'a.md': '# A\n\nText.', 'kept/real.shelf': '' });
  mkdirSync(join(made.path, 'out'));
  symlinkSync('../kept/real.shelf', join(made.path, 'out/docs.shelf'));
  expect((await build(made)).code).toBe(0);
  expect(bytesOf(made, 'kept/real.shelf').length).toBeGreaterThan(100);
  expect(readdirSync(join(made.path, 'kept'))).toEqual(['real.shelf']);
});

it('is alone in naming parts of Node', () => {
  const sources = join(import.meta.dirname, '../../src');
  const naming = readdirSync(sources, { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        /['"]node:|from 'htmlparser2'/.test(readFileSync(join(sources, name), 'utf8')),
    );
  expect(naming.length).toBeGreaterThan(5);
  expect(naming.filter((name) => !name.startsWith('cli/'))).toEqual([]);
});

it('an interrupted build writes nothing', async () => {
  const made = folder(site);
  const controller = new AbortController();
  const { Interrupted } = await import('../../src/cli/terminal.ts');
  controller.abort(new Interrupted());
  const args = ['build', '.', '--out', 'out/docs.shelf'];
  const { code, notes } = await shelfmark(args, { cwd: made.path, signal: controller.signal });
  expect([code, notes]).toEqual([130, 'Interrupted; nothing was written.\n']);
  expect(existsSync(join(made.path, 'out'))).toBe(false);
});

const manifest = join(dataDir, 'corpus/manifest.jsonl');
describe.runIf(existsSync(manifest))('the corpus', () => {
  it('without vectors takes up at most one and a half times what it does zipped', async () => {
    const files = readFileSync(manifest, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { path: string }).path);
    const texts = files.map((name) => readFileSync(join(dataDir, 'corpus', name)));
    const zipped = gzipSync(Buffer.concat(texts), { level: 9 }).length;
    const made = folder(Object.fromEntries(files.map((name, at) => [name, texts[at]!])));
    expect((await build(made)).code).toBe(0);
    expect(bytesOf(made).length).toBeLessThanOrEqual(1.5 * zipped);
    const index = await openIndex({ from: bytesOf(made) });
    expect((await index.stats()).documents).toBe(files.length);
  });
});
