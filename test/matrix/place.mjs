// Where the apps are built: a folder outside of the repository, with the bundlers and the packed library.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { root } from './doc.mjs';

const shell = process.platform === 'win32';
const wanted = readFileSync(join(import.meta.dirname, 'package.json'), 'utf8');
const hash = createHash('sha256').update(`${root}\n${wanted}`).digest('hex').slice(0, 12);

/** Kept for the next run; `SHELFMARK_MATRIX` names another folder. */
export const place = resolve(process.env['SHELFMARK_MATRIX'] ?? join(tmpdir(), `shelfmark-matrix-${hash}`));
const modules = join(place, 'node_modules');

/** The file of a package that is installed there. */
export const installed = (...path) => join(modules, ...path);

/** Installs the bundlers, once. */
function installTools() {
  const done = join(place, 'installed');
  if (existsSync(done)) return;
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), wanted);
  const quiet = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'], shell });
  // Next takes the nearest lock file for the root of all, beyond which it reads nothing.
  writeFileSync(join(place, 'package-lock.json'), '{}\n');
  // The library's own transformers.js, 200 MB with what it needs, is there already.
  symlinkSync(join(root, 'node_modules', '@xenova'), installed('@xenova'), 'dir');
  writeFileSync(done, '');
}

/** Packs the library as it is built, and installs the tarball as npm lays it out. Answers the tarball. */
function installLibrary() {
  const packed = join(place, 'packed');
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(packed, { recursive: true });
  const told = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', packed], {
    cwd: root,
    encoding: 'utf8',
    shell,
    maxBuffer: 1e8,
  });
  const tarball = join(packed, JSON.parse(told)[0].filename);
  // npm would go through the tree of all the bundlers again for this one package.
  execFileSync('tar', ['-xzf', tarball, '-C', packed], { shell });
  rmSync(installed('shelfmark'), { recursive: true, force: true });
  renameSync(join(packed, 'package'), installed('shelfmark'));
  const { dependencies } = JSON.parse(readFileSync(installed('shelfmark', 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    if (!existsSync(installed(name)))
      throw new Error(`${name} is a dependency that test/matrix/package.json lacks.`);
  }
  return tarball;
}

export function prepare() {
  if (!existsSync(join(root, 'dist', 'service-worker.js'))) {
    throw new Error('The library is not built: run npm run build first.');
  }
  installTools();
  return installLibrary();
}

/** An empty folder for a row, with these files in it. Its package.json makes caches its own, and gone the next time. */
export function folder(name, files = {}) {
  const path = join(place, 'rows', name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const [file, code] of Object.entries({ 'package.json': '{ "type": "module" }\n', ...files })) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), code);
  }
  return path;
}

/**
 * Runs a program, one of the bundlers' or of the system's, and answers what it printed. What it has not done in ten
 * minutes it never will.
 */
export function run(cwd, [program, ...args], env = {}) {
  const bin = { vite7: ['vite7', 'bin', 'vite.js'], vite: ['vite', 'bin', 'vite.js'] }[program];
  const [path, all] =
    program === 'node'
      ? [process.execPath, args]
      : bin !== undefined
        ? [process.execPath, [installed(...bin), ...args]]
        : [program === 'sh' ? program : installed('.bin', program), args];
  const child = spawn(path, all, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: shell && program !== 'node',
    timeout: 600_000,
    env: {
      ...process.env,
      NODE_ENV: '',
      NEXT_TELEMETRY_DISABLED: '1',
      FORCE_COLOR: '0',
      NO_COLOR: '1',
      ...env,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const ended = new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) =>
      code === 0
        ? done(output)
        : failed(new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`)),
    );
  });
  return Object.assign(ended, { child, output: () => output });
}
