import { expect, it } from 'vitest';
import { type ModelContext, registerRetrievalTool } from '../../src/retrieve/model-context.ts';
import { expectOneBlock, libraryTool } from './library.ts';

/** The side of the interface that an agent has. */
interface AgentSide extends ModelContext {
  getTools(): Promise<{ name: string; description: string; inputSchema?: object; annotations?: object }[]>;
  executeTool(tool: object, input: object): Promise<unknown>;
}
const page = document as unknown as { modelContext?: AgentSide };
const search = await libraryTool();

it('Chromium’s agent finds the tool, calls it and reads one safe block', async () => {
  const agent = page.modelContext!;
  expect(agent).toBeDefined();
  const takeBack = await registerRetrievalTool(search);
  const [tool] = await agent.getTools();
  expect(tool).toMatchObject({
    name: 'search_knowledge',
    description: search.description,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
  });
  const schema = tool!.inputSchema;
  expect(typeof schema === 'string' ? JSON.parse(schema) : schema).toEqual(search.inputSchema);
  expectOneBlock(String(await agent.executeTool(tool!, { query: 'how many litres does the pump hold' })));
  expect(String(await agent.executeTool(tool!, { query: 'wombat' }))).toMatch(/no passage reaches the floor/);
  takeBack();
  expect(await agent.getTools()).toEqual([]);
  takeBack();
});

it('a signal takes the tool back, and one of its name is refused meanwhile', async () => {
  const control = new AbortController();
  await registerRetrievalTool(search, { signal: control.signal });
  await expect(registerRetrievalTool(search)).rejects.toThrow();
  control.abort();
  expect(await page.modelContext!.getTools()).toEqual([]);
  await (await registerRetrievalTool(search))();
  await expect(registerRetrievalTool(search, { signal: control.signal })).rejects.toThrow();
});

it('earlier drafts, which have no signal, and browsers without', async () => {
  const log: string[] = [];
  const earlier: ModelContext = {
    registerTool: ({ name }) => void log.push(`+${name}`),
    unregisterTool: (name) => void log.push(`-${name}`),
  };
  (await registerRetrievalTool(search, { modelContext: earlier }))();
  expect(log).toEqual(['+search_knowledge', '-search_knowledge']);
  await expect(registerRetrievalTool(search, { modelContext: {} as never })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
  });
});
