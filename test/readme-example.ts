import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const readme = join(import.meta.dirname, '..', 'README.md');

/** The example that the README marks, as it stands there. */
export function readmeExample(): string {
  const found = /<!-- example -->\n```ts\n([\s\S]*?)```/.exec(readFileSync(readme, 'utf8'));
  if (found === null) throw new Error('the README has no marked example');
  return found[1]!;
}

const id = 'virtual:readme-example';

/** Serves the example as a module whose default export runs it and answers what it logs. */
export function readmeModule(): Plugin {
  return {
    name: 'shelfmark-readme-example',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined;
      const example = readmeExample()
        .replace("'shelfmark'", JSON.stringify('/src/index.ts'))
        .replace("'shelfmark/transformers'", JSON.stringify('/src/embed/transformers.ts'));
      const imports = example.match(/^import .*$/gm)!.join('\n');
      const body = example.replace(/^import .*$/gm, '');
      return `${imports}\nexport default async (console) => {${body}\n};`;
    },
  };
}
