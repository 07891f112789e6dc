import { ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { expect, it } from 'vitest';
import { expectOneBlock, libraryTool } from './library.ts';

const search = await libraryTool();

/** The tool as docs/answers.md gives it to LangChain. */
const searching = tool(
  async (input, config) => {
    const result = await search.execute(input, { signal: config.signal });
    return [search.format(result), result.passages];
  },
  {
    name: search.name,
    description: search.description,
    schema: search.inputSchema,
    responseFormat: 'content_and_artifact',
  },
);

const call = async (args: object): Promise<ToolMessage> => {
  const message: unknown = await searching.invoke({
    type: 'tool_call',
    id: '1',
    name: search.name,
    args: args as never,
  });
  return message as ToolMessage;
};

it('LangChain calls the tool: the message is one safe block, the artifact the passages', async () => {
  const message = await call({ query: 'how many litres does the pump hold' });
  expect(message).toBeInstanceOf(ToolMessage);
  expectOneBlock(message.content as string);
  expect(message.artifact[0]).toMatchObject({ id: 'pumps.md#0', charStart: 0 });
});

it('LangChain tells the model of nothing found, and checks arguments by the schema', async () => {
  const message = await call({ query: 'wombat' });
  expect(message.content).toMatch(/no passage reaches the floor/);
  expect(message.artifact).toEqual([]);
  await expect(call({ topK: 'many' })).rejects.toThrow(/schema/i);
});

it('LangChain’s signal ends the search', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(
    searching.invoke({ type: 'tool_call', id: '1', name: search.name, args: { query: 'pump' } }, { signal }),
  ).rejects.toThrow();
});
