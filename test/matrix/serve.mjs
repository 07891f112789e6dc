// A static file server for a row: its folder, and whatever else is mounted.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain',
};

/**
 * Serves `folder`, each folder of `mounts` under its path, and nothing else.
 *
 * @param headers Sent with every answer
 * @param onReport Called with what a page posts to `/report`
 */
export async function serve(folder, { mounts = {}, headers = {}, onReport } = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (path === '/report' && request.method === 'POST') {
      let body = '';
      request.on('data', (data) => (body += data));
      request.on('end', () => {
        onReport?.(JSON.parse(body));
        response.end();
      });
      return;
    }
    // A browser asks for it by itself.
    if (path === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const mount = Object.keys(mounts).find((prefix) => path.startsWith(`${prefix}/`));
    const base = mount === undefined ? folder : mounts[mount];
    const inside = normalize(mount === undefined ? path : path.slice(mount.length));
    const file = join(base, inside.endsWith('/') ? `${inside}index.html` : inside);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    // Not an address: pages of localhost are secure in every engine.
    url: `http://localhost:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
