import type { EmbedderLike, SplitterDocument } from '../../../src/types.ts';
import { seeded } from '../harness.ts';

export const dimensions = 384;
/** Sections of a document; each is a chunk. */
export const SECTIONS = 20;
/** Words there are; the word of rank r comes with a probability of about 1 / r. */
const VOCABULARY = 200_000;
const CLUSTERS = 256;
const syllables =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu'.split(' ');

/** A word of two syllables or more, another for each rank. */
function word(rank: number): string {
  let text = '';
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text += syllables[rest % syllables.length];
  }
  return text;
}

const words = Array.from({ length: VOCABULARY }, (_, rank) => word(rank));

/** By a Zipf law: the logarithm of the rank is evenly distributed. */
const drawn = (random: () => number, from = 1, to = VOCABULARY): string =>
  words[Math.floor(from * (to / from) ** random()) - 1]!;

/** Document `n`: Markdown of sections with 40 to 120 words each. */
export function documentAt(n: number): SplitterDocument {
  const random = seeded(n + 1);
  let text = '';
  for (let section = 0; section < SECTIONS; section++) {
    text += `## ${drawn(random, 100)} ${drawn(random, 100)} ${section}\n\n`;
    const length = 40 + Math.floor(random() * 81);
    for (let i = 0; i < length; i++) text += `${drawn(random)}${i % 12 === 11 ? '.\n' : ' '}`;
    text += '\n\n';
  }
  return { uri: `document-${n}.md`, title: `Document ${n}`, text };
}

/** Three words that are neither everywhere nor nowhere. */
export function questionAt(n: number): string {
  const random = seeded(n + 1e9);
  return [drawn(random, 10, 20_000), drawn(random, 10, 20_000), drawn(random, 10, 20_000)].join(' ');
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}

const noise = (random: () => number): number => random() + random() - 1;
const centres = Array.from({ length: CLUSTERS }, (_, n) => {
  const random = seeded(n + 2e9);
  return Float32Array.from({ length: dimensions }, () => noise(random));
});

/** Unit vectors in clusters, by the hash of the text; counts the milliseconds that go by in it. */
export function clockedEmbedder(): EmbedderLike & { spent: number } {
  const embedder = {
    id: 'synthetic',
    dimensions,
    spent: 0,
    async embed(texts: readonly string[]) {
      const start = performance.now();
      const vectors = texts.map((text) => {
        const random = seeded(hash(text));
        const centre = centres[Math.floor(random() * CLUSTERS)]!;
        const vector = centre.map((value) => value + 0.8 * noise(random));
        const norm = Math.hypot(...vector);
        return vector.map((value) => value / norm);
      });
      embedder.spent += performance.now() - start;
      return vectors;
    },
  };
  return embedder;
}
