/** The splitters that ours is held against, each brought to one shape. For the browser and for Node. */
import { FastChunker, RecursiveChunker } from '@chonkiejs/core';
import { MarkdownTextSplitter } from '@langchain/textsplitters';
import { MarkdownNodeParser, SentenceSplitter } from '@llamaindex/core/node-parser';
import { Document, type TextNode } from '@llamaindex/core/schema';
import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfmTable } from 'micromark-extension-gfm-table';

/** Longest piece asked of every splitter that has such an option, in UTF-16 code units; our default. */
export const maxChars = 1000;

/** A piece with what its splitter claims of it. Offsets are UTF-16 code units. */
export interface RivalPiece {
  text: string;
  start?: number;
  end?: number;
  /** First and last line, 1-based. */
  lines?: readonly [number, number];
  /** Title of the heading it stands under. */
  heading?: string;
  /** Titles from the outermost heading down. */
  path?: readonly string[];
}

export interface RivalSplitter {
  name: string;
  /** How it was set up, for the reader of a table. */
  settings: string;
  /** Texts of the pieces and nothing else, the cheapest way the library has. */
  texts(text: string): Promise<string[]> | string[];
  /** The pieces with all that the library says of them. */
  pieces(text: string): Promise<RivalPiece[]> | RivalPiece[];
  /** Whether the size asked for is a limit. */
  limited: boolean;
  /** How far a piece may reach back into the one before it. */
  overlap: number;
  /** What its author takes for a heading, where it reports none but cuts at some. */
  cutsAt?: RegExp;
}

function langChain(chunkOverlap: number): RivalSplitter {
  const splitter = new MarkdownTextSplitter({ chunkSize: maxChars, chunkOverlap });
  return {
    name: `LangChain MarkdownTextSplitter${chunkOverlap === 0 ? ', no overlap' : ''}`,
    settings: `chunkSize ${maxChars}, chunkOverlap ${chunkOverlap}`,
    texts: (text) => splitter.splitText(text),
    pieces: async (text) =>
      (await splitter.createDocuments([text])).map(({ pageContent, metadata }) => {
        const { from, to } = metadata.loc.lines;
        return { text: pageContent, lines: [from, to] };
      }),
    limited: true,
    overlap: chunkOverlap,
    cutsAt: /^#{2,6} /,
  };
}

const headerKeys = [1, 2, 3, 4, 5, 6].map((level) => `Header_${level}`);

const fromNode = ({ text, startCharIdx, endCharIdx, metadata }: TextNode): RivalPiece => ({
  text,
  ...(startCharIdx === undefined ? {} : { start: startCharIdx }),
  ...(endCharIdx === undefined ? {} : { end: endCharIdx }),
  path: headerKeys.flatMap((key) => metadata[key] ?? []),
});

function llamaIndex(sentences: boolean): RivalSplitter {
  const parser = new MarkdownNodeParser();
  // Counted in characters, so that the limit is the one of all others.
  const tokenizer = {
    encode: (text: string) => new Uint32Array(text.length),
    decode: (): string => {
      throw new Error('The sentence splitter decodes nothing.');
    },
  };
  const cutter = new SentenceSplitter({ chunkSize: maxChars, chunkOverlap: 150, tokenizer });
  const cut = (text: string): string[] => (text === '' ? [] : cutter.splitText(text));
  const nodes = (text: string): TextNode[] => parser.getNodesFromDocuments([new Document({ text })]);
  const whole = {
    name: 'LlamaIndex MarkdownNodeParser',
    settings: 'no limit: it has none',
    limited: false,
    overlap: 0,
  };
  if (!sentences) {
    return {
      ...whole,
      texts: (text) => nodes(text).map((node) => node.text),
      pieces: (text) => nodes(text).map(fromNode),
    };
  }
  return {
    name: 'LlamaIndex, then its SentenceSplitter',
    settings: `chunkSize ${maxChars} characters, chunkOverlap 150`,
    limited: true,
    overlap: 150,
    texts: (text) => nodes(text).flatMap((node) => cut(node.text)),
    pieces: (text) =>
      nodes(text).flatMap((node) => {
        const { path } = fromNode(node);
        return cut(node.text).map((piece) => ({ text: piece, path: path! }));
      }),
  };
}

interface ChonkieChunk {
  text: string;
  startIndex: number;
  endIndex: number;
}

const fromChonkie = ({ text, startIndex, endIndex }: ChonkieChunk): RivalPiece => ({
  text,
  start: startIndex,
  end: endIndex,
});

async function chonkie(minCharactersPerChunk: number): Promise<RivalSplitter> {
  const chunker = await RecursiveChunker.create({ chunkSize: maxChars, minCharactersPerChunk });
  return {
    name: `chonkie RecursiveChunker${minCharactersPerChunk === 24 ? '' : `, ${minCharactersPerChunk}`}`,
    settings: `chunkSize ${maxChars} characters, minCharactersPerChunk ${minCharactersPerChunk}`,
    texts: async (text) => (await chunker.chunk(text)).map((chunk) => chunk.text),
    pieces: async (text) => (await chunker.chunk(text)).map(fromChonkie),
    limited: true,
    overlap: 0,
  };
}

/** @param sections Whether it goes on to the next line that begins with `#` where none is near enough. */
async function chonkieFast(sections: boolean): Promise<RivalSplitter> {
  const chunker = await FastChunker.create({
    chunkSize: maxChars,
    pattern: '\n#',
    prefix: true,
    forwardFallback: sections,
  });
  return {
    name: `chonkie FastChunker${sections ? ', forwards' : ''}`,
    settings: `chunkSize ${maxChars} bytes, pattern '\\n#', prefix${sections ? ', forwardFallback: no limit' : ''}`,
    texts: (text) => chunker.chunk(text).map((chunk) => chunk.text),
    pieces: (text) => chunker.chunk(text).map(fromChonkie),
    limited: !sections,
    overlap: 0,
    cutsAt: /^\n?#/,
  };
}

/** Like CommonMark, with tables and front matter. */
export function parse(text: string, tables = true): Root {
  const extensions = [frontmatter(['yaml', 'toml'])];
  const mdastExtensions = [frontmatterFromMarkdown(['yaml', 'toml'])];
  if (!tables) return fromMarkdown(text, { extensions, mdastExtensions });
  return fromMarkdown(text, {
    extensions: [...extensions, gfmTable()],
    mdastExtensions: [...mdastExtensions, gfmTableFromMarkdown()],
  });
}

const startOf = (node: RootContent): number => node.position!.start.offset!;
const endOf = (node: RootContent): number => node.position!.end.offset!;

/** What one writes by hand over the tree: a section from heading to heading, packed by block where a limit is given. */
function sectionsByTree(text: string, limit: number): RivalPiece[] {
  // The parser takes no notice of a byte order mark.
  const shift = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const pieces: RivalPiece[] = [];
  const above: { level: number; title: string }[] = [];
  let [start, end, hasBody] = [0, 0, true];
  const close = (): void => {
    if (end > start)
      pieces.push({ text: text.slice(start, end), start, end, path: above.map((h) => h.title) });
  };
  for (const node of parse(text).children) {
    const heading = node.type === 'heading';
    const [from, to] = [startOf(node) + shift, endOf(node) + shift];
    // A heading goes with its first block, however long that is.
    if (heading || end === 0 || (hasBody && to - start > limit)) {
      close();
      start = from;
    }
    end = to;
    hasBody = !heading;
    if (!heading) continue;
    while (above.length > 0 && above.at(-1)!.level >= node.depth) above.pop();
    const [first, last] = [node.children[0], node.children.at(-1)];
    const title = first === undefined ? '' : text.slice(startOf(first) + shift, endOf(last!) + shift);
    above.push({ level: node.depth, title });
  }
  close();
  return pieces;
}

function mdast(limit: number): RivalSplitter {
  return {
    name: `mdast and a walk${limit === Number.POSITIVE_INFINITY ? '' : ', packed'}`,
    settings:
      limit === Number.POSITIVE_INFINITY
        ? 'sections from heading to heading, no limit'
        : `sections packed by top-level blocks up to ${limit} characters, longer blocks whole`,
    texts: (text) => sectionsByTree(text, limit).map((piece) => piece.text),
    pieces: (text) => sectionsByTree(text, limit),
    limited: limit !== Number.POSITIVE_INFINITY,
    overlap: 0,
  };
}

/** Each as it comes, at the common size. The first builds a tree and takes its time. */
export const speedRivals = async (): Promise<RivalSplitter[]> => [
  mdast(Number.POSITIVE_INFINITY),
  langChain(200),
  llamaIndex(false),
  await chonkie(24),
  await chonkieFast(true),
];

/** Every way to set them up that might be their best. */
export const allRivals = async (): Promise<RivalSplitter[]> => [
  langChain(200),
  langChain(0),
  llamaIndex(false),
  llamaIndex(true),
  await chonkie(24),
  await chonkie(250),
  await chonkieFast(false),
  await chonkieFast(true),
  mdast(Number.POSITIVE_INFINITY),
  mdast(maxChars),
];
