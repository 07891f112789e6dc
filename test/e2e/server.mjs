// Serves the built demo at / and under /x/y/, as a plain static host would: no fallback page, no redirects.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '..', '..', 'dist-demo');
const port = Number(process.argv[2] ?? 4187);

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

if (!existsSync(join(root, 'index.html'))) {
  console.error('There is no built demo to serve. Run "npm run build:demo" first.');
  process.exit(1);
}

createServer((request, response) => {
  const path = decodeURIComponent((request.url ?? '/').split('?')[0]).replace(/^\/x\/y\//, '/');
  const file = join(root, normalize(path.endsWith('/') ? `${path}index.html` : path));
  if (!file.startsWith(root + sep) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
    return;
  }
  response.writeHead(200, {
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
  });
  createReadStream(file).pipe(response);
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
