/** Registers `<shelfmark-search>` where there are custom elements; elsewhere importing it does nothing. */
import { ShelfmarkSearch } from './element.ts';

export { ShelfmarkSearch } from './element.ts';
export type { SelectDetail } from './finder.ts';
export type { Labels } from './labels.ts';
export type { LinkOf } from './links.ts';
export type { SearchableIndex } from './source.ts';

declare global {
  interface HTMLElementTagNameMap {
    'shelfmark-search': ShelfmarkSearch;
  }
}

const name = 'shelfmark-search';
if (globalThis.customElements !== undefined && customElements.get(name) === undefined) {
  customElements.define(name, ShelfmarkSearch);
}
