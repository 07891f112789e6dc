import { join } from 'node:path';
import { it } from 'vitest';
import { runPage } from '../docs-run.ts';

it('docs/migration.md prints what it says, with the libraries it moves from', () =>
  runPage('docs/migration.md', join(import.meta.dirname, 'running')));
