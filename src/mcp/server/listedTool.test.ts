import assert from 'node:assert/strict';
import { ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { listedTool } from './listedTool.ts';

const offered: OfferedTool = { name: 'x', description: 'd', parameters: {}, provider: 'p', trust: 'project', timeoutMs: 1 };

describe('a tool in the list of an MCP client', () => {
  it('takes an object, whatever the provider says of its parameters', () => {
    for (const [parameters, expected] of [
      [{}, { type: 'object' }],
      [{ type: ['object', 'null'] }, { type: 'object' }],
      [
        { properties: { a: true, b: false, c: { type: 'string' } } },
        { type: 'object', properties: { a: {}, b: { not: {} }, c: { type: 'string' } } },
      ],
      [
        { type: 'object', required: ['a'], $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false },
        { type: 'object', required: ['a'], $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false },
      ],
    ] as const) {
      const listed = listedTool({ ...offered, parameters });
      assert.deepEqual(listed?.inputSchema, expected);
      assert.ok(ToolSchema.safeParse(listed).success);
    }
  });

  it('is none where a client would refuse the whole list for it', () => {
    assert.equal(listedTool({ ...offered, parameters: { required: 'a' } }), undefined);
    assert.equal(listedTool({ ...offered, parameters: { properties: { a: 1 } } }), undefined);
  });

  it('says in its title who runs it', () => {
    assert.equal(listedTool(offered)?.title, 'x (p)');
    assert.equal(listedTool({ ...offered, trust: 'external' })?.title, 'x (paired provider: p)');
  });
});
