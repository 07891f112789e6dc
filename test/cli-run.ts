import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../src/cli/run.ts';

export interface Answer {
  code: number;
  /** Lines of the answer. */
  out: string[];
  /** What was said beside it. */
  notes: string;
}

/** Runs a command line in this process. */
export async function shelfmark(
  args: readonly string[],
  options: { cwd?: string; isTty?: boolean; signal?: AbortSignal } = {},
): Promise<Answer> {
  const { cwd = process.cwd(), isTty = false, signal = new AbortController().signal } = options;
  const out: string[] = [];
  const notes: string[] = [];
  const terminal = {
    cwd,
    isTty,
    signal,
    hasColors: false,
    out: (line: string) => void out.push(line),
    note: (text: string) => void notes.push(text),
  };
  const code = await run(args, terminal);
  return { code, out, notes: notes.join('') };
}

/** A folder of its own that holds these files. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'shelfmark-cli-'));

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | Uint8Array): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }

  remove(): void {
    this[Symbol.dispose]();
  }
}

/** A small site, as its authors keep it. */
export const site: Readonly<Record<string, string>> = {
  'index.md': '# Handbook\n\nHow the shop works, for those who work in it.\n',
  'guide/refunds.md':
    '---\ntitle: "Refunds: how and when"\nsidebar_position: 3\n---\n\n# Refunds\n\nRefunds are issued within 14 days of the return.\n\n## Exceptions\n\nGift cards are never refunded, and neither are opened records.\n',
  'guide/delivery.markdown':
    'Delivery\n========\n\nParcels leave our warehouse the same evening.\n\n## Abroad\n\nCustoms may hold a parcel for a week.\n',
  'guide/späte Fälle.mdx':
    "import Note from './note'\n\n# Late cases\n\n<Note />\n\nA parcel that is late for ten days counts as lost.\n",
  'legal/terms.html':
    '<!doctype html><title>Terms - The shop</title><nav><a href="/">Home</a></nav><main><h1 id="top">Terms &amp; conditions</h1><p>By ordering you <b>agree</b> to these terms.</p><h2 id="law">Applicable law</h2><p>The law of the place of the warehouse applies.</p></main><footer>Copyright</footer>',
  'notes.txt': 'The till is counted at eight. Whoever counts it signs the book.\n',
  'prices.csv': 'Item,Price\nRecord,19\nGift card,25\nPoster,7\n',
  'node_modules/x/readme.md': '# Not ours\n\nNot to be read.\n',
  '.git/notes.md': '# Hidden\n\nNot to be read.\n',
  '.draft.md': '# Hidden\n\nNot to be read.\n',
  'logo.png': 'not a text',
};
