import { h } from './dom.ts';
import { bytes } from './format.ts';
import type { Segment, Slice } from './slices.ts';

/** Where a chunk begins, for the small number in the margin. */
export interface Cut {
  at: number;
  number: number;
}

/**
 * A slice as elements whose text nodes, joined, are exactly the slice of the source: the source is never read
 * as markup, and whatever is drawn beside it comes from attributes.
 */
export function drawSlice(text: string, slice: Slice, cuts: readonly Cut[]): HTMLElement {
  const element = h('div', { class: 'slice' });
  for (const segment of slice.segments) {
    const inside = cuts.filter((cut) => cut.at >= segment.start && cut.at < segment.end);
    element.append(...drawSegment(text, segment, inside));
  }
  return element;
}

function drawSegment(text: string, segment: Segment, cuts: readonly Cut[]): Node[] {
  const { start, end, kind } = segment;
  if (kind === 'plain') return drawText(text, start, end, cuts);
  if (kind === 'blob') {
    const folded = h('span', { class: 'blob-text' }, text.slice(start, end));
    return [h('span', { class: 'blob', 'data-note': `embedded data, ${bytes(end - start)}` }), folded];
  }
  if (kind === 'code' || kind === 'record')
    return [h('span', { class: kind }, ...drawText(text, start, end, cuts))];
  const level = Number(kind.slice(1));
  const title = start + (/^#+[ \t]+/.exec(text.slice(start, Math.min(end, start + 40)))?.[0].length ?? 0);
  return [
    h(
      'span',
      { class: `head ${kind}`, role: 'heading', 'aria-level': level },
      h(
        'span',
        { class: 'hashes' },
        ...drawText(
          text,
          start,
          title,
          cuts.filter((cut) => cut.at < title),
        ),
      ),
      ...drawText(
        text,
        title,
        end,
        cuts.filter((cut) => cut.at >= title),
      ),
    ),
  ];
}

/** Text nodes with the chunk marks between them, and a line break after each bare CR, which CSS takes for a blank. */
function drawText(text: string, start: number, end: number, cuts: readonly Cut[]): Node[] {
  const nodes: Node[] = [];
  let from = start;
  const upTo = (to: number): void => {
    if (to <= from) return;
    const parts = text.slice(from, to).split(/(?<=\r)(?!\n)/);
    parts.forEach((part, index) => {
      nodes.push(document.createTextNode(part));
      if (index < parts.length - 1 || (part.endsWith('\r') && text[to] !== '\n')) nodes.push(h('br'));
    });
    from = to;
  };
  for (const cut of cuts) {
    upTo(cut.at);
    nodes.push(h('i', { class: 'cut', 'data-number': cut.number, 'aria-hidden': 'true' }));
  }
  upTo(end);
  return nodes;
}
