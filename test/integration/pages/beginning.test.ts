/** A page that is being loaded is told what it shows before it asks, once. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { atRest, eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';

describe('a page that is being loaded', () => {
  let client: AgentHostClient;
  let page: FakePage<ExtensionMessage>;
  let session: SessionPage;
  const count = (type: string) => page.messages.filter((one) => one.type === type).length;
  const uris = () => page.messages.flatMap((one) => (one.type === 'snapshot' ? one.uri : []));

  beforeEach(async () => {
    const host = new FakeChannelHost('1.0.0');
    host.put(SESSION, channelSession(CHAT));
    host.put(CHAT, channelChat(CHAT));
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    page = new FakePage();
    session = new SessionPage(page.port, sessionServices(new FakeShell(), shownHosts(shownHost(client))));
    session.show({ hostId: 'h', uri: SESSION });
    session.focus('composer');
    session.begin();
    await eventually(() => uris().includes(CHAT), 'the chat');
    await atRest();
  });
  afterEach(() => {
    session.dispose();
    client.dispose();
  });

  it('has all of it by the time it is there, and then what it is to do', async () => {
    assert.deepEqual([count('show'), count('focus')], [1, 0]);
    const before = uris();
    page.say({ type: 'ready', told: true });
    await eventually(() => count('focus') === 1, 'the focus');
    assert.equal(count('show'), 1);
    assert.deepEqual(uris(), before);
  });

  it('is told again where that did not reach it, and each time it is loaded again', async () => {
    for (const shown of [2, 3]) {
      page.say({ type: 'ready', told: false });
      await eventually(() => count('show') === shown, 'all of it');
      await atRest();
    }
    assert.equal(uris().filter((uri) => uri === SESSION).length >= 3, true);
    assert.equal(count('focus'), 1);
  });
});
