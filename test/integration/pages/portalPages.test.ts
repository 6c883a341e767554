/** What the portal does for the page of a session, in place of VS Code. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ToolCallPendingConfirmationState } from '../../../src/ahp/channels/shapes/toolCall.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { Disposable } from '../../../src/base/lifecycle.ts';
import { nullLogger } from '../../../src/base/log.ts';
import type { SocketPagePort } from '../../../src/portal/pages/openPage.ts';
import { PortalHosts } from '../../../src/portal/pages/portalHosts.ts';
import { MAX_ITEMS } from '../../../src/portal/attention/portalAttention.ts';
import { bounded, portalPages } from '../../../src/portal/pages/portalPages.ts';
import { confirm } from '../../../src/views/session/waiting/waiting.ts';
import type { InboxExtensionMessage } from '../../../src/webviews/inbox/protocol.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';
import { said } from '../../fakes/models.ts';

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

describe('Needs You at the portal', () => {
  const call: ToolCallPendingConfirmationState = {
    ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: 'Running', status: 'pending-confirmation' },
  };
  const waits = { kind: 'call', turnId: 't', call };
  const item = {
    hostId: 'host box',
    uri: SESSION,
    chat: CHAT,
    kind: 'call',
    id: 'i',
    title: 'A session',
    what: 'Run',
    since: 0,
    waiting: waits,
  };

  for (const { name, ran, reason } of [
    { name: 'in which the work of the portal has ended', ran: true, reason: /^The portal’s work in this session has ended/ },
    { name: 'of a run that is forgotten', ran: false, reason: /^The agent host of this session is not listed any more/ },
  ])
    it(`answers nothing in a session ${name} meanwhile, and says why`, async () => {
      const host = new FakeChannelHost('1.0.0');
      const activeTurn = { id: 't', message: said('Do it'), responseParts: [{ kind: 'toolCall', toolCall: call }] };
      host.put(CHAT, { ...channelChat(CHAT), activeTurn } as never);
      host.put(SESSION, channelSession(CHAT));
      const connect = () => AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
      const [own, box] = await Promise.all([connect(), connect()]);
      const never = () => ({ dispose() {} });
      const working = new Set<string>([SESSION]);
      const sessions = { urisAt: () => working, onDidChange: never };
      const hosts = new PortalHosts(
        { client: own, hosts: new Map([['box', box]]), sessions, ran: () => ran, onDidForgetRun: never },
        systemClock,
      );
      const page = new FakePage<InboxExtensionMessage>();
      const port = { ...page.port, tell: () => undefined, end: () => undefined } as unknown as SocketPagePort;
      // As it was listed a moment ago.
      const attention = { items: [item], onDidChange: never, look() {} } as never;
      const inbox = portalPages({ hosts, attention, logger: nullLogger }).inbox(new URLSearchParams(), port);
      try {
        page.say({ type: 'ready' });
        working.clear();
        const message = { type: 'dispatch', uri: CHAT, action: confirm('t', call, { approve: true }) };
        page.say({ type: 'inSession', session: { hostId: 'host box', uri: SESSION }, message });
        const refused = () =>
          page.messages.flatMap((one) => (one.type === 'inSession' && one.message.type === 'rejected' ? [one.message.reason] : []));
        await eventually(() => refused().length > 0, 'the reason');
        assert.match(refused()[0] ?? '', reason);
        assert.deepEqual(host.paramsOf('dispatchAction'), []);
      } finally {
        inbox?.dispose();
        for (const one of [hosts, own, box]) one.dispose();
      }
    });
});
