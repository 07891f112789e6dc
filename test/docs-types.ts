/** Type-checks the code of pages for users against the library's sources. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Block, root } from './docs-blocks.ts';

/** The library's sub-paths, each on the source its types are built from. */
export function libraryPaths(): Record<string, string[]> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types?: string }>;
  };
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, target]) => {
      const types = typeof target === 'object' ? target.types : undefined;
      if (types === undefined) return [];
      const source = types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts');
      return [[path.replace('.', 'shelfmark'), [join(root, source)]]];
    }),
  );
}

/** Packages that a newcomer's `npm install` leaves out; tests that install them run the code. */
const apart: Record<string, string> = {
  '@huggingface/transformers': 'test/transformers-4',
  chromadb: 'test/chroma',
  minisearch: 'test/migration',
  '@orama/orama': 'test/migration',
  '@langchain/textsplitters': 'test/migration',
};

const isThere = (name: string): boolean =>
  existsSync(join(root, apart[name]!, 'node_modules', name, 'package.json'));

const options = (): ts.CompilerOptions => ({
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  allowImportingTsExtensions: true,
  paths: {
    ...libraryPaths(),
    ...Object.fromEntries(
      Object.keys(apart)
        .filter(isThere)
        .map((name) => [name, [join(root, apart[name]!, 'node_modules', name)]]),
    ),
  },
});

/** A line of a module, and where it stands in the page. */
interface Line {
  code: string;
  at: number;
}

/**
 * A page's blocks as one module, each able to use what those before it declare, and to declare it anew: their imports
 * in front, each name once, and each block nested in the one before.
 *
 * `<!-- given: declare const signal: AbortSignal; -->` before a block declares what the reader has.
 */
export function moduleOf(blocks: readonly Block[]): Line[] {
  const imports = new Map<string, Line>();
  const bodies: Line[] = [];
  for (const { code, line, comment } of blocks) {
    bodies.push({ code: '{', at: line });
    const given = /^given:?\s([\s\S]*)$/.exec(comment ?? '')?.[1];
    // A declaration can stand at a module's top alone.
    for (const code of given?.split('\n') ?? []) imports.set(code, { code, at: line });
    const source = ts.createSourceFile('block.ts', code, ts.ScriptTarget.ES2022, true);
    const lineAt = (offset: number) => line + source.getLineAndCharacterOfPosition(offset).line;
    for (const statement of source.statements) {
      const at = lineAt(statement.getStart());
      if (ts.isImportDeclaration(statement)) {
        for (const one of singleImports(statement))
          if (!imports.has(one)) imports.set(one, { code: one, at });
        continue;
      }
      const text = statement.getText().replace(/^export (default )?(?=\w)/, '');
      text.split('\n').forEach((code, n) => {
        bodies.push({ code, at: at + n });
      });
    }
  }
  const closing = blocks.map(() => ({ code: '}', at: blocks.at(-1)?.line ?? 0 }));
  return [...imports.values(), ...bodies, ...closing, { code: 'export {};', at: 0 }];
}

/** An import as one statement a name, so that two blocks may import the same. */
function singleImports(statement: ts.ImportDeclaration): string[] {
  const from = statement.moduleSpecifier.getText();
  const clause = statement.importClause;
  if (clause === undefined) return [`import ${from};`];
  const type = clause.isTypeOnly ? 'type ' : '';
  const { name, namedBindings } = clause;
  const found: string[] = name === undefined ? [] : [`import ${type}${name.text} from ${from};`];
  if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings)) {
    found.push(`import ${type}* as ${namedBindings.name.text} from ${from};`);
  } else if (namedBindings !== undefined) {
    for (const element of namedBindings.elements) {
      found.push(`import ${type}{ ${element.getText()} } from ${from};`);
    }
  }
  return found;
}

/** "Parameter implicitly has an 'any' type", and the same of a binding element. */
const implicitAny = new Set([7006, 7031]);

/** What the compiler says of each module, as `page:line: message`. */
export function faultsOf(modules: ReadonlyMap<string, readonly Line[]>): string[] {
  const missing = Object.keys(apart).filter((name) => !isThere(name));
  const sources = new Map<string, string>([
    [
      join(root, 'test', 'docs-code', 'apart.d.ts'),
      missing.map((name) => `declare module '${name}';`).join('\n'),
    ],
  ]);
  const pageOf = new Map<string, string>();
  for (const [page, lines] of modules) {
    const file = join(root, 'test', 'docs-code', `${page.replaceAll('/', '-')}.ts`);
    sources.set(file, lines.map(({ code }) => code).join('\n'));
    pageOf.set(file, page);
  }
  const settings = options();
  const host = ts.createCompilerHost(settings);
  const [read, exists] = [host.getSourceFile.bind(host), host.fileExists.bind(host)];
  host.getSourceFile = (name, language) =>
    sources.has(name) ? ts.createSourceFile(name, sources.get(name)!, language) : read(name, language);
  host.fileExists = (name) => sources.has(name) || exists(name);
  const program = ts.createProgram([...sources.keys()], settings, host);
  return [...pageOf].flatMap(([file, page]) => {
    // What comes of a package that is not there has no type to give; where it is there, its own suite looks closer.
    const untyped = missing.some((name) => sources.get(file)!.includes(`from '${name}'`));
    return ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .filter(({ code }) => !(untyped && implicitAny.has(code)))
      .map(({ messageText, start = 0 }) => {
        const { line } = program.getSourceFile(file)!.getLineAndCharacterOfPosition(start);
        const at = modules.get(page)![line]?.at ?? 0;
        return `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      });
  });
}
