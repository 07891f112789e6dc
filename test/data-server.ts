import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const here = dirname(fileURLToPath(import.meta.url));

export const fixturesDir = join(here, 'fixtures');
/** The larger data: `SHELFMARK_DATA`, by default a sibling folder `shared`. It may be absent. */
export const dataDir = resolve(process.env['SHELFMARK_DATA'] ?? join(here, '..', '..', 'shared'));
export const hasData = existsSync(join(dataDir, 'vectors'));

/** A file of the fixtures or, failing that, of the larger data; undefined where there is neither. */
export function readData(path: string): Uint8Array | undefined {
  const clean = normalize(path).replace(/^[/\\]+/, '');
  if (clean.split(sep).includes('..')) return undefined;
  for (const root of [fixturesDir, dataDir]) {
    const file = join(root, clean);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return readFileSync(file);
  }
  return undefined;
}

/**
 * All cases of a family: the ones committed here and, where the larger data is present, the ones named
 * `real/…`, which are other people's text and so not committed.
 */
export function readVectors(family: string): string {
  const own = readFileSync(join(fixturesDir, 'vectors', `${family}.jsonl`), 'utf8');
  if (!hasData) return own;
  const real = readFileSync(join(dataDir, 'vectors', `${family}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && (JSON.parse(line) as { name: string }).name.startsWith('real/'));
  return `${own.trimEnd()}\n${real.join('\n')}`;
}

/** Serves the same data to tests that run in a browser. */
export function dataServer(): Plugin {
  return {
    name: 'shelfmark-test-data',
    configureServer(server) {
      // ONNX Runtime's files, at the address the README has an app serve them from. Not mounted, since a mount
      // would put the address back before anything serves it.
      server.middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(/^\/ort\//, '/node_modules/@xenova/transformers/dist/');
        next();
      });
      server.middlewares.use('/__data', (request, response) => {
        const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/');
        const family = /^\/vectors\/([a-z0-9-]+)\.jsonl$/.exec(path)?.[1];
        const body = family === undefined ? readData(path) : readVectors(family);
        response.statusCode = body === undefined ? 404 : 200;
        response.setHeader('content-type', 'application/octet-stream');
        response.end(body ?? 'not found');
      });
    },
  };
}
