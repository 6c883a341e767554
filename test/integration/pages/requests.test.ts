/** What a page asks for is bounded: how much at once, also of what it does not take, and how long one answer is. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { MAX_REFUSALS, MAX_REQUESTS, MAX_WAITING_REQUESTS } from '../../../src/pages/pageHost.ts';
import { MAX_RESOURCE_LENGTH } from '../../../src/pages/readResource.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { atRest, eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const ref = { hostId: 'h', uri: SESSION };

describe('what a page asks for', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let page: FakePage<ExtensionMessage>;
  let shell: FakeShell;
  let session: SessionPage;

  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    host.put(SESSION, channelSession(CHAT));
    host.put(CHAT, channelChat(CHAT));
    host.methods['resourceRead'] = ({ uri }: { uri: string }) => ({
      data: 'x'.repeat(uri === 'file:///long' ? MAX_RESOURCE_LENGTH + 1 : 1),
      encoding: 'utf-8',
    });
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    page = new FakePage();
    shell = new FakeShell();
    session = new SessionPage(page.port, sessionServices(shell, shownHosts(shownHost(client))));
    session.show(ref);
    page.say({ type: 'ready' });
    await eventually(() => page.messages.some(({ type }) => type === 'show'), 'the session');
  });
  afterEach(() => {
    session.dispose();
    client.dispose();
  });

  let asked = 0;
  const ask = (uri: string) => {
    const message = { type: 'request', id: ++asked, method: 'readResource', params: { uri, encoding: 'utf-8' } };
    page.say({ type: 'inSession', session: ref, message });
    return asked;
  };
  const answer = (id: number) => page.messages.find((one) => one.type === 'response' && one.id === id);
  const errorOf = async (id: number) => {
    await eventually(() => answer(id), 'an answer');
    return (answer(id) as { error?: string }).error;
  };

  it('is answered up to a length', async () => {
    assert.equal(await errorOf(ask('file:///short')), undefined);
    assert.match((await errorOf(ask('file:///long'))) ?? '', /too large to be shown/);
  });

  it('waits behind so many others, and comes once the page has taken those', async () => {
    page.isSlow = true;
    const first = Array.from({ length: MAX_REQUESTS }, () => ask('file:///short'));
    await eventually(() => host.paramsOf('resourceRead').length === MAX_REQUESTS, 'the host is asked');
    const later = Array.from({ length: MAX_REQUESTS }, () => ask('file:///short'));
    await atRest();
    assert.equal(host.paramsOf('resourceRead').length, MAX_REQUESTS);
    page.isSlow = false;
    page.take();
    for (const id of [...first, ...later]) assert.equal(await errorOf(id), undefined);
  });

  it('is refused where too much waits', async () => {
    page.isSlow = true;
    for (let count = 0; count < MAX_REQUESTS + MAX_WAITING_REQUESTS; count++) ask('file:///short');
    const over = ask('file:///short');
    await eventually(() => {
      page.take();
      return answer(over);
    }, 'an answer');
    assert.match((await errorOf(over)) ?? '', /has not come yet/);
  });

  it('is not even refused without end to a page that takes nothing', async () => {
    page.isSlow = true;
    for (let count = 0; count < MAX_REQUESTS + MAX_WAITING_REQUESTS; count++) ask('file:///short');
    const refused = Array.from({ length: MAX_REFUSALS }, () => ask('file:///short'));
    const over = ask('file:///short');
    await eventually(() => {
      page.take();
      return answer(refused.at(-1) ?? 0);
    }, 'the last refusal');
    await atRest();
    assert.equal(answer(over), undefined);
    page.isSlow = false;
    page.take();
    assert.equal(await errorOf(ask('file:///short')), undefined);
  });

  it('is not done where the shell has a question of its own', async () => {
    const asked: string[] = [];
    const chats = { rename: async () => void asked.push('rename'), delete: async () => void asked.push('delete') };
    const own = new FakePage<ExtensionMessage>();
    const other = new SessionPage(own.port, { ...sessionServices(shell, shownHosts(shownHost(client))), chats });
    other.show(ref);
    own.say({ type: 'ready' });
    await eventually(() => own.messages.some(({ type }) => type === 'show'), 'the session');
    own.say({ type: 'inSession', session: ref, message: { type: 'request', id: 1, method: 'removeChat', params: { chat: CHAT } } });
    await eventually(() => own.messages.some((one) => one.type === 'response'), 'an answer');
    assert.match(JSON.stringify(own.messages.findLast((one) => one.type === 'response')), /asked in a box of VS Code/);
    assert.deepEqual(asked, []);
    other.dispose();
  });

  it('says so when the settings are changed before they are there', async () => {
    const other = { ...ref, uri: 'demo:/none' };
    session.show(other);
    page.say({
      type: 'inSession',
      session: other,
      message: { type: 'dispatch', uri: other.uri, action: { type: 'session/configChanged', config: { a: 'b' } } },
    });
    await eventually(() => shell.errors.length > 0, 'a text');
    assert.match(shell.errors[0] ?? '', /settings are not there yet/);
  });
});
