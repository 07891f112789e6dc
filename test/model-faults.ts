import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What can be wrong, and with which file. Each is wrong once for each `run`, then right. */
const faults: Record<string, { file: RegExp; answer: (response: ServerResponse, body: Uint8Array) => void }> =
  {
    missing: {
      file: /\.onnx$/,
      answer: (response) => {
        response.statusCode = 404;
        response.end('Not found');
      },
    },
    html: {
      file: /\/config\.json$/,
      answer: (response) => {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>Home</title>');
      },
    },
    truncated: {
      file: /\.onnx$/,
      answer: (response, body) => response.end(body.subarray(0, body.length / 2)),
    },
    wasm: {
      file: /\.wasm$/,
      answer: (response) => {
        response.statusCode = 404;
        response.end('Not found');
      },
    },
    /** Never wrong, but of unknown length. */
    unmeasured: { file: /./, answer: (response, body) => sendUnmeasured(response, body) },
    none: { file: /^$/, answer: () => {} },
  };

function sendUnmeasured(response: ServerResponse, body: Uint8Array): void {
  response.write(body.subarray(0, 10));
  response.end(body.subarray(10));
}

/** A file of the bundled model or of ONNX Runtime, wherever in the site it is asked for. */
function fileOf(path: string, runtime: string): string | undefined {
  const model = /\/models\/(glove-static\/.+)$/.exec(path)?.[1];
  const ort = /\/ort\/([\w.-]+)$/.exec(path)?.[1];
  const file = model ? join(root, 'models', model) : ort && join(runtime, ort);
  return file && statSync(file, { throwIfNoEntry: false })?.isFile() ? file : undefined;
}

/**
 * Serves model and runtime with faults: `/__faults/<fault>/<run>/…/models/glove-static/…` and `…/ort/…`.
 * `/__faults/requests/<run>` tells what was asked for in a run.
 *
 * @param runtime Folder of ONNX Runtime's files
 * @param library The transformers.js that the tests import
 */
export function modelFaults(
  runtime = join(root, 'node_modules/@xenova/transformers/dist'),
  library = '@xenova/transformers',
): Plugin {
  const asked = new Map<string, string[]>();

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0]!);
    const [, fault = '', run = ''] = path.split('/');
    if (fault === 'requests') {
      response.end(JSON.stringify(asked.get(run) ?? []));
      return;
    }
    const before = asked.get(run) ?? [];
    asked.set(run, [...before, path]);
    if (path.endsWith('/no-wasm.html')) {
      // A page whose policy forbids WebAssembly, as many do without meaning to.
      response.setHeader('content-type', 'text/html');
      response.setHeader('content-security-policy', "script-src 'self'");
      response.end('<!doctype html><script type="module" src="/test/browser/no-wasm-page.ts"></script>');
      return;
    }
    const file = fileOf(path, runtime);
    if (file === undefined) {
      response.statusCode = 404;
      response.end('Not found');
      return;
    }
    const body = readFileSync(file);
    response.setHeader(
      'content-type',
      /\.m?js$/.test(path)
        ? 'text/javascript'
        : path.endsWith('.wasm')
          ? 'application/wasm'
          : 'application/octet-stream',
    );
    const wrong = faults[fault]!;
    const once = fault === 'unmeasured' || !before.includes(path);
    if (once && wrong.file.test(path)) {
      wrong.answer(response, body);
      return;
    }
    response.setHeader('content-length', body.length);
    response.end(body);
  }

  return {
    name: 'shelfmark-model-faults',
    // Found late, it would make Vite reload the page in the middle of a test.
    config: () => ({ optimizeDeps: { include: [library] } }),
    configureServer(server) {
      server.middlewares.use('/__faults', serve);
    },
  };
}
