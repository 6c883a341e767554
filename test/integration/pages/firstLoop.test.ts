/** A session that is begun with `/loop` as its first message. */
import assert from 'node:assert/strict';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { EmittersOfSessions, SessionEmitters } from '../../../src/pages/emitters/sessionEmitters.ts';
import { SessionPage } from '../../../src/pages/session/sessionPage.ts';
import type { ExtensionMessage } from '../../../src/webviews/session/protocol.ts';
import { eventually } from '../../fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../fakes/fakeChannelHost.ts';
import { FakePage, FakeShell, sessionServices, shownHost, shownHosts } from '../../fakes/fakePage.ts';
import { memoryTransport } from '../../fakes/memoryTransport.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const ref = { hostId: 'h', uri: SESSION };
const LOOP = '/loop 1m $ ./x.sh';

describe('a loop with which a session begins', () => {
  let client: AgentHostClient;
  let shell: FakeShell;
  let page: FakePage<ExtensionMessage>;
  let session: SessionPage;
  let emitters: EmittersOfSessions;
  let begun: number;

  beforeEach(async () => {
    const host = new FakeChannelHost('1.0.0');
    host.put(SESSION, channelSession(CHAT));
    host.put(CHAT, channelChat(CHAT));
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memoryTransport(host).transport });
    [shell, page, begun] = [new FakeShell(), new FakePage(), 0];
    session = new SessionPage(page.port, {
      ...sessionServices(shell, shownHosts(shownHost(client))),
      emitters: { of: (one) => emitters.of(one), whyNone: () => emitters.whyNone() },
      start: {
        offer: () => ({ agents: [], folders: [] }) as never,
        answer: () => assert.fail('nothing is asked'),
        create: () => assert.fail('no session is made without a loop'),
        start: async (_choice, draft) => {
          assert.equal(draft, undefined);
          begun++;
          session.show(ref);
          await eventually(() => session.shown?.session, 'the session');
          return ref;
        },
      },
    });
    page.say({ type: 'ready' });
  });
  afterEach(() => {
    session.dispose();
    client.dispose();
  });

  const begin = async () => {
    const emitter = { command: './x.sh', runInterval: '1m' };
    const draft = { text: LOOP, attachments: [] };
    page.say({ type: 'startSession', hostId: 'h', provider: 'demo', workingDirectory: 'file:///w', config: {}, draft, emitter });
    const ended = () => page.messages.find((one) => one.type === 'startEnded');
    await eventually(ended, 'the start');
    return ended();
  };
  const refusals = () => page.messages.filter((one) => one.type === 'rejected');

  it('is started in it', async () => {
    const started: unknown[] = [];
    const gateway = { list: async () => [], start: async (emitter: { command?: string }) => void started.push(emitter.command) };
    emitters = { of: async () => gateway as unknown as SessionEmitters, whyNone: () => undefined };
    assert.deepEqual(await begin(), { type: 'startEnded', session: ref });
    await eventually(() => started.length > 0, 'the loop');
    assert.deepEqual([started, refusals(), shell.errors], [['./x.sh'], [], []]);
  });

  it('goes back into the field of the message where the gateway refuses it', async () => {
    emitters = { of: () => Promise.reject(new UserError('There are too many.')), whyNone: () => undefined };
    await begin();
    await eventually(() => refusals().length > 0, 'the words');
    const [refused, ...others] = refusals();
    assert.deepEqual(others, []);
    assert.deepEqual([refused?.session, refused?.uri], [ref, CHAT]);
    assert.equal((refused?.action as { message?: { text?: string } }).message?.text, LOOP);
    assert.match(refused?.reason ?? '', /was not started.*There are too many\./);
  });

  it('begins no session where nothing can be watched', async () => {
    emitters = { of: () => assert.fail('nothing is started'), whyNone: () => 'The tap gateway is off.' };
    assert.deepEqual(await begin(), { type: 'startEnded' });
    assert.deepEqual([begun, shell.errors], [0, ['The tap gateway is off.']]);
  });
});
