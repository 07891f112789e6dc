import { consume, keep, type Row, race, raceQueries } from './harness.ts';
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

async function asking(count: number): Promise<Row[]> {
  const all = await passages();
  const texts = repeated(all, count);
  const asked = questions(all, 200);
  consume(texts);
  const engines = [
    ...rivals,
    ...ours,
    shelfmark('shelfmark, prefix and typos', {}, { prefix: true, typos: true }),
  ];
  const contenders = [];
  for (const engine of engines) {
    const index = await built(engine, texts, budget);
    if (index === undefined) continue;
    let answered = 0;
    for (const question of asked) if ((await index.ask(question)) > 0) answered++;
    if (answered < asked.length / 2) throw new Error(`${engine.what} answers ${answered} of ${asked.length}`);
    contenders.push({
      what: engine.what,
      run: (i: number) => index.ask(asked[i]!),
      note: `answers ${answered} of ${asked.length}, built in ${index.seconds.toFixed(1)} s`,
    });
  }
  return fastestFirst(await raceQueries(contenders, asked.length, 5), engines);
}

export const lexicalQuery10k = (): Promise<Row[]> => asking(10_000);
export const lexicalQuery100k = (): Promise<Row[]> => asking(100_000);

async function collected(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  const { memory } = performance as { memory?: { usedJSHeapSize: number } };
  if (gc === undefined || memory === undefined) throw new Error('Chromium must run with --expose-gc');
  // Weak references and finalisers take a turn of their own.
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((done) => setTimeout(done, 50));
  }
  return memory.usedJSHeapSize;
}

/** What an index adds to the heap, the texts themselves left out since the page holds them anyway. */
export async function lexicalMemory(): Promise<Row[]> {
  const all = await passages();
  const rows: Row[] = [];
  for (const count of [all.texts.length, 50_000]) {
    const texts = repeated(all, count);
    consume(texts);
    const engines = [miniSearch, orama, flexSearch, ...ours];
    for (const engine of engines) {
      const before = await collected();
      const index = await built(engine, texts, budget);
      if (index === undefined) continue;
      const bytes = index.bytes?.() ?? (await collected()) - before;
      // Holds the index until it is measured.
      keep(await index.ask('the'));
      const each = bytes / count;
      rows.push({
        what: `${engine.what}, ${count} passages`,
        ms: each,
        unit: 'bytes',
        spread: [each, each],
        runs: 1,
      });
    }
  }
  return rows;
}
