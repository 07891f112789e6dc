// npm run eval: measures retrieval on judged questions and prints tables. `npm run eval -- cranfield` runs one part.
import { resolve } from 'node:path';
import { createServer } from 'vite';

const root = resolve(import.meta.dirname, '../..');
// Vite compiles the TypeScript, which Node 20 does not run by itself.
const server = await createServer({
  root,
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, ws: false, watch: null, hmr: false },
  optimizeDeps: { noDiscovery: true, include: [] },
});
try {
  const { evaluate } = await server.ssrLoadModule('/test/eval/main.ts');
  await evaluate(process.argv.slice(2));
} finally {
  await server.close();
}
