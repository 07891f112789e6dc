import '../../src/element/index.ts';

/** What tests reach from outside: fetched when it is asked for, so that a page carries the element alone. */
const load = () => import('./tools.ts');

declare global {
  interface Window {
    load: typeof load;
  }
}

window.load = load;
