import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as shelfmark from '../../src/index.ts';
import { readmeExample } from '../readme-example.ts';

const root = resolve(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the README', () => {
  it('has an example of at most 15 lines that compiles against the public types', () => {
    const code = readmeExample();
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(15);
    const file = join(root, 'test', 'readme-example.generated.ts');
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      allowImportingTsExtensions: true,
      paths: {
        shelfmark: [join(root, 'src/index.ts')],
        'shelfmark/transformers': [join(root, 'src/embed/transformers.ts')],
      },
    };
    const host = ts.createCompilerHost(options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (name, language) =>
      name === file ? ts.createSourceFile(name, code, language) : read(name, language);
    const program = ts.createProgram([file], options, host);
    const faults = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(file))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(faults).toEqual([]);
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
