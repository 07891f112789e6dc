import { atxHeadings, chunkText } from '../../src/index.ts';
import { jsText } from '../../src/kernel/js.ts';
import { compileSource } from '../../src/kernel/wasm.ts';
import { wasmText } from '../../src/kernel/wasm-text.ts';
import { consume, corpus, joined, keep, type Row, race, seeded } from './harness.ts';

const pattern = /^(#{1,6})[ \t]+(.+?)[ \t]*$/gm;

/** What a user of the pattern does with it: the same fields, the titles read. */
function byPattern(text: string): { offset: number; end: number; level: number; title: string }[] {
  const out = [];
  for (const match of text.matchAll(pattern)) {
    out.push({
      offset: match.index,
      end: match.index + match[0].length,
      level: match[1]!.length,
      title: match[2]!,
    });
  }
  return out;
}

const read = (headings: readonly { offset: number; title: string }[]): void => {
  for (const { offset } of headings) keep(offset);
  consume(headings.map(({ title }) => title));
};

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function wasmKernel() {
  return wasmText(await compileSource(await (await fetch('/build/text.release.wasm')).arrayBuffer()));
}

export async function headingsOnProse(): Promise<Row[]> {
  const files = await corpus('rust-book/');
  const bytes = joined(
    files.map((file) => file.bytes),
    4,
  );
  const text = decode(bytes);
  const kernel = await wasmKernel();
  const size = { bytes: bytes.length };
  return race([
    { what: 'regular expression, from a string', run: () => read(byPattern(text)), ...size },
    { what: 'atxHeadings, from a string', run: () => read(atxHeadings(text)), ...size },
    { what: 'the kernel in WASM, from a string', run: () => read(kernel.atxHeadings(text)), ...size },
    {
      what: 'regular expression, from bytes (decoded first)',
      run: () => read(byPattern(decode(bytes))),
      ...size,
    },
    { what: 'atxHeadings, from bytes', run: () => read(atxHeadings(bytes)), ...size },
    { what: 'the kernel in TypeScript, from bytes', run: () => read(jsText.atxHeadings(bytes)), ...size },
  ]);
}

export async function headingsAdversarial(): Promise<Row[]> {
  const hostile = (n: number): string => `# a${' '.repeat(n)}b`;
  const million = hostile(1_000_000);
  const bytes = new TextEncoder().encode(million);
  const slow = [16_000, 32_000].map((n) => {
    const text = hostile(n);
    return { what: `regular expression, ${n} blanks`, run: () => read(byPattern(text)), bytes: text.length };
  });
  return [
    ...(await race(slow, 3)),
    ...(await race([
      {
        what: 'atxHeadings, 1,000,000 blanks, from a string',
        run: () => read(atxHeadings(million)),
        bytes: million.length,
      },
      {
        what: 'atxHeadings, 1,000,000 blanks, from bytes',
        run: () => read(atxHeadings(bytes)),
        bytes: bytes.length,
      },
    ])),
  ];
}

/** 30,000 field-labelled rows, 4.8 MB. */
function sheet(): string {
  const random = seeded(7);
  const words = ['pass', 'fail', 'open', 'closed', 'north', 'south', 'Lot', 'unit', 'check', 'spare'];
  const word = (): string => words[Math.floor(random() * words.length)]!;
  const rows: string[] = [];
  for (let n = 0; n < 30_000; n++) {
    const row = `Ref: R${n}; Unit: ${word()} ${Math.floor(random() * 1e5)}; Station: ${word()}; Odometer: ${Math.floor(random() * 1e6)}; Result: ${word()}; Inspector: ${word()} ${word()}; Note: ${word()}`;
    rows.push(row.padEnd(159, ` ${word()}`).trimEnd());
  }
  return rows.join('\n');
}

/** The packer one would write: split, trim, join. */
function plainPacker(text: string, size: number): string[] {
  const chunks: string[] = [];
  let open: string[] = [];
  let length = 0;
  for (const raw of text.split('\n')) {
    const record = raw.trim();
    if (record === '') continue;
    if (open.length > 0 && length + 1 + record.length > size) {
      chunks.push(open.join('\n'));
      open = [];
      length = 0;
    }
    length += (open.length > 0 ? 1 : 0) + record.length;
    open.push(record);
  }
  if (open.length > 0) chunks.push(open.join('\n'));
  return chunks;
}

export async function recordPacking(): Promise<Row[]> {
  const text = sheet();
  const bytes = new TextEncoder().encode(text);
  const size = { bytes: bytes.length };
  const options = { chunkSize: 800, separator: '\n' };
  const same = JSON.stringify(plainPacker(text, 800)) === JSON.stringify(chunkText(bytes, options));
  if (!same) throw new Error('the packers disagree');
  // Reading the outputs costs both sides the same; it is reported so that it can be taken off.
  const read = chunkText(text, options);
  return race([
    { what: 'reading the output strings alone', run: () => consume(read), ...size },
    { what: 'split, trim, join, from a string', run: () => consume(plainPacker(text, 800)), ...size },
    { what: 'chunkText, from a string', run: () => consume(chunkText(text, options)), ...size },
    {
      what: 'split, trim, join, from bytes (decoded first)',
      run: () => consume(plainPacker(decode(bytes), 800)),
      ...size,
    },
    { what: 'chunkText, from bytes', run: () => consume(chunkText(bytes, options)), ...size },
  ]);
}
