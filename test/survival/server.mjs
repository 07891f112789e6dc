// Builds the page of the suite once, so that nothing changes under a run, and serves it from memory.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'vite';

const port = Number(process.argv[2]);

const { output } = await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'warn',
  build: {
    write: false,
    minify: false,
    target: 'es2022',
    rollupOptions: {
      input: join(import.meta.dirname, 'page.ts'),
      output: { entryFileNames: 'page.js' },
    },
  },
});
const scripts = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));
const html = '<!doctype html><title>survival</title><script type="module" src="page.js"></script>';

createServer(({ url = '/' }, response) => {
  const script = scripts.get(url);
  if (script !== undefined) {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(script);
  } else if (url === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  } else {
    response.writeHead(url === '/favicon.ico' ? 204 : 404).end();
  }
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
