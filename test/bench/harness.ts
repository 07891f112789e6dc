/** Runs in the browser page that `npm run bench` opens. */

export interface Row {
  what: string;
  /** Median milliseconds of one run, or what `unit` says. */
  ms: number;
  unit?: 'bytes';
  /** 95th percentile, where a row is of many different runs. */
  p95?: number;
  /** Lowest and highest of the runs. */
  spread: [number, number];
  runs: number;
  /** Bytes of input a run reads, for a rate. */
  bytes?: number;
  /** Anything measured beside time, such as recall. */
  note?: string;
}

/** A seeded generator (mulberry32), so that every run reads the same. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let sink = 0;

/**
 * Reads every character of the strings, so that a lazily built one costs what it costs. By the engine's own search
 * for a character that is not there, at 7–10 GB/s: a loop of `charCodeAt` takes 0.3 GB/s, more than what is measured.
 */
export function consume(texts: readonly string[]): void {
  for (const text of texts) sink ^= text.indexOf('\u0001') + text.length;
}

/** Keeps a result from being optimised away. */
export const keep = (value: number): void => {
  sink ^= value | 0;
};

export const sunk = (): number => sink;

export interface Contender {
  what: string;
  /** Called before each run, outside of what is timed. */
  before?: () => unknown;
  run: () => unknown;
  /** Called after each run, outside of what is timed. */
  after?: () => unknown;
  bytes?: number;
  note?: string;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
};

export const yielded = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Times contenders by turns (a, b, a, b, …), so that a slow spell of the machine hits all of them. */
export async function race(contenders: readonly Contender[], runs = 15, warmUps = 2): Promise<Row[]> {
  const times = contenders.map(() => [] as number[]);
  const once = async ({ before, run, after }: Contender): Promise<number> => {
    await before?.();
    const start = performance.now();
    await run();
    const ms = performance.now() - start;
    await after?.();
    return ms;
  };
  // The engine optimises what it has seen run.
  for (const contender of contenders) for (let i = 0; i < warmUps; i++) await once(contender);
  for (let i = 0; i < runs; i++) {
    for (const [at, contender] of contenders.entries()) {
      times[at]!.push(await once(contender));
      await yielded();
    }
  }
  return contenders.map(({ what, bytes, note }, at) => ({
    what,
    ms: median(times[at]!),
    spread: [Math.min(...times[at]!), Math.max(...times[at]!)],
    runs,
    ...(bytes === undefined ? {} : { bytes }),
    ...(note === undefined ? {} : { note }),
  }));
}

export interface Asked {
  what: string;
  /** Asks one question. */
  run: (question: number) => unknown;
  note?: string;
}

/**
 * Times every question apart, the contenders by turns, a pass over all questions each. A question counts with the
 * median of its passes; a row holds their 50th and 95th percentiles.
 */
export async function raceQueries(
  contenders: readonly Asked[],
  questions: number,
  passes = 5,
): Promise<Row[]> {
  const times = contenders.map(() => Array.from({ length: questions }, () => [] as number[]));
  for (let pass = 0; pass < passes; pass++) {
    for (const [at, { run }] of contenders.entries()) {
      for (let i = 0; i < questions; i++) {
        const start = performance.now();
        const answer = run(i);
        if (answer instanceof Promise) await answer;
        times[at]![i]!.push(performance.now() - start);
      }
      await yielded();
    }
  }
  const sorted = times.map((of) => of.map(median).sort((a, b) => a - b));
  const p95 = sorted.map((of) => of[Math.floor(of.length * 0.95)]!);
  return contenders.map(({ what, note }, at) => ({
    what,
    ms: median(sorted[at]!),
    p95: p95[at]!,
    spread: [sorted[at]![0]!, sorted[at]!.at(-1)!],
    runs: passes,
    ...(note === undefined ? {} : { note }),
  }));
}

/** Random directions, one vector after the other. */
export function unitVectors(count: number, dimensions: number, seed: number): Float32Array<ArrayBuffer> {
  const random = seeded(seed);
  const values = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const at = row * dimensions;
    let sum = 0;
    for (let i = at; i < at + dimensions; i++) {
      // Near enough to normally distributed, so that no direction is preferred.
      const value = random() + random() + random() + random() - 2;
      values[i] = value;
      sum += value * value;
    }
    const norm = Math.sqrt(sum);
    for (let i = at; i < at + dimensions; i++) values[i]! /= norm;
  }
  return values;
}

/** A file of the test data; throws where it is absent. */
export async function data(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`/__data/${path}`);
  if (!response.ok) throw new Error(`no ${path}: set SHELFMARK_DATA to the folder with the test data`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Every Markdown file of the corpus under `folder`, in the order of the manifest. */
export async function corpus(folder: string): Promise<{ uri: string; bytes: Uint8Array<ArrayBuffer> }[]> {
  const manifest = new TextDecoder().decode(await data('corpus/manifest.jsonl'));
  const files = manifest
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { path: string })
    .filter(({ path }) => path.startsWith(folder) && path.endsWith('.md'));
  const out = [];
  for (const { path } of files) out.push({ uri: path, bytes: await data(`corpus/${path}`) });
  return out;
}

export const joined = (parts: readonly Uint8Array[], times = 1): Uint8Array<ArrayBuffer> => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const out = new Uint8Array(length * times);
  for (let i = 0, at = 0; i < times; i++) {
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
  }
  return out;
};
