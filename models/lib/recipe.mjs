import { functionWords, programmingCosine, programmingSeeds, programmingTerms } from './terms.mjs';

/**
 * From GloVe's rows to the table the model looks words up in.
 *
 * Only +, −, ×, ÷ and √ are used: they are exact to the last bit on every machine, where `Math.hypot`,
 * `Math.sin` and `**` need not be. The files come out the same bit for bit.
 */

/** Words the tokeniser can produce; anything else could never be looked up. */
const reachable = /^(?=[a-z0-9]*[a-z])[a-z0-9]+$/;

const dot = (a, b) => {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d];
  return sum;
};

const unit = (row) => {
  const length = Math.sqrt(dot(row, row));
  return row.map((x) => x / length);
};

/**
 * The words to keep, as positions in `words`, which are in falling frequency: the most frequent `common`
 * reachable ones, then of the rarer ones those that belong to programming.
 */
export function selectWords(words, rowOf, common) {
  const usable = [];
  words.forEach((word, rank) => {
    if (reachable.test(word) && !functionWords.has(word)) usable.push(rank);
  });
  const rankOf = new Map(words.map((word, rank) => [word, rank]));
  const centre = new Float64Array(rowOf(0).length);
  for (const seed of programmingSeeds) {
    unit(rowOf(rankOf.get(seed))).forEach((x, d) => {
      centre[d] += x;
    });
  }
  const direction = unit(centre);
  const named = new Set(programmingTerms);
  const rare = usable
    .slice(common)
    .filter((rank) => named.has(words[rank]) || dot(unit(rowOf(rank)), direction) >= programmingCosine);
  return [...usable.slice(0, common), ...rare];
}

/** How often the word of a rank (from 0) occurs, by Zipf's law over `size` words: 1 / (rank × H). */
export function zipf(size) {
  let harmonic = 0;
  for (let rank = 1; rank <= size; rank++) harmonic += 1 / rank;
  return (rank) => 1 / ((rank + 1) * harmonic);
}

/** The weight of a word of frequency `p`: SIF (Arora, Liang and Ma, 2017), squared. README.md says why. */
export function sifWeight(p, a) {
  const sif = a / (a + p);
  return sif * sif;
}

/** The `count` strongest directions of the rows, each counted `weight` times, by power iteration. */
export function principalDirections(rows, weights, count) {
  const size = rows[0].length;
  const moment = Array.from({ length: size }, () => new Float64Array(size));
  rows.forEach((row, at) => {
    for (let i = 0; i < size; i++) {
      const scaled = weights[at] * row[i];
      for (let j = 0; j < size; j++) moment[i][j] += scaled * row[j];
    }
  });
  const found = [];
  while (found.length < count) {
    let direction = unit(Float64Array.from({ length: size }, (_, d) => 1 / (d + 1)));
    for (let round = 0; round < 500; round++) direction = unit(moment.map((row) => dot(row, direction)));
    const strength = dot(
      direction,
      moment.map((row) => dot(row, direction)),
    );
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) moment[i][j] -= strength * direction[i] * direction[j];
    }
    found.push(direction);
  }
  return found;
}

/** The row without its part along `directions`, which are orthogonal. */
export function without(row, directions) {
  const rest = Float64Array.from(row);
  for (const direction of directions) {
    const part = dot(rest, direction);
    for (let d = 0; d < rest.length; d++) rest[d] -= part * direction[d];
  }
  return rest;
}

/** Rows as int8 with one f32 scale each: `row ≈ codes × scale`. A zero row has scale 0. */
export function quantise(rows) {
  const size = rows[0].length;
  const codes = new Int8Array(rows.length * size);
  const scales = new Float32Array(rows.length);
  rows.forEach((row, at) => {
    let largest = 0;
    for (const x of row) largest = Math.max(largest, Math.abs(x));
    const scale = Math.fround(largest / 127);
    scales[at] = scale;
    if (scale === 0) return;
    row.forEach((x, d) => {
      codes[at * size + d] = Math.max(-127, Math.min(127, Math.round(x / scale)));
    });
  });
  return { codes, scales };
}
