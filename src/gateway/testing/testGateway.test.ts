import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProvider, FileResult, type NodeProviderOptions, tool, ToolError, image, text } from '../../tap/provider/providerNode.ts';
import type { ProviderHandle } from '../../tap/provider/providerApi.ts';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { createTestGateway, DEMO_SESSION, type TestGateway, type TestGatewayOptions } from './testGateway.ts';

const roll = tool({
  name: 'dice_roll',
  parameters: { type: 'object', properties: { sides: { type: 'integer', minimum: 2 } }, required: ['sides'] },
  run({ sides }, { progress }) {
    progress('rolling');
    return [text(`up to ${sides}`), image(Uint8Array.of(1, 2, 3))];
  },
});

describe('createTestGateway()', () => {
  let gateway: TestGateway;
  let handles: ProviderHandle[];
  let errors: string[];
  const start = (options?: TestGatewayOptions) => (gateway = createTestGateway(options));
  const provide = (options: NodeProviderOptions): ProviderHandle => {
    const { connect } = gateway;
    const handle = createProvider('dice', { connect, onError: ({ message }) => errors.push(message), ...options });
    handles.push(handle);
    return handle;
  };
  beforeEach(() => {
    handles = [];
    errors = [];
  });
  afterEach(async () => {
    for (const handle of handles) handle.close();
    await gateway.close();
  });

  it('calls a tool once it is offered, and gives the parts of the result and the progress', async () => {
    start();
    provide({ tools: [roll] });
    const { content, progress, data } = await gateway.call('dice_roll', { sides: 6 });
    assert.deepEqual(content, [
      { type: 'text', text: 'up to 6' },
      { type: 'image', mimeType: 'image/png', data: 'AQID' },
    ]);
    assert.deepEqual(progress, ['rolling']);
    assert.deepEqual(data, { content });
    assert.deepEqual(errors, []);
  });

  it('rejects a call with the typed error of the provider, and of the gateway', async () => {
    start();
    const broken = tool({
      name: 'broken',
      run: () => {
        throw new ToolError('BUSY', 'come back later', true);
      },
    });
    provide({ tools: [roll, broken] });
    await assert.rejects(gateway.call('broken'), { name: 'ToolCallError', code: 'BUSY', message: 'come back later', retryable: true });
    await assert.rejects(gateway.call('dice_roll', { sides: 1 }), { code: 'INVALID_ARGUMENTS', message: /sides must be >= 2/ });
  });

  it('cancels a call', async () => {
    start();
    const abort = new AbortController();
    let reason: unknown;
    const slow = tool({
      name: 'slow',
      run: (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve((reason = signal.reason)));
          abort.abort('enough');
        }),
    });
    provide({ tools: [slow] });
    await assert.rejects(gateway.call('slow', {}, { signal: abort.signal }), { code: 'CANCELLED' });
    assert.match(String(reason), /enough/);
    await assert.rejects(gateway.call('slow', {}, { signal: AbortSignal.abort('before') }), { code: 'CANCELLED' });
  });

  it('says why a tool is not offered', async function () {
    this.timeout(10_000);
    start();
    provide({ tools: [{ name: 'no good' }] });
    await assert.rejects(gateway.call('no good'), /the offer of no good .*refused something: INVALID_JSON: tools\[0\]/);
  });

  it('has hooks, prompts, events and pushes, and answers for the user', async () => {
    start();
    const heard: string[] = [];
    const provider = provide({
      tools: [roll],
      hooks: { onPreToolUse: [{ match: { tool: 'shell' }, action: 'gate', gateId: 'g' }], transforms: { s: { action: 'callback' } } },
      context: 'It rains.',
      subscribe: ['user.message'],
      onGate: () => ({ decision: 'deny', reason: 'not today' }),
      onTransform: ({ current }) => `${current}!`,
      onSessionEvent: ({ event }) => heard.push(event),
    });
    await gateway.tools(['dice_roll']);
    assert.equal((await gateway.check('shell', { command: 'ls' })).reason, 'not today');
    assert.equal((await gateway.check('read', {})).decision, 'allow');
    const { sections, context } = await gateway.prompt({ s: 'hi' });
    assert.deepEqual([sections[0]?.content, context[0]?.content], ['hi!', 'It rains.']);
    gateway.event('user.message', { text: 'hi' });
    provider.push({ level: 'surface', event: 'seven' });
    assert.equal((await gateway.pushed('seven')).sessionId, DEMO_SESSION);
    assert.deepEqual(heard, ['user.message']);
  });

  it('leaves rules without force where the user denies them, or has not answered', async () => {
    for (const consent of ['deny', 'ask'] as const) {
      start({ consent });
      const provider = provide({ tools: [roll], hooks: { onPreToolUse: [{ action: 'deny' }] } });
      await gateway.tools(['dice_roll']);
      assert.equal((await gateway.check('shell', {})).decision, 'allow', consent);
      provider.close();
      await gateway.close();
    }
  });

  it('has more sessions, which begin and end', async () => {
    start();
    const ended: string[] = [];
    provide({ tools: [tool({ name: 'where', run: (_, { sessionId }) => sessionId })], onShutdown: (id) => void ended.push(id) });
    await gateway.tools(['where']);
    gateway.addSession('second');
    assert.equal((await gateway.call('where', {}, { session: 'second' })).data, 'second');
    await gateway.endSession('second');
    assert.deepEqual(ended, ['second']);
    assert.equal((await gateway.call('where')).data, DEMO_SESSION);
  });

  it('reads files of the provider’s folder, and removes the folder', async () => {
    start();
    let folder = '';
    const run = () => {
      assert.ok(provider.state.kind === 'bound' && provider.state.persistDir);
      folder = provider.state.persistDir;
      writeFileSync(join(folder, 'large'), 'content');
      return new FileResult({ path: join(folder, 'large'), mimeType: 'text/plain', size: 7, ttl: 60 });
    };
    const provider = provide({ tools: [tool({ name: 'large', run })] });
    const { content } = await gateway.call('large');
    assert.deepEqual(content[0], { type: 'resource', resource: { uri: 'file:///result', mimeType: 'text/plain', blob: 'Y29udGVudA==' } });
    await gateway.close();
    assert.ok(!existsSync(folder));
  });

  it('ends a connection once, whoever ends it', async () => {
    start();
    for (const by of ['provider', 'gateway'] as const) {
      const connection = gateway.connect();
      assert.ok(connection);
      const { socket } = connection;
      let closed = 0;
      socket.addEventListener('close', () => closed++);
      if (by === 'provider') {
        socket.close(1000);
        socket.close(1000);
      } else {
        socket.send('{"type":"auth","token":"wrong"}');
        setImmediate(() => socket.close(1000));
      }
      await eventually(() => closed > 0, 'the end');
      await atRest();
      assert.equal(closed, 1, by);
    }
  });

  it('says at once that a session has ended whose tools a test waits for', async () => {
    start();
    gateway.addSession('second');
    const waiting = assert.rejects(gateway.tools(['never']), { message: /the offer of never/ });
    const ended = assert.rejects(gateway.tools(['never'], 'second'), { message: 'there is no session "second"' });
    await gateway.endSession('second');
    provide({ tools: [roll] });
    await Promise.all([waiting, ended]);
  });

  it('closes a provider that still runs', async () => {
    start();
    const provider = provide({ tools: [roll] });
    await gateway.tools(['dice_roll']);
    const closed = new Promise<void>((resolve) => provider.onDidChangeState(({ kind }) => kind === 'closed' && resolve()));
    await gateway.close();
    await closed;
    assert.deepEqual(errors, []);
  });
});
