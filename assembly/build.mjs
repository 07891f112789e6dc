// Compiles the kernel modules, debug and release, into build/, and writes each release module as an ES module that
// exports its bytes as text, which is what the library inlines.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'build');
const modules = ['text', 'blocks', 'index'];
const time = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const inputs = [
  ...readdirSync(join(root, 'assembly'), { recursive: true }).map((name) =>
    join(root, 'assembly', String(name)),
  ),
  join(root, 'asconfig.json'),
];
/**
 * A byte as a character where it is one of the 85 commonest in a row, else as two, `}` or `~` first. All are ASCII, so
 * that no bundler and no server's charset touches them, and gzip finds the repetitions of bytes, which base64 cuts
 * across: the index module is 7.2 kB so, 7.8 kB in hexadecimal and 8.8 kB in base64. `compileInlined` reads it.
 */
function asText(bytes) {
  let text = '';
  for (const byte of bytes) {
    const place = (byte + 4) & 255;
    const page = Math.floor(place / 85);
    // The last of the 256 places goes with the page before it.
    const mark = ['', '}', '~', '~'][page];
    const char = String.fromCharCode(0x28 + place - Math.min(page, 2) * 85);
    text += mark + (char === '\\' ? '\\\\' : char);
  }
  return text;
}

const newest = Math.max(...inputs.map(time));

mkdirSync(out, { recursive: true });
for (const name of modules) {
  const inlined = join(out, `${name}.wasm.js`);
  if (time(inlined) > newest) continue;
  for (const target of ['debug', 'release']) {
    const { error, stderr } = await asc.main(
      [
        `assembly/${name}.ts`,
        '--target',
        target,
        '--outFile',
        `build/${name}.${target}.wasm`,
        '--baseDir',
        root,
      ],
      {},
    );
    if (error) {
      console.error(stderr.toString());
      process.exit(1);
    }
  }
  const wasm = readFileSync(join(out, `${name}.release.wasm`));
  writeFileSync(join(out, `${name}.wasm.d.ts`), 'declare const text: string;\nexport default text;\n');
  writeFileSync(inlined, `export default '${asText(wasm)}';\n`);
  console.log(`build/${name}.release.wasm ${wasm.length} bytes`);
}
