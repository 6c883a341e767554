/** Tools of the provider SDK that answer their calls themselves, at a real gateway. */
import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle, ProviderOptions } from '../../../src/tap/provider/providerApi.ts';
import { ToolError } from '../../../src/tap/provider/providerErrors.ts';
import { file, image, json, text } from '../../../src/tap/provider/results.ts';
import { tool } from '../../../src/tap/provider/tool.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import { eventually } from '../../fakes/eventually.ts';
import { reached, TestGateway, type TestOwner } from './gatewayHarness.ts';

const roll = tool({
  name: 'roll',
  description: 'Rolls dice',
  input: z.object({ sides: z.int().min(2), names: z.array(z.string().regex(/^[a-z]+$/)).default([]) }),
  run({ sides, names }, { progress }) {
    progress(`rolling ${sides}`);
    return `${names.join()}${sides}`;
  },
});

describe('tools of the SDK that run by themselves', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  const handles: ProviderHandle[] = [];
  beforeEach(async () => {
    test = new TestGateway();
    await test.start();
    owner = await test.owner();
    session = await owner.session('a');
  });
  afterEach(async () => {
    for (const handle of handles.splice(0)) handle.close();
    await test.stop();
  });
  const provide = (options: Partial<ProviderOptions>): ProviderHandle => {
    const connect = () => ({ socket: new WebSocket(test.server.url), token: test.server.gateway.grants.fileToken });
    const handle = connectProvider('sdk', { connect, onError: (error) => assert.fail(error), ...options });
    handles.push(handle);
    return handle;
  };

  it('are offered with the schema, get typed arguments, and report progress', async () => {
    provide({ tools: [roll] });
    await owner.tools('a', ['roll']);
    const [offered] = owner.last('tools/changed').tools;
    assert.deepEqual(offered?.parameters.required, ['sides']);
    assert.equal(offered?.description, 'Rolls dice');
    assert.deepEqual(await session.call('roll', { sides: 6, names: ['ada', 'bob'] }), { ok: true, data: 'ada,bob6' });
    assert.equal((await owner.next('tool/progress')).message, 'rolling 6');
  });

  it('fail with all mistakes that only the schema finds', async () => {
    // The gateway is told that anything is allowed.
    provide({ tools: [{ ...roll, parameters: {} }] });
    await owner.tools('a', ['roll']);
    const failed = await session.call('roll', { sides: 1, names: ['A'] });
    assert.ok(!failed.ok);
    assert.match(failed.error, /^The arguments do not fit the tool's parameters: sides: .*; names\.0: /);
    assert.deepEqual(failed.details, { errorCode: 'INVALID_ARGUMENTS', retryable: false });
    assert.deepEqual(await session.call('roll', { sides: 2 }), { ok: true, data: '2' });
  });

  it('stand beside tools of onToolCall, and are replaced and removed as those are', async () => {
    const handle = provide({ tools: [roll, { name: 'old' }], onToolCall: ({ tool: name }) => `old ${name}` });
    await owner.tools('a', ['roll', 'old']);
    assert.deepEqual(await session.call('old', {}), { ok: true, data: 'old old' });
    await handle.updateTools([tool({ name: 'old', run: () => 'new' })], []);
    assert.deepEqual(await session.call('old', {}), { ok: true, data: 'new' });
    await assert.rejects(handle.updateTools([tool({ name: 'no good', run: () => 0 })], []), /INVALID_JSON/);
    assert.deepEqual(await session.call('old', {}), { ok: true, data: 'new' });
    await handle.updateTools([{ name: 'roll' }]);
    await owner.tools('a', ['roll']);
    assert.deepEqual(await session.call('roll', {}), { ok: true, data: 'old roll' });
  });

  it('answer with NOT_FOUND where nobody answers a tool', async () => {
    provide({ tools: [{ name: 'bare' }] });
    await owner.tools('a', ['bare']);
    const failed = await session.call('bare', {});
    assert.ok(!failed.ok && failed.errorCode === 'NOT_FOUND' && failed.error.includes('bare has no run'), JSON.stringify(failed));
  });

  it('answer a call that arrives before the answer to the update', async () => {
    const handle = provide({});
    await reached(handle, 'bound');
    // Offered to the session before the provider has read the answer.
    const offered = owner.tools('a', ['early']).then(() => session.call('early', {}));
    await handle.updateTools([tool({ name: 'early', run: () => 'early' })]);
    assert.deepEqual(await offered, { ok: true, data: 'early' });
  });

  it('answer with several parts in their order', async () => {
    const run = () => [text('One:'), image(Uint8Array.of(1, 2, 3)), file('a,b', { name: 'a.csv', mimeType: 'text/csv' }), json({ n: 1 })];
    provide({ tools: [tool({ name: 'parts', run }), tool({ name: 'one', run: () => json({ a: 1 }) })] });
    await owner.tools('a', ['parts', 'one']);
    assert.deepEqual(await session.call('parts', {}), {
      ok: true,
      data: {
        content: [
          { type: 'text', text: 'One:' },
          { type: 'image', mimeType: 'image/png', data: 'AQID' },
          { type: 'resource', resource: { uri: 'file:///a.csv', mimeType: 'text/csv', text: 'a,b' } },
          { type: 'text', text: '{\n  "n": 1\n}' },
        ],
        structuredContent: { n: 1 },
      },
    });
    assert.deepEqual(await session.call('one', {}), { ok: true, data: { a: 1 } });
  });

  it('fail with a code and whether another try may help, of which another instance is one', async () => {
    let asked = 0;
    const fail = (message: string) => () => {
      asked++;
      throw new ToolError('BUSY', message, true);
    };
    provide({ instance: 'one', tools: [tool({ name: 'work', run: fail('one is busy') })] });
    await owner.tools('a', ['work']);
    const failed = await session.call('work', {});
    assert.deepEqual(failed, {
      ok: false,
      error: 'one is busy',
      errorCode: 'INTERNAL',
      details: { errorCode: 'BUSY', retryable: true },
    });
    provide({ instance: 'two', tools: [tool({ name: 'work', run: () => 'done by two' })] });
    await eventually(() => owner.last('tools/changed').tools[0]?.instances?.length === 2, 'the second instance');
    for (const _ of [1, 2]) assert.deepEqual(await session.call('work', {}), { ok: true, data: 'done by two' });
    assert.ok(asked >= 1);
  });
});
