import { resolve } from 'node:path';

import { messageOf, ShelfmarkError, show } from '../errors.ts';
import { openIndex } from '../open-index.ts';
import { decodeFile } from '../store/file.ts';
import type { Hit } from '../types.ts';
import { readIndexFile } from './index-file.ts';
import { bundledEmbedder } from './model.ts';
import { choice, count, readOptions } from './options.ts';
import { exit, type Terminal } from './terminal.ts';

const modes = ['auto', 'hybrid', 'lexical', 'semantic'] as const;
/** Characters shown of a passage. */
const snippetChars = 240;

/** `shelfmark query <file> "<question>"`. */
export async function query(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readOptions(args, ['<file>, the index', '"<question>"'], {
    'top-k': { type: 'string', default: '5' },
    mode: { type: 'string', default: 'auto' },
    json: { type: 'boolean', default: false },
  });
  const topK = count('--top-k', values['top-k'], 1, 10_000);
  const asked = choice('--mode', values.mode, modes);
  const [path, question] = positionals as [string, string];
  const file = resolve(terminal.cwd, path);
  const bytes = await readIndexFile(file);
  const { meta } = await decodeFile(bytes, path);
  const embedder = asked === 'lexical' || meta.embedder === undefined ? undefined : bundledEmbedder();
  const isOurs = embedder?.id === meta.embedder;
  if (asked === 'auto' && embedder !== undefined && !isOurs) {
    terminal.note(`Note: searched by words alone, since the vectors are of ${show(meta.embedder)}.\n`);
  }
  if ((asked === 'semantic' || asked === 'hybrid') && meta.embedder === undefined) {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      `${path} has no vectors, which mode ${asked} needs; build it with --embed, or ask with --mode lexical.`,
    );
  }
  // Nobody waits at a terminal for the next search to have the model.
  const mode = asked !== 'auto' ? asked : embedder !== undefined && isOurs ? 'hybrid' : 'lexical';
  const index = await openIndex({ from: bytes, embedder: mode === 'lexical' ? undefined : embedder });
  try {
    const hits = await index.search(question, { topK, mode, signal: terminal.signal });
    if (hits.legStates.semantic === 'failed') {
      terminal.note(`Note: searched by words alone. ${messageOf(hits.legError)}\n`);
    }
    if (values.json) terminal.out(JSON.stringify(hits, undefined, 2));
    else if (hits.length === 0) terminal.out('Nothing found.');
    else
      for (const [at, hit] of hits.entries())
        for (const line of linesOf(hit, at, terminal)) terminal.out(line);
    return exit.ok;
  } finally {
    await index.close();
    await embedder?.dispose?.();
  }
}

function linesOf(hit: Hit, at: number, { hasColors }: Terminal): string[] {
  const strong = (text: string): string => (hasColors ? `\u001b[1m${visible(text)}\u001b[0m` : visible(text));
  const path = hit.headingPath ?? [];
  const title = hit.title === undefined || hit.title === path[0] ? [] : [hit.title];
  const where = [...title, ...path].join(' › ');
  const url = hit.metadata?.['url'];
  const page = typeof url === 'string' ? url : hit.docUri;
  const place = hit.line === undefined || typeof url === 'string' ? '' : `:${hit.line}`;
  const anchor = typeof url === 'string' && hit.slug !== undefined ? `#${hit.slug}` : '';
  const legs = Object.entries(hit.legs).map(
    ([name, { rank, score }]) => `${name} ${score.toFixed(3)} (${rank}.)`,
  );
  return [
    `${at + 1}. ${strong(where === '' ? hit.docUri : where)}`,
    `   ${snippet(hit)}`,
    `   ${visible(`${page}${place}${anchor}`)}   ${[hit.score.toFixed(3), ...legs].join(', ')}`,
    '',
  ];
}

/** Headings a passage begins with, which are in its path. */
const ownHeadings = /^(?:#{1,6}[ \t].*\s+)*/;

/** A stretch of the passage on one line, from a little before the first word that was asked for. */
function snippet({ text, highlights }: Hit): string {
  const start = ownHeadings.exec(text)![0].length;
  const first = highlights.find(([at]) => at >= start)?.[0] ?? start;
  const latest = Math.max(start, text.length - snippetChars);
  const from = Math.max(start, Math.min(Math.floor(first - snippetChars / 4), latest));
  const to = from + snippetChars;
  const line = visible(text.slice(from, to)).replace(/\s+/g, ' ').trim();
  return `${from > start ? '… ' : ''}${line}${to < text.length ? ' …' : ''}`;
}

/** Without what a terminal would obey, and halves of characters. */
const visible = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
