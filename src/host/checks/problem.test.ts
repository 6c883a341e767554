import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { count, id, listOf, openEnum, recordOf, uri } from '../../ahp/common/schemas.ts';
import { actionSchemas } from './actionSchemas.ts';
import { problemOf } from './problem.ts';

const call = { turnId: 't', toolCallId: 'c' };
const complete = { ...call, type: 'chat/toolCallComplete' };
const finish = { type: 'chat/inputCompleted', requestId: 'r', response: 'accept' };
const resized = { type: 'terminal/resized', cols: 80 };
const params = z.object({
  channel: uri,
  clientId: id,
  version: z.optional(z.number()),
  encoding: z.optional(z.enum(['base64', 'utf-8'])),
  kind: z.optional(openEnum('known')),
  limit: z.optional(z.int().check(z.gte(1))),
  count: z.optional(count),
});
const known = { channel: 'a:b', clientId: 'c' };

describe('the problem with a message of a client', () => {
  it('names the field and what it should be', () => {
    for (const [value, expected] of [
      [null, 'params must be an object, not null'],
      [[], 'params must be an object, not array'],
      [{ ...known, version: '1' }, 'params.version must be a number, not string'],
      [{ ...known, clientId: '' }, 'params.clientId must be a non-empty string'],
      [{ clientId: 'c' }, 'params.channel is missing'],
      [{ ...known, channel: '/etc/passwd' }, 'params.channel must be a URI with a scheme'],
      [{ ...known, encoding: 'latin1' }, 'params.encoding must be one of "base64", "utf-8"'],
      [{ ...known, kind: 1 }, 'params.kind must be a string, not number'],
      [{ ...known, kind: 'later' }, undefined],
      [{ ...known, limit: 1.5 }, 'params.limit must be an integer'],
      [{ ...known, limit: 0 }, 'params.limit must be at least 1'],
      [{ ...known, count: -1 }, 'params.count must be at least 0'],
    ] as const)
      assert.equal(problemOf(params, value, 'params'), expected);
    for (const [type, value, expected] of [
      ['terminal/resized', { ...resized, rows: 1001 }, 'rows must be at most 1000'],
      [
        'chat/toolCallComplete',
        { ...complete, result: { success: true, pastTenseMessage: 7 } },
        'result.pastTenseMessage must be a string or an object, not number',
      ],
      [
        'chat/toolCallComplete',
        { ...complete, result: { success: true, pastTenseMessage: { markdown: 7 } } },
        'result.pastTenseMessage.markdown must be a string, not number',
      ],
      ['chat/toolCallConfirmed', { ...call, type: 'chat/toolCallConfirmed', approved: 1 }, 'approved must be a boolean, not number'],
    ] as const)
      assert.equal(problemOf(actionSchemas[type], value), expected);
  });

  it('is found under any key', () => {
    const answers = JSON.parse('{"a":{"state":"skipped"},"__proto__":{"state":"submitted"}}') as object;
    assert.equal(problemOf(actionSchemas['chat/inputCompleted'], { ...finish, answers }), 'answers.__proto__.value is missing');
  });

  it('is the first one, of however many', () => {
    const order = Array.from({ length: 300_000 }, () => 0);
    const reordered = { type: 'chat/queuedMessagesReordered', order };
    assert.equal(problemOf(actionSchemas['chat/queuedMessagesReordered'], reordered), 'order[0] must be a string, not number');
    const answers = Object.fromEntries(order.map((_, index) => [index, 0]));
    assert.equal(problemOf(actionSchemas['chat/inputCompleted'], { ...finish, answers }), 'answers.0 must be an object, not number');
  });

  it('is none where a later version has more members and tags', () => {
    const content = [{ type: 'hologram', of: 1 }, { type: 'constructor' }];
    const result = { success: true, pastTenseMessage: 'x', content, more: {} };
    assert.equal(problemOf(actionSchemas['chat/toolCallComplete'], { ...complete, result, more: 1 }), undefined);
    assert.equal(
      problemOf(actionSchemas['chat/toolCallComplete'], { ...complete, result: { ...result, content: [{}] } }),
      'result.content[0].type is missing',
    );
  });

  it('stops at the first item or member, and names it by its place', () => {
    assert.equal(problemOf(listOf(listOf(id)), [['a'], ['b', 7, 8]]), '[1][1] must be a string, not number');
    assert.equal(problemOf(recordOf(listOf(count)), { 'a b': [0, -1] }), 'a b[1] must be at least 0');
  });
});
