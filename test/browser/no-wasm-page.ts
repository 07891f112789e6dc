import { transformersEmbedder } from '../../src/embed/transformers.ts';

// Vitest rewrites `import()` to go through this, which only its own pages have.
Object.assign(globalThis, {
  __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() },
});

// Loads the model beside this page and tells the page around it how that failed.
const failure: { code?: string; message?: string } | undefined = await transformersEmbedder()
  .load?.()
  .then(
    () => undefined,
    (error: Error) => error,
  );
parent.postMessage({ shelfmark: failure && { code: failure.code, message: failure.message } }, '*');
