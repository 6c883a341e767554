/**
 * The real host process, killed a hundred times at random moments of demo turns. After each kill everything that a client saw is there,
 * nothing happened twice and nothing is asked again.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { AgentHostClient, whenLive } from '../../../src/ahp/index.ts';
import type { Subscription } from '../../../src/ahp/client/resources/subscription.ts';
import { type ResponsePart, type SessionAction, type SessionState, SessionStatus, type Turn } from '../../../src/ahp/v1/session.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { bundleHost, type HostBundle } from '../../support/hostBundle.ts';
import { startHostProcess, type HostProcess } from '../../support/hostProcess.ts';

const KILLS = 100;
const WAIT_MS = 10_000;

interface Cycle {
  session: number;
  message: string;
  /** What else is dispatched right after the message. */
  also: 'nothing' | 'title' | 'queued' | 'steering' | 'archived';
  /** ms from the dispatch to the kill. */
  killAfter: number;
}

const cycles = fc.record<Cycle>({
  session: fc.nat(2),
  message: fc.constantFrom('stream', 'run echo ran >> log.md', 'edit', 'ask', 'tour', 'subagent', 'fail', 'wait'),
  also: fc.constantFrom('nothing', 'title', 'queued', 'steering', 'archived'),
  killAfter: fc.nat(120),
});

describe('an agent host that is killed', function () {
  this.timeout(120_000);
  let bundle: HostBundle;
  let folder: string;
  let host: HostProcess | undefined;

  before(async () => {
    bundle = await bundleHost('0.0.1');
    folder = mkdtempSync(join(tmpdir(), 'tapline-kill-'));
  });
  after(async () => {
    await host?.stop('SIGKILL');
    bundle.remove();
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });

  const start = async () => {
    host = await startHostProcess(['--data', join(folder, 'sessions')], bundle.script);
    return AgentHostClient.connect({ ...host, dialects: ['v1'] });
  };
  const uris = [0, 1, 2].map((index) => `demo:/${index}`);
  const live = async (client: AgentHostClient, uri: string): Promise<Subscription<SessionState>> => {
    const subscription = client.subscribeSession(uri);
    await withTimeout(whenLive(subscription), WAIT_MS, `the state of ${uri}`);
    return subscription;
  };

  it(`loses nothing, does nothing twice and asks nothing twice in ${KILLS} kills`, async () => {
    const seed = Date.now() & 0x7fffffff;
    /** As a client saw each session last. */
    const seen = new Map<string, SessionState>();
    let midTurn = 0;
    try {
      const first = await start();
      for (const session of uris) {
        await first.request('createSession', {
          session,
          provider: 'demo',
          model: { id: 'demo-fast' },
          workingDirectory: pathToFileURL(folder).href,
          config: { approvals: 'auto' },
        });
        const subscription = await live(first, session);
        await until(subscription, ({ lifecycle }) => lifecycle === 'ready');
        seen.set(session, confirmed(subscription));
      }
      first.close();
      await host?.stop('SIGKILL');

      for (const [index, cycle] of fc.sample(cycles, { numRuns: KILLS, seed }).entries()) {
        const client = await start();
        const states = new Map<string, SessionState>();
        for (const uri of uris) {
          const after = confirmed(await live(client, uri));
          follows(seen.get(uri)!, after);
          states.set(uri, after);
        }
        const listed = await client.request('listSessions', {});
        for (const uri of uris)
          assert.deepEqual(
            listed.items.find(({ resource }) => resource === uri),
            states.get(uri)?.summary,
          );

        const uri = uris[cycle.session]!;
        const subscription = client.subscribeSession(uri);
        const dispatch = (action: Record<string, unknown>) => client.dispatch(uri, { ...action, session: uri } as SessionAction);
        const text = `${cycle.message} ${index}`;
        dispatch({ type: 'session/turnStarted', turnId: `turn-${index}`, userMessage: { text } });
        const id = `message-${index}`;
        if (cycle.also === 'title') dispatch({ type: 'session/titleChanged', title: `title ${index}` });
        if (cycle.also === 'archived') dispatch({ type: 'session/isArchivedChanged', isArchived: index % 2 === 0 });
        if (cycle.also === 'queued' || cycle.also === 'steering')
          dispatch({ type: 'session/pendingMessageSet', kind: cycle.also, id, userMessage: { text: `help ${cycle.also} ${index}` } });
        await new Promise((resolve) => setTimeout(resolve, cycle.killAfter));

        const gone = new Promise<void>((resolve) => client.onDidChangeState(({ kind }) => kind === 'reconnecting' && resolve()));
        await host?.stop('SIGKILL');
        await withTimeout(gone, WAIT_MS, 'the end of the connection');
        for (const other of uris) seen.set(other, confirmed(client.subscribeSession(other)));
        if (seen.get(uri)?.activeTurn) midTurn++;
        assert.ok(subscription.confirmed);
        client.close();
      }
      const client = await start();
      for (const uri of uris) {
        const subscription = await live(client, uri);
        follows(seen.get(uri)!, confirmed(subscription));
        // Whatever happened, it works.
        client.dispatch(uri, { type: 'session/turnStarted', session: uri, turnId: 'last', userMessage: { text: 'help last' } });
        const ended = await until(subscription, ({ turns }) => turns.find(({ id }) => id === 'last'));
        assert.equal(ended.state, 'complete');
        assert.ok(confirmed(subscription).turns.length > 1);
      }
      client.close();
      await host?.stop();
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}; the host said: ${host?.stderr().slice(-2000)}`, { cause: error });
    }
    assert.ok(midTurn > KILLS / 4, `only ${midTurn} kills were in the middle of a turn`);
    // What the demo agent ran it ran once: each line is of one message.
    const file = join(folder, 'log.md');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    assert.ok(lines.length > 0, 'some commands ran');
    assert.deepEqual(lines, [...new Set(lines)]);
  });
});

function confirmed(subscription: Subscription<SessionState>): SessionState {
  assert.ok(subscription.confirmed);
  return subscription.confirmed;
}

async function until<T>(subscription: Subscription<SessionState>, find: (state: SessionState) => T | undefined | false): Promise<T> {
  return withTimeout(
    new Promise<T>((resolve) => {
      const look = () => {
        const found = subscription.confirmed && find(subscription.confirmed);
        if (found) resolve(found);
      };
      subscription.onDidChange(look);
      look();
    }),
    WAIT_MS,
    `a state of ${subscription.uri}`,
  );
}

/** `after` must contain everything in `before`, which a client saw when the host was killed, and may contain what it had not received yet. */
function follows(before: SessionState, after: SessionState): void {
  if (
    !before.activeTurn &&
    JSON.stringify(before.turns) === JSON.stringify(after.turns) &&
    before.summary.modifiedAt === after.summary.modifiedAt
  )
    assert.deepEqual(rest(after), rest(before));
  assert.deepEqual(after.turns.slice(0, before.turns.length), before.turns, 'what was over is as it was');
  assert.equal(after.activeTurn, undefined);
  assert.equal(after.inputRequests, undefined, 'nothing is asked again');
  assert.equal(after.summary.activity, undefined, 'nothing goes on');
  assert.equal(after.summary.status & SessionStatus.InProgress, 0);
  assert.equal(new Set(after.turns.map(({ id }) => id)).size, after.turns.length);
  const texts = [
    ...after.turns.map(({ userMessage }) => userMessage.text),
    ...(after.queuedMessages ?? []).map(({ userMessage }) => userMessage.text),
  ];
  assert.equal(new Set(texts).size, texts.length, 'every message is there once');
  const waiting = [...(before.queuedMessages ?? []), ...(before.steeringMessage ? [before.steeringMessage] : [])];
  for (const { userMessage } of waiting.filter(({ id }) => id !== before.steeringMessage?.id))
    assert.ok(texts.includes(userMessage.text), `${userMessage.text} is not lost`);
  if (before.activeTurn) {
    const ended = after.turns[before.turns.length];
    assert.ok(ended, 'the turn that was running is there');
    continues(before.activeTurn, ended);
  }
  for (const turn of after.turns) {
    if (turn.state === 'error' && turn.error?.errorType === 'hostRestarted')
      assert.match(turn.error.message, /host ended while this turn was running/);
    for (const part of turn.responseParts)
      if (part.kind === 'toolCall' && 'toolCall' in part)
        assert.ok(['completed', 'cancelled'].includes(part.toolCall.status), part.toolCall.status);
  }
}

/** Without the active client, which a restart may change. */
function rest({ activeClient: _, ...state }: SessionState): Omit<SessionState, 'activeClient'> {
  return state;
}

function continues(running: NonNullable<SessionState['activeTurn']>, ended: Turn): void {
  assert.deepEqual([ended.id, ended.userMessage], [running.id, running.userMessage]);
  for (const [index, part] of running.responseParts.entries()) {
    const later = ended.responseParts[index];
    assert.equal(later?.kind, part.kind);
    const [text, laterText] = [contentOf(part), contentOf(later)];
    if (text !== undefined) assert.ok(laterText?.startsWith(text), 'no text is lost');
    if (part.kind === 'toolCall' && 'toolCall' in part)
      assert.ok(later && 'toolCall' in later && later.toolCall.toolCallId === part.toolCall.toolCallId);
  }
}

function contentOf(part: ResponsePart | undefined): string | undefined {
  return part && 'content' in part ? part.content : undefined;
}
