/** What the portal does for the page of a session, in place of VS Code. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { Disposable } from '../../../src/base/lifecycle.ts';
import { nullLogger } from '../../../src/base/log.ts';
import type { SocketPagePort } from '../../../src/portal/pages/openPage.ts';
import type { PortalHosts } from '../../../src/portal/pages/portalHosts.ts';
import { MAX_ITEMS } from '../../../src/portal/attention/portalAttention.ts';
import { bounded, portalPages } from '../../../src/portal/pages/portalPages.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const CHAT = 'ahp-chat://main/1';
const SESSION = 'demo:/1';
const OTHER = 'demo:/2';
const ref = { hostId: 'h', uri: SESSION };

describe('the page of a session at the portal', () => {
  let client: AgentHostClient;
  let page: FakePage<ExtensionMessage>;
  let shows: string[];
  let ended: string[];
  let change: () => void;
  let told: Parameters<SocketPagePort['tell']>[0][];
  let open: (uri: string) => Disposable | undefined;
  const opened: Disposable[] = [];

  beforeEach(async () => {
    const host = new FakeChannelHost('1.0.0');
    host.put(CHAT, channelChat(CHAT));
    for (const uri of [SESSION, OTHER]) host.put(uri, channelSession(CHAT));
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    page = new FakePage();
    told = [];
    shows = [SESSION, OTHER];
    ended = [];
    const changed = new Emitter<void>();
    change = () => changed.fire();
    const shown = shownHost(client);
    const of = ({ uri }: { uri: string }) => (shows.includes(uri) ? shown : undefined);
    const hosts = { ...shownHosts(shown), of, onDidChange: changed.event } as unknown as PortalHosts;
    const attention = { items: [], onDidChange: () => ({ dispose() {} }), look() {} };
    const port = {
      ...page.port,
      tell: (one: (typeof told)[number]) => void told.push(one),
      end: (why: string) => void ended.push(why),
    } as SocketPagePort;
    open = (uri) => {
      const one = portalPages({ hosts, attention, logger: nullLogger }).session(new URLSearchParams({ host: 'h', session: uri }), port);
      if (one) opened.push(one);
      return one;
    };
  });
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
    client.dispose();
  });

  it('shows no other session in its place, because the page around it stops the one that it is of', async () => {
    assert.ok(open(SESSION));
    page.say({ type: 'ready' });
    page.say({ type: 'inSession', session: ref, message: { type: 'openSession', uri: OTHER } });
    assert.deepEqual(told, [{ open: { hostId: 'h', uri: OTHER } }]);
    await eventually(() => page.messages.some(({ type }) => type === 'show'), 'the session');
    const shown = page.messages.flatMap((one) => (one.type === 'show' ? [one.session?.uri] : []));
    assert.deepEqual(shown, [SESSION]);
  });

  it('ends when the portal does not show the session any more', () => {
    open(SESSION);
    change();
    assert.deepEqual(ended, []);
    shows = [OTHER];
    change();
    assert.equal(ended.length, 1);
  });

  it('lists a bounded number of what waits, the oldest first', () => {
    const items = Array.from({ length: MAX_ITEMS + 5 }, (_, at) => ({ id: `${at}`, since: MAX_ITEMS - at })) as never;
    const { items: listed } = bounded({ items, onDidChange: () => ({ dispose() {} }), look() {} });
    assert.equal(listed.length, MAX_ITEMS);
    assert.equal(listed[0]?.since, -4);
    assert.equal(bounded({ items: listed, onDidChange: () => ({ dispose() {} }), look() {} }).items, listed);
  });

  it('is not of a session that the portal does not show, and leads to none', () => {
    assert.equal(open('demo:/3'), undefined);
    open(SESSION);
    page.say({ type: 'ready' });
    page.say({ type: 'inSession', session: ref, message: { type: 'openSession', uri: 'demo:/3' } });
    assert.deepEqual(told, [{ problem: 'The portal does not show that session.' }]);
  });
});
