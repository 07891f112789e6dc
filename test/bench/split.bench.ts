/// <reference types="vite/client" />
import { byHeading } from '../../src/index.ts';
import type { Splitter, TextInput } from '../../src/types.ts';
import { type Contender, consume, corpus, joined, type Row, race } from './harness.ts';
import { type RivalSplitter, speedRivals } from './splitters.ts';

interface Source {
  uri: string;
  bytes: Uint8Array<ArrayBuffer>;
  text: string;
}

/** So many times the library's own documentation, where the corpus is not there. */
const copies = 20;

async function sources(): Promise<Source[]> {
  const files = await corpus('').catch(() => ownDocs());
  return files.map((file) => ({ ...file, text: decode(file.bytes) }));
}

async function ownDocs(): Promise<{ uri: string; bytes: Uint8Array<ArrayBuffer> }[]> {
  const modules = import.meta.glob<string>(['../../docs/*.md', '../../*.md'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const encoder = new TextEncoder();
  return Array.from({ length: copies }, (_, copy) =>
    Object.entries(modules).map(([uri, text]) => ({ uri: `${copy}/${uri}`, bytes: encoder.encode(text) })),
  ).flat();
}

/** Byte order marks stay, so that both sides count alike. */
const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const ours = (files: readonly Source[], splitter: Splitter, of: (file: Source) => TextInput): void => {
  for (const file of files) {
    consume(splitter.split({ uri: file.uri, text: of(file) }).map(({ text }) => text));
  }
};

const theirs = async (
  files: readonly Source[],
  splitter: RivalSplitter,
  of: (file: Source) => string,
): Promise<void> => {
  for (const file of files) consume(await splitter.texts(of(file)));
};

/** One side from strings or from bytes; rivals decode first. The fastest rival comes first: ratios are to it. */
async function against(what: 'strings' | 'bytes', goal: number): Promise<Row[]> {
  const files = await sources();
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  const isBytes = what === 'bytes';
  const textOf = isBytes ? (file: Source) => decode(file.bytes) : (file: Source) => file.text;
  const inputOf = isBytes ? (file: Source) => file.bytes : (file: Source) => file.text;
  const contender = (splitter: RivalSplitter): Contender => ({
    what: splitter.name,
    run: () => theirs(files, splitter, textOf),
    bytes,
    note: splitter.settings,
  });
  const [tree, ...others] = (await speedRivals()).map(contender);
  const splitter = byHeading();
  const own: Contender = {
    what: 'shelfmark byHeading',
    run: () => ours(files, splitter, inputOf),
    bytes,
  };
  const [mine, ...rest] = await race([own, ...others], 11, 2);
  // The tree takes seconds, so it is built less often.
  const rows = [...rest, ...(await race([tree!], 3, 1))].sort((a, b) => a.ms - b.ms);
  const verdict = rows[0]!.ms / mine!.ms >= goal ? 'reached' : 'missed';
  mine!.note = `as it comes; goal: ${goal} times as fast as the fastest of them, ${verdict}`;
  return [...rows, mine!];
}

export const splitFromStrings = (): Promise<Row[]> => against('strings', 3);
export const splitFromBytes = (): Promise<Row[]> => against('bytes', 5);

/** What a split costs beside the decoding that everybody pays. */
export async function splitBesideDecoding(): Promise<Row[]> {
  const files = await sources();
  const bytes = joined(files.map((file) => file.bytes)).length;
  const splitter = byHeading();
  const rows = await race(
    [
      {
        what: 'TextDecoder alone',
        run: () => {
          for (const file of files) consume([decode(file.bytes)]);
        },
        bytes,
      },
      {
        what: 'splitter.split, from bytes, no contentHash',
        run: () => ours(files, splitter, (file) => file.bytes),
        bytes,
      },
    ],
    15,
    3,
  );
  const times = rows[1]!.ms / rows[0]!.ms;
  rows[1]!.note = `${times.toFixed(2)} times as long; goal: at most 2, ${times <= 2 ? 'reached' : 'missed'}`;
  return rows;
}
