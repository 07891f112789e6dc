import { describe, expect, it } from 'vitest';
import { guide, notes, open } from './index-helpers.ts';
import { letters } from './letters.ts';
import { connect } from './worker-helpers.ts';

describe('why a passage is found, in a browser', () => {
  it('a worker explains as a page does', async () => {
    const here = await open({ embedder: letters().embedder });
    const there = await connect({ embedder: 'letters' });
    for (const index of [here, there]) await index.add([guide, notes]);
    const options = { filter: { lang: 'en' }, mode: 'hybrid' } as const;
    const query = 'refunds within days';
    const [hit] = await there.search(query, options);
    const told = await there.explain(hit!, query, options);
    expect(told).toEqual(await here.explain(hit!, query, options));
    const terms = told!.lexical!.terms!;
    expect(terms.map(({ term }) => term).sort()).toEqual(['days', 'refunds', 'within']);
    const sum = terms.reduce((total, { score }) => total + score, 0);
    expect(Math.abs(sum - hit!.legs['lexical']!.score)).toBeLessThan(1e-9);
    expect(told!.fusion.lexical + told!.fusion.semantic).toBeCloseTo(hit!.score, 9);
    expect(told!.filtered.chunks).toBe((await there.chunks('notes.md')).length);
  });

  it('a hit that was copied is explained too, and what is no hit is refused', async () => {
    const there = await connect();
    await there.add([guide]);
    const [{ neighbours: _function, ...hit }] = (await there.search('zebra')) as never as [
      { id: string; neighbours: unknown },
    ];
    expect((await there.explain(structuredClone(hit), 'zebra'))!.lexical!.terms).toHaveLength(1);
    await expect(there.explain(undefined as never, 'zebra')).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
    expect(await there.explain(hit, 'nothing')).toBeUndefined();
  });
});
