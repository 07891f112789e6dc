// What is no bundler: policies, servers, service workers, and the package itself.
import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { block, command, file, root } from './doc.mjs';
import { look } from './look.mjs';
import { folder, installed, run } from './place.mjs';
import {
  assertFaults,
  check,
  expectedLines,
  importMapHash,
  plainFolder,
  served,
  viteFolder,
} from './rows.mjs';

const policy = (text) => ({ headers: { 'Content-Security-Policy': text } });
const full = () => block('csp: full').trim().replace('Content-Security-Policy: ', '');

/** The library reads the first bytes of ONNX Runtime's file, to say what is wrong with it, and breaks off. */
const brokenOff = /^failed: \S+\/ort\/ort-wasm-simd\.wasm net::ERR_ABORTED$/;

/** What transformers.js, which has no twin, prints where WebAssembly is refused. */
const ofTransformers = [
  /^console\.warning: wasm streaming compile failed: CompileError: .*Content Security/,
  /^console\.warning: falling back to ArrayBuffer instantiation$/,
  /^console\.warning: failed to asynchronously prepare wasm: CompileError: .*Content Security/,
  /^console\.warning: Aborted\(CompileError: .*Content Security/,
];

/** The bundled model, and transformers.js with its WebAssembly. */
const withModel = () => ({
  mounts: {
    '/models': installed('shelfmark', 'models'),
    '/ort': join(root, 'node_modules', '@xenova', 'transformers', 'dist'),
  },
});

/** What a page shows that has its hits by words, and says what became of the model. */
const modelFailed = {
  added: 'MODEL_LOAD_FAILED',
  hits: ['zoo.md'],
  semantic: 'failed',
  error: 'MODEL_LOAD_FAILED',
};

/** A page with the embedder of transformers.js, and what it showed. */
async function semantic(name, script, more = '') {
  const main = readFileSync(join(import.meta.dirname, 'semantic.js'), 'utf8');
  const path = await plainFolder(name, { 'main.js': main });
  let told;
  await served(
    path,
    { ...withModel(), ...policy(`default-src 'self'; script-src ${script} ${importMapHash()}; ${more}`) },
    async (url) => {
      told = await look(url, async (page) => {
        await page.locator('#page:not(:empty)').waitFor();
        return JSON.parse(await page.locator('#page').textContent());
      });
    },
  );
  return told;
}

const askPage = `<!doctype html><html lang="en"><meta charset="utf-8" /><title>Ask</title><pre id="answer"></pre><script type="module" src="/ask.js"></script></html>`;

async function serviceWorker(path, extra = {}) {
  await served(path, { ...withModel(), ...extra }, async (url) => {
    const { value, faults } = await look(url, async (page) => {
      await page.locator('#answer:not(:empty)').waitFor();
      return JSON.parse(await page.locator('#answer').textContent());
    });
    assert.equal(value.lines[0], 'zoo.md Zoo');
    assert.equal(value.legs.semantic, 'used');
    assertFaults(faults, [brokenOff]);
  });
}

/** The library's parts, as `import` names them; a worker's entry is for workers alone. */
function subPaths() {
  const { exports } = JSON.parse(readFileSync(installed('shelfmark', 'package.json'), 'utf8'));
  const all = Object.keys(exports).filter((key) => !/\.(wasm|json)$/.test(key) && key !== './worker/entry');
  assert(all.length >= 6);
  return all.map((key) => `shelfmark${key.slice(1)}`);
}

const importAll = () => `
  const before = Object.keys(globalThis).join();
  WebAssembly.Module = WebAssembly.compile = () => { throw new Error('compiled at import'); };
  for (const name of ${JSON.stringify(subPaths())}) await import(name);
  if (typeof window !== 'undefined' || Object.keys(globalThis).join() !== before) throw new Error('globals changed');
`;

export const otherRows = (tarball) => [
  [
    "CSP default-src 'self' + 'wasm-unsafe-eval'",
    async () => served(await viteFolder(), policy(full()), (url) => check(url)),
  ],
  [
    "CSP default-src 'self', the twin takes over",
    async () =>
      served(await viteFolder(), policy("default-src 'self'"), (url) => check(url, { kernel: 'js' })),
  ],
  [
    "CSP default-src 'none', script-src only, import map",
    async () => {
      // Nothing but scripts: no styles, no connections, and workers as scripts.
      const text = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' ${importMapHash()}`;
      await served(await plainFolder('plain-csp'), policy(text), (url) => check(url));
    },
  ],
  [
    "CSP + 'wasm-unsafe-eval', with a model",
    async () => {
      const { value, faults } = await semantic('model-wasm', "'self' 'wasm-unsafe-eval'");
      assert.deepEqual(value, { added: 'added', hits: ['zoo.md'], semantic: 'used' });
      assertFaults(faults, [brokenOff]);
    },
  ],
  [
    "CSP without 'wasm-unsafe-eval', with a model",
    async () => {
      const { value, faults } = await semantic('model-none', "'self'");
      assert.deepEqual(value, modelFailed);
      assertFaults(faults, [brokenOff, ...ofTransformers]);
    },
  ],
  [
    "CSP worker-src 'none'",
    async () => {
      const path = await viteFolder();
      await served(path, policy(`${full()}; worker-src 'none'`), async (url) => {
        const { value, faults } = await look(url, async (page) => {
          await page.waitForEvent('pageerror');
          return { page: await page.locator('#page').textContent() };
        });
        assert.equal(value.page, await expectedLines());
        assertFaults(faults, [
          /^console\.error: .*worker-src 'none'/,
          /^error: The worker could not be loaded; .*worker-src/,
        ]);
      });
    },
  ],
  [
    "CSP connect-src 'none', with a model",
    async () => {
      const { value, faults } = await semantic(
        'model-cut',
        "'self' 'wasm-unsafe-eval'",
        "connect-src 'none'",
      );
      assert.deepEqual(value, modelFailed);
      assertFaults(faults, [/^console\.error: .*Content Security Policy/]);
    },
  ],
  [
    'SSR: Node imports every part',
    async () => {
      const path = folder('node', { 'all.js': importAll() });
      assert.equal(await run(path, ['node', 'all.js']), '');
    },
  ],
  ...[false, true].map((bundled) => [
    `SSR: Vite, the library ${bundled ? 'bundled' : 'external'}`,
    async () => {
      const path = folder(`ssr-${bundled}`, {
        'vite.config.js': `export default ${bundled ? '{ ssr: { noExternal: true } }' : '{}'};\n`,
        'app.js': file('app.js'),
        'run.js': "import { start } from './dist/app.js';\nconsole.log(typeof start);\n",
      });
      await run(path, ['vite', 'build', '--ssr', 'app.js']);
      assert.equal((await run(path, ['node', 'run.js'])).trim(), 'function');
    },
  ]),
  [
    'service worker, no bundler, with a model',
    async () => {
      const sw = file('sw.js')
        .replace("'@xenova/transformers'", "'/ort/transformers.min.js'")
        .replace("'shelfmark/service-worker'", "'/vendor/shelfmark/dist/service-worker.js'");
      const path = await plainFolder('sw-plain', {
        'sw.js': sw,
        'ask.js': file('ask.js'),
        'index.html': askPage,
      });
      await serviceWorker(path, policy(full()));
    },
  ],
  [
    'service worker, esbuild, with a model',
    async () => {
      const path = folder('sw', { 'sw.js': file('sw.js') });
      await run(path, command('service-worker'));
      for (const [name, code] of Object.entries({ 'ask.js': file('ask.js'), 'index.html': askPage })) {
        folder('sw-page', { [name]: code });
        cpSync(join(path, '..', 'sw-page', name), join(path, 'dist', name));
      }
      await serviceWorker(join(path, 'dist'));
    },
  ],
  [
    'publint',
    async () => {
      const output = await run(folder('publint'), ['publint', 'run', tarball, '--strict']);
      assert.match(output, /All good!/);
    },
  ],
  [
    'are the types wrong',
    async () => {
      // It ends with 1 where it finds anything. WebAssembly has no types.
      const untyped = ['text.wasm', 'blocks.wasm', 'index.wasm'];
      const args = ['--profile', 'esm-only', '--exclude-entrypoints', ...untyped];
      const output = await run(folder('attw'), ['attw', tarball, ...args]);
      for (const name of subPaths()) assert(output.includes(`"${name}"`), `not looked at: ${name}`);
    },
  ],
];
