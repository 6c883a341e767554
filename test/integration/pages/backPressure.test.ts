/** A terminal that prints without end floods no page, wherever it is shown. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { SessionStatus } from '../../../src/ahp/common/status.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { DisposableStore } from '../../../src/base/lifecycle.ts';
import { InboxPage } from '../../../src/pages/inbox/inboxPage.ts';
import { MAX_WAITING_CHARACTERS } from '../../../src/pages/pageQueue.ts';
import type { ResourceMessage } from '../../../src/pages/resourceMessages.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import { Attention } from '../../../src/views/attention/attention.ts';
import type { InboxExtensionMessage } from '../../../src/webviews/inbox/protocol.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const TERMINAL = 'ahp-terminal:/1';
const ref = { hostId: 'h', uri: SESSION };
const watch = { type: 'inSession', session: ref, message: { type: 'watch', uri: TERMINAL, kind: 'terminal' } };

/** Characters of one piece, and of all. */
const PIECE = 100_000;
const PRINTED = 20_000_000;

describe('a terminal that prints 20 MB', function () {
  this.timeout(60_000);
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let store: DisposableStore;
  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    store = new DisposableStore();
    const status = SessionStatus.InputNeeded;
    const content = [{ type: 'terminal' as const, resource: TERMINAL, title: 'sh' }];
    const toolCall = {
      ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run', invocationMessage: 'Running', confirmed: 'not-needed', success: true },
      ...{ pastTenseMessage: 'Ran', content, status: 'pending-result-confirmation' },
    };
    const needed = { kind: 'toolConfirmation', id: 'n', chat: CHAT, turnId: 't', toolCall } as never;
    host.summaries = [{ ...channelSummary(SESSION), status }] as never;
    host.put(SESSION, { ...channelSession(CHAT), status, inputNeeded: [needed] });
    host.put(CHAT, { ...channelChat(CHAT), status });
    host.put(TERMINAL, { title: 'sh', content: [], claim: { kind: 'client', clientId: 'x' }, lifecycle: { status: 'running' } } as never);
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
  });
  afterEach(() => {
    store.dispose();
    client.dispose();
  });

  /** What of the messages is about the terminal. */
  type Read<Out> = (message: Out) => ResourceMessage | undefined;
  const isOfTerminal = (message: { type: string; uri?: string }) => message.uri === TERMINAL;
  const ofSession: Read<ExtensionMessage> = (one) => (isOfTerminal(one) ? (one as ResourceMessage) : undefined);
  const ofInbox: Read<InboxExtensionMessage> = (one) =>
    one.type === 'inSession' && isOfTerminal(one.message) ? (one.message as ResourceMessage) : undefined;

  /** The page is busy while it is printed. */
  async function flood<Out>(page: FakePage<Out>, read: Read<Out>): Promise<void> {
    const messages = () => page.messages.flatMap((one) => read(one) ?? []);
    await eventually(() => messages().some((one) => one.type === 'snapshot' && one.confirmed), 'the terminal');
    page.isSlow = true;
    const before = page.posts.length;
    for (let printed = 0; printed < PRINTED; printed += PIECE)
      host.act(TERMINAL, { type: 'terminal/data', data: String(printed / PIECE).padStart(PIECE, '.') });
    const last = String(PRINTED / PIECE - 1);
    const model = client.model('terminal', TERMINAL);
    await eventually(() => JSON.stringify(model.state).includes(last), 'all that was printed');
    model.dispose();
    await eventually(() => {
      page.take();
      return JSON.stringify(messages().slice(-1)).includes(last);
    }, 'the end of it at the page');
    const posts = page.posts.slice(before).map((post) => JSON.stringify(post).length);
    assert.ok(Math.max(...posts) <= 1.1 * (MAX_WAITING_CHARACTERS + PIECE), `the largest post has ${Math.max(...posts)} characters`);
    assert.ok(posts.length < 50, `${posts.length} posts`);
  }

  async function inboxPage(): Promise<FakePage<InboxExtensionMessage>> {
    const hosts = shownHosts(shownHost(client));
    const attention = store.add(new Attention(hosts as never, systemClock));
    await eventually(() => attention.items.some(({ kind }) => kind === 'result'), 'what waits');
    const page = new FakePage<InboxExtensionMessage>();
    const { logger, focus, showError, copy, openExternal } = new FakeShell();
    const shell = { logger, focus, showError, copy, openExternal };
    store.add(new InboxPage(page.port, { ...shell, hosts, attention, openItem: async () => undefined, markRead: async () => undefined }));
    return page;
  }

  it('is followed by a card of Needs You that is slow', async () => {
    const page = await inboxPage();
    page.say({ type: 'ready' });
    page.say(watch);
    await flood(page, ofInbox);
  });

  it('is followed by the page of the session that is slow', async () => {
    const page = new FakePage<ExtensionMessage>();
    const session = store.add(new SessionPage(page.port, sessionServices(new FakeShell(), shownHosts(shownHost(client)))));
    session.show(ref);
    page.say({ type: 'ready' });
    page.say(watch);
    await flood(page, ofSession);
  });

  it('is told again to a card whose page was loaded again', async () => {
    const page = await inboxPage();
    const snapshots = () => page.messages.flatMap((one) => ofInbox(one) ?? []).filter((one) => one.type === 'snapshot' && one.confirmed);
    page.say({ type: 'ready' });
    page.say(watch);
    await eventually(() => snapshots().length > 0, 'the terminal');
    const before = snapshots().length;
    page.say({ type: 'ready' });
    page.say(watch);
    await eventually(() => snapshots().length > before, 'the terminal again');
  });
});
