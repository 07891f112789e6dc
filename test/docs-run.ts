import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import ts from 'typescript';
import { expect, vi } from 'vitest';
import { type Block, blocksIn } from './docs-blocks.ts';
import { libraryPaths, moduleOf } from './docs-types.ts';

/** A page's code as one module that tells which block is running, with the library's sources for its name. */
function moduleText(blocks: readonly Block[]): string {
  const marked = blocks.map((block) => ({ ...block, code: `docsBlock(${block.line});\n${block.code}` }));
  const source = moduleOf(marked)
    .map(({ code }) => code)
    .join('\n');
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  });
  return Object.entries(libraryPaths()).reduce(
    (text, [name, [path]]) => text.replaceAll(`from '${name}'`, `from ${JSON.stringify(path)}`),
    outputText,
  );
}

/**
 * Runs a page's code in Node from top to bottom, and expects it to print what the text blocks right behind it say, and
 * nothing else.
 *
 * @param folder Where the module is put, and so where its packages are looked for; it is removed again
 */
export async function runPage(page: string, folder: string): Promise<void> {
  const all = blocksIn(page);
  const blocks = all.filter(({ language }) => language === 'ts');
  const printed = new Map<number, string[]>(blocks.map(({ line }) => [line, []]));
  let running = 0;
  Object.assign(globalThis, {
    docsBlock: (line: number) => {
      running = line;
    },
  });
  const log = vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
    printed.get(running)!.push(format(...values));
  });
  mkdirSync(folder, { recursive: true });
  try {
    const file = join(folder, `${page.replace('/', '-')}.mjs`);
    writeFileSync(file, moduleText(blocks));
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  } finally {
    log.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const [at, { language, line, code }] of all.entries()) {
    const before = all[at - 1];
    if (language !== 'text' || before?.language !== 'ts') continue;
    const got = printed.get(before.line)!.join('\n');
    expect({ line, printed: got }).toEqual({ line, printed: code.trimEnd() });
    printed.delete(before.line);
  }
  expect([...printed].filter(([, lines]) => lines.length > 0)).toEqual([]);
}
