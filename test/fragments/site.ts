import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve, sep } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { byHeading } from '../../src/split/by-heading.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { Chunk } from '../../src/types.ts';

const repository = resolve(import.meta.dirname, '..', '..');
const corpus = join(resolve(process.env['SHELFMARK_DATA'] ?? join(repository, '..', 'shared')), 'corpus');
/** Whether the larger data is there. */
export const hasCorpus = existsSync(corpus);

/** A document, and the passages of it whose links are followed. */
export interface Followed {
  uri: string;
  text: string;
  chunks: Chunk[];
}

/** What a passage's page has in front of the passage, and up to its end, as HTML. */
export interface Bounds {
  start: string;
  end: string;
}

/**
 * Those `from` to `to` of `count` passages, evenly out of all that the documents of a folder have: of a folder of the
 * corpus where it is there, else of this library's own guides.
 */
export function passagesOf(folder: string, count: number, from: number, to: number): Followed[] {
  const root = join(hasCorpus ? corpus : repository, folder);
  const uris = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll(sep, '/'))
    .sort();
  const documents = uris.map((uri) => ({ uri, text: readFileSync(join(root, uri), 'utf8') }));
  const all = splitDocuments(documents, byHeading());
  const chosen = Array.from(
    { length: count },
    (_, at) => all[Math.floor(((at + 0.5) * all.length) / count)]!,
  ).slice(from, to);
  return documents
    .map(({ uri, text }) => ({ uri, text, chunks: chosen.filter(({ docUri }) => docUri === uri) }))
    .filter(({ chunks }) => chunks.length > 0);
}

/** Front matter is no text of a page; its characters stay, so that offsets are the document's. */
const withoutFrontMatter = (text: string): string =>
  text.replace(/^\ufeff?---\r?\n[\s\S]*?\r?\n---(?=\r?\n)/, (front) => front.replace(/[^\r\n]/g, ' '));

const reader = (): MarkdownIt => {
  const slugger = new GithubSlugger();
  return new MarkdownIt({ html: true }).use(anchor, {
    slugify: (title) => slugger.slug(title),
    uniqueSlugStartIndex: 1,
  });
};

/** The page of a document: what is marked is one colour, letters too, and a passage fits into the window. */
export const pageOf = (text: string): string => `<!doctype html><meta charset="utf-8"><title>page</title>
<style>::target-text { background: #f0f; color: #f0f } body { font: 8px/1.3 sans-serif; padding: 2000px 0 } pre { white-space: pre }</style>
${reader().render(withoutFrontMatter(text))}`;

/**
 * Where a passage begins and ends on its page, found without the library: of the document up to there, a page has
 * as much text. Labels of links may be defined behind that.
 */
export function boundsOf(text: string, { charStart, charEnd }: Chunk): Bounds {
  const whole = withoutFrontMatter(text);
  const labels = {};
  reader().parse(whole, labels);
  const upTo = (end: number): string => reader().render(whole.slice(0, end), labels);
  return { start: upTo(charStart), end: upTo(charEnd) };
}

/** Serves the pages under a policy that runs nothing; answers with the address of their folder. */
export async function serve(documents: readonly Followed[]): Promise<{ server: Server; address: string }> {
  const pages = new Map(documents.map(({ uri, text }) => [`/${uri}`, pageOf(text)]));
  const server = createServer(({ url = '/' }, response) => {
    const page = pages.get(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    response
      .writeHead(page === undefined ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      })
      .end(page ?? '');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}
