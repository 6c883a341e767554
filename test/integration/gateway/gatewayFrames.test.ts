/** Giant, broken and deeply nested frames, and keys of Object. Each runs next to a well-behaved provider. */
import assert from 'node:assert/strict';
import { Limit } from '../../../src/tap/wire/limits.ts';
import { Opcode, RawSocket } from '../../support/rawSocket.ts';
import { besides, ControlledGateway } from './gatewayControl.ts';

const MB = 1024 * 1024;
const hello = (fields: object = {}) => ({ type: 'hello', name: 'provider', protocolVersion: 2, session: 'a', ...fields });

describe('gateway and malformed frames', () => {
  let test: ControlledGateway;
  beforeEach(async () => {
    test = new ControlledGateway();
    await test.start();
  });
  afterEach(() => test.stop());
  const alike = (title: string, body: () => Promise<void>, timeoutMs?: number) => besides(() => test, title, body, timeoutMs);
  const open = async () => test.keep(await RawSocket.open(test.port));
  const authenticated = async () => {
    const socket = (await open()).say({ type: 'auth', token: test.server.gateway.grants.fileToken });
    await socket.next('sessions');
    return socket;
  };
  const bound = async (fields: object = {}) => {
    const socket = (await authenticated()).say(hello(fields));
    await socket.next('hello.ack');
    return socket;
  };
  const goodbye = (bytes: number) => {
    const around = '{"type":"goodbye","x":""}';
    return `{"type":"goodbye","x":"${'x'.repeat(bytes - around.length)}"}`;
  };
  const code = async (socket: RawSocket) => (await socket.next('error')).code;

  alike(
    'answers messages that are too large, and closes with 1009 above the hard limit',
    async () => {
      const socket = await authenticated();
      assert.equal(await code(socket.send(Opcode.Text, goodbye(Limit.messageBytes))), 'UNAUTHORIZED', 'just right, but not in this state');
      assert.equal(await code(socket.send(Opcode.Text, goodbye(Limit.messageBytes + 1))), 'PAYLOAD_TOO_LARGE');
      assert.equal(await code(socket.send(Opcode.Text, goodbye(Limit.toolResultBytes + 1))), 'PAYLOAD_TOO_LARGE');
      const second = await authenticated();
      assert.equal(await code(second.send(Opcode.Text, goodbye(Limit.frameBytes))), 'PAYLOAD_TOO_LARGE');
      const third = await authenticated();
      assert.equal(await third.send(Opcode.Text, goodbye(Limit.frameBytes + 1)).closeCode(), 1009);
    },
    60_000,
  );

  alike('accepts a tool.result of exactly 5 MB, and none larger', async () => {
    const socket = await bound({ tools: [{ name: 'big' }] });
    await test.owner0.tools('a', ['echo', 'big']);
    const answer = async (bytes: number) => {
      const outcome = test.session.call('big', {});
      const { id } = await socket.next('tool.call');
      const around = JSON.stringify({ type: 'tool.result', id, data: '' }).length;
      socket.say({ type: 'tool.result', id, data: 'x'.repeat(bytes - around) });
      return outcome;
    };
    assert.ok((await answer(Limit.toolResultBytes)).ok);
    const tooLarge = await answer(Limit.toolResultBytes + 1);
    assert.ok(!tooLarge.ok && tooLarge.errorCode === 'PAYLOAD_TOO_LARGE');
    assert.ok((await answer(1000)).ok, 'the provider goes on');
  });

  alike('sends a provider a call of exactly 2 MB, and none larger', async () => {
    const socket = await bound({ tools: [{ name: 'big' }] });
    await test.owner0.tools('a', ['echo', 'big']);
    const call = (length: number) => test.session.call('big', { text: 'x'.repeat(length) });
    const first = call(0);
    const sent = await socket.next('tool.call');
    const around = JSON.stringify(sent).length;
    socket.say({ type: 'tool.result', id: sent.id, data: 1 });
    assert.ok((await first).ok);
    const tooLarge = await call(Limit.messageBytes - around + 1);
    assert.ok(!tooLarge.ok && tooLarge.errorCode === 'PAYLOAD_TOO_LARGE');
    const outcome = call(Limit.messageBytes - around);
    const { id } = await socket.next('tool.call');
    socket.say({ type: 'tool.result', id, data: 'just right' });
    assert.ok((await outcome).ok);
  });

  alike(
    'survives a hundred megabytes: sent, announced, and fragmented',
    async () => {
      const said = await authenticated();
      said.send(Opcode.Text, '{', { length: BigInt(100 * MB) });
      assert.equal(await said.closeCode(), 1009, 'refused by its header');
      const absurd = await authenticated();
      assert.equal(await absurd.send(Opcode.Text, '', { length: 0x7fff_ffff_ffff_ffffn }).closeCode(), 1009);
      const sent = await authenticated();
      sent.send(Opcode.Text, goodbye(100 * MB));
      assert.ok([1009, undefined].includes(await sent.closeCode()), 'a reset, when it is closed while much is under way');
      const pieces = await authenticated();
      pieces.send(Opcode.Text, '{"x":"', { fin: false });
      const piece = 'x'.repeat(MB);
      for (let at = 0; at < 100; at++) pieces.send(Opcode.Continuation, piece, { fin: false });
      assert.ok([1009, undefined].includes(await pieces.closeCode()));
    },
    60_000,
  );

  alike('joins fragmented frames with control frames between them', async () => {
    const socket = await open();
    const text = JSON.stringify({ type: 'auth', token: test.server.gateway.grants.fileToken });
    for (const [at, char] of [...text].entries()) {
      socket.send(at ? Opcode.Continuation : Opcode.Text, char, { fin: at === text.length - 1 });
      if (at === 3) socket.send(Opcode.Ping, 'are you there');
    }
    const pong = await socket.frame();
    assert.deepEqual([pong.opcode, pong.payload.toString()], [Opcode.Pong, 'are you there']);
    await socket.next('sessions');
  });

  alike('waits for the rest of a frame without delaying others', async () => {
    const socket = await authenticated();
    socket.send(Opcode.Text, '{"type":"hello"', { length: 1000n });
    await test.serves();
    assert.equal(test.server.gateway.connections.size, 2);
  });

  alike('closes connections with broken framing', async () => {
    for (const [what, closeCode, breakIt] of [
      ['no mask', 1002, (socket: RawSocket) => socket.send(Opcode.Text, '{}', { masked: false })],
      ['reserved bits', 1002, (socket: RawSocket) => socket.send(Opcode.Text, '{}', { reserved: 4 })],
      ['an unknown opcode', 1002, (socket: RawSocket) => socket.send(3, '{}')],
      ['a continuation of nothing', 1002, (socket: RawSocket) => socket.send(Opcode.Continuation, '{}')],
      ['a message within a message', 1002, (socket: RawSocket) => socket.send(Opcode.Text, '{', { fin: false }).send(Opcode.Text, '{}')],
      ['a ping in pieces', 1002, (socket: RawSocket) => socket.send(Opcode.Ping, 'x', { fin: false })],
      ['a ping that is too long', 1002, (socket: RawSocket) => socket.send(Opcode.Ping, 'x'.repeat(126))],
      ['text that is no UTF-8', 1007, (socket: RawSocket) => socket.send(Opcode.Text, Buffer.from([0x7b, 0xff, 0xc0, 0x80, 0x7d]))],
      ['half a character', 1007, (socket: RawSocket) => socket.send(Opcode.Text, Buffer.from([0x22, 0xe2, 0x82]))],
      ['a close without sense', 1002, (socket: RawSocket) => socket.send(Opcode.Close, Buffer.from([0x03]))],
      ['a close with a code that is none', 1002, (socket: RawSocket) => socket.send(Opcode.Close, Buffer.from([0, 1]))],
      ['HTTP', 1002, (socket: RawSocket) => socket.write('GET / HTTP/1.1\r\n\r\n')],
    ] as const) {
      assert.equal(await breakIt(await authenticated()).closeCode(), closeCode, what);
      await test.serves();
    }
    await authenticated();
  });

  alike('takes a binary frame that holds JSON as a text frame', async () => {
    const socket = await open();
    const send = (message: object) => socket.send(Opcode.Binary, JSON.stringify(message));
    await send({ type: 'auth', token: test.server.gateway.grants.fileToken }).next('sessions');
    await send(hello({ tools: [{ name: 'bytes' }] })).next('hello.ack');
    await test.owner0.tools('a', ['echo', 'bytes']);
    const outcome = test.session.call('bytes', {});
    const { id } = await socket.next('tool.call');
    send({ type: 'tool.result', id, data: 'größer' });
    assert.deepEqual(await outcome, { ok: true, data: 'größer' });
    const broken = Buffer.concat([Buffer.from('{"type":"goodbye","reason":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    assert.equal(await code(socket.send(Opcode.Binary, broken)), 'INVALID_JSON', 'no UTF-8');
  });

  alike('refuses frames that are empty, no JSON or no object, and continues', async () => {
    const socket = await authenticated();
    for (const [opcode, payload] of [
      [Opcode.Binary, '\u0000\u0001'],
      [Opcode.Binary, ''],
      [Opcode.Text, ''],
      [Opcode.Text, '[]'],
      [Opcode.Text, 'null'],
      [Opcode.Text, '{"type":"hello",}'],
      [Opcode.Text, '{"type":"hello"}{"type":"hello"}'],
      [Opcode.Text, '\ufeff{"type":"hello"}'],
      [Opcode.Text, '{"type":["hello"]}'],
    ] as const)
      assert.equal(await code(socket.send(opcode, payload)), 'INVALID_JSON', payload);
    await socket.say(hello()).next('hello.ack');
  });

  alike('refuses deeply nested JSON anywhere in a message', async () => {
    const socket = await bound({ tools: [{ name: 'deep' }] });
    await test.owner0.tools('a', ['echo', 'deep']);
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
    for (const nested of [deep('[', ']'), deep('{"a":', '}').replace('}', '1}'), '['.repeat(1_000_000)])
      for (const message of [
        `{"type":"push","level":"keep","event":"e","metadata":{"a":${nested}}}`,
        `{"type":"nonsense","x":${nested}}`,
        nested,
      ]) {
        assert.equal(await code(socket.send(Opcode.Text, message)), 'INVALID_JSON');
      }
    const outcome = test.session.call('deep', {});
    const { id } = await socket.next('tool.call');
    socket.send(Opcode.Text, `{"type":"tool.result","id":"${String(id)}","data":${deep('[', ']')}}`);
    const failed = await outcome;
    assert.ok(!failed.ok && failed.errorCode === 'INVALID_JSON');
    const again = test.session.call('deep', {});
    const next = await socket.next('tool.call');
    const nest = '['.repeat(150) + ']'.repeat(150);
    socket.send(Opcode.Text, `{"type":"tool.result","id":"${String(next.id)}","data":${nest}}`);
    assert.equal(JSON.stringify(await again), `{"ok":true,"data":${nest}}`, 'what is deep, but not too deep');
  });

  alike('accepts JSON at the maximum depth, and refuses a deeper one before it is parsed', async () => {
    assert.equal(Limit.depth, 200);
    const socket = await authenticated();
    const problem = async (frame: string) => {
      const { code, message } = await socket.send(Opcode.Text, frame).next('error');
      return `${String(code)}: ${String(message)}`;
    };
    const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
    for (const nest of [arrays, objects]) {
      assert.match(await problem(`{"type":"none","x":${nest(199)}}`), /^UNKNOWN_TYPE/);
      assert.match(await problem(`{"type":"none","x":${nest(200)}}`), /^INVALID_JSON: .*nested deeper than 200/);
    }
    // Unclosed JSON is refused for its depth or as invalid, whichever is found first.
    assert.match(await problem('['.repeat(200)), /^INVALID_JSON: .*not JSON/);
    assert.match(await problem('['.repeat(201)), /^INVALID_JSON: .*nested deeper than 200/);
  });

  alike('treats keys like `__proto__` as any other in messages, tools, arguments, metadata and results', async () => {
    const evil = '"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"hasOwnProperty":1';
    const socket = await authenticated();
    assert.match(String((await socket.send(Opcode.Text, `{"type":"hello",${evil}}`).next('error')).message), /^name/);
    for (const type of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      assert.equal(await code(socket.say({ type })), 'UNKNOWN_TYPE', type);
    socket.send(
      Opcode.Text,
      `{"type":"hello","name":"__proto__","protocolVersion":2,"session":"a","metadata":{${evil}},` +
        `"hooks":{"onPreToolUse":[{"action":"deny","match":{"tool":"__proto__",${evil}},${evil}}],"transforms":{"__proto__":null,"constructor":null}},` +
        `"tools":[{"name":"constructor","parameters":{"type":"object","properties":{${evil.replaceAll(':1', ':{}')}}}},{"name":"__proto__"},{"name":"toString"}]}`,
    );
    await socket.next('hello.ack');
    await test.owner0.tools('a', ['echo', 'constructor', '__proto__', 'toString']);
    for (const tool of ['constructor', '__proto__', 'toString']) {
      const outcome = test.session.call(tool, JSON.parse(`{"a":1,"__proto__":{"polluted":1}}`));
      const call = await socket.next('tool.call');
      assert.equal(call.tool, tool);
      assert.equal(JSON.stringify(call.args), '{"a":1,"__proto__":{"polluted":1}}');
      socket.send(Opcode.Text, `{"type":"tool.result","id":"${String(call.id)}","data":{"__proto__":{"polluted":1},"a":1}}`);
      assert.equal(JSON.stringify(await outcome), '{"ok":true,"data":{"__proto__":{"polluted":1},"a":1}}');
    }
    for (const missing of ['hasOwnProperty', 'valueOf'])
      assert.equal(JSON.stringify(await test.session.call(missing, {})).includes('NOT_FOUND'), true, missing);
    socket.send(Opcode.Text, `{"type":"push","stream":"__proto__","level":"surface","event":"e","metadata":{${evil}}}`);
    socket.say({ type: 'stream.query', queryId: '__proto__', streams: ['__proto__', 'constructor@__proto__'] });
    const history = await socket.next('stream.history');
    const streams = history.streams as Record<string, { event: string }[]>;
    assert.deepEqual([streams['__proto__@__proto__']?.[0]?.event, streams['constructor@__proto__']], ['e', []]);
    const parts = await test.session.evaluateTransforms(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>);
    assert.ok(parts.sections.every(({ content }) => typeof content === 'string'));
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    assert.equal((Object as unknown as { polluted?: unknown }).polluted, undefined);
  });
});
