import assert from 'node:assert/strict';
import type { ToolCallResult } from '../../../../ahp/common/tools.ts';
import { clientTools, engineTools } from './clientTools.ts';

describe('clientTools', () => {
  it('are those of all clients, each under a name of its own', () => {
    const lenders = [
      { clientId: 'a', tools: [{ name: 'look.up' }, { name: 'bash' }] },
      { clientId: 'b', tools: [{ name: 'look_up' }, { name: 'other' }] },
    ];
    const tools = clientTools(lenders, new Set(['bash']));
    assert.deepEqual(
      [...tools.values()].map(({ name, clientId, definition }) => [name, clientId, definition.name]),
      [
        ['look_up', 'a', 'look.up'],
        ['bash_client', 'a', 'bash'],
        ['look_up_client', 'b', 'look_up'],
        ['other', 'b', 'other'],
      ],
    );
  });
});

describe('the result of a client’s tool, for the model', () => {
  const textOf = async (content: ToolCallResult['content'], structuredContent?: Record<string, unknown>) => {
    const tools = clientTools([{ clientId: 'a', tools: [{ name: 'look' }] }], new Set());
    const result: ToolCallResult = { success: true, pastTenseMessage: 'Looked', content, ...(structuredContent && { structuredContent }) };
    const [tool] = engineTools(tools, () => Promise.resolve(result));
    const answer = await tool?.handler?.({}, { sessionId: 's', toolCallId: 'c', toolName: 'look', arguments: {} });
    return (answer as { textResultForLlm: string }).textResultForLlm;
  };
  const text = (value: string) => ({ type: 'text' as const, text: value });

  it('has structured content once, also where a text says the same', async () => {
    const structured = { a: [1], b: 'x' };
    assert.equal(await textOf([text('about it')], structured), 'about it\n{"a":[1],"b":"x"}');
    assert.equal(await textOf([], structured), '{"a":[1],"b":"x"}');
    for (const said of ['{"a":[1],"b":"x"}', '{\n "b": "x",\n "a": [1]\n}']) assert.equal(await textOf([text(said)], structured), said);
    assert.equal(await textOf([text('{"a":[1]}')], structured), '{"a":[1]}\n{"a":[1],"b":"x"}');
    assert.equal(await textOf([text('{"a":')], structured), '{"a":\n{"a":[1],"b":"x"}');
  });
});
