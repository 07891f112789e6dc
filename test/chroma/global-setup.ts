import type { TestProject } from 'vitest/node';
import { ChromaServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chroma: string;
  }
}

/** One server for all that does not kill it. */
export default async function setup(project: TestProject) {
  const server = await ChromaServer.start();
  project.provide('chroma', server.url);
  return () => server.end();
}
