import { inEnglish } from '../../../../test/support/inEnglish.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { sessionState, terminalState } from '../../../../test/fakes/fakeHost.ts';
import { type Logger, nullLogger } from '../../../base/log.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { Envelope } from '../../dialects/dialect.ts';
import type { ResourceState } from '../../v1/commands.ts';
import { v1Dialect } from '../../dialects/v1/v1Dialect.ts';
import { ErrorCode } from '../../v1/errors.ts';
import { kindOfResource, reduceAll, reducerFor } from '../../v1/reducers/reduceAll.ts';
import type { SessionActiveClient } from '../../v1/toolCall.ts';
import type { SessionState } from '../../v1/session.ts';
import type { TerminalState } from '../../v1/terminal.ts';
import { Resource } from './resource.ts';
import { type SubscriptionChange, SubscriptionHandle } from './subscription.ts';

const session = 'demo:/1';
const terminal = 'agenthost-terminal:/1';
const titled = (title: string): StateAction => ({ type: 'session/titleChanged', session, title });
const printed = (data: string): StateAction => ({ type: 'terminal/data', terminal, data });
const typed = (data: string): StateAction => ({ type: 'terminal/input', terminal, data });
const read: StateAction = { type: 'session/isReadChanged', session, isRead: true };
const stopped: StateAction = { type: 'session/turnCancelled', session, turnId: 't1' };
const ended: StateAction = { type: 'session/turnComplete', session, turnId: 't1' };
const started = (turnId: string): StateAction => ({ type: 'session/turnStarted', session, turnId, userMessage: { text: 'go' } });

/** A resource with one subscription: its events, what it sent, and its warnings. */
function setUp<S extends ResourceState = SessionState>(uri = session) {
  const clock = new FakeClock();
  const sent: { clientSeq: number; action: ActionLike }[] = [];
  const warnings: string[] = [];
  let clientSeq = 100;
  const connection = { isUp: true };
  const logger: Logger = { ...nullLogger, warn: (message) => warnings.push(message) };
  const resource = new Resource<S>(uri, kindOfResource(uri), {
    clientId: 'me',
    clock,
    logger,
    dialect: v1Dialect,
    send: (_uri, clientSeq, action) => {
      if (connection.isUp) sent.push({ clientSeq, action });
      return connection.isUp;
    },
    nextClientSeq: () => ++clientSeq,
    markDirty: () => undefined,
    onStatus: () => undefined,
    onPending: () => undefined,
  });
  const events: SubscriptionChange<ActionLike>[] = [];
  const handle = new SubscriptionHandle<S, ActionLike>(resource, () => undefined);
  resource.handles.add(handle);
  handle.onDidChange((change) => events.push(change));
  return { resource, handle, events, sent, warnings, clock, connection, receive: (envelope: Envelope) => resource.receive(envelope) };
}

/** A live session with nothing to report. */
function liveSession() {
  const all = setUp();
  all.resource.applySnapshot(sessionState(session, 'old'), 10);
  all.resource.flush(Infinity);
  all.events.length = 0;
  return all;
}

describe('Resource: sequence', () => {
  it('keeps envelopes that come before the snapshot, and drops those that it includes', () => {
    const { resource, events, receive } = setUp<TerminalState>(terminal);
    for (const [serverSeq, data] of [
      [4, 'a'],
      [5, 'b'],
      [6, 'c'],
    ] as const) {
      receive({ action: printed(data), serverSeq });
    }
    assert.equal(resource.status.kind, 'loading');
    assert.equal(resource.hasState, false);
    resource.applySnapshot({ ...terminalState(), content: [{ type: 'unclassified', value: 'ab' }] }, 5);
    assert.deepEqual(resource.confirmed?.content, [{ type: 'unclassified', value: 'abc' }]);
    resource.flush(Infinity);
    assert.deepEqual(events, [{ kind: 'snapshot' }]);
  });

  it('drops what is stale or comes twice, and accepts gaps', () => {
    const { resource, receive } = setUp<TerminalState>(terminal);
    resource.applySnapshot(terminalState(), 5);
    for (const [serverSeq, data] of [
      [5, 'x'],
      [9, 'a'],
      [9, 'a'],
      [20, 'b'],
    ] as const) {
      receive({ action: printed(data), serverSeq });
    }
    assert.deepEqual(resource.confirmed?.content, [{ type: 'unclassified', value: 'ab' }]);
  });

  it('does not go back to an older snapshot, unless the connection was lost in between', () => {
    const { resource } = liveSession();
    resource.applySnapshot(sessionState(session, 'older'), 9);
    assert.equal(resource.confirmed?.summary.title, 'old');
    resource.connectionLost(1);
    resource.applySnapshot(sessionState(session, 'after the restart'), 2);
    assert.equal(resource.confirmed?.summary.title, 'after the restart');
  });

  it('keeps the same reference when nothing changed', () => {
    const { resource, receive } = liveSession();
    const before = resource.confirmed;
    receive({ action: { type: 'session/somethingNew', session } as unknown as StateAction, serverSeq: 11 });
    assert.equal(resource.confirmed, before);
    assert.equal(resource.state, before);
  });
});

describe('Resource: events', () => {
  it('report once, with exactly what was applied and the time that was used', () => {
    const { resource, events, receive, clock } = liveSession();
    receive({ action: titled('a'), serverSeq: 11 });
    receive({ action: titled('refused'), serverSeq: 12, rejectionReason: 'no' });
    receive({ action: titled('b'), serverSeq: 13 });
    const now = clock.now();
    resource.flush(Infinity);
    assert.deepEqual(events, [{ kind: 'actions', actions: [titled('a'), titled('b')], now, pendingChanged: false }]);
    assert.equal(resource.confirmed?.summary.modifiedAt, now);
  });

  it('lead a copy to the same state at every moment, also when the state is read in between', () => {
    const { resource, handle, receive, clock } = liveSession();
    let copy = handle.confirmed as SessionState;
    handle.onDidChange((change) => {
      if (change.kind === 'snapshot') copy = handle.confirmed as SessionState;
      else if (change.kind === 'actions')
        copy = reduceAll(reducerFor(session), copy, change.actions as StateAction[], change.now) as SessionState;
      assert.deepEqual(copy, handle.confirmed);
    });
    receive({ action: started('t1'), serverSeq: 11 });
    clock.advance(5);
    assert.deepEqual(handle.confirmed, copy);
    receive({ action: ended, serverSeq: 12 });
    clock.advance(5);
    assert.equal(handle.state?.turns.length, 1);
    assert.deepEqual(handle.confirmed, copy);
    resource.flush(Infinity);
    assert.deepEqual(handle.confirmed, copy);
  });

  it('come in slices during a flood', () => {
    const { resource, events, receive } = setUp<TerminalState>(terminal);
    resource.applySnapshot(terminalState(), 0);
    resource.flush(Infinity);
    events.length = 0;
    for (let serverSeq = 1; serverSeq <= 25; serverSeq++) receive({ action: printed('x'), serverSeq });
    const left = [resource.flush(10), resource.flush(10), resource.flush(10)];
    assert.deepEqual(left, [true, true, false]);
    assert.deepEqual(
      events.map((event) => event.kind === 'actions' && event.actions.length),
      [10, 10, 5],
    );
  });

  it('leave out only the action that cannot be reduced, with a warning', () => {
    const { resource, events, receive, warnings } = liveSession();
    const poison = { type: 'session/titleChanged', session, title: 'x' } as StateAction;
    Object.defineProperty(poison, 'title', {
      get() {
        throw new Error('poison');
      },
    });
    receive({ action: titled('a'), serverSeq: 11 });
    receive({ action: poison, serverSeq: 12 });
    receive({ action: started('t1'), serverSeq: 13 });
    resource.flush(Infinity);
    assert.equal(resource.confirmed?.activeTurn?.id, 't1');
    const [event] = events;
    assert.deepEqual(event?.kind === 'actions' && event.actions, [titled('a'), started('t1')]);
    assert.match(warnings.join(), /malformed session\/titleChanged: poison/);
  });

  it('report a changed status by itself, or with the snapshot', () => {
    const { resource, events } = setUp();
    resource.applySnapshot(sessionState(session), 1);
    resource.flush(Infinity);
    resource.connectionLost(77);
    resource.flush(Infinity);
    resource.applyReplay([{ action: titled('missed'), serverSeq: 2 }]);
    resource.flush(Infinity);
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['snapshot', 'status', 'actions', 'status'],
    );
  });
});

describe('Resource: write-ahead', () => {
  it('shows a session action at once, and settles it by its echo', async () => {
    const { resource, sent, receive } = liveSession();
    const settled = resource.dispatch(1, titled('mine'));
    assert.deepEqual(sent, [{ clientSeq: 1, action: titled('mine') }]);
    assert.equal(resource.state?.summary.title, 'mine');
    assert.equal(resource.confirmed?.summary.title, 'old');
    assert.deepEqual(resource.pending, [{ clientSeq: 1, action: titled('mine') }]);
    receive({ action: titled('mine'), serverSeq: 11, origin: { clientId: 'me', clientSeq: 1 } });
    resource.flush(Infinity);
    assert.deepEqual(await settled, { kind: 'confirmed' });
    assert.equal(resource.confirmed?.summary.title, 'mine');
    assert.deepEqual(resource.pending, []);
    assert.equal(resource.state, resource.confirmed);
  });

  it('drops a rejected action with its reason, and keeps the others in order', async () => {
    const { resource, events, receive } = liveSession();
    const first = resource.dispatch(1, titled('one'));
    void resource.dispatch(2, titled('two'));
    assert.equal(resource.state?.summary.title, 'two');
    receive({ action: titled('one'), serverSeq: 11, origin: { clientId: 'me', clientSeq: 1 }, rejectionReason: 'locked' });
    resource.flush(Infinity);
    assert.deepEqual(await first, { kind: 'rejected', reason: 'locked' });
    assert.equal(resource.confirmed?.summary.title, 'old');
    assert.equal(resource.state?.summary.title, 'two');
    const last = events.at(-1);
    assert.deepEqual(last?.kind === 'actions' && [last.actions, last.pendingChanged], [[], true]);
  });

  it('puts what is pending on top of what others did meanwhile', () => {
    const { resource, receive } = liveSession();
    void resource.dispatch(1, titled('mine'));
    receive({ action: titled('theirs'), serverSeq: 11, origin: { clientId: 'other', clientSeq: 1 } });
    assert.equal(resource.confirmed?.summary.title, 'theirs');
    assert.equal(resource.state?.summary.title, 'mine');
    assert.equal(resource.pending.length, 1);
  });

  it('settles by an echo that a snapshot includes already, without applying it twice', async () => {
    const { resource, receive } = setUp();
    resource.applySnapshot(sessionState(session), 5);
    const settled = resource.dispatch(1, started('t1'));
    receive({ action: started('t1'), serverSeq: 6, origin: { clientId: 'me', clientSeq: 1 } });
    resource.applySnapshot({ ...sessionState(session), activeTurn: { id: 't1', userMessage: { text: 'go' }, responseParts: [] } }, 8);
    assert.deepEqual(await settled, { kind: 'confirmed' });
    assert.deepEqual(resource.pending, []);
  });

  it('does not predict what a terminal will do, but settles its actions too', async () => {
    const { resource, receive } = setUp<TerminalState>(terminal);
    resource.applySnapshot(terminalState(), 5);
    const action: StateAction = { type: 'terminal/titleChanged', terminal, title: 'mine' };
    const settled = resource.dispatch(1, action);
    assert.equal(resource.state?.title, 'sh');
    assert.deepEqual(resource.pending, []);
    receive({ action, serverSeq: 6, origin: { clientId: 'me', clientSeq: 1 } });
    assert.equal(resource.state?.title, 'mine');
    assert.deepEqual(await settled, { kind: 'confirmed' });
  });
});

describe('Resource: a host that sends no echo', () => {
  it('is not sent more actions than may wait', async () => {
    const { resource, sent } = liveSession();
    for (let clientSeq = 1; clientSeq <= 1_000; clientSeq++) void resource.dispatch(clientSeq, titled('x'));
    const refused = await resource.dispatch(1_001, titled('y'));
    assert.equal(refused.kind, 'rejected');
    assert.equal(sent.length, 1_000);
  });
});

describe('Resource: a lost connection', () => {
  it('keeps session actions for later, and refuses input for a terminal', async () => {
    const own = liveSession();
    own.connection.isUp = false;
    own.resource.connectionLost(1);
    const kept = own.resource.dispatch(1, started('t1'));
    assert.equal(own.resource.state?.activeTurn?.id, 't1');
    own.connection.isUp = true;
    own.resource.applyReplay([]);
    assert.deepEqual(own.sent, [{ clientSeq: 101, action: started('t1') }], 'under a new number: hosts take them in order');
    assert.equal(own.resource.pending[0]?.clientSeq, 1, 'its name stays');
    own.receive({ action: started('t1'), serverSeq: 11, origin: { clientId: 'me', clientSeq: 101 } });
    own.resource.flush(Infinity);
    assert.deepEqual(await kept, { kind: 'confirmed' });

    const pty = setUp<TerminalState>(terminal);
    pty.connection.isUp = false;
    const refused = await pty.resource.dispatch(1, typed('rm -r .\r'));
    assert.equal(refused.kind, 'rejected');
    pty.connection.isUp = true;
    pty.resource.applySnapshot(terminalState(), 1);
    assert.deepEqual(pty.sent, []);
  });

  it('settles what the replay shows, repeats what is harmless, and calls the rest unknown', async () => {
    const { resource, sent } = liveSession();
    const shown = resource.dispatch(1, titled('seen'));
    void resource.dispatch(2, read);
    const doubtful = resource.dispatch(3, started('t1'));
    resource.connectionLost(1);
    sent.length = 0;
    resource.applyReplay([{ action: titled('seen'), serverSeq: 11, origin: { clientId: 'me', clientSeq: 1 } }]);
    assert.deepEqual(await shown, { kind: 'confirmed' });
    assert.equal((await doubtful).kind, 'unknown');
    assert.deepEqual(sent, [{ clientSeq: 101, action: { type: 'session/isReadChanged', session, isRead: true } }]);
    assert.deepEqual(
      resource.pending.map(({ clientSeq, outcome }) => [clientSeq, outcome]),
      [
        [2, undefined],
        [3, 'unknown'],
      ],
    );
    assert.equal(resource.state?.activeTurn, undefined, 'what may not be is not shown as if it were');
  });

  it('finds its actions in the echoes of a replay, also where the state does not show them any more', async () => {
    const { resource } = liveSession();
    const settled = resource.dispatch(1, started('t1'));
    resource.connectionLost(1);
    const missed = [
      { action: started('t1'), serverSeq: 11, origin: { clientId: 'me', clientSeq: 1 } },
      { action: { type: 'session/truncated', session } as const, serverSeq: 12 },
    ];
    resource.applyReplay(missed, { state: sessionState(session, 'old'), fromSeq: 12 });
    assert.deepEqual(await settled, { kind: 'confirmed' });
    assert.deepEqual(resource.pending, []);
  });

  it('keeps what is of unknown outcome over further losses, until a late echo', async () => {
    const { resource, sent, receive, events } = liveSession();
    const settled = resource.dispatch(1, started('t1'));
    resource.connectionLost(1);
    resource.applyReplay([]);
    assert.equal((await settled).kind, 'unknown');
    resource.flush(Infinity);
    assert.deepEqual(
      events.flatMap((event) => (event.kind === 'actions' ? [event.pendingChanged] : [])),
      [true],
    );
    for (const breakAt of [2, 3]) {
      resource.connectionLost(breakAt);
      resource.applySnapshot(sessionState(session), 20 + breakAt);
    }
    assert.equal(resource.pending.length, 1);
    receive({ action: started('t1'), serverSeq: 30, origin: { clientId: 'me', clientSeq: 1 } });
    resource.flush(Infinity);
    assert.deepEqual(resource.pending, []);
    assert.equal(sent.length, 1, 'it was never repeated');
  });

  it('settles it by a snapshot, too', () => {
    const { resource } = liveSession();
    void resource.dispatch(1, started('t1'));
    resource.connectionLost(1);
    resource.applyReplay([]);
    resource.connectionLost(2);
    assert.equal(resource.pending.length, 1);
    const activeTurn = { id: 't1', userMessage: { text: 'go' }, responseParts: [] };
    resource.applySnapshot({ ...sessionState(session), activeTurn }, 40);
    assert.deepEqual(resource.pending, []);
  });

  it('returns what to send again: a prompt under a new turn id, or into the queue of a running turn', () => {
    for (const running of [undefined, { id: 'other', userMessage: { text: 'x' }, responseParts: [] }]) {
      const { resource } = liveSession();
      void resource.dispatch(1, started('t1'));
      resource.connectionLost(1);
      resource.applySnapshot({ ...sessionState(session), ...(running && { activeTurn: running }) }, 40);
      assert.equal(resource.takeUnknown(2), undefined);
      const again = resource.takeUnknown(1)?.action;
      assert.ok(again?.type === (running ? 'session/pendingMessageSet' : 'session/turnStarted'));
      assert.deepEqual((again as { userMessage?: object }).userMessage, { text: 'go' });
      assert.notEqual((again as { turnId?: string }).turnId, 't1');
      assert.deepEqual(resource.pending, []);
      assert.equal(resource.takeUnknown(1), undefined);
    }
  });

  it('rejects a held prompt when another turn runs by then', async () => {
    const { resource, sent, connection } = liveSession();
    connection.isUp = false;
    resource.connectionLost(1);
    const held = resource.dispatch(1, started('t1'));
    connection.isUp = true;
    resource.applySnapshot({ ...sessionState(session), activeTurn: { id: 'other', userMessage: { text: 'x' }, responseParts: [] } }, 40);
    assert.deepEqual(inEnglish(await held), { kind: 'rejected', reason: 'Not sent. Another turn is running.' });
    assert.deepEqual(sent, []);
  });

  it('does not call rejected what was refused only the second time', async () => {
    const { resource, sent, receive } = liveSession();
    const renamed = resource.dispatch(1, titled('mine'));
    resource.connectionLost(1);
    resource.applyReplay([]);
    const clientSeq = sent.at(-1)?.clientSeq ?? 0;
    receive({ action: titled('mine'), serverSeq: 30, origin: { clientId: 'me', clientSeq }, rejectionReason: 'no' });
    resource.flush(Infinity);
    assert.equal((await renamed).kind, 'unknown');
    assert.deepEqual(resource.pending, []);
  });

  it('becomes the active client again, unless another client is, or it was unset meanwhile', () => {
    const entry = { clientId: 'me', tools: [] };
    const change = (activeClient: SessionActiveClient | null) => ({ type: 'session/activeClientChanged', session, activeClient }) as const;
    for (const [meanwhile, own, expected] of [
      [undefined, undefined, [change(entry)]],
      [{ clientId: 'other', tools: [] }, undefined, []],
      [undefined, change(null), [change(null)]],
    ] as const) {
      const { resource, sent, connection } = liveSession();
      resource.applySnapshot({ ...sessionState(session), activeClient: entry }, 20);
      connection.isUp = false;
      resource.connectionLost(1);
      if (own) void resource.dispatch(1, own);
      connection.isUp = true;
      resource.applySnapshot({ ...sessionState(session), ...(meanwhile && { activeClient: { ...meanwhile, tools: [] } }) }, 40);
      assert.deepEqual(
        sent.map(({ action }) => action),
        expected,
      );
    }
  });

  it('compares a replay with the host’s snapshot, which counts where they differ', () => {
    const same = liveSession();
    const before = same.resource.confirmed;
    same.resource.connectionLost(1);
    same.resource.applyReplay([], {
      state: { ...sessionState(session, 'old'), summary: { ...sessionState(session, 'old').summary, modifiedAt: 9 } },
      fromSeq: 12,
    });
    same.resource.flush(Infinity);
    assert.equal(same.resource.confirmed, before, 'the clock alone is no difference');
    assert.ok(same.events.every(({ kind }) => kind !== 'snapshot'));

    const other = liveSession();
    other.resource.connectionLost(1);
    other.resource.applyReplay([{ action: titled('of another run'), serverSeq: 11 }], {
      state: sessionState(session, 'truth'),
      fromSeq: 12,
    });
    other.resource.flush(Infinity);
    assert.equal(other.resource.confirmed?.summary.title, 'truth');
    assert.equal(other.events.at(-1)?.kind, 'snapshot');
  });

  it('does not keep early envelopes without end', () => {
    const { receive } = setUp();
    let kept = 0;
    while (receive({ action: titled('x'), serverSeq: ++kept }) === 'taken');
    assert.equal(kept, 10_001);
  });

  it('finds a turn that was started in the new state', async () => {
    const { resource, sent } = liveSession();
    const settled = resource.dispatch(1, started('t1'));
    resource.connectionLost(1);
    sent.length = 0;
    const state = {
      ...sessionState(session),
      turns: [{ id: 't1', userMessage: { text: 'go' }, responseParts: [], state: 'complete' as const }],
    };
    resource.applySnapshot(state, 40);
    assert.deepEqual(await settled, { kind: 'confirmed' });
    assert.deepEqual(sent, []);
  });

  it('finds what an earlier instance sent, also when the state is there already', async () => {
    const { resource, sent } = liveSession();
    resource.applySnapshot({ ...sessionState(session), activeTurn: { id: 't1', userMessage: { text: 'go' }, responseParts: [] } }, 40);
    assert.deepEqual(await resource.restore(1, started('t1')), { kind: 'confirmed' });
    assert.equal((await resource.restore(2, started('t2'))).kind, 'unknown');
    assert.deepEqual(
      resource.pending.map(({ clientSeq, outcome }) => [clientSeq, outcome]),
      [[2, 'unknown']],
    );
    assert.deepEqual(sent, []);
  });

  it('settles what has lost its purpose', async () => {
    const { resource, sent } = liveSession();
    resource.applySnapshot({ ...sessionState(session), activeTurn: { id: 't1', userMessage: { text: 'go' }, responseParts: [] } }, 20);
    const cancelled = resource.dispatch(1, stopped);
    resource.connectionLost(1);
    sent.length = 0;
    resource.applySnapshot(sessionState(session), 40);
    assert.equal((await cancelled).kind, 'unknown', 'who ended the turn is not known');
    assert.deepEqual([resource.pending, sent], [[], []]);
  });

  it('does not know what became of a terminal’s input', async () => {
    const { resource } = setUp<TerminalState>(terminal);
    resource.applySnapshot(terminalState(), 1);
    const settled = resource.dispatch(1, typed('ls\r'));
    resource.connectionLost(1);
    assert.equal((await settled).kind, 'unknown');
  });

  it('settles everything when the host gives no state', async () => {
    const { resource, connection } = liveSession();
    const sent = resource.dispatch(1, titled('sent'));
    connection.isUp = false;
    resource.connectionLost(1);
    const held = resource.dispatch(2, titled('held'));
    resource.fail({ code: ErrorCode.SessionNotFound, message: 'not found' });
    assert.equal((await sent).kind, 'unknown');
    assert.equal((await held).kind, 'rejected');
    assert.deepEqual(resource.pending, [{ clientSeq: 1, action: titled('sent'), outcome: 'unknown' }]);
    assert.equal((await resource.dispatch(3, titled('late'))).kind, 'rejected');
    assert.equal(resource.confirmed?.summary.title, 'old', 'what was known stays');
  });

  it('still applies what had arrived before', () => {
    const { resource, receive } = liveSession();
    receive({ action: titled('just in time'), serverSeq: 11 });
    resource.connectionLost(5);
    assert.equal(resource.confirmed?.summary.title, 'just in time');
    assert.deepEqual(resource.status, { kind: 'stale', since: 5 });
  });
});
