/**
 * `shelfmark/service-worker`: the public names and the bundled embedder in one file, with nothing fetched when it is
 * needed: a service worker may not call `import()`, not even for a module that is there.
 */
export * from './embed/transformers.ts';
export * from './index.ts';
