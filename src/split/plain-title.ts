/** Emphasis by `*`, by `_` beside white space and punctuation, and struck text. */
const emphasis = [
  /(\*{1,3})(?=\S)([^*]*[^*\s])\1/g,
  /(^|[\s\p{P}\p{S}\ue000-\ue07e])(_{1,3})(?=[^\s_])([^_]*[^_\s])\2(?![^\s\p{P}\p{S}\ue000-\ue07e])/gu,
  /(~~?)(?=\S)([^~]*[^~\s])\1(?!~)/g,
] as const;

/** Escapes, code, addresses in angle brackets, tags and comments, references to characters; in this order. */
const inline =
  /\\([!-/:-@[-`{-~])|(`+)(?!`)([\s\S]*?[^`])\2(?!`)|`+|<([a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>|<\/?[a-z][a-z\d-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<!--[\s\S]*?-->|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,4});/gi;

/** `[text](address "title")`, brackets and parentheses one deep inside. */
const link =
  /(!?)\[((?:[^\][]|\[[^\][]*\])*)\]\(\s*(?:<[^<>\n]*>|(?:[^\s()]|\([^\s()]*\))*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/g;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Longer titles are no anchors to anybody, and are taken as they are: the patterns need not be fast on megabytes. */
const longest = 4096;

/** Punctuation that is text, in private characters until the marks are gone. */
const shield = (text: string): string =>
  text.replace(/[!-/:-@[-`{-~]/g, (one) => String.fromCharCode(0xe000 + one.charCodeAt(0)));
const unshield = (text: string): string =>
  text.replace(/[\ue021-\ue07e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe000));

function character(reference: string): string | undefined {
  if (reference[0] !== '#') return entities[reference];
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
 * knows no reference links, and of named characters but the common ones. `images` true keeps what stands for them.
 */
export function plainTitle(title: string, images = false): string {
  if (!/[\\`*_~<&[\r\n]/.test(title) || title.length > longest) return title;
  // White space around the line breaks of a title in several lines is none of it.
  const lines = title.replace(/[ \t]*(?:\r\n?|\n)[ \t]*/g, '\n');
  let text = lines.replace(inline, (whole, escaped, _, span, address, reference) => {
    if (escaped !== undefined) return shield(escaped);
    if (span !== undefined) return edge + shield(code(span)) + edge;
    if (address !== undefined) return edge + shield(address) + edge;
    if (reference !== undefined) return shield(character(reference) ?? whole);
    return whole[0] === '<' ? edge : shield(whole);
  });
  // A link may hold an image, and emphasis may hold emphasis.
  for (let round = 0; round < 2 && text.includes('['); round++) {
    text = text.replace(link, (_, image, inner) => edge + (image === '' || images ? inner : '') + edge);
  }
  for (let round = 0; round < 2 && /[*_~]/.test(text); round++) {
    text = text.replace(emphasis[0], '$2').replace(emphasis[1], '$1$3').replace(emphasis[2], '$2');
  }
  return unshield(text.replaceAll(edge, ''));
}
