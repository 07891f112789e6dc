import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { augment } from '../../src/answer/augment.ts';
import { openIndex } from '../../src/open-index.ts';
import type { RetrievalToolResult } from '../../src/retrieve/tool.ts';
import { expectOneBlock, libraryTool } from './library.ts';

const search = await libraryTool();

/** The tool as docs/answers.md gives it to the AI SDK. */
const tools = {
  [search.name]: tool({
    description: search.description,
    inputSchema: jsonSchema(search.inputSchema),
    execute: (input, { abortSignal }) => search.execute(input, { abortSignal }),
    toModelOutput: ({ output }) => ({ type: 'text', value: search.format(output as RetrievalToolResult) }),
  }),
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** The SDK's own model for tests: calls the tool first, and then answers. */
function model(input: unknown) {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const isAnswered = prompt.some(({ role }) => role === 'tool');
      return {
        content: isAnswered
          ? [{ type: 'text', text: 'Nine litres [pumps.md#0].' }]
          : [{ type: 'tool-call', toolCallId: '1', toolName: search.name, input: JSON.stringify(input) }],
        finishReason: { unified: isAnswered ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

const ask = (input: unknown) => {
  const asked = model(input);
  return generateText({ model: asked, tools, prompt: 'How much?', stopWhen: stepCountIs(3) }).then(
    (result) => ({
      result,
      asked,
    }),
  );
};

it('the AI SDK calls the tool, the model reads one safe block, and the app has the passages', async () => {
  const { result, asked } = await ask({ query: 'how many litres does the pump hold' });
  expect(result.text).toBe('Nine litres [pumps.md#0].');
  const [offered] = asked.doGenerateCalls[0]!.tools!;
  expect(offered).toMatchObject({
    type: 'function',
    name: 'search_knowledge',
    inputSchema: search.inputSchema,
  });
  const told = asked.doGenerateCalls[1]!.prompt.find(({ role }) => role === 'tool');
  const [part] = told!.content as unknown as [{ output: { type: string; value: string } }];
  expect(part.output.type).toBe('text');
  expectOneBlock(part.output.value);
  const output = result.steps[0]!.toolResults[0]!.output as RetrievalToolResult;
  expect(output.passages[0]).toMatchObject({ id: 'pumps.md#0', docUri: 'pumps.md', charStart: 0 });
});

it('the AI SDK tells the model of arguments that are wrong, and of nothing found', async () => {
  for (const [input, says] of [
    [{ query: '' }, /query is/],
    [{ query: 'wombat' }, /no passage reaches the floor/],
  ] as const) {
    const { asked } = await ask(input);
    const told = asked.doGenerateCalls[1]!.prompt.find(({ role }) => role === 'tool');
    expect((told!.content as unknown as [{ output: { value: string } }])[0].output.value).toMatch(says);
  }
});

it('the schema is also what zod makes of the same arguments', () => {
  const schema = z.strictObject({ query: z.string(), topK: z.int().min(1).max(50).optional() });
  const { properties, required, additionalProperties } = z.toJSONSchema(schema);
  expect({ required, additionalProperties }).toEqual({ required: ['query'], additionalProperties: false });
  expect(search.inputSchema).toMatchObject({ type: 'object', properties, required, additionalProperties });
});

it('an augmented chat is one that the AI SDK takes', async () => {
  const index = await openIndex({ persist: false });
  await index.add([{ uri: 'pumps.md', text: 'The pump holds nine litres.' }]);
  const { messages } = await augment([{ role: 'user' as const, content: 'How much does the pump hold?' }], {
    retriever: index.retriever(),
    role: 'user',
  });
  const asked = new MockLanguageModelV3({
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: 'text-start', id: '1' });
          controller.enqueue({ type: 'text-delta', id: '1', delta: 'Nine.' });
          controller.enqueue({ type: 'text-end', id: '1' });
          controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage });
          controller.close();
        },
      }),
    }),
  });
  expect(await streamText({ model: asked, messages }).text).toBe('Nine.');
  expect(JSON.stringify(asked.doStreamCalls[0]!.prompt)).toContain('nine litres');
});
