import { invalidOption } from '../errors.ts';
import { characterTables } from '../kernel/characters.ts';
import type { AnalyzerKind, AnalyzerOptions } from '../kernel/lexical.ts';
import { knownOptions, numberIn, oneOf } from '../options.ts';

export interface AnalyzerChoice {
  /**
   * `'unicode'` (default): letters and numbers of every script, case and diacritics folded, identifiers whole and
   * by part, overlapping pairs where a script has no spaces. `'ascii'`: the reference's `/[a-z0-9]+/g`.
   */
  analyzer?: AnalyzerKind | undefined;
  /** Folds é to e. Default true. */
  diacritics?: boolean | undefined;
  /**
   * Turns a token into its stem, for texts and queries alike; `''` drops it. Runs in the TypeScript kernel. Give it
   * with a `stemId`, which becomes part of the analyser's id.
   */
  stem?: ((token: string) => string) | undefined;
  /** Names the stemmer. Default `'custom'`. */
  stemId?: string | undefined;
}

/** How words are read, spelled out. */
export interface Analyzer {
  /** Texts and queries must have been read under the same id. */
  id: string;
  options: AnalyzerOptions;
}

/** Throws `INVALID_OPTION` for an analyser that is not known. */
export function analyzerOf({
  analyzer,
  diacritics = true,
  stem,
  stemId = 'custom',
}: AnalyzerChoice): Analyzer {
  const kind = oneOf<AnalyzerKind>('analyzer', analyzer ?? 'unicode', ['unicode', 'ascii']);
  if (stem !== undefined && typeof stem !== 'function') throw invalidOption('stem', stem, 'a function');
  const parts =
    kind === 'ascii' ? ['ascii'] : [characterTables(diacritics).id, diacritics ? 'folded' : 'diacritics'];
  if (stem !== undefined) parts.push(`stem=${stemId}`);
  return { id: `words@1(${parts.join(',')})`, options: { kind, diacritics, stem } };
}

/** How words are read and weighed. */
export interface LexiconOptions extends AnalyzerChoice {
  /** How soon repetitions stop to count: 0 or more. Default 1.5, in stores and indexes 2. */
  k1?: number | undefined;
  /** How much long texts are held back: 0 to 1. Default 0.75. */
  b?: number | undefined;
}

const optionNames: Readonly<Record<keyof LexiconOptions, true>> = {
  analyzer: true,
  diacritics: true,
  stem: true,
  stemId: true,
  k1: true,
  b: true,
};

/** Throws `INVALID_OPTION` for options that no lexicon can have. */
export function checkLexicon(options: LexiconOptions): void {
  knownOptions(options, optionNames, 'lexicon');
  analyzerOf(options);
  if (options.k1 !== undefined) numberIn('k1', options.k1, 0);
  if (options.b !== undefined) numberIn('b', options.b, 0, 1);
}
