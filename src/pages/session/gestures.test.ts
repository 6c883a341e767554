import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { eventually } from '../../../test/fakes/eventually.ts';
import { channelChat, channelSession, FakeChannelHost } from '../../../test/fakes/fakeChannelHost.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { said } from '../../../test/fakes/models.ts';
import { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { nullLogger } from '../../base/log.ts';
import type { ExtensionMessage } from '../../webviews/session/protocol.ts';
import type { ShownHost } from '../shownHost.ts';
import { Gestures } from './gestures.ts';
import { ShownSession } from './shownSession.ts';

const SESSION = 'demo:/1';
const CHAT = 'ahp-chat://main/1';
const ENDED = 'The work here has ended.';

describe('what is done in a session that is only shown by now', () => {
  let host: FakeChannelHost;
  let client: AgentHostClient;
  let clock: FakeClock;
  let memory: ReturnType<typeof memoryTransport>;
  let shown: ShownSession;
  let gestures: Gestures;
  let told: ExtensionMessage[];
  let readOnly: string | undefined;
  /** What tool providers make of a message. */
  let prepared: Promise<string> | undefined;

  const start = { type: 'chat/turnStarted' as const, turnId: 't', message: said('Go on'), startedAt: new Date(0).toISOString() };
  const sent = () => host.paramsOf('dispatchAction').length;
  const refusals = () => told.flatMap((one) => (one.type === 'rejected' ? [one.reason] : []));

  beforeEach(async () => {
    host = new FakeChannelHost('1.0.0');
    host.put(SESSION, channelSession(CHAT));
    host.put(CHAT, channelChat(CHAT));
    [told, readOnly, prepared, clock, memory] = [[], undefined, undefined, new FakeClock(), memoryTransport(host)];
    client = await AgentHostClient.connect({ url: 'ws://h:1', transport: memory.transport, clock, random: () => 0 });
    const listed = {
      ...{ id: 'h', label: 'a host', kind: 'configured' as const, client, root: client.root(), connection: {} },
      get readOnly() {
        return readOnly;
      },
    } as unknown as ShownHost;
    shown = new ShownSession({ hostId: 'h', uri: SESSION }, listed, () => undefined);
    shown.watch(CHAT, 'chat');
    await eventually(() => shown.get(CHAT)?.state !== undefined && shown.session !== undefined, 'the chat');
    const services = {
      logger: nullLogger,
      hosts: { all: [listed], get: () => listed },
      drafts: { sent: { store: () => Promise.resolve() } },
      bridge: { preparePrompt: () => prepared },
      showError: (text: string) => assert.fail(text),
    };
    const page = { shown, ref: shown.ref, tell: (message: ExtensionMessage) => told.push(message) };
    gestures = new Gestures(services as never, { choose: async () => 'Agree' }, page);
  });
  afterEach(() => {
    shown.dispose();
    client.dispose();
  });

  it('is sent while it is more than that', async () => {
    await gestures.dispatch(shown, CHAT, start, undefined);
    assert.deepEqual([sent(), refusals()], [1, []]);
  });

  it('is not sent when it became that while the message was prepared', async () => {
    prepared = new Promise((resolve) => {
      queueMicrotask(() => {
        readOnly = ENDED;
        resolve('Go on, with more');
      });
    });
    await gestures.dispatch(shown, CHAT, start, undefined);
    assert.deepEqual([sent(), refusals()], [0, [`${ENDED} Nothing was sent.`]]);
  });

  it('is not sent after its turns were taken away', async () => {
    readOnly = ENDED;
    await gestures.sendAgain(shown, CHAT, start);
    assert.deepEqual([sent(), refusals()], [0, [`${ENDED} Nothing was sent.`]]);
  });

  for (const isWithdrawn of [false, true])
    it(`is not sent when its host is back, ${isWithdrawn ? 'and taken back at once' : 'whoever shows it then'}`, async () => {
      memory.line.drop();
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      const done = gestures.dispatch(shown, CHAT, start, undefined);
      await eventually(() => shown.get(CHAT)?.pending.length === 1, 'what waits for the host');
      readOnly = ENDED;
      if (isWithdrawn) {
        client.withdraw(CHAT);
        await done;
      }
      clock.advance(1_000);
      await eventually(() => client.state.kind === 'connected', 'the return');
      await done;
      assert.deepEqual([sent(), refusals()], [0, [`Not sent. ${ENDED}`]]);
    });
});
