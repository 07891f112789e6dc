declare module 'virtual:readme-example' {
  const run: (console: { log(...values: unknown[]): void }) => Promise<void>;
  export default run;
}

/** github-slugger 1, which Docusaurus uses; it carries no types. */
declare module 'github-slugger-1' {
  export default class GithubSlugger {
    slug(title: string): string;
  }
}

/** Installed by `npm run test:transformers` alone. */
declare module '@huggingface/transformers';
