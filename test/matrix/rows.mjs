// The bundlers: each builds the app of docs/bundlers.md with the settings that stand there.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { block, command, file, replaced } from './doc.mjs';
import { look, readApp } from './look.mjs';
import { folder, installed, run } from './place.mjs';
import { serve } from './serve.mjs';

const shared = ['app.js', 'main.js', 'rag.worker.js', 'index.html'];

/** The files of the app, as one bundler needs them. */
export const appFiles = (name, ...more) =>
  Object.fromEntries([...shared, ...more].map((each) => [each, file(each, name)]));

/** What every page must show: the hits that the packed library finds in Node. */
export async function expectedLines() {
  const { openIndex } = await import(installed('shelfmark', 'dist', 'index.js'));
  const [, list] = /const documents = (\[[\s\S]*?\n\]);/.exec(file('app.js'));
  const documents = new Function(`return ${list}`)();
  const index = await openIndex({ persist: false });
  await index.add(documents);
  const hits = await index.search('how long do refunds take?');
  await index.close();
  assert.equal(hits[0]?.docUri, 'refunds.md');
  return hits.map((hit) => `${hit.docUri} ${hit.heading} ${hit.score.toFixed(4)}`).join('\n');
}

/** Each fault is one of the expected, and each of those is there. */
export function assertFaults(faults, expected) {
  const known = (fault) => expected.some((pattern) => pattern.test(fault));
  assert.deepEqual(
    faults.filter((fault) => !known(fault)),
    [],
  );
  const missing = expected.filter((pattern) => !faults.some((fault) => pattern.test(fault)));
  assert.deepEqual(missing, []);
}

/** Opens a page of the app: right hits on the page, in the worker and in the search box, and nothing to complain of. */
export async function check(url, { kernel = 'wasm', faults: expected = [] } = {}) {
  const { value, faults } = await look(url, readApp);
  const right = await expectedLines();
  assert.deepEqual(
    { ...value, element: value.element.includes('Refunds') },
    { page: right, worker: right, kernel, element: true, styled: true },
  );
  assertFaults(faults, expected);
}

export async function served(path, options, work) {
  const server = await serve(path, options);
  try {
    await work(server.url);
  } finally {
    server.close();
  }
}

/** Builds with the command of the docs, and opens what came of it. */
async function built(name, files, words, { out = 'dist', copy = [] } = {}) {
  const path = folder(name, files);
  await run(path, words);
  for (const each of copy) cpSync(join(path, each), join(path, out, each));
  await served(join(path, out), {}, (url) => check(url));
  return path;
}

const vite = (program) => command('vite8, vite7').with(0, program);

/** Starts a dev server and opens its page. */
async function dev(name, program, files) {
  // A browser asks for the icon by itself.
  const path = folder(name, { ...files, 'public/favicon.ico': '' });
  const server = run(path, [program, '--port', '0', '--strictPort', '--host', 'localhost']);
  server.catch(() => {});
  try {
    let url;
    for (let tries = 0; url === undefined; tries++) {
      if (tries === 300 || server.child.exitCode !== null)
        throw new Error(`no dev server:\n${server.output()}`);
      await new Promise((done) => setTimeout(done, 100));
      url = /http:\/\/localhost:\d+\//.exec(server.output())?.[0];
    }
    // Vite's own words.
    await check(url, {
      faults: [/^console\.debug: \[vite\] connecting/, /^console\.debug: \[vite\] connected/],
    });
  } finally {
    server.child.kill();
  }
}

/** A page without a bundler: its packages copied as the docs say, its worker the ready-made one. */
export async function plainFolder(name, more = {}) {
  const app = replaced(file('app.js'), '  const remote =', '\n  );\n', block('part: plain/app.js'));
  const files = { 'app.js': app, 'main.js': file('main.js'), 'index.html': file('index.html', 'plain') };
  const path = folder(name, { ...files, 'copy.sh': file('copy.sh', 'plain'), ...more });
  symlinkSync(installed(), join(path, 'node_modules'), 'dir');
  await run(path, ['sh', 'copy.sh']);
  return path;
}

/** The hash under which a policy allows the import map of the docs. */
export function importMapHash() {
  const [, map] = /<script type="importmap">([\s\S]*?)<\/script>/.exec(file('index.html', 'plain'));
  return `'sha256-${createHash('sha256').update(map).digest('base64')}'`;
}

/** The app as Vite 8 builds it, once, for the rows that are about something else than the bundler. */
let viteDone;
export const viteFolder = () => {
  viteDone ??= (async () => {
    const path = folder('vite8', appFiles('vite8'));
    await run(path, vite('vite'));
    return join(path, 'dist');
  })();
  return viteDone;
};

const classic = (html) => html.replace('type="module"', 'defer');

export const bundlerRows = [
  ['Vite 8, build', async () => served(await viteFolder(), {}, (url) => check(url))],
  ['Vite 8, dev', () => dev('vite8-dev', 'vite', appFiles('vite8'))],
  ['Vite 7, build', () => built('vite7', appFiles('vite7', 'vite.config.js'), vite('vite7'))],
  ['Vite 7, dev', () => dev('vite7-dev', 'vite7', appFiles('vite7', 'vite.config.js'))],
  [
    'webpack 5',
    () => {
      const files = appFiles('webpack', 'webpack.config.js');
      const all = {
        ...files,
        'index.html': classic(files['index.html']),
      };
      return built('webpack', all, command('webpack'), { copy: ['index.html'] });
    },
  ],
  ['esbuild', () => built('esbuild', appFiles('esbuild'), command('esbuild'), { copy: ['index.html'] })],
  [
    'Rollup',
    () => {
      const files = { ...appFiles('rollup', 'rollup.config.js') };
      return built('rollup', files, command('rollup'), { copy: ['index.html'] });
    },
  ],
  [
    'Parcel 2',
    () =>
      built(
        'parcel',
        // Of its own, so that this folder is the root of the project.
        { ...appFiles('parcel', 'package.json'), 'yarn.lock': '' },
        command('parcel'),
      ),
  ],
  ...['', ' --webpack'].map((flag) => [
    `Next 16${flag || ' (Turbopack)'}`,
    async () => {
      const name = flag === '' ? 'next' : 'next-webpack';
      const files = {
        'app.js': file('app.js'),
        'rag.worker.js': file('rag.worker.js'),
        'app/page.jsx': file('app/page.jsx', 'next'),
        'app/layout.jsx':
          'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
        'next.config.mjs': "export default { output: 'export' };\n",
      };
      const words = [...command('next'), ...flag.trim().split(' ').filter(Boolean)];
      const path = await built(name, files, words, { out: 'out' });
      assert(existsSync(join(path, 'out', 'index.html')));
    },
  ]),
  ['import map, no bundler', async () => served(await plainFolder('plain'), {}, (url) => check(url))],
];
