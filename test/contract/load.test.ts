import { afterEach, describe, expect, it } from 'vitest';
import * as load from '../../src/kernel/load.ts';
import { scanBlocks } from '../../src/kernel/load-blocks.ts';
import { readBuild } from '../build-file.ts';

const original = WebAssembly.Module;
const text = '# A\nx\n## B ##\n';
const bytes = new TextEncoder().encode(text);
const blocks = () => scanBlocks(bytes, { frontMatter: true }).count;
const titles = () => load.atxHeadings(bytes).map(({ title }) => title);

/** Makes the engine refuse to compile as one without SIMD, or a page without `wasm-unsafe-eval`, does. */
function refuse(error: Error): void {
  const refusing = class {
    constructor() {
      throw error;
    }
  };
  Object.defineProperty(WebAssembly, 'Module', { value: refusing, configurable: true, writable: true });
}

describe('choosing the kernel', () => {
  // A page keeps its modules, so each case starts with `init()`, which compiles afresh.
  afterEach(async () => {
    Object.defineProperty(WebAssembly, 'Module', { value: original, configurable: true, writable: true });
    await load.init();
  });

  it('runs WebAssembly where the engine takes it', () => {
    expect(load.kernelInfo().text).toEqual({ kernel: 'wasm' });
    expect(titles()).toEqual(['A', 'B ##']);
  });

  it('tells of the blocks module once a document was read', async () => {
    expect(await load.init()).not.toHaveProperty('blocks');
    expect(blocks()).toBe(3);
    expect(load.kernelInfo().blocks).toEqual({ kernel: 'wasm' });
  });

  it.each([
    ['an engine without SIMD', new WebAssembly.CompileError('invalid SIMD opcode 253')],
    ['a policy without wasm-unsafe-eval', new EvalError('Refused to compile by Content Security Policy')],
    ['no memory', new RangeError('could not allocate memory')],
  ])('falls back to TypeScript on %s, and says why', async (_case, error) => {
    refuse(error);
    expect((await load.init()).text).toEqual({ kernel: 'js', reason: error.message });
    expect(titles()).toEqual(['A', 'B ##']);
    expect(blocks()).toBe(3);
    expect(load.kernelInfo().blocks).toEqual({ kernel: 'js', reason: error.message });
    expect(load.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('does not remember a failure: the next init() tries afresh', async () => {
    refuse(new RangeError('could not allocate memory'));
    expect((await load.init()).text.kernel).toBe('js');
    expect(load.kernelInfo().text.kernel).toBe('js');
    Object.defineProperty(WebAssembly, 'Module', { value: original, configurable: true, writable: true });
    expect((await load.init()).text).toEqual({ kernel: 'wasm' });
  });

  it('takes a module served apart: bytes, a Response, a compiled module', async () => {
    const wasm = await readBuild('text.release.wasm');
    expect((await load.init({ wasm })).text).toEqual({ kernel: 'wasm' });
    expect((await load.init({ wasm: new Response(wasm) })).text).toEqual({ kernel: 'wasm' });
    expect((await load.init({ wasm: new WebAssembly.Module(wasm) })).text).toEqual({ kernel: 'wasm' });
    expect((await load.init({ wasm: Promise.resolve(wasm) })).text).toEqual({ kernel: 'wasm' });
    expect(titles()).toEqual(['A', 'B ##']);
  });

  it('tells the modules apart by what they export, in any order', async () => {
    const [index, markdown, wasm] = await Promise.all(
      ['index', 'blocks', 'text'].map((name) => readBuild(`${name}.release.wasm`)),
    );
    expect((await load.init({ wasm: [index!, markdown!, wasm!] })).text).toEqual({ kernel: 'wasm' });
    expect([titles(), blocks()]).toEqual([['A', 'B ##'], 3]);
    const { text: state } = await load.init({ wasm: [new Response('', { status: 404 }), markdown!] });
    expect(state.reason).toContain('answered 404');
    expect([titles(), blocks()]).toEqual([['A', 'B ##'], 3]);
    expect(load.kernelInfo().blocks).toEqual({ kernel: 'wasm' });
  });

  it('says what came back where the module is not one, and works on', async () => {
    const missing = await load.init({ wasm: new Response('no such file', { status: 404 }) });
    expect(missing.text.kernel).toBe('js');
    expect(missing.text.reason).toContain('answered 404');
    const html = await load.init({ wasm: new Response('<!doctype html>') });
    expect(html.text.kernel).toBe('js');
    expect(titles()).toEqual(['A', 'B ##']);
    expect((await load.init()).text).toEqual({ kernel: 'wasm' });
  });

  it('refuses a module of another ABI version', async () => {
    // (module (global (export "ABI_VERSION") i32 (i32.const 99)))
    const other = Uint8Array.of(
      ...[
        0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, 0x06, 0x07, 0x01, 0x7f, 0x00, 0x41, 0xe3, 0x00, 0x0b,
      ],
      ...[0x07, 0x0f, 0x01, 0x0b, ...new TextEncoder().encode('ABI_VERSION'), 0x03, 0x00],
    );
    const { text: state } = await load.init({ wasm: other });
    expect(state.kernel).toBe('js');
    expect(state.reason).toContain('of version 99, and 3 is needed');
  });

  it('runs the twin where that is asked for', async () => {
    expect((await load.init({ kernel: 'js' })).text).toEqual({ kernel: 'js', reason: 'chosen by init()' });
    expect(blocks()).toBe(3);
    expect(load.kernelInfo().blocks).toEqual({ kernel: 'js', reason: 'chosen by init()' });
  });
});
