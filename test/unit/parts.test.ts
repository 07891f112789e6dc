import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fetchPart } from '../../src/errors.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  // The command is installed, not served.
  .filter((path) => path.endsWith('.ts') && !path.startsWith('cli'))
  .map((path) => join(root, path));

describe('a part of the library that is fetched when it is needed', () => {
  it('is always one whose absence is told', () => {
    const bare: string[] = [];
    let fetched = 0;
    for (const path of sources) {
      const source = readFileSync(path, 'utf8');
      // Types are imported likewise, and cost nothing.
      for (const { index } of source.matchAll(/(?<!typeof |<)import\('\./g)) {
        fetched++;
        if (!/fetchPart\([^;]*$/.test(source.slice(0, index))) bare.push(relative(root, path));
      }
    }
    expect(bare).toEqual([]);
    expect(fetched).toBeGreaterThan(5);
  });

  it('gives UNSUPPORTED where its file is not there, with what to do', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module');
    await expect(fetchPart('part that does it', () => Promise.reject(cause))).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(
        /^The part that does it could not be fetched .* serve every file of the build/,
      ),
      cause,
    });
    expect(await fetchPart('part that does it', async () => 5)).toBe(5);
  });
});
