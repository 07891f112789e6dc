import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';
import { run } from '../../../src/cli/run.ts';
import { openIndex } from '../../../src/open-index.ts';
import { markdownHeadings } from '../../../src/split/markdown-headings.ts';
import { type Assets, addressOf, escaped, html, manifest, overview } from './html.ts';
import { type RenderedPage, render } from './markdown.ts';
import { findSource, type Source } from './source.ts';

const here = resolve(import.meta.dirname, '..');
const repository = resolve(here, '../..');

/** Builds the site into a folder, which is emptied first. */
export async function buildSite(out: string, log: (line: string) => void): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const source = findSource();
  log(`${source.pages.length} pages: ${source.title}`);

  const assets = await bundle(out);
  const rendered = source.pages.map((page) => render(source, page));
  source.pages.forEach((page, at) => {
    const title = `${page.title} · ${source.title}`;
    const { html: main } = rendered[at]!;
    write(out, addressOf(page.uri), html(source, assets, { title, main, page, rendered: rendered[at]! }));
  });
  write(out, 'index.html', html(source, assets, { title: source.title, main: overview(source) }));
  const lost = `<h1>Not here</h1>\n<p>There is no such page, or it is not kept and there is no network.</p>\n<p><a href="index.html">All pages</a></p>`;
  write(out, '404.html', html(source, assets, { title: `Not here · ${source.title}`, main: lost }));
  write(out, 'manifest.webmanifest', manifest(source));
  cpSync(join(here, 'public'), out, { recursive: true });
  for (const name of [...source.licences, ...rendered.flatMap(({ files }) => [...files])]) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    copyFileSync(join(source.folder, name), join(out, name));
  }

  await index(source, out, log);
  await checkLinks(source, rendered, out);
  await command(['copy-model', out], () => {});
  precache(out, log);
}

function write(out: string, path: string, text: string): void {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}

/** The script and style of every page. */
async function bundle(out: string): Promise<Assets> {
  await build({
    configFile: false,
    root: join(here, 'page'),
    base: './',
    logLevel: 'warn',
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      manifest: 'assets.json',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1500,
      rolldownOptions: { input: join(here, 'page', 'site.ts') },
    },
  });
  const list = JSON.parse(readFileSync(join(out, 'assets.json'), 'utf8')) as Record<
    string,
    { file: string; css?: string[] }
  >;
  rmSync(join(out, 'assets.json'));
  const { file, css } = list['site.ts']!;
  return { script: file, style: css![0]! };
}

/** The index, by the library's own command, from the pages and their titles. */
async function index(source: Source, out: string, log: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shelfmark-docs-'));
  try {
    for (const { uri, text, title } of source.pages) {
      const isTitled = markdownHeadings(text).some(({ level }) => level === 1);
      const front = isTitled ? '' : `---\ntitle: ${JSON.stringify(title)}\n---\n\n`;
      write(folder, uri, front + text);
    }
    const file = join(out, 'docs.shelf');
    const options = ['--base-url', './', '--slugger', source.slugger, '--embed'];
    await command(['build', folder, '--out', file, ...options], log);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function command(args: readonly string[], log: (line: string) => void): Promise<void> {
  const notes: string[] = [];
  const code = await run(args, {
    cwd: repository,
    out: log,
    note: (text) => notes.push(text),
    isTty: false,
    hasColors: false,
    signal: new AbortController().signal,
  });
  if (code !== 0) throw new Error(notes.join(''));
}

/** Every result leads to a place that there is. */
async function checkLinks(source: Source, rendered: readonly RenderedPage[], out: string): Promise<void> {
  const opened = await openIndex({ from: new Uint8Array(readFileSync(join(out, 'docs.shelf'))) });
  try {
    for (const [at, { uri }] of source.pages.entries()) {
      for (const { id, slug } of await opened.chunks(uri)) {
        if (slug === undefined || rendered[at]!.anchors.has(slug)) continue;
        throw new Error(`${id} leads to ${escaped(addressOf(uri))}#${slug}, which the page does not have.`);
      }
    }
  } finally {
    await opened.close();
  }
}

/** The script that docs/offline.md gives, as it stands. */
function precache(out: string, log: (line: string) => void): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(here, 'precache.mjs'), out], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  log(stdout.trim());
}
