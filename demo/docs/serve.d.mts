/** See `serve.mjs`. */
export function serveFolder(
  folder: string,
  options?: { port?: number; under?: string; fails?: (path: string) => boolean },
): Promise<{ address: string; stop(): Promise<void> }>;
