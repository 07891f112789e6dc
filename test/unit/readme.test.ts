import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as answers from '../../src/answer/index.ts';
import * as chroma from '../../src/chroma/index.ts';
import { transformersEmbedder } from '../../src/embed/transformers.ts';
import * as root from '../../src/index.ts';
import { readmeExample } from '../readme-example.ts';

const readme = readFileSync(join(resolve(import.meta.dirname, '..', '..'), 'README.md'), 'utf8');

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
    // The object that openIndex gives.
    named.delete('index');
    expect(named.size).toBeGreaterThan(20);
    const exported = Object.keys({ ...root, ...answers, ...chroma, transformersEmbedder });
    for (const name of named) expect(exported, name).toContain(name);
  });
});
