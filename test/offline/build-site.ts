import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Builds the docs site into a folder of its own, as `npm run build:docs` does. */
export default function buildSite(): () => void {
  const given = process.env['SHELFMARK_DOCS_SITE'];
  if (given !== undefined) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'shelfmark-docs-site-'));
  const script = join(import.meta.dirname, '../../demo/docs/build.mjs');
  execFileSync(process.execPath, [script, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.env['SHELFMARK_DOCS_SITE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
