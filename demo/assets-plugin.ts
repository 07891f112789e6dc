import { copyFileSync, cpSync, createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const root = resolve(import.meta.dirname, '..');

/** Where the page finds what it must not fetch from anyone else: path under the page → folder here. */
const folders: Record<string, { from: string; files?: readonly string[] }> = {
  'models/glove-static': { from: join(root, 'models', 'glove-static') },
  ort: {
    from: join(root, 'node_modules', '@xenova', 'transformers', 'dist'),
    files: ['ort-wasm-simd.wasm', 'ort-wasm.wasm'],
  },
};

const types: Record<string, string> = {
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.onnx': 'application/octet-stream',
};

const policy = (dev: boolean): string =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    // The development server puts style sheets into the page and talks to it over a socket.
    `style-src 'self'${dev ? " 'unsafe-inline'" : ''}`,
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "worker-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

function fileOf(path: string): string | undefined {
  for (const [prefix, { from, files }] of Object.entries(folders)) {
    if (!path.startsWith(`/${prefix}/`)) continue;
    const name = path.slice(prefix.length + 2);
    if (name.split('/').includes('..') || (files && !files.includes(name))) return undefined;
    const file = join(from, name);
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
  }
  return undefined;
}

/** Serves the model and the ONNX runtime beside the page, copies them into the build, and sets the page's policy. */
export function demoAssets(): Plugin {
  let outDir = '';
  let dev = false;
  return {
    name: 'shelfmark-demo-assets',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
      dev = config.command === 'serve';
    },
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy(dev) },
        injectTo: 'head-prepend',
      },
    ],
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/');
        const known = Object.keys(folders).some((prefix) => path.startsWith(`/${prefix}/`));
        if (!known) return next();
        const file = fileOf(path);
        if (file === undefined) {
          // A page in place of a missing model file would only be found out by the parser.
          response.statusCode = 404;
          response.end('not found');
          return;
        }
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
        createReadStream(file).pipe(response);
      });
    },
    writeBundle() {
      for (const [path, { from, files }] of Object.entries(folders)) {
        const to = join(outDir, path);
        if (!existsSync(from)) throw new Error(`The demo needs ${from}, which is not there.`);
        mkdirSync(dirname(to), { recursive: true });
        if (!files) cpSync(from, to, { recursive: true });
        for (const file of files ?? []) {
          mkdirSync(to, { recursive: true });
          copyFileSync(join(from, file), join(to, file));
        }
      }
    },
  };
}
