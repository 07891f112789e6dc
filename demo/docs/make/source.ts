import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { markdownHeadings } from '../../../src/split/markdown-headings.ts';
import { plainTitle } from '../../../src/split/plain-title.ts';
import type { SluggerName } from '../../../src/split/sluggers.ts';

export interface SourcePage {
  /** File name, such as `ch01-00.md`. */
  uri: string;
  text: string;
  /** As plain text. */
  title: string;
  /** How deep it stands in the contents: 0 for a chapter. */
  depth: number;
}

/** What the site is made of. */
export interface Source {
  folder: string;
  title: string;
  lead: string;
  slugger: SluggerName;
  /** In reading order. */
  pages: SourcePage[];
  /** Licence texts to serve beside the pages, by file name. */
  licences: string[];
}

const repository = resolve(import.meta.dirname, '../../..');

/**
 * The Rust book of the folder `corpus` under `SHELFMARK_DATA` (by default the folder `shared` beside the repository)
 * where it is there, else the guides of this library.
 */
export function findSource(): Source {
  const data = resolve(process.env['SHELFMARK_DATA'] ?? join(repository, '..', 'shared'));
  const book = join(data, 'corpus', 'rust-book');
  return existsSync(join(book, 'SUMMARY.md')) ? readBook(book) : readGuides(join(repository, 'docs'));
}

function readBook(folder: string): Source {
  const summary = readFileSync(join(folder, 'SUMMARY.md'), 'utf8');
  const pages: SourcePage[] = [];
  for (const [, indent, title, uri] of summary.matchAll(/^( *)(?:- )?\[(.+)\]\(([\w.-]+\.md)\)/gm)) {
    const text = readFileSync(join(folder, uri!), 'utf8');
    pages.push({ uri: uri!, text, title: plainTitle(title!), depth: indent!.length > 0 ? 1 : 0 });
  }
  return {
    folder,
    title: plainTitle(/^# (.+)$/m.exec(summary)?.[1] ?? 'The book'),
    lead: 'A whole book, kept in this browser: read it and search it by words or by meaning, with no network.',
    slugger: 'mdbook',
    pages,
    licences: readdirSync(folder).filter((name) => /^LICEN[CS]E/.test(name)),
  };
}

/** In the order a newcomer reads them; others follow. */
const order = ['guide', 'splitting', 'build', 'element', 'offline', 'workers', 'bundlers', 'storage'];

function readGuides(folder: string): Source {
  const placeOf = (uri: string): number => {
    const place = order.indexOf(uri.slice(0, -'.md'.length));
    return place < 0 ? order.length : place;
  };
  const uris = readdirSync(folder).filter((name) => name.endsWith('.md'));
  uris.sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  return {
    folder,
    title: 'shelfmark: the guides',
    lead: 'Guides kept in this browser: read them and search them by words or by meaning, with no network.',
    slugger: 'github',
    pages: uris.map((uri) => {
      const text = readFileSync(join(folder, uri), 'utf8');
      return { uri, text, title: plainTitle(markdownHeadings(text)[0]?.title ?? uri), depth: 0 };
    }),
    licences: [],
  };
}
