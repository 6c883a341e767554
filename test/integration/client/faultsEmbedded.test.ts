/**
 * The client and the real embedded host over real sockets, with the connection lost at every frame of demo turns. What was typed runs once,
 * and all clients see the same.
 */
import { inEnglish } from '../../support/inEnglish.ts';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../src/ahp/client/model/chatModel.ts';
import type { ClientAction } from '../../../src/ahp/client/model/resourceModel.ts';
import { connectNodeTransport } from '../../../src/ahp/client/nodeTransport.ts';
import type { Settlement } from '../../../src/ahp/client/resources/subscription.ts';
import type { TransportFactory } from '../../../src/ahp/client/transport.ts';
import { whenLive } from '../../../src/ahp/client/resources/whenLive.ts';
import type { DialectName } from '../../../src/ahp/dialects/dialect.ts';
import { FIRST_MODEL } from '../../../src/ahp/sessionMetaKeys.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { DemoAgent } from '../../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../../src/host/server/hostServer.ts';
import { CuttingTransport } from '../../fakes/cuttingTransport.ts';
import { eventually } from '../../fakes/eventually.ts';
import { assertSameAsFresh, comparable, promptOf, promptsIn } from './faultHarness.ts';

const callsIn = (chat: ChatModel) =>
  (chat.confirmed?.activeTurn?.responseParts ?? []).flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));

const dialectNames: DialectName[] = ['channels', 'v1'];
for (const dialect of dialectNames)
  describe(`The client and the embedded host, with a lost connection, in the words of ${dialect}`, () => {
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

    const optionsFor = ({ url, token }: HostServer, transport: TransportFactory) => ({ dialects: [dialect], url, token, transport });
    const connect = (transport: TransportFactory = connectNodeTransport()) => AgentHostClient.connect(optionsFor(server, transport));

    /** The URI of a new session, and that of its chat. */
    async function newSession(client = observer): Promise<{ session: string; chat: string }> {
      const uri = `demo:/${randomUUID()}`;
      const workingDirectories = [pathToFileURL(folder).href];
      const _meta = { [FIRST_MODEL]: { id: 'demo-fast' } };
      await client.command('createSession', { channel: uri, provider: 'demo', workingDirectories, _meta });
      const session = client.session(uri);
      const { defaultChat = '' } = await whenLive(session);
      session.dispose();
      return { session: uri, chat: defaultChat };
    }

    /** Comes back at once, as the user who presses "Reconnect now" would. */
    function comeBackAtOnce(client: AgentHostClient): void {
      client.onDidChangeState(({ kind }) => {
        if (kind === 'reconnecting') setImmediate(() => client.reconnectNow());
      });
    }

    /** Types `text`, approves what waits, and says "send again" to what is in doubt; until the turn is over. */
    async function converse(client: AgentHostClient, chat: ChatModel, text: string): Promise<Settlement> {
      const approved = new Set<string>();
      const act = () => {
        if (chat.status.kind !== 'live') return;
        for (const { clientSeq, outcome } of chat.pending) if (outcome) client.resolveUnknown(chat.uri, clientSeq, 'sendAgain');
        for (const { toolCallId, status } of callsIn(chat)) {
          const turnId = chat.confirmed?.activeTurn?.id;
          // Once: a choice that a cut takes along is the client's to bring again.
          if (status !== 'pending-confirmation' || turnId === undefined || approved.has(toolCallId)) continue;
          approved.add(toolCallId);
          chat.approve({ turnId, toolCallId });
        }
      };
      // In a turn of its own: a dispatch inside of an event would be told in the middle of it.
      const acting = chat.onDidChange(() => setImmediate(act));
      // What is said before the first connection has no words yet.
      await whenLive(chat);
      const { settled } = chat.send(text);
      const isOver = () =>
        chat.status.kind === 'live' && chat.pending.length === 0 && chat.confirmed?.turns.length && !chat.confirmed.activeTurn;
      await eventually(isOver, `the end of "${text}"`);
      acting.dispose();
      return settled;
    }

    /** One turn with one cut. */
    async function play(
      text: string,
      cutBefore: number | ((frame: string) => boolean),
    ): Promise<{ frames: number; settlement: Settlement }> {
      const made = await newSession();
      const line = new CuttingTransport(connectNodeTransport(), cutBefore);
      const client = AgentHostClient.create(optionsFor(server, line.open));
      comeBackAtOnce(client);
      try {
        const session = client.session(made.session);
        const chat = client.chat(made.chat);
        const settlement = await converse(client, chat, text);
        await assertSameAsFresh([chat], connect, (fresh, uri) => fresh.chat(uri));
        // What the turn brings to its session may come after its end.
        const other = observer.session(made.session);
        const isSame = () => isDeepStrictEqual(comparable(session.confirmed), comparable(other.confirmed));
        await eventually(() => other.status.kind === 'live' && isSame(), 'the same session');
        other.dispose();
        assert.deepEqual(promptsIn(chat.confirmed), [text], 'asked once');
        assert.equal(chat.confirmed?.turns[0]?.state, 'complete');
        assert.ok(line.isCut || line.passed.length <= Number(cutBefore));
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
        assert.ok(outcomes.has('confirmed'));
        // Its number is not the same each time, so that the numbers may miss it.
        const isPrompt = (frame: string) => {
          const { method, params } = JSON.parse(frame) as { method?: string; params?: { action: { type: string } } };
          return method === 'dispatchAction' && params !== undefined && promptOf(params.action) === text;
        };
        const { settlement } = await play(text, isPrompt);
        assert.equal(settlement.kind, 'unknown', 'a cut at the prompt');
        // Each turn of it has limits of its own.
      }).timeout(240_000);
    }

    describe('never loses a prompt', () => {
      let uris: { session: string; chat: string };
      let line: CuttingTransport;
      let client: AgentHostClient;
      let chat: ChatModel;

      beforeEach(async () => {
        uris = await newSession();
        line = new CuttingTransport(connectNodeTransport());
        client = await connect(line.open);
        chat = client.chat(uris.chat);
        await whenLive(chat);
      });
      afterEach(() => client.close());

      it('that is typed without a connection', async () => {
        line.cut();
        await eventually(() => chat.status.kind === 'stale', 'the loss');
        const { settled } = chat.send('stream 1');
        assert.deepEqual(promptsIn(chat.state), ['stream 1'], 'shown at once');
        client.reconnectNow();
        assert.deepEqual(await settled, { kind: 'confirmed' });
        await eventually(() => chat.confirmed?.turns.length === 1, 'its turn');
      });

      it('that is typed without a connection, while another turn starts', async () => {
        line.cut();
        await eventually(() => chat.status.kind === 'stale', 'the loss');
        const { settled } = chat.send('stream 1');
        const seen = observer.chat(uris.chat);
        await whenLive(seen);
        seen.send('run echo waits');
        await eventually(() => callsIn(seen)[0]?.status === 'pending-confirmation', 'the other turn');
        client.reconnectNow();
        assert.deepEqual(inEnglish(await settled), { kind: 'rejected', reason: 'Not sent. Another turn is running.' });
        assert.deepEqual(promptsIn(chat.confirmed), ['run echo waits']);
        seen.dispose();
      });

      it('whose frame is lost while nobody looks at the session any more', async () => {
        line.cutBeforeNext('c2s');
        const { settled, clientSeq } = chat.send('stream 1');
        chat.dispose();
        await eventually(() => client.state.kind === 'reconnecting', 'the loss');
        client.reconnectNow();
        assert.equal((await settled).kind, 'unknown');
        const again = client.chat(uris.chat);
        await whenLive(again);
        assert.deepEqual(
          again.pending.map((pending) => [pending.clientSeq, pending.outcome, pending.action.type]),
          [[clientSeq, 'unknown', 'chat/turnStarted']],
        );
        assert.deepEqual(promptsIn(again.state), []);
        const resent = client.resolveUnknown(uris.chat, clientSeq, 'sendAgain');
        assert.deepEqual(await resent?.settled, { kind: 'confirmed' });
        await eventually(() => again.confirmed?.turns.length === 1 && again.pending.length === 0, 'its turn');
        assert.equal(client.resolveUnknown(uris.chat, clientSeq, 'sendAgain'), undefined, 'only once');
      });

      it('that the user discards is gone, and comes not back', async () => {
        line.cutBeforeNext('c2s');
        const { clientSeq } = chat.send('stream 1');
        await eventually(() => client.state.kind === 'reconnecting', 'the loss');
        client.reconnectNow();
        await eventually(() => chat.pending[0]?.outcome === 'unknown', 'the doubt');
        assert.equal(client.resolveUnknown(uris.chat, clientSeq, 'discard'), undefined);
        assert.deepEqual(chat.pending, []);
        line.cut();
        await eventually(() => client.state.kind === 'reconnecting', 'another loss');
        client.reconnectNow();
        await whenLive(chat);
        assert.deepEqual([chat.pending, promptsIn(chat.confirmed)], [[], []]);
      });

      it('that was sent before the window was loaded again, whether it arrived or not', async () => {
        const prompt = (text: string): ClientAction => ({
          ...{ type: 'chat/turnStarted', turnId: randomUUID(), startedAt: new Date().toISOString() },
          message: { text, origin: { kind: 'user' } },
        });
        const [arrived, lost] = [prompt('stream 1'), prompt('help')];
        await chat.perform(arrived).settled;
        await eventually(() => chat.confirmed?.turns.length === 1, 'its turn');
        line.cutBeforeNext('c2s');
        void chat.perform(lost);
        client.close();

        const next = await connect();
        try {
          const again = next.chat(uris.chat);
          assert.deepEqual(await again.restore(arrived).settled, { kind: 'confirmed' });
          await whenLive(again);
          // The state is there already, and is looked at.
          const two = again.restore(lost);
          assert.equal((await two.settled).kind, 'unknown');
          assert.deepEqual(
            again.pending.map(({ action, outcome }) => [action, outcome]),
            [[lost, 'unknown']],
          );
          next.resolveUnknown(uris.chat, two.clientSeq, 'sendAgain');
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
        const visitor = await AgentHostClient.connect(optionsFor(first, mortal.open));
        let second: HostServer | undefined;
        try {
          const there = await newSession(visitor);
          const forgotten = visitor.chat(there.chat);
          await whenLive(forgotten);
          mortal.cutBeforeNext('c2s');
          const { settled, clientSeq } = forgotten.send('stream 1');
          await eventually(() => visitor.state.kind === 'reconnecting', 'the loss');
          await first.close();
          second = await startHostServer({ ...options, agents: agents(), port: first.port });
          visitor.reconnectNow();
          assert.equal((await settled).kind, 'unknown');
          // This one has forgotten the session; what was typed into it is still there.
          await eventually(() => forgotten.status.kind === 'failed', 'the answer');
          assert.deepEqual(
            forgotten.pending.map((pending) => [pending.clientSeq, pending.outcome]),
            [[clientSeq, 'unknown']],
          );
          assert.equal(visitor.resolveUnknown(there.chat, clientSeq, 'sendAgain'), undefined, 'there is nobody to send it to');
          assert.equal(forgotten.pending.length, 1);
        } finally {
          visitor.close();
          await first.close();
          await second?.close();
        }
      });
    });
  });
