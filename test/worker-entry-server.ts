import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';

const root = join(import.meta.dirname, '..');

/** What the library's build makes of the ready-made worker. */
export async function builtWorkerEntry(): Promise<Rolldown.OutputChunk[]> {
  const options = { root, mode: 'worker-entry', logLevel: 'error' as const, build: { write: false } };
  const outputs = [await build(options)].flat() as Rolldown.RolldownOutput[];
  return outputs.flatMap(({ output }) => output).filter((file) => file.type === 'chunk');
}

/** Serves the ready-made worker as it is shipped, built when a test asks for it, and transformers.js beside it. */
export function workerEntryServer(): Plugin {
  let built: Promise<Rolldown.OutputChunk[]> | undefined;
  return {
    name: 'shelfmark-worker-entry',
    configureServer(server) {
      const library = readFileSync(join(root, 'node_modules/@xenova/transformers/dist/transformers.min.js'));
      server.middlewares.use('/assets/transformers.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.end(library);
      });
      server.middlewares.use('/assets/worker-entry.js', (_request, response) => {
        built ??= builtWorkerEntry();
        built.then(
          ([chunk]) => {
            response.setHeader('content-type', 'text/javascript');
            response.end(chunk!.code);
          },
          (error: unknown) => {
            response.statusCode = 500;
            response.end(String(error));
          },
        );
      });
    },
  };
}
