import { copyFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageModels } from '../embed/addresses.ts';
import { defaultModel } from '../embed/bundled.ts';
import { messageOf, ShelfmarkError } from '../errors.ts';
import { readOptions } from './options.ts';
import { exit, type Terminal } from './terminal.ts';

interface Copy {
  from: string;
  to: string;
}

/** `shelfmark copy-model <public-dir>`. */
export async function copyModel(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals } = readOptions(args, ['<public-dir>, the folder your app is served from'], {});
  const target = resolve(terminal.cwd, positionals[0]!);
  const model = await copiesIn(await modelFolder(), join(target, 'models', defaultModel));
  const runtime = await runtimeFiles(terminal.cwd, target);
  for (const { from, to } of [...model, ...runtime]) {
    terminal.signal.throwIfAborted();
    terminal.out(`${(await copy(from, to)) ? 'copied  ' : 'is there'}  ${to}`);
  }
  if (runtime.length > 0) return exit.ok;
  throw new ShelfmarkError(
    'MODEL_LOAD_FAILED',
    `The model was copied; the files of ONNX Runtime were not, since @xenova/transformers is not installed for ${terminal.cwd}. Run npm install @xenova/transformers there, then this command again.`,
  );
}

/** The folder of the model that comes with the package. */
async function modelFolder(): Promise<string> {
  for (const models of packageModels()) {
    const folder = join(fileURLToPath(models), defaultModel);
    if (await isThere(folder)) return folder;
  }
  throw new ShelfmarkError(
    'MODEL_LOAD_FAILED',
    `The package has no folder models/${defaultModel}; install shelfmark again.`,
  );
}

/** Every file of a folder and those in it. */
async function copiesIn(folder: string, to: string): Promise<Copy[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((from) => ({ from, to: join(to, from.slice(folder.length + 1)) }));
}

/** What the installed library asks for in a browser. Where both are, the newer one's files have a folder of their own. */
async function runtimeFiles(cwd: string, target: string): Promise<Copy[]> {
  const older = await packageFolder('@xenova/transformers', cwd);
  const newer = await packageFolder('@huggingface/transformers', cwd);
  const web = newer && (await packageFolder('onnxruntime-web', newer));
  const copies: Copy[] = [];
  const add = (folder: string, names: readonly string[], to: string): void => {
    for (const name of names) copies.push({ from: join(folder, 'dist', name), to: join(target, to, name) });
  };
  if (older !== undefined) {
    const names = await readdir(join(older, 'dist'));
    add(older, names.filter((name) => /^ort-wasm.*\.wasm$/.test(name)).sort(), 'ort');
  }
  if (web !== undefined) {
    // Of the same names as the older one's, and not the same.
    const to = older === undefined ? 'ort' : 'ort-huggingface';
    add(web, ['ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm'], to);
  }
  return copies;
}

/** Where a package is installed for a folder: there, or in a folder above it. */
async function packageFolder(name: string, from: string): Promise<string | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (await isThere(join(candidate, 'package.json'))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Copies a file where it is not there already; answers whether it did. */
async function copy(from: string, to: string): Promise<boolean> {
  try {
    const there = await stat(to).catch(() => undefined);
    if (there?.size === (await stat(from)).size && (await readFile(to)).equals(await readFile(from)))
      return false;
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
    return true;
  } catch (cause) {
    throw new ShelfmarkError('UNSUPPORTED', `${to} cannot be written: ${messageOf(cause)}.`, { cause });
  }
}
