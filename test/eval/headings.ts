/**
 * Questions that a reader of documentation asks by clicking in a table of contents: `page title › heading path`.
 * The heading lines are taken out of every chunk before it is indexed, so that a section has to be found by what it
 * says. Right is the first chunk that holds the section's first sentence whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { Splitter, SplitterDocument } from '../../src/types.ts';
import { dataDir } from '../data-server.ts';
import { trueHeadings } from './markdown.ts';

export interface HeadingQuestion {
  query: string;
  uri: string;
  /** Where the section's first sentence stands in its document. */
  start: number;
  end: number;
}

export interface HeadingChunk {
  uri: string;
  start: number;
  end: number;
  /** The text without its heading lines: what is indexed. */
  text: string;
}

/** The longest sentence asked for whole; of a longer one its beginning. */
const longestSentence = 200;

export function readFolder(folder: string): SplitterDocument[] {
  const root = join(dataDir, 'corpus', folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ uri: relative(root, file), text: readFileSync(file, 'utf8') }));
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

/** Paths that only one section of the folder has, and only sections with a body of their own. */
export function questionsOf(documents: readonly SplitterDocument[]): HeadingQuestion[] {
  const byPath = new Map<string, HeadingQuestion | undefined>();
  for (const { uri, text: given } of documents) {
    const text = String(given);
    const headings = trueHeadings(text);
    const title = /^title: *["']?(.*?)["']?$/m.exec(frontMatter.exec(text)?.[1] ?? '')?.[1];
    const page = title ?? headings[0]?.title ?? uri;
    for (const [at, heading] of headings.entries()) {
      const titles = [...heading.path];
      if (titles[0] === page) titles.shift();
      const query = [page, ...titles].join(' › ');
      const found = firstSentence(text, heading.end, headings[at + 1]?.offset ?? text.length);
      if (byPath.has(query)) byPath.set(query, undefined);
      else byPath.set(query, found && { query, uri, ...found });
    }
  }
  return [...byPath.values()].filter((question) => question !== undefined);
}

function firstSentence(text: string, from: number, to: number): { start: number; end: number } | undefined {
  const body = text.slice(from, to);
  const start = body.search(/\S/);
  if (start < 0) return undefined;
  const paragraph = /^[\s\S]*?(?=\r?\n[ \t]*\r?\n|$(?![\s\S]))/.exec(body.slice(start))![0].trimEnd();
  const sentence = /^[\s\S]*?[.!?](?=\s)/.exec(paragraph)?.[0] ?? paragraph;
  return { start: from + start, end: from + start + Math.min(sentence.length, longestSentence) };
}

export function chunksOf(documents: readonly SplitterDocument[], splitter: Splitter): HeadingChunk[] {
  const headings = new Map(documents.map(({ uri, text }) => [uri, trueHeadings(String(text))]));
  return splitDocuments(documents, splitter).map(({ docUri: uri, charStart, charEnd, text }) => {
    let [bare, at] = ['', charStart];
    for (const { offset, end } of headings.get(uri)!) {
      if (offset < charStart || offset >= charEnd) continue;
      bare += text.slice(at - charStart, offset - charStart);
      at = Math.min(end, charEnd);
    }
    return { uri, start: charStart, end: charEnd, text: bare + text.slice(at - charStart) };
  });
}

/** Rank of the first chunk that holds the sentence, from 1; 0 where none is in the ranking. */
export function rankOf(
  question: HeadingQuestion,
  chunks: readonly HeadingChunk[],
  ranking: readonly number[],
): number {
  return (
    1 +
    ranking.findIndex((row) => {
      const { uri, start, end } = chunks[row]!;
      return uri === question.uri && start <= question.start && end >= question.end;
    })
  );
}
