import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Folder, shelfmark } from '../cli-run.ts';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/build.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
  language: language!,
  code: code!,
}));
const ofLanguage = (wanted: string) =>
  blocks.filter(({ language }) => language === wanted).map(({ code }) => code);

/** A command line's words, as a shell divides them. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!);

describe('docs/build.md', () => {
  it('has commands that run as they stand, one after the other', async () => {
    using app = new Folder({
      'docs/refunds.md':
        '---\ntitle: Handbook\n---\n\n# Refunds\n\nRefunds are issued within 14 days of the return.',
    });
    const lines = ofLanguage('sh').flatMap((code) => code.trim().split('\n'));
    const scripts = ofLanguage('json').flatMap((code) =>
      Object.values(JSON.parse(code).scripts as Record<string, string>),
    );
    const commands = [
      ...lines,
      ...scripts.flatMap((script) => script.split(' && ').map((one) => `npx ${one}`)),
    ];
    expect(commands.length).toBeGreaterThanOrEqual(6);
    for (const line of commands) {
      const [runner, name, ...args] = words(line);
      expect([runner, name]).toEqual(['npx', 'shelfmark']);
      // The libraries are this repository's, the folders the app's.
      const paths = args.map((arg) => (/^(docs|public)\//.test(arg) ? join(app.path, arg) : arg));
      const { code, out } = await shelfmark(paths, { cwd: root });
      expect({ line, code }).toEqual({ line, code: 0 });
      if (name !== undefined && args[0] === 'query') {
        const [shown] = ofLanguage('text').filter((text) => text.startsWith('1. '));
        const scoreless = (text: string) => text.replace(/\d+\.\d{3}/g, '#').trim();
        expect(scoreless(out.join('\n'))).toBe(scoreless(shown!));
      }
    }
    for (const path of ['docs.shelf', 'models/glove-static/config.json', 'ort/ort-wasm-simd.wasm']) {
      expect(existsSync(join(app.path, 'public', path)), path).toBe(true);
    }
  });

  it('names every option that there is, and no other', async () => {
    const { out } = await shelfmark(['--help']);
    const optionsIn = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g));
    const inHelp = optionsIn(out.join('\n'));
    for (const general of ['--help', '--version']) inHelp.delete(general);
    expect([...optionsIn(guide)].sort()).toEqual([...inHelp].sort());
  });
});
