import assert from 'node:assert/strict';
import { actionSchemas } from './actionSchemas.ts';
import { commandSchemas } from './commandSchemas.ts';
import { problemOf } from './problem.ts';

const session = 'test:/1';
const call = { session, turnId: 't', toolCallId: 'c' };
const complete = { ...call, type: 'session/toolCallComplete' };
const finish = { type: 'session/inputCompleted', session, requestId: 'r', response: 'accept' };
const resized = { type: 'terminal/resized', terminal: 'agenthost-terminal:/1', cols: 80 };

describe('the problem with a message of a client', () => {
  it('names the field and what it should be', () => {
    for (const [schema, value, expected] of [
      [commandSchemas.subscribe, null, 'params must be an object, not null'],
      [commandSchemas.subscribe, [], 'params must be an object, not array'],
      [commandSchemas.initialize, { protocolVersion: '1', clientId: 'c' }, 'params.protocolVersion must be a number, not string'],
      [commandSchemas.initialize, { protocolVersion: 1, clientId: '' }, 'params.clientId must be a non-empty string'],
      [commandSchemas.resourceRead, { uri: '/etc/passwd' }, 'params.uri must be a URI with a scheme'],
      [commandSchemas.resourceRead, { uri: 'a:b', encoding: 'latin1' }, 'params.encoding must be one of "base64", "utf-8"'],
      [commandSchemas.fetchTurns, { session, limit: 1.5 }, 'params.limit must be an integer'],
      [commandSchemas.fetchTurns, { session, limit: 0 }, 'params.limit must be at least 1'],
    ] as const)
      assert.equal(problemOf(schema, value, 'params'), expected);
    for (const [type, value, expected] of [
      ['terminal/resized', { ...resized, rows: 1001 }, 'rows must be at most 1000'],
      [
        'session/toolCallComplete',
        { ...complete, result: { success: true, pastTenseMessage: 7 } },
        'result.pastTenseMessage must be a string or an object, not number',
      ],
      [
        'session/toolCallComplete',
        { ...complete, result: { success: true, pastTenseMessage: { markdown: 7 } } },
        'result.pastTenseMessage.markdown must be a string, not number',
      ],
      ['session/toolCallConfirmed', { ...call, type: 'session/toolCallConfirmed', approved: 1 }, 'approved must be a boolean, not number'],
    ] as const)
      assert.equal(problemOf(actionSchemas[type], value), expected);
  });

  it('is found under any key', () => {
    const answers = JSON.parse('{"a":{"state":"skipped"},"__proto__":{"state":"submitted"}}') as object;
    assert.equal(problemOf(actionSchemas['session/inputCompleted'], { ...finish, answers }), 'answers.__proto__.value is missing');
  });

  it('is the first one, of however many', () => {
    const order = Array.from({ length: 300_000 }, () => 0);
    const reordered = { type: 'session/queuedMessagesReordered', session, order };
    assert.equal(problemOf(actionSchemas['session/queuedMessagesReordered'], reordered), 'order[0] must be a string, not number');
    const answers = Object.fromEntries(order.map((_, index) => [index, 0]));
    assert.equal(problemOf(actionSchemas['session/inputCompleted'], { ...finish, answers }), 'answers.0 must be an object, not number');
  });

  it('is none where a later version has more members and tags', () => {
    const content = [{ type: 'hologram', of: 1 }, { type: 'constructor' }];
    const result = { success: true, pastTenseMessage: 'x', content, more: {} };
    assert.equal(problemOf(actionSchemas['session/toolCallComplete'], { ...complete, result, more: 1 }), undefined);
    assert.equal(
      problemOf(actionSchemas['session/toolCallComplete'], { ...complete, result: { ...result, content: [{}] } }),
      'result.content[0].type is missing',
    );
  });
});
