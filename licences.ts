import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Puts the licence of each package that is bundled beside its modules. */
export function licences(): Plugin {
  return {
    name: 'shelfmark-licences',
    generateBundle(_options, bundle) {
      const seen = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.fileName.startsWith('vendor/')) continue;
        let source = dirname(chunk.facadeModuleId!);
        let target = dirname(chunk.fileName);
        // A folder may say in a package.json of its own what kind of modules it holds.
        while (!existsSync(join(source, 'LICENSE'))) [source, target] = [dirname(source), dirname(target)];
        if (seen.has(target)) continue;
        seen.add(target);
        this.emitFile({
          type: 'asset',
          fileName: `${target}/LICENSE`,
          source: readFileSync(join(source, 'LICENSE')),
        });
      }
    },
  };
}

/** Puts the licences of all packages of a single bundled file into one beside it. */
export function licencesBeside(fileName: string): Plugin {
  return {
    name: 'shelfmark-licences-beside',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk' ? chunk.moduleIds : [],
      );
      const folders = modules.map((id) => /^.*node_modules\/(?:@[^/]+\/)?([^/]+)(?=\/)/.exec(id));
      const packages = new Map(
        folders.filter((match) => match !== null).map(([folder, name]) => [name!, folder]),
      );
      const texts = [...packages].sort().map(([name, folder]) => {
        return `${name}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`;
      });
      this.emitFile({ type: 'asset', fileName, source: texts.join('\n\n') });
    },
  };
}
