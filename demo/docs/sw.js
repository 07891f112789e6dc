// precache.mjs puts the list in front: const precache = { version, files: { 'index.html': 'sha256-…', … } }.
const base = new URL('./', self.location).href;
const prefix = `docs ${base} `;
const cacheName = prefix + precache.version;
const paths = Object.keys(precache.files);
const addressOf = (path) => new URL(path, base).href;

self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => {
  if (event.data === 'check') event.waitUntil(check(event.source));
  if (event.data === 'take over') event.waitUntil(self.skipWaiting());
});
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(base)) event.respondWith(answer(event.request));
});

/** Keeps every file of the list, or none: whoever installs it has all of one version. */
async function fill() {
  const isNew = !(await caches.has(cacheName));
  const cache = await caches.open(cacheName);
  const failed = new AbortController();
  const queue = paths.values();
  let kept = 0;
  const work = async () => {
    for (const path of queue) {
      failed.signal.throwIfAborted();
      await keep(cache, path, failed.signal);
      await tell({ kept: ++kept, of: paths.length });
    }
  };
  try {
    await Promise.all([work(), work(), work(), work()]);
  } catch (error) {
    failed.abort(error);
    if (isNew) await caches.delete(cacheName);
    throw error;
  }
}

/** `integrity` refuses what is not the file of the list: half a deployment, a page in place of an error. */
async function keep(cache, path, signal) {
  const url = addressOf(path);
  if (await cache.match(url)) return;
  const integrity = precache.files[path];
  const response =
    (await keptBefore(url, integrity)) ?? (await fetch(url, { cache: 'no-cache', integrity, signal }));
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const headers = new Headers(response.headers);
  // The bytes are kept unpacked, whoever asks for them; and a navigation takes no redirected response.
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  headers.set('x-integrity', integrity);
  await cache.put(url, new Response(response.body, { headers }));
}

/** What an older version keeps of the same bytes need not be fetched again. */
async function keptBefore(url, integrity) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(prefix)) continue;
    const response = await (await caches.open(name)).match(url);
    if (response?.headers.get('x-integrity') === integrity) return response;
  }
}

/** No page of the older version is open any more, or the reader asked for this one. */
async function activate() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

async function answer(request) {
  const url = new URL(request.url);
  url.search = '';
  if (url.pathname.endsWith('/')) url.pathname += 'index.html';
  const cache = await caches.open(cacheName);
  const kept = await cache.match(url.href);
  if (kept !== undefined) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    if (request.mode !== 'navigate' || !('404.html' in precache.files)) throw error;
    return Response.redirect(addressOf('404.html'));
  }
}

/** Tells a page what is really kept, after another try where files are missing: browsers may clear caches. */
async function check(client) {
  const count = async () => {
    const cache = await caches.open(cacheName);
    const urls = new Set((await cache.keys()).map(({ url }) => url));
    return paths.filter((path) => urls.has(addressOf(path))).length;
  };
  if ((await count()) < paths.length) await fill().catch(() => {});
  client.postMessage({ checked: true, kept: await count(), of: paths.length });
}

async function tell(message) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) if (page.url.startsWith(base)) page.postMessage(message);
}
