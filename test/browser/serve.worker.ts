import { ShelfmarkError } from '../../src/errors.ts';
import type { OpenIndexOptions } from '../../src/open-index-options.ts';
import { byHeading } from '../../src/split/by-heading.ts';
import type { SplitterDocument } from '../../src/types.ts';
import { serveIndex } from '../../src/worker/host.ts';
import { letters } from './letters.ts';

/** What a test asks its worker for. */
export interface Sent {
  name?: string;
  persist?: boolean;
  vectors?: OpenIndexOptions['vectors'];
  /** `slow` takes its time for each batch, `busy` computes all that time, `failing` cannot read "zigzag". */
  embedder?: 'letters' | 'slow' | 'busy' | 'failing' | 'quota';
  id?: string;
  /** What comes to pass 50 ms after a document of this name is cut. */
  crashing?: 'throw' | 'close';
}

const cut = byHeading();

function embedderOf({ embedder, id }: Sent): OpenIndexOptions['embedder'] {
  if (embedder === undefined) return undefined;
  const made = letters({
    ...(id !== undefined && { id }),
    ...(embedder === 'slow' && { delay: 100 }),
    ...(embedder === 'failing' && { failOn: 'zigzag' }),
  }).embedder;
  if (embedder === 'quota') {
    made.load = async () => {
      const cause = new TypeError('the disk is full');
      const estimate = { usage: 5, quota: 6 };
      throw new ShelfmarkError('QUOTA_EXCEEDED', 'no room for the model', { cause, estimate });
    };
  }
  if (embedder !== 'busy') return made;
  return {
    ...made,
    embed: (texts, options) => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      return made.embed(texts, options);
    },
  };
}

serveIndex<Sent>((sent) => ({
  name: sent.name,
  persist: sent.persist,
  vectors: sent.vectors,
  embedder: embedderOf(sent),
  splitter: {
    ...cut,
    split: (document: SplitterDocument) => {
      if (sent.crashing !== undefined && document.uri === 'crash.md') {
        setTimeout(() => {
          if (sent.crashing === 'close') self.close();
          else throw new Error('a fault of its own');
        }, 50);
      }
      return cut.split(document);
    },
  },
}));
