// Builds the page of the suite once, so that nothing changes under a run, and serves it from memory: at / and, with the
// strictest policy a page can have, at /strict. Addresses under /docs/ are pages that a result may lead to.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'vite';

const port = Number(process.argv[2]);

const { output } = await build({
  configFile: false,
  root: import.meta.dirname,
  logLevel: 'warn',
  worker: { format: 'es' },
  build: {
    write: false,
    minify: false,
    target: 'es2022',
    modulePreload: false,
    rollupOptions: {
      input: { page: join(import.meta.dirname, 'page.ts'), tools: join(import.meta.dirname, 'tools.ts') },
      output: { entryFileNames: '[name].js' },
      preserveEntrySignatures: 'strict',
    },
  },
});
const scripts = new Map(output.map((file) => [`/${file.fileName}`, file.code ?? file.source]));

const page = (head, body) =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>The tool library</title>${head}<body><main>${body}</main></body></html>`;
const script = '<script type="module" src="/page.js"></script>';
const pages = { '/': page(script, '<h1>The tool library</h1>'), '/strict': page(script, '<h1>Strict</h1>') };

const policies = {
  '/': "default-src 'self' 'wasm-unsafe-eval'",
  '/strict': "default-src 'self'; base-uri 'none'; require-trusted-types-for 'script'",
};

createServer(({ url = '/' }, response) => {
  const path = url.split('?')[0];
  const found = scripts.get(path);
  if (found !== undefined) {
    response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(found);
  } else if (pages[path] !== undefined) {
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policies[path],
      })
      .end(pages[path]);
  } else if (path.startsWith('/docs/')) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page('', `<h1>${path}</h1>`));
  } else {
    response.writeHead(url === '/favicon.ico' ? 204 : 404, { 'content-type': 'text/plain' }).end();
  }
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
