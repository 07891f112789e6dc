import { anchorsOf } from '../split/sluggers.ts';

/** What would make a line something else than text. */
const mark = /^(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|[>|<]|`{3}|~{3}|={3,}\s*$|-{3,}\s*$|\{)/;
/** Lists and quotes inside each other; those further in stand as deep. */
const deepest = 12;
const numberMark = /^(\d{1,9})([.)])(?=\s|$)/;

/** A block of a page. */
interface Block {
  text: string;
  /** Stands on the line after the block before it, as items of a list do. */
  isTight: boolean;
}

interface List {
  /** Number of the next item; undefined in a list of bullets. */
  number: number | undefined;
  /** Whether the item that is open has a line yet. */
  isMarked: boolean;
}

/** Puts Markdown together from what a parser meets in a page. */
export class MarkdownWriter {
  readonly #blocks: Block[] = [];
  /** Text of the block that is open. */
  #line = '';
  readonly #lists: List[] = [];
  #quotes = 0;
  #heading: { level: number; id: string | undefined } | undefined;
  /** Fenced code that is open: its language. */
  #fence: string | undefined;
  /** Tables that are open, the outermost with its rows. */
  #tables = 0;
  #rows: string[][] = [];
  readonly #anchor = anchorsOf('docusaurus');

  /** Blocks so far. */
  get length(): number {
    return this.#blocks.length;
  }

  /** A place in the open block. */
  get mark(): number {
    return this.#line.length;
  }

  text(text: string): void {
    this.#line += this.#fence === undefined ? text.replace(/[ \t\r\n\f]+/g, ' ') : text;
  }

  lineBreak(): void {
    this.#line += this.#isInline ? ' ' : '\n';
  }

  /** Leaves out what a link said, where that is nothing but a sign. */
  forgetFrom(place: number, sign: RegExp): void {
    if (this.#heading !== undefined && sign.test(this.#line.slice(place))) {
      this.#line = this.#line.slice(0, place);
    }
  }

  heading(level: number, id: string | undefined): void {
    this.flush();
    if (this.#tables === 0) this.#heading = { level, id };
  }

  endHeading(): void {
    const heading = this.#heading;
    this.#heading = undefined;
    const title = this.#take().replace(/\s+/g, ' ').trim();
    if (heading === undefined || title === '') return;
    const plain = title.replace(/(^|\s)(#+)$/, '$1\\$2');
    const { level, id } = heading;
    const own = id !== undefined && /^[^\s{}]+$/.test(id) ? ` {#${id}}` : '';
    // The anchor is only spelt where it is not what it would be anyway.
    if (own === '') this.#anchor(plain);
    const written = own === '' || this.#isUsual(plain, id!) ? plain : plain + own;
    this.#blocks.push({ text: `${'#'.repeat(level)} ${written}`, isTight: false });
  }

  pre(): void {
    this.flush();
    if (this.#tables === 0) this.#fence = '';
  }

  code(classes = ''): void {
    if (this.#fence === undefined) this.#line += '`';
    else this.#fence ||= /(?:^|\s)lang(?:uage)?-([\w+#.-]+)/.exec(classes)?.[1] ?? '';
  }

  endCode(): void {
    if (this.#fence === undefined) this.#line += '`';
  }

  endPre(): void {
    const language = this.#fence;
    if (language === undefined) return;
    this.#fence = undefined;
    const code = this.#take().replace(/\r\n?/g, '\n').replace(/^\n/, '').trimEnd();
    if (code.trim() === '') return;
    const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([run]) => run.length));
    const fence = '`'.repeat(longest + 1);
    this.#push(`${fence}${language}\n${code}\n${fence}`);
  }

  list(isNumbered: boolean, start: string | undefined): void {
    this.flush();
    const first = Number.parseInt(start ?? '1', 10);
    const number = Number.isSafeInteger(first) && first >= 0 ? first : 1;
    this.#lists.push({ number: isNumbered ? number : undefined, isMarked: true });
  }

  endList(): void {
    this.flush();
    this.#lists.pop();
  }

  item(): void {
    this.flush();
    const list = this.#lists.at(-1);
    if (list !== undefined) list.isMarked = false;
  }

  endItem(): void {
    this.flush();
    const list = this.#lists.at(-1);
    if (list !== undefined) list.isMarked = true;
  }

  quote(): void {
    this.flush();
    this.#quotes++;
  }

  endQuote(): void {
    this.flush();
    this.#quotes = Math.max(0, this.#quotes - 1);
  }

  table(): void {
    if (this.#tables++ > 0) return;
    this.#pushText();
    this.#rows = [];
  }

  row(): void {
    if (this.#tables !== 1) return;
    this.#endCell();
    this.#rows.push([]);
  }

  cell(): void {
    if (this.#tables !== 1) return;
    this.#endCell();
    if (this.#rows.length === 0) this.#rows.push([]);
    this.#rows.at(-1)!.push('');
  }

  endTable(): void {
    this.#tables = Math.max(0, this.#tables - 1);
    if (this.#tables > 0) return;
    this.#endCell();
    const rows = this.#rows.filter((cells) => cells.some((cell) => cell !== ''));
    this.#rows = [];
    const width = Math.max(0, ...rows.map((cells) => cells.length));
    // One column is a layout, not a table.
    if (width === 1) for (const [cell] of rows) this.#push(escaped(cell!));
    if (width <= 1) return;
    // Markdown takes a table to be as wide as its first row; others may be shorter.
    while (rows[0]!.length < width) rows[0]!.push('');
    const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
    lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
    this.#push(lines.join('\n'));
  }

  /** Ends the block that is open; within a heading or a cell, the word. */
  flush(): void {
    if (this.#isInline) this.#line += ' ';
    else if (this.#fence === undefined) this.#pushText();
  }

  /** All blocks, or those from one on and before another. */
  finish(from = 0, to = Number.POSITIVE_INFINITY): string {
    this.#pushText();
    const text = this.#blocks
      .slice(from, to)
      .map(({ text, isTight }, at) => (at === 0 ? text : isTight ? `\n${text}` : `\n\n${text}`))
      .join('');
    return text === '' ? '' : `${text}\n`;
  }

  get #isInline(): boolean {
    return this.#heading !== undefined || this.#tables > 0;
  }

  /** Whether a heading has the anchor its title gives; asking counts the title, so that one with a number never has. */
  #isUsual(title: string, id: string): boolean {
    return anchorsOf('docusaurus')(title).slug === id && this.#anchor(title).slug === id;
  }

  #take(): string {
    const line = this.#line;
    this.#line = '';
    return line;
  }

  #pushText(): void {
    const text = this.#take()
      .split('\n')
      .map((line) => line.trim().replace(/ {2,}/g, ' '))
      .join('\n')
      .trim();
    if (text !== '') this.#push(escaped(text));
  }

  #push(text: string): void {
    const list = this.#lists.at(-1);
    let lines = text.split('\n');
    let isTight = false;
    if (list !== undefined) {
      const depth = Math.min(deepest, this.#lists.length);
      const rest = ' '.repeat(4 * (depth - 1));
      let first = `${rest}    `;
      if (!list.isMarked) {
        list.isMarked = true;
        first = list.number === undefined ? `${rest}- ` : `${rest}${list.number++}. `;
        isTight = /^\s*(?:[-]|\d+\.) /.test(this.#blocks.at(-1)?.text ?? '');
      }
      lines = lines.map((line, at) => (line === '' ? '' : (at === 0 ? first : `${rest}    `) + line));
    }
    if (this.#quotes > 0)
      lines = lines.map((line) => `${'> '.repeat(Math.min(deepest, this.#quotes))}${line}`);
    this.#blocks.push({ text: lines.join('\n'), isTight: isTight && this.#quotes === 0 });
  }

  #endCell(): void {
    const text = this.#take().replace(/\s+/g, ' ').trim();
    const cells = this.#rows.at(-1);
    if (cells === undefined || text === '') return;
    if (cells.length === 0) cells.push(text);
    else cells[cells.length - 1] = `${cells.at(-1)} ${text}`.trim();
  }
}

/** Text that no line of is anything else in Markdown. */
const escaped = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(mark, '\\').replace(numberMark, '$1\\$2'))
    .join('\n');
