/**
 * The client and the real embedded host over real sockets, with the connection lost at every frame of demo turns. What was typed runs once,
 * and all clients see the same.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { Settlement, Subscription } from '../../../src/ahp/client/resources/subscription.ts';
import type { TransportFactory } from '../../../src/ahp/client/transport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../../src/host/server/server.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { callsOf } from '../host/demoHarness.ts';
import { assertSameAsFresh, promptsIn } from './faultHarness.ts';

describe('The client and the embedded host, with a lost connection', () => {
  let folder: string;
  let server: HostServer;
  let observer: AgentHostClient;

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-faults-')));
    const agent = new DemoAgent({ logger: nullLogger, wait: () => Promise.resolve() });
    server = await startHostServer({ agents: [agent], logger: nullLogger, defaultDirectory: pathToFileURL(folder).href });
    observer = await connect();
  });
  after(async () => {
    observer.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const connect = (transport: TransportFactory = connectNodeTransport()) =>
    AgentHostClient.connect({ dialects: ['v1'], url: server.url, token: server.token, transport });

  async function newSession(): Promise<string> {
    const session = `demo:/${randomUUID()}`;
    const workingDirectory = pathToFileURL(folder).href;
    await observer.request('createSession', { session, provider: 'demo', workingDirectory, model: { id: 'demo-fast' } });
    return session;
  }

  /** Comes back at once, as the user who presses "Reconnect now" would. */
  function comeBackAtOnce(client: AgentHostClient): void {
    client.onDidChangeState(({ kind }) => {
      if (kind === 'reconnecting') setImmediate(() => client.reconnectNow());
    });
  }

  /** Types `text`, approves what waits, and says "send again" to what is in doubt; until the turn is over. */
  async function converse(client: AgentHostClient, subscription: Subscription<SessionState>, text: string): Promise<Settlement> {
    const { uri } = subscription;
    const approved = new Set<string>();
    const act = () => {
      const { confirmed, pending, status } = subscription;
      if (status.kind !== 'live') return;
      for (const { clientSeq, outcome } of pending) if (outcome) client.resolveUnknown(uri, clientSeq, 'sendAgain');
      for (const call of callsOf(confirmed?.activeTurn?.responseParts)) {
        if (call.status !== 'pending-confirmation' || !confirmed?.activeTurn) continue;
        const { id: turnId } = confirmed.activeTurn;
        const { toolCallId } = call;
        // Once: a choice that a cut takes along is the client's to bring again.
        if (approved.has(toolCallId)) continue;
        approved.add(toolCallId);
        client.dispatch(uri, {
          type: 'session/toolCallConfirmed',
          session: uri,
          turnId,
          toolCallId,
          approved: true,
          confirmed: 'user-action',
        });
      }
    };
    // In a turn of its own: a dispatch inside of an event would be told in the middle of it.
    const acting = subscription.onDidChange(() => setImmediate(act));
    const { settled } = client.dispatch(uri, { type: 'session/turnStarted', session: uri, turnId: randomUUID(), userMessage: { text } });
    const isOver = () =>
      subscription.status.kind === 'live' &&
      subscription.pending.length === 0 &&
      subscription.confirmed?.turns.length &&
      !subscription.confirmed.activeTurn;
    await eventually(isOver, `the end of "${text}"`);
    acting.dispose();
    return settled;
  }

  /** One turn with one cut. */
  async function play(text: string, cutBefore: number): Promise<{ frames: number; settlement: Settlement }> {
    const session = await newSession();
    const line = new CuttingTransport(connectNodeTransport(), cutBefore);
    const client = AgentHostClient.create({ url: server.url, token: server.token, transport: line.open });
    comeBackAtOnce(client);
    try {
      const subscription = client.subscribeSession(session);
      const settlement = await converse(client, subscription, text);
      await assertSameAsFresh([subscription], connect);
      assert.deepEqual(promptsIn(subscription.confirmed), [text], 'asked once');
      assert.equal(subscription.confirmed?.turns[0]?.state, 'complete');
      assert.ok(line.isCut || line.passed.length <= cutBefore);
      return { frames: line.passed.length, settlement };
    } finally {
      client.close();
    }
  }

  for (const text of ['stream 1', 'run echo one', 'edit notes.md something']) {
    it(`at every frame of "${text}"`, async () => {
      const { frames } = await play(text, Infinity);
      assert.ok(frames >= 15, `${frames} frames`);
      const outcomes = new Set<string>();
      for (let cutBefore = 0; cutBefore < frames; cutBefore++) {
        try {
          outcomes.add((await play(text, cutBefore)).settlement.kind);
        } catch (error) {
          throw new Error(`cut before frame ${cutBefore} of ${frames}`, { cause: error });
        }
      }
      assert.deepEqual([...outcomes].sort(), ['confirmed', 'unknown'], 'the cuts hit the prompt as well');
    }).timeout(30_000);
  }

  describe('never loses a prompt', () => {
    let session: string;
    let line: CuttingTransport;
    let client: AgentHostClient;
    const prompt = (text: string) => ({ type: 'session/turnStarted', session, turnId: randomUUID(), userMessage: { text } }) as const;

    beforeEach(async () => {
      session = await newSession();
      line = new CuttingTransport(connectNodeTransport());
      client = await connect(line.open);
    });
    afterEach(() => client.close());

    it('that is typed without a connection', async () => {
      const subscription = client.subscribeSession(session);
      await whenLive(subscription);
      line.cut();
      await eventually(() => subscription.status.kind === 'stale', 'the loss');
      const { settled } = client.dispatch(session, prompt('stream 1'));
      assert.deepEqual(promptsIn(subscription.state), ['stream 1'], 'shown at once');
      client.reconnectNow();
      assert.deepEqual(await settled, { kind: 'confirmed' });
      await eventually(() => subscription.confirmed?.turns.length === 1, 'its turn');
    });

    it('that is typed without a connection, while another turn starts', async () => {
      const subscription = client.subscribeSession(session);
      await whenLive(subscription);
      line.cut();
      await eventually(() => subscription.status.kind === 'stale', 'the loss');
      const { settled } = client.dispatch(session, prompt('stream 1'));
      observer.dispatch(session, prompt('run echo waits'));
      const seen = observer.subscribeSession(session);
      await eventually(() => callsOf(seen.confirmed?.activeTurn?.responseParts)[0]?.status === 'pending-confirmation', 'the other turn');
      client.reconnectNow();
      assert.deepEqual(await settled, { kind: 'rejected', reason: 'Not sent. Another turn is running.' });
      assert.deepEqual(promptsIn(subscription.confirmed), ['run echo waits']);
      seen.dispose();
    });

    it('whose frame is lost while nobody looks at the session any more', async () => {
      const subscription = client.subscribeSession(session);
      await whenLive(subscription);
      line.cutBeforeNext('c2s');
      const { settled, clientSeq } = client.dispatch(session, prompt('stream 1'));
      subscription.dispose();
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      client.reconnectNow();
      assert.equal((await settled).kind, 'unknown');
      const again = client.subscribeSession(session);
      await whenLive(again);
      assert.deepEqual(
        again.pending.map((pending) => [pending.clientSeq, pending.outcome, pending.action.type]),
        [[clientSeq, 'unknown', 'session/turnStarted']],
      );
      assert.deepEqual(promptsIn(again.state), []);
      const resent = client.resolveUnknown(session, clientSeq, 'sendAgain');
      assert.deepEqual(await resent?.settled, { kind: 'confirmed' });
      await eventually(() => again.confirmed?.turns.length === 1 && again.pending.length === 0, 'its turn');
      assert.equal(client.resolveUnknown(session, clientSeq, 'sendAgain'), undefined, 'only once');
    });

    it('that the user discards is gone, and comes not back', async () => {
      const subscription = client.subscribeSession(session);
      await whenLive(subscription);
      line.cutBeforeNext('c2s');
      const { clientSeq } = client.dispatch(session, prompt('stream 1'));
      await eventually(() => client.state.kind === 'reconnecting', 'the loss');
      client.reconnectNow();
      await eventually(() => subscription.pending[0]?.outcome === 'unknown', 'the doubt');
      assert.equal(client.resolveUnknown(session, clientSeq, 'discard'), undefined);
      assert.deepEqual(subscription.pending, []);
      line.cut();
      await eventually(() => client.state.kind === 'reconnecting', 'another loss');
      client.reconnectNow();
      await whenLive(subscription);
      assert.deepEqual([subscription.pending, promptsIn(subscription.confirmed)], [[], []]);
    });

    it('that was sent before the window was loaded again, whether it arrived or not', async () => {
      const subscription = client.subscribeSession(session);
      await whenLive(subscription);
      const [arrived, lost] = [prompt('stream 1'), prompt('help')];
      await client.dispatch(session, arrived).settled;
      await eventually(() => subscription.confirmed?.turns.length === 1, 'its turn');
      line.cutBeforeNext('c2s');
      void client.dispatch(session, lost);
      client.close();

      const next = await connect();
      try {
        assert.deepEqual(await next.restorePending(session, arrived).settled, { kind: 'confirmed' });
        const again = next.subscribeSession(session);
        await whenLive(again);
        // The state is there already, and is looked at.
        const two = next.restorePending(session, lost);
        assert.equal((await two.settled).kind, 'unknown');
        assert.deepEqual(
          again.pending.map(({ action, outcome }) => [action, outcome]),
          [[lost, 'unknown']],
        );
        next.resolveUnknown(session, two.clientSeq, 'sendAgain');
        await eventually(() => again.confirmed?.turns.length === 2, 'its turn');
        assert.deepEqual(promptsIn(again.confirmed), ['stream 1', 'help']);
      } finally {
        next.close();
      }
    });

    it('when the next connection reaches another host on the same port', async () => {
      const agents = () => [new DemoAgent({ logger: nullLogger, wait: () => Promise.resolve() })];
      const options = { logger: nullLogger, defaultDirectory: pathToFileURL(folder).href, token: 'same' };
      const first = await startHostServer({ ...options, agents: agents() });
      const mortal = new CuttingTransport(connectNodeTransport());
      const visitor = await AgentHostClient.connect({ dialects: ['v1'], url: first.url, token: 'same', transport: mortal.open });
      let second: HostServer | undefined;
      try {
        const workingDirectory = pathToFileURL(folder).href;
        await visitor.request('createSession', { session, provider: 'demo', workingDirectory });
        const subscription = visitor.subscribeSession(session);
        await whenLive(subscription);
        mortal.cutBeforeNext('c2s');
        const { settled, clientSeq } = visitor.dispatch(session, prompt('stream 1'));
        await eventually(() => visitor.state.kind === 'reconnecting', 'the loss');
        await first.close();
        second = await startHostServer({ ...options, agents: agents(), port: first.port });
        visitor.reconnectNow();
        assert.equal((await settled).kind, 'unknown');
        // This one has forgotten the session; what was typed into it is still there.
        await eventually(() => subscription.status.kind === 'failed', 'the answer');
        assert.deepEqual(
          subscription.pending.map((pending) => [pending.clientSeq, pending.outcome]),
          [[clientSeq, 'unknown']],
        );
        assert.equal(visitor.resolveUnknown(session, clientSeq, 'sendAgain'), undefined, 'there is nobody to send it to');
        assert.equal(subscription.pending.length, 1);
      } finally {
        visitor.close();
        await first.close();
        await second?.close();
      }
    });
  });
});
