import { byId, h } from './dom.ts';
import { bytes, count, ms } from './format.ts';

export interface Costs {
  splitMs?: number | undefined;
  embedMs?: number | undefined;
  storeMs?: number | undefined;
  searchMs?: number | undefined;
  modelMs?: number | undefined;
  embedded: number;
  chunks: number;
  bytes?: number | undefined;
}

/** What the last document and the last question cost, under the passages. */
export function showCosts(costs: Costs): void {
  const rows: [id: string, name: string, value: string][] = [
    ['split', 'Split', ms(costs.splitMs)],
    ['embed', 'Embed', ms(costs.embedMs)],
    ['store', 'Store', ms(costs.storeMs)],
    ['search', 'Search', ms(costs.searchMs)],
    ['model', 'Load model', ms(costs.modelMs)],
    ['embedded', 'Embedded', count(costs.embedded)],
    ['chunks', 'Chunks', count(costs.chunks)],
    ['bytes', 'Kept here', bytes(costs.bytes)],
  ];
  const kept = costs.bytes === undefined ? undefined : `${bytes(costs.bytes)} kept`;
  const search = costs.searchMs === undefined ? undefined : `search ${ms(costs.searchMs)}`;
  byId('cost-brief').textContent = [search, kept].filter(Boolean).join(' · ');
  byId('cost').replaceChildren(
    ...rows.map(([id, name, value]) => h('div', {}, h('dt', {}, name), h('dd', { 'data-cost': id }, value))),
  );
}
