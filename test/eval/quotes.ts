/** How `verifyQuotes` judges 500 quotes whose truth is known: true, altered, under another id, across two chunks. */
import { type QuoteStatus, verifyQuotes } from '../../src/cite/quotes.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import { splitDocuments } from '../../src/split/split-documents.ts';
import type { Chunk } from '../../src/types.ts';
import { readFolder } from './headings.ts';
import { table } from './metrics.ts';

/** Numbers from 0 to below 1, the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = seeded(20261201);
const below = (count: number): number => Math.floor(random() * count);
const one = <T>(list: readonly T[]): T => list[below(list.length)]!;

/** As a model copies: marks gone, quotation marks and dashes straight, white space single. */
const copied = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(?<![A-Za-z0-9])[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}(?![A-Za-z0-9])|`/g, '')
    .replace(/[“”]/g, "'")
    .replace(/[‘’]/g, "'")
    .replace(/—/g, '-')
    .replace(/\s+/g, ' ')
    .trim();

/** Sentences of prose, 5 to 30 words, without quotation marks of their own. */
function sentencesOf(text: string): string[] {
  return [
    ...text.matchAll(
      /(?<=^|[.!?]\s)[A-Z][^.!?"“”#|<>\n]*(?:\n(?!\n|[-*>#|\d])[^.!?"“”#|<>\n]*)*[.!?](?=\s|$)/gm,
    ),
  ]
    .map(([sentence]) => sentence)
    .filter((sentence) => {
      const words = copied(sentence).split(' ').length;
      return words >= 5 && words <= 30;
    });
}

/** One word changed, left out or put in; the sentence says something else. */
function altered(sentence: string): string {
  const words = sentence.split(' ');
  const at = 1 + below(words.length - 2);
  const kind = below(3);
  if (kind === 0) words[at] = words[at] === 'never' ? 'always' : 'never';
  else if (kind === 1) words.splice(at, 1);
  else words.splice(at, 0, 'not');
  return words.join(' ');
}

type Truth = 'true' | 'altered' | 'misattributed' | 'across two chunks';
const right: Record<Truth, QuoteStatus> = {
  true: 'verified',
  altered: 'absent',
  misattributed: 'wrong-source',
  'across two chunks': 'spans-chunks',
};

export function reportQuotes(): void {
  const documents = [...readFolder('rust-book'), ...readFolder('eslint')];
  const chunks = splitDocuments(documents, byHeading({ overlapChars: 0 }));
  const texts = new Map(documents.map(({ uri, text }) => [uri, text]));
  const statuses: QuoteStatus[] = ['verified', 'wrong-source', 'spans-chunks', 'absent'];
  const counts = new Map<Truth, Map<QuoteStatus, number>>();
  const wrong: string[] = [];
  let [made, ms] = [0, 0];

  while (made < 500) {
    const truth = (['true', 'true', 'altered', 'misattributed', 'across two chunks'] as const)[made % 5]!;
    const given = new Set<Chunk>();
    while (given.size < 100) given.add(one(chunks));
    const passages = [...given];
    const chunk = one(passages);
    const next = chunks[chunks.indexOf(chunk) + 1];
    let quote: string | undefined;
    if (truth === 'across two chunks') {
      if (next?.docUri !== chunk.docUri) continue;
      if (!given.has(next)) passages[passages.findIndex((passage) => passage !== chunk)] = next;
      const words = (text: string) => text.split(/\s+/);
      const text = `${words(chunk.text).slice(-6).join(' ')} ${words(next.text).slice(0, 6).join(' ')}`;
      if (/["“”#|<>`~[\]*_=]|^\W*$/.test(text)) continue;
      quote = text;
    } else {
      const sentences = sentencesOf(chunk.text);
      if (sentences.length === 0) continue;
      quote = copied(one(sentences));
      if (truth === 'altered') {
        quote = altered(quote);
        const folded = copied(texts.get(chunk.docUri) as string);
        if (folded.includes(quote)) continue;
      }
    }
    const others = passages.filter((passage) => !copied(passage.text).includes(quote));
    const cited = truth === 'misattributed' ? one(others) : chunk;
    const answer = `The book says so: “${quote}” [${cited.id}].`;
    const started = performance.now();
    const [check] = verifyQuotes(answer, passages);
    ms += performance.now() - started;
    const status = check!.status;
    const row = counts.get(truth) ?? new Map<QuoteStatus, number>();
    row.set(status, (row.get(status) ?? 0) + 1);
    counts.set(truth, row);
    if (status !== right[truth]) wrong.push(`${truth}, said to be ${status}: ${answer}`);
    made++;
  }
  const rows = [...counts].map(([truth, row]) => [truth, ...statuses.map((status) => row.get(status) ?? 0)]);
  console.log(`\nQuotes\n\n${table(['500 quotes, 100 passages each', ...statuses], rows)}`);
  console.log(`${(ms / made).toFixed(2)} ms an answer`);
  for (const line of wrong) console.log(`- ${line}`);
}
