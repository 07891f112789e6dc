import { basename, extname, resolve } from 'node:path';
import { ChromaVectorStore } from '../chroma/store.ts';
import { hasCode, ShelfmarkError } from '../errors.ts';
import { openIndex } from '../open-index.ts';
import { decodeFile } from '../store/file.ts';
import { readIndexFile } from './index-file.ts';
import { readOptions } from './options.ts';
import { ProgressView } from './progress.ts';
import { exit, type Terminal, UsageError } from './terminal.ts';

/** `shelfmark push <file> --to <url>`. */
export async function push(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readOptions(args, ['<file>, the index'], {
    to: { type: 'string' },
    collection: { type: 'string' },
    header: { type: 'string', multiple: true },
    prune: { type: 'boolean', default: false },
  });
  const [path] = positionals as [string];
  const url = address(values.to);
  const headers = headersOf(values.header ?? []);
  const collection = values.collection ?? basename(path, extname(path));
  if (!/^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$/.test(collection)) {
    throw new UsageError(
      `--collection is '${collection}'; give 3 to 512 letters, digits, dots, dashes and underscores, the first and last a letter or digit.`,
    );
  }
  const { signal } = terminal;
  const bytes = await readIndexFile(resolve(terminal.cwd, path));
  const { meta } = await decodeFile(bytes, path);
  if (meta.embedder === undefined) {
    throw new ShelfmarkError('UNSUPPORTED', `${path} has no vectors to push; build it with --embed.`);
  }
  const index = await openIndex({ from: bytes });
  const progress = new ProgressView(terminal);
  try {
    const store = await open({ url, collection, headers, embedder: meta.embedder, signal });
    const report = await index.pushTo(store, {
      signal,
      prune: values.prune,
      onProgress: (told) => progress.show(told),
    });
    progress.end();
    const { documents, chunks, skipped, removed, sampled, recall, elapsedMs } = report;
    terminal.out(
      `${documents} documents with ${chunks} chunks pushed, ${skipped} unchanged, ${removed} removed, in ${(elapsedMs / 1000).toFixed(1)} s`,
    );
    terminal.out(
      `${collection} at ${url} finds ${(recall * 100).toFixed(1)} % of ${sampled} samples' nearest`,
    );
    return exit.ok;
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    terminal.note('Interrupted; what was pushed stays, and the same command goes on from it.\n');
    return exit.interrupted;
  } finally {
    await index.close();
  }
}

type StoreOptions = Parameters<typeof ChromaVectorStore.open>[0];

async function open(options: StoreOptions): Promise<ChromaVectorStore> {
  try {
    return await ChromaVectorStore.open(options);
  } catch (cause) {
    if (!hasCode(cause, 'UNSUPPORTED')) throw cause;
    throw new ShelfmarkError('UNSUPPORTED', 'push needs the client of Chroma: npm install chromadb.', {
      cause,
    });
  }
}

function address(to: string | undefined): string {
  if (to === undefined) throw new UsageError('Missing option: --to <url>, the Chroma server.');
  if (URL.canParse(to) && /^https?:$/.test(new URL(to).protocol)) return to;
  throw new UsageError(`--to is '${to}'; give the address of a Chroma server, as http://localhost:8000.`);
}

/** Values are secrets, so that a fault names none. */
function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(\S.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError("--header is no 'Name: value'; give one, as --header 'Authorization: Bearer …'.");
    headers[name] = value;
  }
  return headers;
}
