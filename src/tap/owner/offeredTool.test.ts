import assert from 'node:assert/strict';
import type { OfferedTool } from '../wire/owner/ownerMessages.ts';
import { callParameters, definitionText } from './offeredTool.ts';

const tool: OfferedTool = {
  name: 'shot',
  description: 'Takes a picture',
  parameters: { properties: { n: { type: 'number' } }, required: ['n'] },
  provider: 'browser',
  trust: 'external',
  timeoutMs: 1,
};
const instances = [{ name: 'x', title: 'Tab x' }, { name: 'y' }];

describe('A tool of several instances', () => {
  it('lets the agent choose one of them', () => {
    const description = 'Instance ID; the most recently active one if left out. Available: x (Tab x), y';
    assert.deepEqual(callParameters({ ...tool, instances }), {
      type: 'object',
      properties: { n: { type: 'number' }, target: { type: 'string', description } },
      required: ['n'],
    });
    for (const parameters of [{}, { properties: 'none' }])
      assert.deepEqual(Object.keys(callParameters({ parameters, instances }).properties as object), ['target']);
    assert.deepEqual(callParameters(tool), tool.parameters, 'one alone is given as it is');
  });

  it('is the same to the user whatever instances there are, and another one with any word of its provider', () => {
    assert.equal(definitionText({ ...tool, instances }), definitionText(tool));
    for (const change of [{ description: '' }, { parameters: callParameters({ ...tool, instances }) }, { parameters: {} }])
      assert.notEqual(definitionText({ ...tool, ...change }), definitionText(tool));
  });
});
