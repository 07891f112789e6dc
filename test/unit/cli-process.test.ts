import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Folder, site } from '../cli-run.ts';

const repository = join(import.meta.dirname, '../..');
/** The package as it is installed. */
let installed: Folder;
let main: string;

beforeAll(async () => {
  installed = new Folder();
  copyFileSync(join(repository, 'package.json'), join(installed.path, 'package.json'));
  for (const name of ['node_modules', 'models']) {
    symlinkSync(join(repository, name), join(installed.path, name), 'junction');
  }
  await build({
    root: repository,
    mode: 'production',
    logLevel: 'error',
    build: { outDir: join(installed.path, 'dist'), emptyOutDir: true },
  });
  const { bin } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  main = join(installed.path, bin.shelfmark);
});
afterAll(() => installed.remove());

/** Starts the command in a process of its own. */
function start(
  args: readonly string[],
  cwd: string,
  command = main,
): { child: ChildProcess; ended: Promise<object> } {
  const child = spawn(process.execPath, [command, ...args], { cwd });
  const said = { out: '', notes: '' };
  child.stdout!.on('data', (data) => (said.out += data));
  child.stderr!.on('data', (data) => (said.notes += data));
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }));
  return { child, ended };
}

describe('the command, installed', () => {
  it('is a file that a shell can run', () => {
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('brings the licences of what is bundled with it', () => {
    const vendor = join(installed.path, 'dist/vendor');
    const files = readdirSync(vendor, { recursive: true }).map(String);
    expect(files.filter((file) => file.split(/[\\/]/).includes('node_modules'))).toEqual([]);
    for (const name of ['papaparse', 'htmlparser2'])
      expect(existsSync(join(vendor, name, 'LICENSE'))).toBe(true);
    expect(files.filter((file) => file.endsWith('LICENSE')).length).toBe(3);
  });

  it('builds, embeds, answers and ends', async () => {
    using made = new Folder(site);
    const built = await start(['build', '.', '--out', 'a/b/docs.shelf', '--embed'], made.path).ended;
    expect(built).toMatchObject({ code: 0, out: expect.stringContaining('7 added') });
    const asked = await start(['query', 'a/b/docs.shelf', 'gift cards'], made.path).ended;
    expect(asked).toMatchObject({ code: 0, notes: '', out: expect.stringContaining('never refunded') });
  });

  it('says what to install for vectors, and answers by words without', async () => {
    using bare = new Folder(site);
    for (const name of ['dist', 'package.json']) {
      cpSync(join(installed.path, name), join(bare.path, name), { recursive: true });
    }
    mkdirSync(join(bare.path, 'node_modules'), { recursive: true });
    symlinkSync(join(repository, 'node_modules/idb'), join(bare.path, 'node_modules/idb'), 'junction');
    const command = join(bare.path, 'dist/cli/main.js');
    const refused = await start(['build', 'guide', '--out', 'x.shelf', '--embed'], bare.path, command).ended;
    expect(refused).toMatchObject({
      code: 1,
      notes: expect.stringMatching(
        /@xenova\/transformers could not be loaded\. Run npm install @xenova.*\(MODEL_LOAD_FAILED\)\n$/,
      ),
    });
    expect(existsSync(join(bare.path, 'x.shelf'))).toBe(false);
    await start(['build', 'guide', '--out', 'x.shelf', '--embed'], bare.path).ended;
    const asked = await start(['query', 'x.shelf', 'gift cards'], bare.path, command).ended;
    expect(asked).toMatchObject({
      code: 0,
      out: expect.stringContaining('never refunded'),
      notes: expect.stringMatching(/^Note: searched by words alone\. @xenova/),
    });
  });

  it('copies the model that came with it', async () => {
    using app = new Folder();
    symlinkSync(join(repository, 'node_modules'), join(app.path, 'node_modules'), 'junction');
    expect(await start(['copy-model', 'public'], app.path).ended).toMatchObject({ code: 0 });
    expect(existsSync(join(app.path, 'public/models/glove-static/onnx/model_quantized.onnx'))).toBe(true);
    expect(existsSync(join(app.path, 'public/ort/ort-wasm-simd.wasm'))).toBe(true);
  });

  it.each([
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/, /^$/],
    [['build', 'none', '--out', 'x'], 1, /^$/, /cannot be read: ENOENT/],
    [['build', '.', '--output', 'x'], 2, /^$/, /Unknown option '--output'\. See shelfmark --help\.\n$/],
  ])('%j ends with %i, and no stack', async (args, code, out, notes) => {
    using made = new Folder();
    const answer = await start(args as string[], made.path).ended;
    expect(answer).toEqual({ code, out: expect.stringMatching(out), notes: expect.stringMatching(notes) });
    expect(JSON.stringify(answer)).not.toMatch(/\bat \S+ \(|node:internal/);
  });

  it.runIf(process.platform !== 'win32')(
    'interrupted at any time, leaves what there was or all that is new',
    async () => {
      const long = Array.from({ length: 400 }, (_, at) =>
        `## Part ${at}\n\nWords ${at} of a long page. `.repeat(8),
      );
      using made = new Folder(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [`${at}.md`, `# Page ${at}\n\n${long.join('\n\n')}`]),
        ),
      );
      mkdirSync(join(made.path, 'out'));
      const args = ['build', '.', '--out', 'out/docs.shelf', '--embed'];
      const codes: unknown[] = [];
      for (const [at, wait] of [0, 'Splitting', 'Embedding', 300, 900].entries()) {
        const { child, ended } = start(args, made.path);
        if (typeof wait === 'string') {
          await new Promise<void>((resolve) => {
            child.stderr!.on('data', (data) => String(data).includes(wait) && resolve());
          });
        } else await new Promise((resolve) => setTimeout(resolve, 250 + wait));
        child.kill(at % 2 === 0 ? 'SIGINT' : 'SIGTERM');
        const { code } = (await ended) as { code: number | null };
        codes.push(code);
        // Node itself ends by the signal while it still loads the program.
        expect([130, null, 0]).toContain(code);
        const left = readdirSync(join(made.path, 'out'));
        expect(left).toEqual(code === 0 ? ['docs.shelf'] : []);
        if (code === 0) break;
      }
      expect(codes).toContain(130);
    },
  );
});
