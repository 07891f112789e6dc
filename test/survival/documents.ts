/** The documents of the suite: the same in the page and in the test, no two alike, each with a word of its own. */

export interface TestDocument {
  uri: string;
  title: string;
  text: string;
  metadata: { at: number; edition: number };
}

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: () => number, limit: number): number => Math.floor(random() * limit);

const common = 'the boat rope lamp tide wind shed oil card wall storm dry night crew bell map'.split(' ');

/** A word that no other document has: long, so that `wordsEmbedder` takes it for the document's subject. */
export function uniqueWord(at: number, edition = 0): string {
  const random = randomFrom(at * 1000 + edition + 17);
  const syllable = () => 'bdfgklmnprstvz'[below(random, 14)]! + 'aeiou'[below(random, 5)]!;
  return Array.from({ length: 6 }, syllable).join('');
}

/** A document of one to four sections. Another edition has the same uri and another text. */
export function testDocument(at: number, edition = 0): TestDocument {
  const random = randomFrom(at * 7919 + edition);
  const word = uniqueWord(at, edition);
  const sentence = () => {
    const words = Array.from({ length: 6 + below(random, 8) }, () => common[below(random, common.length)]!);
    return `${words.join(' ')}.`;
  };
  const section = (number: number) => {
    const body = Array.from({ length: 4 + below(random, 10) }, sentence).join(' ');
    return `## Part ${number}\n\nOf ${word}: ${body}\n`;
  };
  const parts = Array.from({ length: 1 + below(random, 4) }, (_, number) => section(number + 1));
  // Line ends, and letters of two code units, that a store must give back as they were.
  const [end, sign] = [at % 3 === 0 ? '\r\n' : '\n', at % 5 === 0 ? ' 🪢 ñ' : ''];
  const text = `# Log of ${word}${sign}\n\n${parts.join('\n')}`.replaceAll('\n', end);
  return { uri: `logs/${at}.md`, title: `Log ${at}`, text, metadata: { at, edition } };
}

/** Documents `from` to below `to`. */
export const testDocuments = (from: number, to: number, edition = 0): TestDocument[] =>
  Array.from({ length: to - from }, (_, index) => testDocument(from + index, edition));

/** Questions whose answers span many documents: what they score tells whether counts and lengths are right. */
export const questions = [
  'boat rope',
  'the lamp oil of the night crew',
  'storm',
  `Part 2 bell ${uniqueWord(3)}`,
];

/** A document of about `chars` letters, in long words that no browser can pack any tighter. */
export function bigDocument(at: number, chars: number): TestDocument {
  const random = randomFrom(at + 5_000_000);
  const syllable = () =>
    below(random, 36 ** 5)
      .toString(36)
      .padStart(5, 'a');
  const word = () => Array.from({ length: 20 }, syllable).join('');
  const words = Array.from({ length: Math.ceil(chars / 101) }, word);
  return { uri: `big/${at}.md`, title: `Big ${at}`, text: words.join(' '), metadata: { at, edition: 0 } };
}
