const BOM = 0xfeff;

/** The line from `at`: its end, and where the next one starts. */
function lineAt(text: string, at: number): { end: number; next: number } {
  let end = at;
  while (end < text.length && text.charCodeAt(end) !== 0x0a && text.charCodeAt(end) !== 0x0d) end++;
  const crlf = text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a;
  return { end, next: Math.min(text.length, end + (crlf ? 2 : 1)) };
}

/** A line of exactly three marks, blanks behind them allowed. */
function isFence(text: string, at: number, end: number, mark: string): boolean {
  if (!text.startsWith(mark, at)) return false;
  for (let i = at + 3; i < end; i++) if (text[i] !== ' ' && text[i] !== '\t') return false;
  return true;
}

/**
 * Where a document begins: behind a byte order mark and, where `frontMatter`, behind a block of metadata between
 * two lines of `---` (YAML) or `+++` (TOML) at its very start. One that is never closed is text.
 */
export function documentStart(text: string, frontMatter: boolean): number {
  const start = text.charCodeAt(0) === BOM ? 1 : 0;
  if (!frontMatter) return start;
  const mark = text.startsWith('---', start) ? '---' : text.startsWith('+++', start) ? '+++' : undefined;
  const first = lineAt(text, start);
  if (mark === undefined || !isFence(text, start, first.end, mark)) return start;
  for (let at = first.next; at < text.length; ) {
    const line = lineAt(text, at);
    if (isFence(text, at, line.end, mark)) return line.next;
    at = line.next;
  }
  return start;
}
