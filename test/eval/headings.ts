/**
 * Questions that a reader of documentation asks by clicking in a table of contents: `page title › heading path`.
 * The heading lines are taken out of every chunk before it is indexed, so that a section has to be found by what it
 * says. Right is the first chunk that holds the section's first sentence whole.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { atxHeadings } from '../../src/kernel/load.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { Splitter, SplitterDocument } from '../../src/types.ts';
import { dataDir } from '../data-server.ts';

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

interface Heading {
  offset: number;
  end: number;
  level: number;
  title: string;
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

/** ATX headings outside of fenced code and front matter, whatever splitter is measured. */
function headingsOf(text: string): Heading[] {
  const hidden = [
    ...text.matchAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm),
  ]
    .map(({ index, 0: fence }) => [index, index + fence.length] as const)
    .concat([[0, bodyStart(text)]]);
  return atxHeadings(text)
    .filter(({ offset }) => !hidden.some(([from, to]) => offset >= from && offset < to))
    .map((heading) => ({ ...heading, title: heading.title.replace(/[ \t]+#+$/, '') }));
}

const frontMatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;

const bodyStart = (text: string): number => frontMatter.exec(text)?.[0].length ?? 0;

/** Paths that only one section of the folder has, and only sections with a body of their own. */
export function questionsOf(documents: readonly SplitterDocument[]): HeadingQuestion[] {
  const byPath = new Map<string, HeadingQuestion | undefined>();
  for (const { uri, text: given } of documents) {
    const text = String(given);
    const headings = headingsOf(text);
    const title = /^title: *["']?(.*?)["']?$/m.exec(frontMatter.exec(text)?.[1] ?? '')?.[1];
    const page = title ?? headings[0]?.title ?? uri;
    const path: Heading[] = [];
    for (const [at, heading] of headings.entries()) {
      while (path.length > 0 && path.at(-1)!.level >= heading.level) path.pop();
      path.push(heading);
      const titles = path.map((one) => one.title);
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
  const headings = new Map(documents.map(({ uri, text }) => [uri, headingsOf(String(text))]));
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
