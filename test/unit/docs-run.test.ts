import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../src/open-index.ts';
import { fileHash } from '../../src/store/file.ts';
import { pages, root, textOf } from '../docs-blocks.ts';
import { runPage } from '../docs-run.ts';

/** Pages that say so are run in Node from top to bottom; what they print stands in the text block behind the code. */
const running = pages.filter((page) => /^<!-- runs -->$/m.test(textOf(page)));

describe('guides that can be run', () => {
  it('are these', () => {
    expect(running).toEqual(
      expect.arrayContaining(['custom', 'file-format', 'records'].map((name) => `docs/${name}.md`)),
    );
  });

  it.each(running)('%s prints what it says', (page) =>
    runPage(page, join(root, 'build', `docs-run-${page.replace(/\W/g, '-')}`)),
  );

  it('take a file’s hash as the library does', async () => {
    const index = await openIndex({ persist: false });
    await index.add([{ uri: 'a.md', text: 'Refunds take 14 days.' }]);
    const file = Buffer.from(await (await index.export()).arrayBuffer());
    const head = Buffer.from(file.subarray(0, 20 + file.readUInt16LE(6) * 24)).fill(0, 16, 20);
    const spelled = createHash('sha256').update(head.toString('hex')).digest('hex');
    expect(await fileHash(file, 'a file')).toBe(spelled);
  });
});
