import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { ShelfmarkError, show } from '../errors.ts';
import { type Index, openIndex } from '../open-index.ts';
import { autoSplitter } from '../split/auto.ts';
import { byHeading } from '../split/by-heading.ts';
import type { SluggerName } from '../split/sluggers.ts';
import { encodeFile, fileHash, type Snapshot } from '../store/file.ts';
import { MemoryVectorStore } from '../store/memory.ts';
import { importChange, rowsOf } from '../store/snapshot.ts';
import type { Embedder, SplitterDocument, SyncReport } from '../types.ts';
import { findFiles } from './find-files.ts';
import { withoutFrontMatter } from './front-matter.ts';
import { readIndexFile, readPrevious, writeWhole } from './index-file.ts';
import { bundledEmbedder } from './model.ts';
import { choice, readOptions } from './options.ts';
import { ProgressView } from './progress.ts';
import { readFiles, sharedAddresses } from './read-files.ts';
import { duration, grouped, table } from './table.ts';
import { exit, type Terminal, UsageError } from './terminal.ts';

const sluggers: readonly SluggerName[] = ['github', 'vitepress', 'docusaurus', 'mdbook'];

/** `shelfmark build <dir> --out <file>`. */
export async function build(args: readonly string[], terminal: Terminal): Promise<number> {
  const started = performance.now();
  const { values, positionals } = readOptions(args, ['<dir>, the folder to read'], {
    out: { type: 'string', short: 'o' },
    embed: { type: 'boolean', default: false },
    'base-url': { type: 'string' },
    ext: { type: 'string', default: '.html' },
    slugger: { type: 'string', default: 'github' },
    words: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  });
  if (values.out === undefined || values.out === '') throw new UsageError('Missing option: --out <file>.');
  const slugger = choice('--slugger', values.slugger, sluggers);
  if (!/^(\.[\w.-]+)?$/.test(values.ext)) {
    throw new UsageError(`--ext is '${values.ext}'; give an ending such as .html, or '' for none.`);
  }
  const folder = resolve(terminal.cwd, positionals[0]!);
  const out = resolve(terminal.cwd, values.out);

  const files = await findFiles(folder);
  if (files.length === 0) {
    throw new ShelfmarkError(
      'EMPTY_DOCUMENT',
      `There is nothing to index in ${folder}: no file that ends in .md, .markdown, .mdx, .html, .htm, .txt or .csv.`,
    );
  }
  const previous = await readPrevious(out, values.fresh);
  const addresses = { baseUrl: values['base-url'], ext: values.ext };
  const documents = await readFiles(files, addresses, terminal.signal);
  for (const shared of sharedAddresses(documents)) terminal.note(`Note: ${shared}\n`);

  const embedder = values.embed ? bundledEmbedder() : undefined;
  try {
    const { words } = values;
    const built = await buildIndex({ documents, slugger, embedder, words, previous, terminal });
    const bytes = built.isSame ? undefined : new Uint8Array(await built.file!.arrayBuffer());
    if (bytes !== undefined) await writeWhole(out, bytes, terminal.signal);
    const hash = bytes === undefined ? previous!.hash : await fileHash(bytes, out);
    await report(
      { ...built, hash, bytes: bytes ?? (await readIndexFile(out)), out: values.out, started },
      terminal,
    );
    return exit.ok;
  } finally {
    await embedder?.dispose?.();
  }
}

interface Work {
  documents: readonly SplitterDocument[];
  slugger: SluggerName;
  embedder: Embedder | undefined;
  /** Whether the file has its words packed; else they are read from the texts when they are first searched. */
  words: boolean;
  previous: (Snapshot & { hash: string }) | undefined;
  terminal: Terminal;
}

interface Built {
  report: SyncReport;
  documents: number;
  chunks: number;
  /** Nothing is other than it was. */
  isSame: boolean;
  file: Blob | undefined;
}

async function buildIndex(work: Work): Promise<Built> {
  const { documents, slugger, embedder, words, previous, terminal } = work;
  const splitter = withoutFrontMatter(
    autoSplitter({
      kinds: { markdown: byHeading({ slugger }) },
      // Which spells the anchors that pages have as `{#id}`.
      extensions: { html: byHeading({ slugger: 'docusaurus' }), htm: byHeading({ slugger: 'docusaurus' }) },
    }),
  );
  const store = new MemoryVectorStore();
  // One with other vectors, or with none, is of no use: a build from it would not give what one from nothing gives.
  const isSeeded = previous !== undefined && isLike(previous, work);
  if (isSeeded) {
    const rows = await rowsOf(previous, 'the index that is there');
    await store.replaceAll((kept) => importChange(kept, previous, rows, previous.hash));
  }
  const index = await openIndex({ store, splitter, embedder });
  const progress = new ProgressView(terminal);
  try {
    const { signal } = terminal;
    const synced = await index.sync(documents, { signal, onProgress: (made) => progress.show(made) });
    progress.end();
    const dropped = await dropEmpty(index, synced, terminal);
    const { documents: kept, chunks } = await index.stats();
    if (kept === 0) {
      throw new ShelfmarkError(
        'EMPTY_DOCUMENT',
        'There is nothing to index: no file has a passage, all are blank or nothing but headings.',
      );
    }
    synced.removed += dropped;
    const changes = synced.added + synced.changed + synced.removed + synced.embedded;
    const isSame = isSeeded && changes === 0;
    return {
      report: synced,
      documents: kept,
      chunks,
      isSame,
      file: isSame ? undefined : await pack(store, words),
    };
  } finally {
    progress.end();
    await index.close();
  }
}

/** Whether an index has what a build gives, so that the build can go on from it. */
function isLike(previous: Snapshot, { embedder, words }: Work): boolean {
  const { meta, entries } = previous;
  return (
    previous.words.length > 0 === words &&
    meta.embedder === embedder?.id &&
    meta.vectors === 'f32' &&
    entries.every(({ id, pending }, at) => {
      const next = entries[at + 1];
      return (pending === undefined) === (embedder !== undefined) && (next === undefined || id < next.id);
    })
  );
}

/** Takes out what has no passage any more, and says so; other failures end the build. */
async function dropEmpty(index: Index, { failed }: SyncReport, terminal: Terminal): Promise<number> {
  const empty = failed.filter(({ code }) => code === 'EMPTY_DOCUMENT');
  const [other] = failed.filter(({ code }) => code !== 'EMPTY_DOCUMENT');
  if (other !== undefined) {
    const more = failed.length - empty.length - 1;
    throw new ShelfmarkError(
      other.code as ShelfmarkError['code'],
      `${show(other.uri)} could not be indexed: ${other.reason}${more > 0 ? ` And ${more} more.` : ''}`,
    );
  }
  for (const { uri } of empty) {
    terminal.note(
      `Note: ${show(uri)} has no passage to find (blank, or nothing but headings), and is left out.\n`,
    );
  }
  return index.remove(empty.map(({ uri }) => uri));
}

/** The index in a file that is the same whichever way it came about: its documents in order, as if stored at once. */
async function pack(store: MemoryVectorStore, words: boolean): Promise<Blob> {
  const ids = [...store.entries.keys()].sort((a, b) => (a < b ? -1 : 1));
  const { splitter, analyzer, embedder } = store.meta;
  const tidy = new MemoryVectorStore();
  await tidy.putDocuments(await store.copyDocuments(ids), [], { splitter, analyzer, embedder });
  const snapshot = await tidy.snapshot();
  // The texts give them again, in less time than they take to download.
  return encodeFile(words ? snapshot : { ...snapshot, words: [] });
}

async function report(
  built: Omit<Built, 'file'> & { hash: string; bytes: Uint8Array; out: string; started: number },
  terminal: Terminal,
): Promise<void> {
  const { report: made, documents, chunks, isSame, hash, bytes, out, started } = built;
  const zipped = await promisify(gzip)(bytes, { level: 9 });
  const line = table({
    files: grouped(documents),
    chunks: grouped(chunks),
    bytes: grouped(bytes.length),
    gzip: grouped(zipped.length),
    time: duration(performance.now() - started),
  });
  for (const text of line) terminal.out(text);
  const { added, changed, unchanged, removed, embedded } = made;
  if (made.truncated.length > 0) {
    terminal.note(
      `Note: ${made.truncated.length} chunks are longer than the model reads; it cuts them off.\n`,
    );
  }
  const vectors = made.embedder === undefined ? '' : `, ${grouped(embedded)} chunks embedded`;
  terminal.out(`${added} added, ${changed} changed, ${unchanged} unchanged, ${removed} removed${vectors}`);
  terminal.out(`${out} ${isSame ? 'is up to date' : 'written'}, ${hash}`);
}
