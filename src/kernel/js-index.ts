/** The TypeScript twins of the index module: a module of its own, fetched only where WebAssembly is refused. */
export { jsLexical } from './js-lexical.ts';
export { jsVector } from './js-vector.ts';
