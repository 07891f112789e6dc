import { h } from './dom.ts';
import type { Hit } from './engine-protocol.ts';
import { isMarkdown, markdownMarks, type Shape } from './plain.ts';
import { excerpt, type Rarity, telling } from './terms.ts';

/** Characters before an excerpt that are read for the marks that are open where it begins. */
const lookBack = 2000;

/** The part of a passage that answers best, the question's words marked, Markdown's marks left out. Text nodes only. */
export function snippet(hit: Hit, rarity: Rarity): Node[] {
  const { text } = hit;
  const ranges = telling(text, hit.highlights);
  const body = bodyStart(hit);
  const [from, to] = excerpt(
    text.slice(body),
    ranges.filter(([a]) => a >= body).map(([a, b]) => [a - body, b - body]),
    rarity,
  );
  const [start, end] = [from + body, to + body];
  const isCut = start > body || (body > 0 && /^\p{Ll}/u.test(text.slice(start, start + 2)));
  const shapes = isMarkdown(hit.docUri) ? marksBetween(text, body, start, end) : [];
  const nodes: Node[] = isCut ? [document.createTextNode('… ')] : [];
  let at = start;
  for (const [a, b] of ranges) {
    if (a < at || b > end) continue;
    nodes.push(document.createTextNode(shown(text, at, a, shapes)), h('mark', {}, shown(text, a, b, shapes)));
    at = b;
  }
  nodes.push(document.createTextNode(shown(text, at, end, shapes).trimEnd()));
  if (end < text.trimEnd().length) nodes.push(document.createTextNode(' …'));
  return nodes;
}

function marksBetween(text: string, body: number, start: number, end: number): Shape[] {
  const near = Math.max(body, start - lookBack);
  const feed = text.indexOf('\n', near) + 1;
  // A line that is longer than that is read from within.
  const from = near === body || feed === 0 || feed > start ? near : feed;
  return markdownMarks(text.slice(from, Math.min(text.length, end + 200)))
    .map((mark) => ({ ...mark, start: mark.start + from, end: mark.end + from }))
    .filter((mark) => mark.start < end && mark.end > start);
}

/** What is shown of a stretch: without its marks, and without its empty lines. */
function shown(text: string, start: number, end: number, shapes: readonly Shape[]): string {
  let out = '';
  let at = start;
  for (const shape of shapes) {
    if (shape.end <= at || shape.start >= end) continue;
    out += text.slice(at, Math.max(at, shape.start));
    if (shape.start >= at) out += shape.shown;
    at = Math.min(end, shape.end);
  }
  return (out + text.slice(at, end)).replace(/\s*\n\s*\n\s*/g, '\n');
}

/**
 * Where a card's text begins: a passage's own heading stands above its card already, what comes before that is
 * overlap, and a passage that begins inside a word begins with the next.
 */
function bodyStart({ text, heading, charStart }: Hit): number {
  for (const line of text.matchAll(/^#{1,6}[ \t]+([^\r\n]*)(?:\r\n|\r|\n|$)\s*/gm)) {
    const end = line.index + line[0].length;
    if (heading !== undefined && line[1]?.trim() === heading && end < text.length) return end;
  }
  const cutWord = (charStart ?? 0) > 0 ? /^\p{Ll}\S{0,30}\s+/u.exec(text) : null;
  return cutWord?.[0].length ?? 0;
}
