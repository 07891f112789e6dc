/** `shelfmark/model-context`: a retrieval tool for the agent of a browser (WebMCP). */
import { ShelfmarkError } from '../errors.ts';
import { knownOptions, maybeSignal } from '../options.ts';
import type { RetrievalTool } from './tool.ts';

/** The part of the browser's interface that is used: https://webmachinelearning.github.io/webmcp/ */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options?: { signal?: AbortSignal }): unknown;
  /** Of earlier drafts, which take no signal. */
  unregisterTool?(name: string): unknown;
}

export interface ModelContextTool {
  name: string;
  description: string;
  inputSchema: object;
  annotations: { readOnlyHint: boolean; untrustedContentHint: boolean };
  execute(input: unknown): Promise<string>;
}

export interface RegisterToolOptions {
  /** The interface. Default: the page's `document.modelContext` or, of earlier drafts, `navigator.modelContext`. */
  modelContext?: ModelContext | undefined;
  /** Takes the tool back. */
  signal?: AbortSignal | undefined;
}

/** The page's interface for agents; undefined where the browser has none. */
export const modelContextOf = (): ModelContext | undefined => {
  const page = globalThis as {
    document?: { modelContext?: ModelContext };
    navigator?: { modelContext?: ModelContext };
  };
  return page.document?.modelContext ?? page.navigator?.modelContext;
};

/**
 * Offers a retrieval tool to the agent of the browser that the page runs in. The agent gets the passages as
 * `formatContext` writes them, and is told that the tool changes nothing and that the page does not vouch for what
 * stands in the documents.
 *
 * @returns takes the tool back
 * @throws ShelfmarkError `UNSUPPORTED` where the browser has no such interface; what the browser refuses the tool with
 */
export async function registerRetrievalTool(
  { name, description, inputSchema, execute, format }: RetrievalTool,
  options: RegisterToolOptions = {},
): Promise<() => void> {
  knownOptions(options, { modelContext: true, signal: true });
  const { modelContext = modelContextOf(), signal } = options;
  maybeSignal(signal);
  signal?.throwIfAborted();
  if (typeof modelContext?.registerTool !== 'function') {
    throw new ShelfmarkError(
      'UNSUPPORTED',
      'This browser has no model context; register the tool where `document.modelContext` is there.',
    );
  }
  const taken = new AbortController();
  const takeBack = (): void => {
    if (taken.signal.aborted) return;
    taken.abort();
    modelContext.unregisterTool?.(name);
  };
  const tool: ModelContextTool = {
    name,
    description,
    inputSchema,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    execute: async (input) => format(await execute(input)),
  };
  await modelContext.registerTool(tool, { signal: taken.signal });
  signal?.addEventListener('abort', takeBack, { once: true });
  if (signal?.aborted) takeBack();
  return takeBack;
}
