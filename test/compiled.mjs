import { resolve } from 'node:path';
import { createServer } from 'vite';

/** The repository. */
export const root = resolve(import.meta.dirname, '..');

/** Runs with a function that loads TypeScript modules by their path from the root: Node 20 does not by itself. */
export async function withCompiled(run) {
  const server = await createServer({
    root,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, ws: false, watch: null, hmr: false },
    optimizeDeps: { noDiscovery: true, include: [] },
  });
  try {
    await run((path) => server.ssrLoadModule(path));
  } finally {
    await server.close();
  }
}
