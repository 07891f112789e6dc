import { h } from './dom.ts';

const name = 'passage';

/** Whether the platform can paint ranges without touching the elements. */
const canHighlight = (): boolean => 'highlights' in CSS && typeof Highlight === 'function';

let wrapped: HTMLElement[] = [];

/** Marks exactly what the range holds: by a highlight, or by `<mark>` around its text nodes. */
export function mark(range: Range): void {
  unmark();
  if (canHighlight()) {
    CSS.highlights.set(name, new Highlight(range));
    return;
  }
  // All places first: a range moves along when its text nodes are split.
  const parts = textNodesIn(range).map((node) => ({
    node,
    from: node === range.startContainer ? range.startOffset : 0,
    to: node === range.endContainer ? range.endOffset : node.data.length,
  }));
  for (const { node, from, to } of parts) {
    if (to <= from) continue;
    const middle = from > 0 ? node.splitText(from) : node;
    if (to - from < middle.data.length) middle.splitText(to - from);
    const element = h('mark', { class: 'passage' });
    middle.replaceWith(element);
    element.append(middle);
    wrapped.push(element);
  }
}

export function unmark(): void {
  if (canHighlight()) CSS.highlights.delete(name);
  for (const element of wrapped) {
    const parent = element.parentNode;
    element.replaceWith(...element.childNodes);
    parent?.normalize();
  }
  wrapped = [];
}

function textNodesIn(range: Range): Text[] {
  const root = range.commonAncestorContainer;
  if (root instanceof Text) return [root];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (range.intersectsNode(node)) nodes.push(node as Text);
  }
  return nodes;
}
