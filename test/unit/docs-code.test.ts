import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'htmlparser2';
import { beforeAll, describe, expect, it } from 'vitest';
import { shelfmark } from '../cli-run.ts';
import { type Block, blocksIn, pages, root, runBy, textOf } from '../docs-blocks.ts';
import { faultsOf, moduleOf } from '../docs-types.ts';

const blocks = pages.flatMap((page) => blocksIn(page));
/** What no test of a page's own runs. */
const left = blocks.filter((block) => runBy(block) === undefined);
const ofLanguage = (...languages: string[]) => left.filter(({ language }) => languages.includes(language));
const code = ofLanguage('ts', 'js', 'mts', 'mjs');
const where = ({ page, line }: Block): string => `${page}:${line}`;

interface Node {
  name?: string;
  attribs?: Record<string, string>;
  children?: Node[];
  data?: string;
}

/** Every element of a fragment, outermost first. */
function elements(node: Node): Node[] {
  const own = node.name === undefined ? [] : [node];
  return [...own, ...(node.children ?? []).flatMap(elements)];
}
const html = ofLanguage('html').map((block) => ({
  block,
  elements: elements(parseDocument(block.code) as Node),
}));

describe('the code of README and guides', () => {
  it('is found in full, whatever the page', () => {
    for (const page of pages) {
      const fences = textOf(page).match(/^ *(```|~~~)/gm) ?? [];
      expect([page, blocksIn(page).length * 2]).toEqual([page, fences.length]);
    }
    expect(code.length).toBeGreaterThanOrEqual(10);
  });

  it('is compiled or run by a test, every block of it', () => {
    const checkedHere = ['ts', 'js', 'mts', 'mjs', 'html', 'css', 'json', 'sh', 'text'];
    const unchecked = left.filter(({ language }) => !checkedHere.includes(language));
    expect(unchecked.map((block) => `${where(block)}: ${block.language || 'no language'}`)).toEqual([]);
  });

  describe('as the compiler sees it', () => {
    const wrong = 'docs/none.md';
    let faults: string[] = [];
    // One program for all: most of the time goes into reading the library.
    beforeAll(() => {
      const byPage = new Map<string, Block[]>();
      for (const block of code) byPage.set(block.page, [...(byPage.get(block.page) ?? []), block]);
      const modules = new Map([...byPage].map(([page, of]) => [page, moduleOf(of)]));
      for (const { block, elements } of html) {
        elements
          .filter(({ name, attribs }) => name === 'script' && attribs?.['type'] === 'module')
          .forEach(({ children }, n) => {
            const script = (children ?? []).map(({ data }) => data ?? '').join('');
            modules.set(`${where(block)} script ${n}`, moduleOf([{ ...block, code: script }]));
          });
      }
      const text =
        "# None\n\n```ts\nimport { openIndex } from 'shelfmark';\n\nconst index = await openIndex({ persist: false });\n```\n\n" +
        '<!-- given: declare const question: string; -->\n```ts\nawait index.search(question);\nawait index.serach(question);\n```\n';
      modules.set(wrong, moduleOf(blocksIn(wrong, text)));
      faults = faultsOf(modules);
    }, 300_000);

    it('agrees with the public types', () => {
      expect(faults.filter((fault) => !fault.startsWith(wrong))).toEqual([]);
    });

    it('would be refused by page and line where it did not', () => {
      expect(faults.filter((fault) => fault.startsWith(wrong))).toEqual([
        expect.stringMatching(/^docs\/none\.md:12: Property 'serach' does not exist/),
      ]);
    });
  });

  it('has HTML with attributes that the search box knows', () => {
    const source = readFileSync(join(root, 'src/element/element.ts'), 'utf8');
    const observed = /observedAttributes = \[([^\]]*)\]/.exec(source)![1]!;
    const asked = [...source.matchAll(/[gs]etAttribute\('([\w-]+)'/g)].map(([, name]) => name!);
    const attributes = [...observed.matchAll(/'([\w-]+)'/g)].map(([, name]) => name!).concat(asked);
    expect(attributes).toEqual(expect.arrayContaining(['src', 'base-url']));
    for (const { block, elements } of html) {
      for (const { name, attribs } of elements) {
        if (name !== 'shelfmark-search') continue;
        for (const attribute of Object.keys(attribs ?? {})) {
          expect([...attributes, 'id', 'class'], where(block)).toContain(attribute);
        }
      }
    }
  });

  it('has CSS with custom properties and parts that there are', () => {
    const sources = ['styles', 'view', 'list', 'dom', 'element']
      .map((name) => readFileSync(join(root, `src/element/${name}.ts`), 'utf8'))
      .join('\n');
    for (const block of ofLanguage('css')) {
      const named = [
        ...block.code.matchAll(/--shelfmark-[\w-]+/g),
        ...block.code.matchAll(/(?<=::part\()[\w-]+/g),
      ].map(([name]) => name);
      expect(named.length, where(block)).toBeGreaterThan(0);
      for (const name of named) expect(sources, where(block)).toContain(name);
    }
  });

  it('has JSON that parses, alone or as members of an object', () => {
    for (const block of ofLanguage('json')) {
      const object = block.code.trimStart().startsWith('{') ? block.code : `{${block.code}}`;
      expect(() => JSON.parse(object), where(block)).not.toThrow();
    }
  });

  it('has command lines with scripts, commands and options that there are', async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const { out } = await shelfmark(['--help']);
    const help = out.join('\n');
    for (const block of ofLanguage('sh')) {
      const commands = block.code
        .split('\n')
        .map((line) => line.replace(/\s#.*$/, '').trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
        .flatMap((line) => line.split(/\s*&&\s*/));
      expect(commands.length, where(block)).toBeGreaterThan(0);
      for (const command of commands) {
        const [program, first, second] = command.split(/\s+/);
        const at = `${where(block)}: ${command}`;
        if (program === 'npm') {
          expect(['install', 'pkg', 'pack', 'init', 'start', 'test', 'run'], at).toContain(first);
          const script = first === 'run' ? second : first;
          if (['start', 'test', 'run'].includes(first!)) expect(Object.keys(scripts), at).toContain(script);
        } else if (program === 'npx' && first === 'shelfmark') {
          expect(help, at).toMatch(new RegExp(`^\\s*(shelfmark )?${second}\\b`, 'm'));
          for (const option of command.match(/--[a-z][a-z-]+/g) ?? []) expect(help, at).toContain(option);
        } else if (program === 'npx' && first === 'chroma') {
          // As test/chroma/server.ts starts it.
          expect(second, at).toBe('run');
        } else if (program === 'node') {
          expect(existsSync(join(root, first!)), at).toBe(true);
        } else {
          expect(['mkdir', 'cp', 'cd'], at).toContain(program);
        }
      }
    }
  });
});
