import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as shelfmark from '../../src/index.ts';
import { readmeExample } from '../readme-example.ts';

const root = resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('has an example of at most 15 lines', () => {
    expect(readmeExample().trim().split('\n').length).toBeLessThanOrEqual(15);
  });

  it('names nothing in its API tables that is not exported', () => {
    const tables = readme.slice(readme.indexOf('## The API at a glance'), readme.indexOf('**Kernel.**'));
    const named = new Set<string>();
    for (const cell of tables.matchAll(/^\| (`[^|]+`) \|/gm)) {
      for (const code of cell[1]!.matchAll(/`([A-Za-z]+)(?=[(`.])/g)) named.add(code[1]!);
    }
    for (const elsewhere of ['index', 'transformersEmbedder']) named.delete(elsewhere);
    expect(named.size).toBeGreaterThan(20);
    for (const name of named) expect(Object.keys(shelfmark), name).toContain(name);
  });
});
