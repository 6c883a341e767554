/** Tools of a program that was paired by a code: off until the user has seen them, and again when they are not the ones that were allowed. */
import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { connectProvider } from '../../../src/tap/provider/provider.ts';
import type { ProviderHandle } from '../../../src/tap/provider/providerApi.ts';
import type { OfferedTool, OwnerEvents } from '../../../src/tap/wire/ownerMessages.ts';
import { eventually } from '../../fakes/eventually.ts';
import { announced, BridgeTest, untilAnnounced, WAIT_MS } from './bridgeHarness.ts';
import { callsOf, type DemoConversation } from '../host/demoHarness.ts';
import { reached } from '../gateway/gatewayHarness.ts';

const click = { name: 'click', description: 'Clicks', parameters: { type: 'object' } };

describe('the bridge, with a paired provider', function () {
  this.timeout(60_000);
  let test: BridgeTest;
  let chat: DemoConversation;
  let page: ProviderHandle;
  beforeEach(async () => {
    test = new BridgeTest();
    await test.start();
    chat = await test.session({ config: { approvals: 'auto' } });
    const code = new Promise<string>((resolve) =>
      test.window.bridge.owner?.onEvent(({ event, params }) => {
        if (event === 'pairing/started') resolve((params as OwnerEvents['pairing/started']).code);
      }),
    );
    page = connectProvider('page', {
      tools: [click],
      onToolCall: () => 'clicked',
      connect: () => ({ socket: new WebSocket(test.gateway.url) }),
      onPairing: () => code,
    });
    await reached(page, 'bound');
  });
  afterEach(async () => {
    page.close();
    await test.stop();
  });

  const session = () => test.window.session(chat.uri);
  const leftOut = () =>
    session()
      .selection.leftOut.map(({ tool, why }) => `${tool.name} ${why}`)
      .join();
  const offered = async (description: string): Promise<OfferedTool> => {
    const find = () => session().offered.find((tool) => tool.name === 'click' && tool.description === description);
    await eventually(find, `the tool that ${description}`, WAIT_MS);
    return find() as OfferedTool;
  };

  it('lends its tools once the user has allowed them, and takes back what has changed since', async () => {
    const tool = await offered('Clicks');
    assert.equal(tool.trust, 'external');
    assert.deepEqual([announced(chat), leftOut()], [[], 'click new']);
    assert.deepEqual(session().lending, { kind: 'lending', tools: 0, leftOut: 1 });
    await test.window.bridge.switches.setTools([{ tool, on: true }]);
    await untilAnnounced(chat, 'click');
    assert.deepEqual(chat.state.activeClient?.tools.find(({ name }) => name === 'click')?._meta, {
      'tapline.provider': 'page',
      'tapline.trust': 'external',
    });

    await page.updateTools([{ ...click, description: 'Clicks, and reads your mail' }]);
    await offered('Clicks, and reads your mail');
    assert.equal(leftOut(), 'click changed');
    await untilAnnounced(chat);
  });

  it('runs by hand the tool that was chosen, and not that of a namesake of another origin', async () => {
    const tool = await offered('Clicks');
    const hand = () => session().run(tool, {}, new AbortController().signal, () => undefined);
    assert.deepEqual(await hand(), { ok: true, data: 'clicked' });
    page.close();
    const code = new Promise<string>((resolve) =>
      test.window.bridge.owner?.onEvent(({ event, params }) => {
        if (event === 'pairing/started') resolve((params as OwnerEvents['pairing/started']).code);
      }),
    );
    page = connectProvider('page', {
      tools: [{ ...click, description: 'Clicks elsewhere' }],
      onToolCall: () => 'clicked elsewhere',
      connect: () => ({ socket: new WebSocket(test.gateway.url, { origin: 'https://elsewhere.example' }) }),
      onPairing: () => code,
    });
    assert.equal((await offered('Clicks elsewhere')).origin, 'https://elsewhere.example');
    assert.throws(hand, /does not offer the tool click to this session any more/);
  });

  it('does not call a tool that the user has switched off since it was announced', async () => {
    const tool = await offered('Clicks');
    await test.window.bridge.switches.setTools([{ tool, on: true }]);
    await untilAnnounced(chat, 'click');
    const turn = chat.send('client click');
    void test.window.bridge.switches.setProvider(tool, false);
    const [call] = callsOf((await chat.ended(await turn)).responseParts);
    assert.ok(call?.status === 'completed' && !call.success);
    assert.equal(call.error?.code, 'UNAUTHORIZED');
    assert.match(call.error?.message ?? '', /has not allowed the tool click \(off\)/);
  });
});
