import { byHeading } from '../../src/index.ts';
import { splitPieces } from '../../src/split/split-documents.ts';
import { corpus, seeded } from './harness.ts';

export interface Passages {
  texts: string[];
  /** Length of all texts in UTF-8. */
  bytes: number;
  headings: string[];
}

/**
 * What `byHeading()` makes of the corpora rust-book and eslint. The texts are strings of their own, not slices of
 * the documents, so that nobody pays for what splitting left to be done.
 */
export async function passages(): Promise<Passages> {
  const splitter = byHeading();
  const texts: string[] = [];
  const headings = new Set<string>();
  let bytes = 0;
  for (const folder of ['rust-book/', 'eslint/']) {
    for (const file of await corpus(folder)) {
      for (const { text, heading } of splitPieces({ uri: file.uri, text: file.bytes }, splitter)) {
        const encoded = new TextEncoder().encode(text);
        texts.push(new TextDecoder().decode(encoded));
        bytes += encoded.length;
        if (heading !== undefined) headings.add(heading);
      }
    }
  }
  return { texts, bytes, headings: [...headings] };
}

/** So many passages: the corpus over and over, each copy marked by a word of its own. */
export function repeated({ texts }: Passages, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const copy = Math.floor(i / texts.length);
    const text = texts[i % texts.length]!;
    // Joined at once: an engine joins strings when they are first read, which would be in what is timed.
    return copy === 0 ? text : [text, `copy${copy}`].join('\n');
  });
}

const wordsOf = (text: string): string[] => text.match(/\p{L}[\p{L}\p{N}]{2,}/gu) ?? [];

/** Questions of one to five words: by turns the beginning of a heading, and words of one passage. */
export function questions({ texts, headings }: Passages, count: number): string[] {
  const random = seeded(11);
  const below = (n: number): number => Math.floor(random() * n);
  const out: string[] = [];
  while (out.length < count) {
    const length = 1 + below(5);
    const heading = out.length % 2 === 0;
    const words = wordsOf(heading ? headings[below(headings.length)]! : texts[below(texts.length)]!);
    if (words.length === 0) continue;
    const chosen = heading
      ? words.slice(0, length)
      : Array.from({ length }, () => words[below(words.length)]!);
    out.push(chosen.join(' '));
  }
  return out;
}
