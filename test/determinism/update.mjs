// node test/determinism/update.mjs: writes test/fixtures/determinism.json anew, with this Node's results.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root, withCompiled } from '../compiled.mjs';

await withCompiled(async (load) => {
  const { work, modelVectors } = await load('/test/determinism/work.ts');
  const model = await modelVectors();
  const done = { model, ...(await work('wasm', model)) };
  const lines = Object.entries(done).map(([section, parts]) => {
    const rows = Object.entries(parts).map(([name, list]) => {
      const items =
        section === 'model'
          ? JSON.stringify(list)
          : `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}]`;
      return `${JSON.stringify(name)}: ${items}`;
    });
    return `${JSON.stringify(section)}: {\n${rows.join(',\n')}}`;
  });
  const file = resolve(root, 'test/fixtures/determinism.json');
  writeFileSync(file, `{\n${lines.join(',\n')}}\n`);
  console.log(`Wrote ${file}`);
});
