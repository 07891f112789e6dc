import { type Asked, consume, keep, type Row, race, raceQueries, yielded } from './harness.ts';
import { passages, questions, repeated } from './passages.ts';
import { built, flexSearch, miniSearch, orama, shelfmark, type TextEngine } from './text-engines.ts';

const rivals = [miniSearch, orama, flexSearch];
const ours = [shelfmark('shelfmark', {}), shelfmark("shelfmark, analyzer 'ascii'", { analyzer: 'ascii' })];
/** Seconds a rival may take to index. */
const budget = 300;

/** The fastest rival that ranks by BM25 first, since all others are compared with the first row. */
function fastestFirst<T extends Row>(rows: readonly T[], engines: readonly TextEngine[]): T[] {
  const byBm25 = rows.filter(({ what }) => rivals.some((rival) => rival.what === what && rival.bm25));
  const first = byBm25.sort((a, b) => a.ms - b.ms)[0];
  const order = engines.map(({ what }) => what);
  const rest = rows
    .filter((row) => row !== first)
    .sort((a, b) => order.indexOf(a.what) - order.indexOf(b.what));
  return first === undefined ? rest : [first, ...rest];
}

export async function indexing(): Promise<Row[]> {
  const { texts, bytes } = await passages();
  const engines = [...rivals, ...ours];
  consume(texts);
  const rows = await race(
    engines.map((engine) => ({
      what: engine.what,
      bytes,
      run: async () => {
        const { add } = await engine.make();
        await add(0, texts);
      },
    })),
    7,
  );
  rows[0]!.note = `${texts.length} passages`;
  return fastestFirst(rows, engines);
}

/** One engine's index, checked to answer. */
async function opened(
  engine: TextEngine,
  texts: readonly string[],
  asked: readonly string[],
): Promise<Asked[]> {
  const index = await built(engine, texts, budget);
  if (index === undefined) return [];
  let answered = 0;
  for (const question of asked) if ((await index.ask(question)) > 0) answered++;
  if (answered < asked.length / 2) throw new Error(`${engine.what} answers ${answered} of ${asked.length}`);
  const note = `answers ${answered} of ${asked.length}, built in ${index.seconds.toFixed(1)} s`;
  return [{ what: engine.what, run: (i) => index.ask(asked[i]!), note }];
}

async function asking(count: number, byTurns: boolean): Promise<Row[]> {
  const all = await passages();
  const texts = repeated(all, count);
  const asked = questions(all, 200);
  consume(texts);
  const lenient = shelfmark('shelfmark, prefix and typos', {}, { prefix: true, typos: true });
  const engines = [...rivals, ...ours, lenient];
  if (byTurns) {
    const contenders = [];
    for (const engine of engines) contenders.push(...(await opened(engine, texts, asked)));
    return fastestFirst(await raceQueries(contenders, asked.length, 5), engines);
  }
  const rows = [];
  for (const engine of engines) {
    rows.push(...(await raceQueries(await opened(engine, texts, asked), asked.length, 3)));
  }
  return fastestFirst(rows, engines);
}

export const lexicalQuery10k = (): Promise<Row[]> => asking(10_000, true);
/** One after the other: a gigabyte of rivals in one heap would have each pay for collecting the garbage of all. */
export const lexicalQuery100k = (): Promise<Row[]> => asking(100_000, false);

/** Bytes of the page that are in use, kernels included. */
async function used(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  const page = performance as { measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }> };
  if (gc === undefined || page.measureUserAgentSpecificMemory === undefined) {
    throw new Error('Chromium must run with --expose-gc, and the page be isolated');
  }
  // Weak references and finalisers take a turn of their own.
  for (let i = 0; i < 3; i++) {
    gc();
    await yielded();
  }
  return (await page.measureUserAgentSpecificMemory()).bytes;
}

/** What an index adds, for each passage. The texts themselves are left out, since the page holds them anyway. */
async function added(engine: TextEngine, texts: readonly string[]): Promise<number> {
  const before = await used();
  const index = await built(engine, texts, budget);
  if (index === undefined) return Number.NaN;
  const bytes = index.bytes?.() ?? (await used()) - before;
  // Holds the index until it is measured.
  keep(await index.ask('the'));
  return bytes / texts.length;
}

async function memory(count?: number): Promise<Row[]> {
  const all = await passages();
  const texts = count === undefined ? all.texts : repeated(all, count);
  consume(texts);
  const rows: Row[] = [];
  for (const engine of [...rivals, ...ours]) {
    // The code of an engine, compiled, is no part of its index. In a call of its own, as the measurement is: a
    // function that waits holds on to what its loop made last.
    await added(engine, texts.slice(0, 1000));
    const each = await added(engine, texts);
    const note = `a passage, of ${texts.length}`;
    rows.push({ what: engine.what, ms: each, unit: 'bytes', spread: [each, each], runs: 1, note });
  }
  return rows;
}

export const lexicalMemory = (): Promise<Row[]> => memory();
export const lexicalMemory20k = (): Promise<Row[]> => memory(20_000);
