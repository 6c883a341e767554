/** The page of a session at a host that the portal shares with others: it gets nothing of theirs. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { ROOT_URI } from '../../../src/ahp/common/root.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage, SessionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const OTHER_CHAT = 'ahp-chat://main/2';
const TERMINAL = 'ahp-terminal:/theirs';
const ref = { hostId: 'h', uri: SESSION };

describe('the page of a session at a host of others', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let page: FakePage<ExtensionMessage>;
  let session: SessionPage;

  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    host.put(SESSION, { ...channelSession(CHAT), workingDirectories: ['file:///w'] });
    for (const chat of [CHAT, OTHER_CHAT]) host.put(chat, channelChat(chat));
    host.methods['resourceRead'] = () => ({ data: 'x', encoding: 'utf-8' });
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    page = new FakePage();
    session = new SessionPage(page.port, sessionServices(new FakeShell(), shownHosts({ ...shownHost(client), isOfOthers: true })));
    session.show(ref);
    page.say({ type: 'ready' });
    await eventually(() => isTold(SESSION), 'the session');
    say({ type: 'watch', uri: CHAT, kind: 'chat' });
    await eventually(() => isTold(CHAT), 'its chat');
  });
  afterEach(() => {
    session.dispose();
    client.dispose();
  });

  const say = (message: SessionMessage) => page.say({ type: 'inSession', session: ref, message });
  const isTold = (uri: string) => page.messages.some((one) => one.type === 'snapshot' && one.uri === uri && one.confirmed);
  const watched = () => host.paramsOf('subscribe').map((one) => (one as { channel: string }).channel);
  let asked = 0;
  async function read(uri: string): Promise<{ result?: unknown; error?: string }> {
    const id = ++asked;
    say({ type: 'request', id, method: 'readResource', params: { uri, encoding: 'utf-8' } } as SessionMessage);
    const find = () => page.messages.find((one) => one.type === 'response' && one.id === id);
    await eventually(find, 'an answer');
    return find() as { result?: unknown; error?: string };
  }

  it('reads what is in its folder, and nothing that it does not name', async () => {
    assert.equal((await read('file:///w/a.ts')).error, undefined);
    for (const uri of ['file:///etc/passwd', 'file:///w/../etc/passwd', 'session-db://theirs/1'])
      assert.match((await read(uri)).error ?? '', /does not say that this belongs to it/, uri);
    assert.equal(host.paramsOf('resourceRead').length, 1);
  });

  it('follows no terminal and no chat of others, and types into none', async () => {
    say({ type: 'watch', uri: TERMINAL, kind: 'terminal' });
    say({ type: 'typeIntoTerminal', uri: TERMINAL, text: 'x' });
    say({ type: 'watch', uri: OTHER_CHAT, kind: 'chat' });
    await read('file:///w/a.ts');
    assert.deepEqual(
      watched().filter((uri) => uri === TERMINAL || uri === OTHER_CHAT),
      [],
    );
    assert.deepEqual(host.paramsOf('dispatchAction'), []);
  });

  it('is told of the agents of the host, and of nothing else there', async () => {
    host.act('ahp-root://', { type: 'root/activeSessionsChanged', activeSessions: 7 } as never);
    await read('file:///w/a.ts');
    const roots = page.messages.flatMap((one) => (one.type === 'snapshot' && one.uri === ROOT_URI ? [one] : []));
    const told = roots.filter(({ confirmed }) => confirmed);
    assert.ok(told.length > 0);
    for (const { confirmed } of told) assert.deepEqual(Object.keys(confirmed ?? {}), ['agents']);
    assert.ok(!page.messages.some((one) => one.type === 'actions' && one.uri === ROOT_URI));
  });

  it('follows what it was asked for as soon as the session names it', async () => {
    say({ type: 'watch', uri: OTHER_CHAT, kind: 'chat' });
    host.act(SESSION, { type: 'session/chatAdded', summary: channelChat(OTHER_CHAT) } as never);
    await eventually(() => isTold(OTHER_CHAT), 'the chat');
  });
});
