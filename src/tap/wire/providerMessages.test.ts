/** Every field of every message of a provider: whether it is required, its values, and its limit. */
import assert from 'node:assert/strict';
import { parseProviderMessage } from './parsing/parseMessage.ts';
import { providerMessages, type ProviderMessageType } from './providerMessages.ts';

interface Field {
  required?: true;
  good: unknown[];
  /** Each is INVALID_JSON. */
  bad: unknown[];
  /** Each is PAYLOAD_TOO_LARGE. */
  large?: unknown[];
}

const x = (length: number) => 'x'.repeat(length);
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const byKey = (count: number, value: unknown) => Object.fromEntries(many(count, (at) => [`k${at}`, value]));
const notText = [1, null, {}, [], true];

const id = { good: ['i', x(200)], bad: ['', ...notText], large: [x(201)] };
const name = {
  good: ['n', x(64), 'ünïcode, 😀 and spaces'],
  bad: ['', ' ', '\u00a0\u200b\u3164', 'a\nb', 'a\u0000', '\u009b1m', 'a\u202eb', '\ud800', ...notText],
  large: [x(65)],
};
/** The published gateway normalises it, and refuses one of which nothing is left. */
const stream = { ...name, good: [...name.good, '日誌', '-7-', '...'], bad: [...name.bad, '---', '!?', '😀'] };
const text = { good: ['', 't', x(100_000)], bad: notText, large: [x(100_001)] };
const anyText = { good: ['', 't', x(200_000)], bad: notText };
const record = { good: [{}, { a: { b: [1] } }], bad: [1, 'x', null, [], true] };
const flag = { good: [true, false], bad: [0, 'true', null, {}] };
const token = { good: ['', 't', x(500)], bad: [1, {}, []], large: [x(501)] };
const tool = (fields: object = {}) => ({ name: 'greet', ...fields });
const gate = { action: 'gate', match: { tool: 't' }, gateId: 'g' };

const tools: Field = {
  good: [
    [],
    [tool()],
    [tool({ description: 'd', parameters: { type: 'object' }, timeout: 0.5 })],
    [tool({ inputSchema: { type: 'object' } })],
    [tool({ name: x(64) }), tool({ name: 'A-z_0' })],
    many(100, (at) => tool({ name: `t${at}` })),
  ],
  bad: [
    1,
    {},
    null,
    [1],
    [{}],
    ...['', 'a b', 'é', 'a.b', x(65), 1].map((called) => [tool({ name: called })]),
    ...[1, null, '', ' \n', '\u200b'].map((description) => [tool({ description })]),
    ...[1, 'x', [], null].flatMap((schema) => [[tool({ parameters: schema })], [tool({ inputSchema: schema })]]),
    ...[0, -1, '5', null].map((timeout) => [tool({ timeout })]),
  ],
  large: [many(101, (at) => tool({ name: `t${at}` })), [tool({ description: x(100_001) })]],
};
const onPreToolUse: Field = {
  good: [
    [],
    [{ action: 'deny' }],
    [{ action: 'deny', match: { tool: 't', args: '^a', provider: 'p', file: '*.sql' }, reason: 'r' }],
    [{ action: 'context', content: 'c' }],
    [gate, { ...gate, failOpen: true }],
    many(50, () => gate),
    [{ action: 'deny', match: { args: x(1000), file: x(1000) } }],
  ],
  bad: [
    1,
    {},
    [1],
    [{}],
    [{ action: 'allow' }],
    [{ action: 'context' }],
    [{ action: 'gate' }],
    [{ action: 'gate', gateId: '' }],
    [{ ...gate, failOpen: 'yes' }],
    [{ action: 'deny', match: 'shell' }],
    [{ action: 'deny', match: { args: 1 } }],
    [{ action: 'deny', reason: 1 }],
  ],
  large: [many(51, () => gate), [{ action: 'deny', match: { args: x(1001) } }], [{ action: 'deny', match: { file: x(1001) } }]],
};
const transforms: Field = {
  good: [{}, { s: null }, { s: { action: 'callback' } }, byKey(50, { action: 'append', content: 'c' })],
  bad: [1, [], { s: 1 }, { s: {} }, { s: { action: 'drop' } }, { s: { action: 'append' } }, { s: { action: 'replace', content: 1 } }],
  large: [byKey(51, null), { s: { action: 'prepend', content: x(100_001) } }],
};
const rules: Field = {
  required: true,
  good: [
    [],
    ...['drop', 'keep', 'surface', 'inject'].map((outcome) => [{ match: '.*', outcome }]),
    many(50, () => ({ match: x(1000), outcome: 'keep' })),
  ],
  bad: [1, {}, [1], [{}], [{ match: 'x' }], [{ outcome: 'drop' }], [{ match: 1, outcome: 'drop' }], [{ match: 'x', outcome: 'loud' }]],
  large: [many(51, () => ({ match: 'x', outcome: 'keep' })), [{ match: x(1001), outcome: 'keep' }]],
};
const file: Field = {
  good: [{ path: '/a', mimeType: 'image/png', size: 0, ttl: 0.1 }],
  bad: [
    1,
    '/a',
    {},
    ...[{ path: '' }, { path: 1 }, { mimeType: '' }, { size: -1 }, { size: 1.5 }, { size: '5' }, { ttl: 0 }, { ttl: -1 }].map((wrong) => ({
      path: '/a',
      mimeType: 'image/png',
      size: 5,
      ttl: 300,
      ...wrong,
    })),
  ],
  large: [{ path: `/${x(4096)}`, mimeType: 'm', size: 1, ttl: 1 }],
};

/** By type: the required fields with valid values, and the rules of each field. */
const messages: Record<ProviderMessageType, [enough: object, fields: Record<string, Field>]> = {
  auth: [
    { token: 't' },
    { token: { ...token, required: true }, mode: { good: ['pair'], bad: ['other', 1, null] }, reconnectToken: token, name, instance: name },
  ],
  'auth.confirm': [{ code: '123456' }, { code: { required: true, good: ['', '000000', x(20)], bad: [123456, null], large: [x(21)] } }],
  hello: [
    { name: 'p', protocolVersion: 2 },
    {
      name: { ...name, required: true },
      protocolVersion: { required: true, good: [2, 1, 3.5], bad: ['2', null, {}] },
      session: id,
      instance: name,
      reconnectToken: { ...token, good: [...token.good, null] },
      startup_context: text,
      metadata: record,
      tools,
      hooks: {
        good: [
          {},
          ...onPreToolUse.good.map((value) => ({ onPreToolUse: value })),
          ...transforms.good.map((value) => ({ transforms: value })),
        ],
        bad: [
          1,
          [],
          null,
          ...onPreToolUse.bad.map((value) => ({ onPreToolUse: value })),
          ...transforms.bad.map((value) => ({ transforms: value })),
        ],
        large: [...(onPreToolUse.large ?? []).map((value) => ({ onPreToolUse: value })), { transforms: byKey(51, null) }],
      },
      subscribe: { good: [[], ['user.message'], many(50, () => 'e')], bad: ['user.message', [1], ['']], large: [many(51, () => 'e')] },
      context: text,
      concurrency: {
        good: [{ max: 1 }, ...['instance', 'provider', 'tool'].map((scope) => ({ max: 2, scope }))],
        bad: [1, {}, { max: 0 }, { max: 1.5 }, { max: '1' }, { max: 1, scope: 'session' }],
      },
    },
  ],
  goodbye: [{}, { reason: { good: ['', 'r', x(1000)], bad: notText, large: [x(1001)] } }],
  'session.ready': [{ sessionId: 's' }, { sessionId: { ...id, required: true } }],
  'shutdown.ready': [{ sessionId: 's' }, { sessionId: { ...id, required: true } }],
  'tool.result': [
    { id: 'c', data: null },
    {
      id: { ...id, required: true },
      data: { required: true, good: [null, 0, false, '', 'x', {}, [1]], bad: [] },
      file,
      error: anyText,
      errorCode: { good: ['', 'NOT_FOUND', 'E_OWN'], bad: notText, large: [x(201)] },
      retryable: flag,
    },
  ],
  'tool.progress': [
    { id: 'c', message: 'm' },
    { id: { ...id, required: true }, message: { ...text, required: true } },
  ],
  'tool.ask': [
    { id: 'c', askId: 'a', question: { message: 'm', requestedSchema: {} } },
    {
      id: { ...id, required: true },
      askId: { ...id, required: true },
      question: {
        required: true,
        good: [
          { message: x(10_000), requestedSchema: { type: 'object', properties: {} } },
          { message: 'm', url: 'https://x.example/a?b' },
          { message: 'm', url: 'http://localhost:1' },
        ],
        bad: [
          ...notText,
          'm',
          { message: 'm' },
          { message: '', requestedSchema: {} },
          { requestedSchema: {} },
          { message: 'm', requestedSchema: { x: x(10_000) } },
          ...['', 'x', 'javascript:alert(1)', 'file:///etc/passwd', 1].map((url) => ({ message: 'm', url })),
        ],
      },
    },
  ],
  'gate.result': [
    { callId: 'c', decision: 'allow' },
    {
      gateId: id,
      callId: { ...id, required: true },
      decision: { required: true, good: ['allow', 'deny', 'context'], bad: ['maybe', 1, null] },
      reason: text,
    },
  ],
  'transform.result': [
    { callId: 'c', content: '' },
    { callId: { ...id, required: true }, content: { ...anyText, required: true } },
  ],
  push: [
    { level: 'keep', event: 'e' },
    {
      stream,
      sessionId: id,
      event: { required: true, good: ['e', x(200_000)], bad: ['', ' \n', ...notText] },
      prompt: { good: ['p'], bad: ['', ' \n', ...notText] },
      level: { required: true, good: ['inject', 'surface', 'keep'], bad: ['drop', 'loud', 1, null] },
      metadata: record,
      broadcast: flag,
    },
  ],
  'tools.update': [
    { tools: [] },
    {
      requestId: id,
      sessionId: id,
      tools: { ...tools, required: true },
      remove: { good: [[], many(100, String)], bad: ['x', [1], {}], large: [many(101, String)] },
    },
  ],
  'hooks.update': [{}, { requestId: id, sessionId: id, onPreToolUse, transforms }],
  'context.update': [
    { context: 'c' },
    { requestId: id, sessionId: id, context: { required: true, good: [...text.good, null], bad: [1, {}], large: text.large } },
  ],
  'filter.set': [{ rules: [] }, { requestId: id, sessionId: id, stream, rules }],
  'stream.query': [
    { queryId: 'q', streams: ['s'] },
    {
      queryId: { ...id, required: true },
      sessionId: id,
      streams: { required: true, good: [['s'], ['s@p'], many(20, String)], bad: [[], 's', [1], ['']], large: [many(21, String), [x(201)]] },
      last: { good: [1, 100], bad: [0, -1, 1.5, '5', null], large: [101] },
    },
  ],
};

const short = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 60);
const refused = (type: string, fields: object) => {
  const parsed = parseProviderMessage({ type, ...fields });
  return parsed.ok ? { code: 'ok', problem: '' } : parsed.bad;
};

describe('the messages of a provider, field by field', () => {
  it('are all here', () => {
    assert.deepEqual(Object.keys(messages).sort(), Object.keys(providerMessages).sort());
    for (const [type, [, fields]] of Object.entries(messages)) {
      const { type: _, ...known } = providerMessages[type as ProviderMessageType].shape;
      assert.deepEqual(Object.keys(fields).sort(), Object.keys(known).sort(), type);
    }
  });

  for (const [type, [enough, fields]] of Object.entries(messages)) {
    it(`${type}: unknown fields are ignored`, () => {
      const parsed = parseProviderMessage({ type, ...enough, later: { a: 1 }, '': 1, constructor: 1 });
      assert.ok(parsed.ok && !('later' in parsed.message) && !Object.hasOwn(parsed.message, 'constructor'));
    });

    for (const [field, { required, good, bad, large = [] }] of Object.entries(fields)) {
      it(`${type}: ${field} is ${required ? 'required' : 'optional'}, of its type, and within its limit`, () => {
        const { [field]: _, ...without } = enough as Record<string, unknown>;
        const missing = refused(type, without);
        assert.equal(missing.code, required ? 'INVALID_JSON' : 'ok', 'when it is missing');
        if (required) assert.ok(missing.problem.startsWith(`${field}: `), missing.problem);
        for (const value of good) assert.deepEqual(refused(type, { ...enough, [field]: value }), { code: 'ok', problem: '' }, short(value));
        for (const [code, values] of [
          ['INVALID_JSON', bad],
          ['PAYLOAD_TOO_LARGE', large],
        ] as const) {
          for (const value of values) {
            const { code: given, problem } = refused(type, { ...enough, [field]: value });
            assert.equal(given, code, short(value));
            assert.ok(problem.startsWith(field), problem);
          }
        }
      });
    }
  }

  it('with alternative fields need only one of them', () => {
    for (const [type, enough] of [
      ['auth', { mode: 'pair' }],
      ['auth', { reconnectToken: 't', name: 'n' }],
      ['tool.result', { id: 'c', error: 'e' }],
      ['tool.result', { id: 'c', errorCode: 'CANCELLED' }],
      ['tool.result', { id: 'c', file: file.good[0] }],
      ['push', { level: 'inject', prompt: 'p' }],
      ['tools.update', { remove: [] }],
    ] as const) {
      assert.equal(refused(type, enough).code, 'ok', short(enough));
    }
  });
});
