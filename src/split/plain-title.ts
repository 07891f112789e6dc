/** One mark or more of a kind: what may open or close emphasis. */
interface Run {
  at: number;
  length: number;
  /** Marks that no pair has taken. */
  left: number;
  opens: boolean;
  closes: boolean;
}

/** White space and punctuation, and the private characters that stand for it. */
const space = /^\s?$/;
const punctuation = /[\p{P}\p{S}\ue000-\ue07e]/u;

/** The flanks of a run, by CommonMark's rules 1 to 8 of emphasis; `~` takes those of `*`. */
function runOf(text: string, at: number, length: number): Run {
  const before = /.?$/su.exec(text.slice(Math.max(0, at - 2), at))![0];
  const after = String.fromCodePoint(text.codePointAt(at + length) ?? 0x20);
  const [spaceBefore, spaceAfter] = [space.test(before), space.test(after)];
  const [markBefore, markAfter] = [punctuation.test(before), punctuation.test(after)];
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  const inside = text[at] === '_';
  return {
    at,
    length,
    left: length,
    opens: left && (!inside || !right || markBefore),
    closes: right && (!inside || !left || markAfter),
  };
}

/** Whether two runs of a kind are a pair: CommonMark's rule of three, and for struck text one length. */
function pairs(mark: string, opener: Run, closer: Run): boolean {
  if (mark === '~') return opener.length === closer.length;
  return !(
    (opener.closes || closer.opens) &&
    (opener.length + closer.length) % 3 === 0 &&
    (opener.length % 3 !== 0 || closer.length % 3 !== 0)
  );
}

/** Without the marks of emphasis and struck text, paired as CommonMark pairs them. */
function withoutEmphasis(text: string): string {
  const open: Run[] = [];
  const all: Run[] = [];
  for (const { 0: marks, index } of text.matchAll(/\*+|_+|~+/g)) {
    const run = runOf(text, index, marks.length);
    const mark = marks[0]!;
    if (mark === '~' && marks.length > 2) continue;
    all.push(run);
    for (let at = open.length - 1; run.closes && run.left > 0 && at >= 0; ) {
      const opener = open[at]!;
      if (text[opener.at] !== mark || !pairs(mark, opener, run)) {
        at--;
        continue;
      }
      const taken = mark === '~' ? run.left : Math.min(2, opener.left, run.left);
      opener.left -= taken;
      run.left -= taken;
      // What stands between them can no longer open.
      open.length = opener.left > 0 ? at + 1 : at;
      at = open.length - 1;
    }
    if (run.opens && run.left > 0) open.push(run);
  }
  let bare = '';
  let from = 0;
  for (const { at, length, left } of all) {
    bare += text.slice(from, at + left);
    from = at + length;
  }
  return bare + text.slice(from);
}

/** Escapes, code, addresses in angle brackets, tags and comments, references to characters; in this order. */
const inline =
  /\\([!-/:-@[-`{-~])|(`+)(?!`)([\s\S]*?[^`])\2(?!`)|`+|<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>|<\/?[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<!--[\s\S]*?-->|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,8});/gi;

/** `[text](address "title")`, brackets and parentheses one deep inside. */
const link =
  /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\(\s*(?:<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/g;

const entities = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
);

/** Longer titles are no anchors to anybody, and are taken as they are: the patterns need not be fast on megabytes. */
const longest = 4096;

/** Punctuation that is text, in private characters until the marks are gone. */
const shield = (text: string): string =>
  text.replace(/[!-/:-@[-`{-~]/g, (one) => String.fromCharCode(0xe000 + one.charCodeAt(0)));
const unshield = (text: string): string =>
  text.replace(/[\ue021-\ue07e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe000));

/** What `&reference;` stands for: a number in either base, or one of the common names; undefined for another. */
export function characterOf(reference: string): string | undefined {
  if (reference[0] !== '#') return entities.get(reference);
  const point = Number(
    reference[1] === 'x' || reference[1] === 'X' ? `0${reference.slice(1)}` : reference.slice(1),
  );
  return point > 0 && point < 0x110000 ? String.fromCodePoint(point) : '\ufffd';
}

/** A code span's content: its line breaks are spaces, and one space at both ends is for backticks to stand beside. */
function code(content: string): string {
  const line = content.replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(line) ? line.slice(1, -1) : line;
}

/** Stands where marks, tags and links end until emphasis is read: they are no letters. */
const edge = '\ue000';

/**
 * What a reader sees of a title: text of links and code, without marks, tags and escapes. Enough for anchors: it
 * knows no reference links, and of named characters but the common ones unless `decode` knows more. `images` true keeps
 * what stands for them.
 */
export function plainTitle(title: string, images = false, decode = characterOf): string {
  if (!/[\\`*_~<&[\r\n]/.test(title) || title.length > longest) return title;
  // White space around the line breaks of a title in several lines is none of it.
  const lines = title.replace(/[ \t]*(?:\r\n?|\n)[ \t]*/g, '\n');
  let text = lines.replace(inline, (whole, escaped, _, span, address, reference) => {
    if (escaped !== undefined) return shield(escaped);
    if (span !== undefined) return edge + shield(code(span)) + edge;
    if (address !== undefined) return edge + shield(address) + edge;
    if (reference !== undefined) return shield(decode(reference) ?? whole);
    return whole[0] === '<' ? edge : shield(whole);
  });
  // A link may hold an image, and emphasis may hold emphasis.
  for (let round = 0; round < 2 && text.includes('['); round++) {
    text = text.replace(link, (_, image, inner) => edge + (image === '' || images ? inner : '') + edge);
  }
  return unshield(withoutEmphasis(text).replaceAll(edge, ''));
}
