declare module 'virtual:readme-example' {
  const run: (console: { log(...values: unknown[]): void }) => Promise<void>;
  export default run;
}
