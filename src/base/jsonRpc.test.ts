import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TimeoutError } from './errors.ts';
import { MAX_REFUSALS_IN_A_ROW } from './connection/refusals.ts';
import { JsonRpcPeer, RpcError, type JsonRpcHandlers, type JsonRpcRole } from './jsonRpc.ts';

/** A peer whose frames are collected; `frames` holds what it sent, parsed. */
function peerWith(handlers: Partial<JsonRpcHandlers> = {}, role: JsonRpcRole = 'server') {
  const frames: any[] = []; // eslint-disable-line @typescript-eslint/no-explicit-any -- raw frames
  const invalid: string[] = [];
  const peer = new JsonRpcPeer(role, (text) => frames.push(JSON.parse(text)), {
    onRequest: () => {
      throw new RpcError(-32601, 'no such method');
    },
    onNotification: () => undefined,
    onInvalidMessage: (problem) => invalid.push(problem),
    ...handlers,
  });
  return { peer, frames, invalid, receive: (message: unknown) => peer.receive(JSON.stringify(message)) };
}

/** Two peers, each the other's transport. */
function pair(left: Partial<JsonRpcHandlers>, right: Partial<JsonRpcHandlers>): [JsonRpcPeer, JsonRpcPeer] {
  const none: JsonRpcHandlers = { onRequest: () => null, onNotification: () => undefined };
  const a: JsonRpcPeer = new JsonRpcPeer('server', (text) => b.receive(text), { ...none, ...left });
  const b: JsonRpcPeer = new JsonRpcPeer('server', (text) => a.receive(text), { ...none, ...right });
  return [a, b];
}

describe('JsonRpcPeer', () => {
  it('sends numeric ids and resolves with the result, a null result included', async () => {
    const { peer, frames, receive } = peerWith();
    const first = peer.request('createSession', { session: 'x:/1' }, 1000);
    const second = peer.request('other', {}, 1000);
    assert.deepEqual(
      frames.map(({ id, method }) => [typeof id, method]),
      [
        ['number', 'createSession'],
        ['number', 'other'],
      ],
    );
    receive({ jsonrpc: '2.0', id: frames[1].id, result: { a: 1 } });
    receive({ id: frames[0].id, result: null });
    assert.equal(await first, null);
    assert.deepEqual(await second, { a: 1 });
  });

  it('rejects with the code, message and data of an error answer', async () => {
    const { peer, frames, receive } = peerWith();
    const request = peer.request('listSessions', {}, 1000);
    receive({ jsonrpc: '2.0', id: frames[0].id, error: { code: -32007, message: 'token please', data: [{ resource: 'r' }] } });
    await assert.rejects(request, (error: unknown) => {
      assert.ok(error instanceof RpcError);
      assert.deepEqual([error.code, error.message, error.data], [-32007, 'token please', [{ resource: 'r' }]]);
      return true;
    });
  });

  it('keeps the beginning of a long error message, which is all that anybody reads', async () => {
    const { peer, frames, invalid, receive } = peerWith();
    const request = peer.request('listSessions', {}, 1000);
    const message = `why${'\n'.repeat(1_000_000)}`;
    receive({ id: frames[0].id, error: { code: -32000, message } });
    await assert.rejects(request, ({ message: kept }: Error) => kept.startsWith('why\n') && kept.length === 10_000);
    receive({ id: null, error: { code: -32000, message } });
    assert.ok(invalid[0]!.includes('why') && invalid[0]!.length < 11_000);
  });

  it('takes answers that are not quite well-formed', async () => {
    const { peer, frames, receive } = peerWith();
    const both = peer.request('a', {}, 1000);
    const bare = peer.request('b', {}, 1000);
    const mixed = peer.request('c', {}, 1000);
    receive({ id: frames[0].id, result: 1, error: null });
    receive({ id: frames[1].id, error: 'broken' });
    receive({ id: frames[2].id, result: null, error: { code: -32603, message: 'no' } });
    assert.equal(await both, 1);
    await assert.rejects(bare, { name: 'RpcError', code: -32603, message: 'broken' });
    await assert.rejects(mixed, { name: 'RpcError', code: -32603, message: 'no' });
  });

  it('names the request that ran out of time, forgets it, and ignores the late answer', async () => {
    const { peer, frames, receive } = peerWith();
    await assert.rejects(peer.request('subscribe', {}, 5), (error: unknown) => error instanceof TimeoutError && error.what === 'subscribe');
    receive({ id: frames[0].id, result: 'late' });
    const next = peer.request('subscribe', {}, 1000);
    receive({ id: frames[1].id, result: 'in time' });
    assert.equal(await next, 'in time');
  });

  it('fails open and later requests with the reason of the disposal', async () => {
    const { peer, receive, frames } = peerWith();
    const reason = new Error('line lost');
    const open = peer.request('a', {}, 1000);
    peer.dispose(reason);
    await assert.rejects(open, (error) => error === reason);
    await assert.rejects(peer.request('b', {}, 1000), (error) => error === reason);
    peer.notify('n', {});
    receive({ id: 1, method: 'x' });
    assert.equal(frames.length, 1);
  });

  it('rejects with the error of the transport', async () => {
    const broken = new Error('socket is closed');
    const peer = new JsonRpcPeer(
      'client',
      () => {
        throw broken;
      },
      { onRequest: () => null, onNotification: () => undefined },
    );
    await assert.rejects(peer.request('a', {}, 1000), (error) => error === broken);
  });

  it('keeps its own requests apart from the other side’s, whose ids overlap', async () => {
    const [a, b] = pair({ onRequest: (method) => `a:${method}` }, { onRequest: (method) => `b:${method}` });
    const [fromB, fromA] = await Promise.all([a.request('one', {}, 1000), b.request('two', {}, 1000)]);
    assert.deepEqual([fromB, fromA], ['b:one', 'a:two']);
  });

  it('answers with the code of an RpcError, and any other failure as InternalError that is reported', async () => {
    const reported: unknown[] = [];
    const failure = new Error('disk full');
    const [a] = pair(
      {},
      {
        onRequest: (method) => {
          if (method === 'refused') throw new RpcError(-32008, 'not found', { uri: 'u' });
          throw failure;
        },
        onInternalError: (_method, error) => reported.push(error),
      },
    );
    await assert.rejects(a.request('refused', {}, 1000), { code: -32008, data: { uri: 'u' } });
    await assert.rejects(a.request('broken', {}, 1000), { code: -32603, message: 'disk full' });
    assert.deepEqual(reported, [failure]);
  });

  it('echoes string ids and accepts requests without `jsonrpc`', async () => {
    const { peer, frames } = peerWith({ onRequest: () => 'ok' });
    peer.receive(JSON.stringify({ id: 'abc', method: 'x' }));
    await new Promise(setImmediate);
    assert.deepEqual(frames, [{ jsonrpc: '2.0', id: 'abc', result: 'ok' }]);
  });

  it('hands notifications on in order and at once', () => {
    const seen: unknown[] = [];
    const { receive } = peerWith({ onNotification: (method, params) => seen.push([method, params]) });
    receive({ method: 'action', params: { n: 1 } });
    receive({ method: 'action', params: { n: 2 } });
    assert.deepEqual(seen, [
      ['action', { n: 1 }],
      ['action', { n: 2 }],
    ]);
  });

  it('answers what is no message with an error, but never an error with an error', () => {
    const { peer, frames, invalid } = peerWith();
    for (const text of ['{', '[]', 'null', '7', '{"id":1}', '{"result":1}']) peer.receive(text);
    assert.deepEqual(
      frames.map((frame) => [frame.id, frame.error.code]),
      [
        [null, -32700],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [null, -32600],
        [null, -32600],
      ],
    );
    const before = frames.length;
    peer.receive('{"id":null,"error":{"code":-32700,"message":"bad JSON"}}');
    assert.equal(frames.length, before);
    assert.match(invalid.at(-1) ?? '', /bad JSON/);
  });

  it('as a client answers nothing that is no request', async () => {
    const { peer, frames, invalid } = peerWith({}, 'client');
    for (const text of ['hello', '[]', '{"type":"error"}', '{"id":null,"error":{"code":-32700,"message":"x"}}']) peer.receive(text);
    assert.deepEqual([frames, invalid.length], [[], 4]);
    peer.receive('{"id":1,"method":"resourceRead"}');
    await new Promise(setImmediate);
    assert.deepEqual(
      frames.map(({ id, error }) => [id, error.code]),
      [[1, -32601]],
    );
  });

  it('as a server stops telling a peer that answers each error with the next bad frame, until that makes sense again', () => {
    const heard: string[] = [];
    const peer: JsonRpcPeer = new JsonRpcPeer('server', (text) => heard.push(text) < 1_000 && answer(text), {
      onRequest: () => null,
      onNotification: () => undefined,
    });
    // In other words, and as it was.
    const answer = (text: string) => {
      peer.receive(`you said: ${text}`);
      peer.receive(text);
    };
    peer.receive('hello');
    assert.equal(heard.length, MAX_REFUSALS_IN_A_ROW);
    assert.match(heard.at(-1) ?? '', /no more such frames are answered/);
    peer.receive('{"method":"n"}');
    peer.receive('hello');
    assert.equal(heard.length, 2 * MAX_REFUSALS_IN_A_ROW);
  });

  it('answers with an error in place of a result that cannot be sent, and reports why', async () => {
    const frames: unknown[] = [];
    const reported: unknown[] = [];
    const send = (text: string) => {
      if (text.length > 200) throw new Error('too long');
      frames.push(JSON.parse(text));
    };
    const peer = new JsonRpcPeer('server', send, {
      onRequest: (method) => (method === 'number' ? { n: 1n } : 'x'.repeat(300)),
      onNotification: () => undefined,
      onInternalError: (method, error) => reported.push([method, (error as Error).message]),
    });
    for (const [id, method] of ['number', 'text'].entries()) peer.receive(JSON.stringify({ id, method }));
    await new Promise(setImmediate);
    const error = { code: -32603, message: 'the answer could not be sent' };
    assert.deepEqual(frames, [
      { jsonrpc: '2.0', id: 0, error },
      { jsonrpc: '2.0', id: 1, error },
    ]);
    assert.deepEqual(
      reported.map((one) => (one as string[])[0]),
      ['number', 'text'],
    );
  });

  it('never throws while it receives, also over a transport that does and with handlers that do', async () => {
    const reported: string[] = [];
    const broken = () => {
      throw new Error('socket is closed');
    };
    const peer: JsonRpcPeer = new JsonRpcPeer('server', broken, {
      onRequest: () => null,
      onNotification: (method) => peer.notify(method, {}),
      onInternalError: (method) => reported.push(method),
    });
    for (const text of ['{', '{"method":"told"}', '{"id":1,"method":"asked"}']) peer.receive(text);
    await new Promise(setImmediate);
    assert.deepEqual(reported, ['the refusal of a frame', 'told', 'asked', 'asked']);
  });
});
