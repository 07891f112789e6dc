import * as cite from './cite.bench.ts';
import type { Row } from './harness.ts';
import * as hybrid from './hybrid.bench.ts';
import * as lexical from './lexical.bench.ts';
import * as split from './split.bench.ts';
import * as store from './store.bench.ts';
import * as text from './text.bench.ts';
import * as vectors from './vectors.bench.ts';

const groups: Record<string, Record<string, () => Promise<Row[]>>> = {
  text,
  split,
  lexical,
  vectors,
  hybrid,
  store,
  cite,
};

declare global {
  interface Window {
    /** Bytes of the files in which the browser keeps what pages store. */
    bytesOnDisk(): Promise<number>;
    benches: [group: string, name: string][];
    runBench(group: string, name: string): Promise<Row[]>;
  }
}

window.benches = Object.entries(groups).flatMap(([group, benches]) =>
  Object.keys(benches).map((name) => [group, name] as [string, string]),
);
window.runBench = (group, name) => groups[group]![name]!();
