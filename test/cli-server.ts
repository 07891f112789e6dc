import { readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';

type Running = typeof import('./cli-run.ts');

/**
 * Runs the command line in Node for tests in a browser. `/__cli/<any>.shelf?embed` is the index that `build` makes of
 * the site of `cli-run.ts` and a Chinese page; `/__cli/query?question=…&mode=…` what `query --json` answers from it; below
 * `/__cli/public/` lies what `copy-model` copies.
 */
export function cliServer(): Plugin {
  const made = new Map<string, Promise<{ folder: string; file: string }>>();
  let open: (() => unknown)[] = [];

  /** The sources in Node. The server that has them for the browser makes them ready for the browser alone. */
  let compiling: Promise<ViteDevServer> | undefined;
  const load = async (root: string): Promise<Running> => {
    compiling ??= createServer({
      root,
      configFile: false,
      appType: 'custom',
      logLevel: 'error',
      server: { middlewareMode: true, ws: false, watch: null, hmr: false },
      optimizeDeps: { noDiscovery: true, include: [] },
    });
    const server = await compiling;
    if (!open.includes(server.close)) open.push(server.close);
    return (await server.ssrLoadModule('/test/cli-run.ts')) as Running;
  };

  const prepare = (server: ViteDevServer, embed: boolean) => {
    const known = made.get(String(embed));
    if (known !== undefined) return known;
    const built = (async () => {
      const { Folder, shelfmark, site } = await load(server.config.root);
      const folder = new Folder({ ...site, 'zh.md': '# 退款\n\n退款将在十四天内发放。😀\n' });
      open.push(() => folder.remove());
      const args = ['build', '.', '--out', 'x.shelf', '--base-url', '/docs/', ...(embed ? ['--embed'] : [])];
      const { code, notes } = await shelfmark(args, { cwd: folder.path });
      if (code !== 0) throw new Error(notes);
      return { folder: folder.path, file: join(folder.path, 'x.shelf') };
    })();
    made.set(String(embed), built);
    return built;
  };

  const publicFolder = async (server: ViteDevServer): Promise<string> => {
    const { folder } = await prepare(server, false);
    const target = join(folder, 'public');
    if (statSync(target, { throwIfNoEntry: false }) === undefined) {
      const { shelfmark } = await load(server.config.root);
      const { code, notes } = await shelfmark(['copy-model', target], { cwd: server.config.root });
      if (code !== 0) throw new Error(notes);
    }
    return target;
  };

  const answer = async (server: ViteDevServer, url: URL): Promise<Uint8Array | string | undefined> => {
    const { pathname, searchParams } = url;
    const embed = searchParams.has('embed');
    if (pathname.endsWith('.shelf')) return readFileSync((await prepare(server, embed)).file);
    if (pathname === '/query') {
      const { file } = await prepare(server, embed);
      const { shelfmark } = await load(server.config.root);
      const mode = searchParams.get('mode')!;
      const args = ['query', file, searchParams.get('question')!, '--json', '--mode', mode];
      const { code, out, notes } = await shelfmark(args);
      if (code !== 0) throw new Error(notes);
      return out.join('\n');
    }
    const path = /^\/public\/(.*)$/.exec(decodeURIComponent(pathname))?.[1];
    if (path === undefined || normalize(path).startsWith('..')) return undefined;
    const file = join(await publicFolder(server), path);
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : undefined;
  };

  return {
    name: 'shelfmark-cli',
    configureServer(server) {
      server.middlewares.use('/__cli', (request, response, next) => {
        answer(server, new URL(request.url ?? '/', 'http://localhost')).then((body) => {
          response.statusCode = body === undefined ? 404 : 200;
          const isWasm = request.url?.endsWith('.wasm');
          response.setHeader('content-type', isWasm ? 'application/wasm' : 'application/octet-stream');
          response.end(body ?? 'not found');
        }, next);
      });
    },
    async closeBundle() {
      const all = open;
      open = [];
      for (const close of all) await close();
    },
  };
}
