// BM25 (Robertson and Zaragoza, 2009) over the postings, in doubles. The host works out the weight of a term,
// its inverse document frequency included, since it has a logarithm that all its kernels share.

import { allows } from './bits';
import { regrow } from './heap';
import { DEAD, docCount, docOf, lengths, nextPosting, openTerm, postingCount, postingDoc, rows } from './postings';
import { DOCUMENTS } from './terms';
import { beginTop, offer, sortTop, kept } from './topk';

let scores: usize = 0;
let touched: usize = 0;
let room: u32 = 0;
let touchedCount: u32 = 0;

/** Forgets the scores of the query before. */
export function beginQuery(): void {
  for (let i: u32 = 0; i < touchedCount; i++) {
    store<f64>(scores + (<usize>load<u32>(touched + (<usize>i << 2)) << 3), 0);
  }
  touchedCount = 0;
  if (docCount <= room) return;
  let wanted: u32 = room == 0 ? 256 : room;
  while (wanted < docCount) wanted <<= 1;
  scores = regrow(scores, <usize>room << 3, <usize>wanted << 3);
  touched = regrow(touched, <usize>room << 2, <usize>wanted << 2);
  room = wanted;
}

/** Live documents that hold a term. */
export function documentFrequency(term: usize): u32 {
  return load<u32>(term, DOCUMENTS);
}

/**
 * Adds `weight · tf / (tf + base + slope · length)` to the score of each document that holds the term, where
 * base is k1 · (1 − b), slope is k1 · b / average length, and weight has the factor k1 + 1 in it.
 */
export function scoreTerm(term: usize, weight: f64, base: f64, slope: f64): void {
  openTerm(term);
  while (nextPosting()) {
    const length = load<u32>(lengths + (<usize>postingDoc << 2));
    if (length == DEAD) continue;
    const slot = scores + (<usize>postingDoc << 3);
    const had = load<f64>(slot);
    if (had == 0) {
      store<u32>(touched + (<usize>touchedCount << 2), postingDoc);
      touchedCount++;
    }
    const tf = <f64>postingCount;
    store<f64>(slot, had + (weight * tf) / (tf + (base + slope * <f64>length)));
  }
}

/** Selects the best `k` allowed rows of at least `floor`, best first; answers how many. */
export function selectScored(k: u32, floor: f64, bits: usize, bitCount: u32): u32 {
  beginTop(k);
  for (let i: u32 = 0; i < touchedCount; i++) {
    const doc = load<u32>(touched + (<usize>i << 2));
    const score = load<f64>(scores + (<usize>doc << 3));
    const row = load<u32>(rows + (<usize>doc << 2));
    if (score >= floor && allows(bits, bitCount, row)) offer(row, score);
  }
  sortTop();
  return kept;
}

/** The score the last query gave a row; 0 where it found nothing in it. */
export function scoreOf(row: u32): f64 {
  const doc = docOf(row);
  return doc == 0 || doc > room ? 0 : load<f64>(scores + (<usize>(doc - 1) << 3));
}
