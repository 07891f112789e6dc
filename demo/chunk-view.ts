import { breathe, h } from './dom.ts';
import type { ListedPiece } from './engine-protocol.ts';
import { count, plural, span } from './format.ts';
import { recordAfter, recordRanges } from './split-settings.ts';

/** Longest text shown of a chunk; one with an embedded picture can be millions long. */
const longest = 4000;

/** Chunks that are laid out together: thousands of single ones would make every frame slow. */
const groupSize = 40;

/** The chunks one under the other: heading, offsets, size, and the text; records lie apart. */
export class ChunkView {
  readonly #list: HTMLElement;
  readonly #onPick: (index: number) => void;
  #turn = 0;

  constructor(list: HTMLElement, onPick: (index: number) => void) {
    this.#list = list;
    this.#onPick = onPick;
    list.addEventListener('click', (event) => {
      const at = (event.target as Element).closest<HTMLElement>('[data-index]')?.dataset['index'];
      if (at !== undefined && (event.target as Element).closest('button')) this.#onPick(Number(at));
    });
  }

  async show(
    source: string,
    chunks: readonly ListedPiece[],
    starts: readonly number[] | undefined,
  ): Promise<void> {
    const turn = ++this.#turn;
    this.#list.replaceChildren();
    for (let at = 0; at < chunks.length; at += groupSize) {
      this.#list.append(group(source, chunks, at, starts));
      await breathe();
      if (turn !== this.#turn) return;
    }
  }

  clear(): void {
    this.#turn++;
    this.#list.replaceChildren();
  }
}

function group(
  source: string,
  chunks: readonly ListedPiece[],
  from: number,
  starts: readonly number[] | undefined,
): HTMLElement {
  const list = h('ol', { class: 'chunk-group', start: from + 1 });
  let lines = 0;
  for (let at = from; at < Math.min(chunks.length, from + groupSize); at++) {
    const { charStart, charEnd } = chunks[at]!;
    lines += 3 + Math.ceil((Math.min(charEnd, charStart + longest) - charStart) / 80);
    list.append(chunkItem(source, chunks, at, starts));
  }
  list.style.setProperty('--lines', String(lines));
  return list;
}

function chunkItem(
  source: string,
  chunks: readonly ListedPiece[],
  index: number,
  starts: readonly number[] | undefined,
): HTMLElement {
  const chunk = chunks[index]!;
  const before = chunks[index - 1];
  const path = chunk.headingPath?.length ? chunk.headingPath : chunk.heading ? [chunk.heading] : [];
  const records = starts === undefined ? undefined : recordRanges(starts, chunk.charStart, chunk.charEnd);
  const size = chunk.charEnd - chunk.charStart;
  const title =
    path.at(-1) ?? (records ? recordsIn(chunks, index, starts!, records.length) : 'Before any heading');
  return h(
    'li',
    { class: 'chunk', 'data-index': index, 'data-start': chunk.charStart, 'data-end': chunk.charEnd },
    h(
      'div',
      { class: 'chunk-top' },
      h(
        'button',
        { type: 'button', class: 'chunk-name' },
        h('span', { class: 'number' }, `${index + 1}`),
        title,
        path.length > 1 && h('span', { class: 'chunk-above' }, path.slice(0, -1).join(' › ')),
      ),
      h('span', { class: 'chunk-span' }, span(chunk.charStart, chunk.charEnd)),
      h('span', { class: 'chunk-size' }, `${count(size)} chars${chunk.oversize ? ', over the limit' : ''}`),
    ),
    chunk.context !== undefined && h('p', { class: 'context' }, chunk.context),
    h('div', { class: `chunk-text ${records ? 'in-records' : ''}` }, ...body(source, chunk, before, records)),
  );
}

/** Whole records are counted; a piece of one that was too long says so. */
function recordsIn(
  chunks: readonly ListedPiece[],
  index: number,
  starts: readonly number[],
  records: number,
): string {
  const { charStart, charEnd } = chunks[index]!;
  const begins = starts[recordAfter(starts, charStart) - 1] ?? 0;
  const ends = starts[recordAfter(starts, charEnd - 1)] ?? Number.POSITIVE_INFINITY;
  const [before, after] = [chunks[index - 1], chunks[index + 1]];
  const isPart = (before?.charEnd ?? 0) > begins || (after?.charStart ?? ends) < ends;
  return isPart ? 'Part of a record' : plural(records, 'record');
}

function body(
  source: string,
  { charStart, charEnd }: ListedPiece,
  before: ListedPiece | undefined,
  records: [number, number][] | undefined,
): Node[] {
  const end = Math.min(charEnd, charStart + longest);
  const nodes: Node[] = [];
  if (records) {
    for (const [from, to] of records) {
      if (from < end) nodes.push(h('span', { class: 'record' }, source.slice(from, Math.min(to, end))));
    }
  } else {
    const seen = Math.min(end, Math.max(charStart, before?.charEnd ?? 0));
    if (seen > charStart) {
      nodes.push(
        h('span', { class: 'overlap', title: 'Also in the chunk before' }, source.slice(charStart, seen)),
      );
    }
    nodes.push(document.createTextNode(source.slice(seen, end)));
  }
  if (end < charEnd) nodes.push(h('span', { class: 'more' }, `and ${count(charEnd - end)} more characters`));
  return nodes;
}
