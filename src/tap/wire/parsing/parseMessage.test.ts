import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeShared } from '../../../../test/support/shared.ts';
import { gatewayMessages } from '../gatewayMessages.ts';
import { Limit } from '../limits.ts';
import { parseGatewayFrame } from './parseGatewayFrame.ts';
import { parseProviderFrame } from './parseMessage.ts';
import { type Hello, providerMessages } from '../providerMessages.ts';

const parse = (value: unknown, bytes?: number) => {
  const frame = typeof value === 'string' ? value : JSON.stringify(value);
  return parseProviderFrame(frame, bytes ?? Buffer.byteLength(frame));
};
const bad = (value: unknown, bytes?: number) => {
  const parsed = parse(value, bytes);
  assert.equal(parsed.ok, false);
  return parsed.ok ? undefined! : parsed.bad;
};
const good = (value: unknown) => {
  const parsed = parse(value);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.bad.problem);
  return parsed.message;
};
const hello = (fields: object) => ({ type: 'hello', name: 'p', protocolVersion: 2, ...fields });
const tool = (fields: object = {}) => ({ name: 'greet', description: 'x', parameters: {}, ...fields });

describe('messages of a provider', () => {
  it('keep known fields and drop the rest', () => {
    assert.deepEqual(good({ type: 'goodbye', reason: 'r', later: 1 }), { type: 'goodbye', reason: 'r' });
    const message = good('{"type":"push","level":"keep","event":"e","metadata":{"__proto__":{"evil":1},"a":1},"__proto__":{"x":1}}');
    assert.deepEqual(message, { type: 'push', level: 'keep', event: 'e', metadata: { a: 1 } });
    assert.equal(({} as { evil?: number }).evil, undefined);
  });

  it('name the field that is wrong, and the entry that it belongs to', () => {
    const { code, problem, replyTo } = bad(hello({ tools: [tool(), tool({ name: 'no spaces' })] }));
    assert.equal(code, 'INVALID_JSON');
    assert.equal(replyTo, 'hello');
    assert.match(problem, /^tools\[1\] \("no spaces"\)\.name: a tool name is 1 to 64/);
    assert.match(bad({ type: 'auth' }).problem, /^token: /);
    assert.match(bad({ type: 'push', level: 'loud', event: 'x' }).problem, /^level: /);
    assert.match(bad({ type: 'push', level: 'keep', event: '' }).problem, /^event: /);
    assert.match(bad({ type: 'push', level: 'keep' }).problem, /^event: /);
    assert.match(bad({ type: 'tool.result', id: 'c' }).problem, /^data: /);
    assert.match(bad({ type: 'tools.update' }).problem, /^tools: /);
    assert.equal(bad({ type: 'tools.update', requestId: 'r', tools: 1 }).requestId, 'r');
  });

  it('say what to write instead', () => {
    assert.equal(bad({ ...hello({}), protocolVersion: '2' }).problem, 'protocolVersion: must be the number 2, without quotes');
    assert.equal(bad({ type: 'hello', name: 'p' }).problem, 'protocolVersion: must be the number 2');
    assert.equal(bad(hello({ name: ' ' })).problem, 'name: must not be blank');
    assert.match(
      bad(hello({ tools: [tool({ description: '\u200b' })] })).problem,
      /^tools\[0\] \("greet"\)\.description: must not be blank/,
    );
    assert.match(bad({ type: 'push', level: 'keep', event: 'e', stream: '--' }).problem, /^stream: must hold a letter or a digit/);
  });

  it('take of a tool what MCP calls it', () => {
    const inputSchema = { type: 'object', required: ['a'] };
    const hints = { readOnlyHint: true };
    const told = { name: 'greet', description: 'x', inputSchema, annotations: { ...hints, title: 'Greet', later: 1 }, later: 1 };
    const toolOf = (fields: object) => (good(hello({ tools: [fields] })) as Hello).tools?.[0];
    const taken = { name: 'greet', description: 'x', parameters: inputSchema, title: 'Greet', annotations: hints };
    assert.deepEqual(toolOf(told), taken);
    assert.deepEqual(toolOf({ ...told, title: 'Own' })?.title, 'Own');
    assert.deepEqual(toolOf({ ...told, parameters: {} })?.parameters, {}, 'what the interface calls it counts');
    assert.deepEqual(toolOf({ ...told, annotations: { ...hints, title: 7 } })?.annotations, hints);
    assert.deepEqual(toolOf({ name: 'greet' }), { name: 'greet', description: '', parameters: {} });
    assert.match(bad(hello({ tools: [{ name: 't', inputSchema: 'x' }] })).problem, /^tools\[0\] \("t"\)\.inputSchema: /);
  });

  it("distinguish known and unknown types, also for names of Object's members", () => {
    for (const type of ['nonsense', 'toString', '__proto__', 'constructor']) {
      const { code, unreadable } = bad(`{"type":${JSON.stringify(type)}}`);
      assert.deepEqual({ code, unreadable }, { code: 'UNKNOWN_TYPE', unreadable: false });
    }
    assert.equal(bad({}).code, 'INVALID_JSON');
  });

  it('are refused when they are not a JSON object', () => {
    for (const frame of ['', '{', '[]', 'null', '1', '"x"', '{"type":1}'])
      assert.deepEqual([bad(frame).code, bad(frame).unreadable], ['INVALID_JSON', true]);
  });

  it('have a maximum depth, whatever their strings contain', () => {
    const nested = (depth: number) => `{"type":"tool.result","id":"c","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    good(nested(Limit.depth - 1));
    assert.match(bad(nested(Limit.depth)).problem, /nested deeper/);
    assert.match(bad('['.repeat(1_000_000)).problem, /nested deeper/);
    good({ type: 'tool.result', id: 'c', data: `\\"${'['.repeat(1000)}\\` });
  });

  it('have sizes and counts, each PAYLOAD_TOO_LARGE', () => {
    assert.equal(bad({ type: 'tool.result', id: 'c', data: '' }, Limit.toolResultBytes + 1).code, 'PAYLOAD_TOO_LARGE');
    assert.ok(parse({ type: 'tool.result', id: 'c', data: '' }, Limit.toolResultBytes).ok);
    assert.equal(bad({ type: 'goodbye' }, Limit.messageBytes + 1).code, 'PAYLOAD_TOO_LARGE');
    assert.ok(parse({ type: 'goodbye' }, Limit.messageBytes).ok);
    const many = (count: number) => Array.from({ length: count }, (_, at) => tool({ name: `t${at}` }));
    good(hello({ tools: many(Limit.tools) }));
    assert.equal(bad(hello({ tools: many(Limit.tools + 1) })).code, 'PAYLOAD_TOO_LARGE');
    const rules = (count: number) => Array.from({ length: count }, () => ({ match: { tool: 'x' }, action: 'deny' }));
    good(hello({ hooks: { onPreToolUse: rules(Limit.hookRules) } }));
    assert.equal(bad(hello({ hooks: { onPreToolUse: rules(Limit.hookRules + 1) } })).code, 'PAYLOAD_TOO_LARGE');
    const sections = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, null]));
    good({ type: 'hooks.update', transforms: sections(Limit.transforms) });
    assert.equal(bad({ type: 'hooks.update', transforms: sections(Limit.transforms + 1) }).code, 'PAYLOAD_TOO_LARGE');
    good({ type: 'stream.query', queryId: 'q', streams: ['s'], last: Limit.queryLast });
    assert.equal(bad({ type: 'stream.query', queryId: 'q', streams: ['s'], last: Limit.queryLast + 1 }).code, 'PAYLOAD_TOO_LARGE');
  });

  it('may be as in the examples: a null reconnect token, a cancel answered by its code alone, empty parameters', () => {
    good(hello({ reconnectToken: null, tools: [tool()] }));
    good({ type: 'tool.result', id: 'c-1', errorCode: 'CANCELLED' });
    good({ type: 'tools.update', remove: [] });
  });
});

describeShared('the specifications', (shared) => {
  for (const document of ['provider-interface-v2.md', 'provider-interface-core.md']) {
    it(`print no JSON message in ${document} that the schemas refuse`, () => {
      const blocks = readFileSync(join(shared, 'spec/seeds', document), 'utf8').matchAll(/```json\n([\s\S]*?)```/g);
      const messages = [...blocks].flatMap(([, block]) => messagesOf(block ?? ''));
      assert.ok(messages.length >= 10, `${messages.length} messages were found`);
      for (const message of messages) {
        const frame = JSON.stringify(message);
        const parsed = Object.hasOwn(gatewayMessages, message.type) ? parseGatewayFrame(frame) : parse(message);
        assert.ok(parsed.ok, `${frame}: ${parsed.ok ? '' : parsed.bad.problem}`);
      }
    });
  }

  it('list these message types, and no others but our additions', () => {
    const tables =
      readFileSync(join(shared, 'spec/seeds/provider-interface-v2.md'), 'utf8').split('## Summary: the complete interface')[1] ?? '';
    const listed = [...tables.matchAll(/^\| `([a-z.]+)` \|/gm)].map(([, type]) => type).sort();
    const ours = ['tool.ask', 'tool.answer', 'consent.updated'];
    assert.deepEqual([...listed, ...ours].sort(), [...Object.keys(providerMessages), ...Object.keys(gatewayMessages)].sort());
  });
});

/** The messages of a code block: one object, or one on each line. Excerpts that are not JSON are left out. */
function messagesOf(block: string): { type: string }[] {
  const read = (json: string): { type: string }[] => {
    try {
      const value = JSON.parse(json) as { type?: unknown };
      return typeof value.type === 'string' ? [value as { type: string }] : [];
    } catch {
      return [];
    }
  };
  const whole = read(block);
  return whole.length ? whole : block.split('\n').flatMap(read);
}
