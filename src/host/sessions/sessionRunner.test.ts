import assert from 'node:assert/strict';
import type { SessionState } from '../../ahp/v1/session.ts';
import { nullLogger } from '../../base/log.ts';
import type { Agent, AgentSession, AgentTurn } from '../agents/agent.ts';
import { ClientHooks } from '../hooks/clientHooks.ts';
import { Clients } from '../state/clients.ts';
import { SessionRunner } from './sessionRunner.ts';
import { SessionHost } from './sessionHost.ts';
import { Lenders } from '../state/lenders.ts';
import { StateStore } from '../state/stateStore.ts';

/** How it treats agents that do not come back; everything else is tested over real sockets. */
describe('session runner', () => {
  const uri = 'fake:/1';
  const state: SessionState = {
    summary: { resource: uri, provider: 'fake', title: '', status: 1, createdAt: 0, modifiedAt: 0 },
    lifecycle: 'creating',
    turns: [],
  };
  let store: StateStore;
  let lenders: Lenders;
  let runner: SessionRunner;
  let clientSeq: number;
  let disposed: number;

  beforeEach(() => {
    store = new StateStore();
    store.add(uri, state);
    lenders = new Lenders(store);
    clientSeq = 0;
    disposed = 0;
    runner = new SessionRunner(uri, {
      store,
      logger: nullLogger,
      isExpected: () => true,
      lenders,
      hooks: new ClientHooks({ store, lenders, clients: new Clients(store), logger: nullLogger }),
      creationTimeoutMs: 20,
      windDownTimeoutMs: 20,
    });
  });
  afterEach(() => runner.dispose());

  const create = (createSession: () => Promise<AgentSession>) => {
    const unused = () => assert.fail('not part of this test');
    const host = new SessionHost(
      {
        store,
        lenders,
        logger: nullLogger,
        contents: undefined as never,
        lent: undefined as never,
        terminals: undefined as never,
        startSubagent: unused,
      },
      uri,
      '/',
      state,
    );
    return runner.create({ createSession } as Partial<Agent> as Agent, host);
  };
  const backend = (runTurn: (turn: AgentTurn) => Promise<void>): AgentSession => ({
    runTurn,
    truncate: () => undefined,
    dispose: () => void disposed++,
  });
  const apply = (action: Parameters<SessionRunner['apply']>[0]) => runner.apply(action, { clientId: 'a', clientSeq: ++clientSeq });
  const start = (turnId: string) => apply({ type: 'session/turnStarted', session: uri, turnId, userMessage: { text: turnId } });
  const turnEnd = () =>
    new Promise<void>((resolve) => {
      const listener = store.onDidDispatch(({ envelope }) => {
        if (envelope.action.type !== 'session/error' && envelope.action.type !== 'session/turnComplete') return;
        listener.dispose();
        resolve();
      });
    });

  it('gives up on a creation that takes too long, and disposes of what comes late', async () => {
    let arrive: (session: AgentSession) => void = () => undefined;
    await create(() => new Promise((resolve) => (arrive = resolve)));
    assert.equal(store.session(uri)?.lifecycle, 'creationFailed');
    assert.match(store.session(uri)?.creationError?.message ?? '', /creating the session did not finish/);
    arrive(backend(() => Promise.resolve()));
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(disposed, 1);
  });

  it('survives an agent that throws instead of answering', async () => {
    await create(() => {
      throw new Error('at once');
    });
    assert.equal(store.session(uri)?.creationError?.message, 'at once');
  });

  it('fails a turn while the agent does not let go of the cancelled one, and goes on when it does', async () => {
    let letGo: () => void = () => undefined;
    const begun: string[] = [];
    const stuck = async ({ id }: AgentTurn) => {
      begun.push(id);
      if (id === 't1') await new Promise<void>((resolve) => (letGo = resolve));
    };
    await create(() => Promise.resolve(backend(stuck)));
    start('t1');
    await new Promise((resolve) => setImmediate(resolve));
    apply({ type: 'session/turnCancelled', session: uri, turnId: 't1' });
    for (const id of ['t2', 't3']) {
      const ended = turnEnd();
      assert.equal(start(id), undefined);
      await ended;
    }
    letGo();
    const ended = turnEnd();
    start('t4');
    await ended;
    assert.deepEqual(begun, ['t1', 't4']);
    assert.deepEqual(
      store.session(uri)?.turns.map(({ id, state: outcome, error }) => [id, outcome, error?.errorType]),
      [
        ['t1', 'cancelled', undefined],
        ['t2', 'error', 'TimeoutError'],
        ['t3', 'error', 'TimeoutError'],
        ['t4', 'complete', undefined],
      ],
    );
  });

  it('gives a turn back that is cancelled before the session is ready', async () => {
    let arrive: (session: AgentSession) => void = () => undefined;
    const begun: string[] = [];
    const runTurn = async ({ id }: AgentTurn) => void begun.push(id);
    const created = create(() => new Promise((resolve) => (arrive = resolve)));
    const heard: [string, string | undefined][] = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.origin) heard.push([envelope.action.type, envelope.rejectionReason]);
    });
    start('t1');
    apply({ type: 'session/pendingMessageSet', session: uri, kind: 'queued', id: 'q', userMessage: { text: 'and then' } });
    heard.length = 0;
    assert.equal(apply({ type: 'session/turnCancelled', session: uri, turnId: 't2' }), 'turn t2 is not in progress');
    assert.equal(apply({ type: 'session/turnCancelled', session: uri, turnId: 't1' }), undefined);
    assert.deepEqual(heard, [
      ['session/turnStarted', 'the turn was cancelled before the session was ready'],
      ['session/turnCancelled', undefined],
    ]);
    arrive(backend(runTurn));
    await created;
    assert.equal(store.session(uri)?.lifecycle, 'ready');
    assert.deepEqual([begun, store.session(uri)?.activeTurn, store.session(uri)?.turns], [[], undefined, []]);
    // As after every turn that was cancelled, what was queued behind it waits for the user.
    assert.equal(store.session(uri)?.queuedMessages?.length, 1);
  });

  it('refuses a change of a queued message that was sent already', async () => {
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (end = resolve));
    const runTurn = async ({ userMessage }: AgentTurn) => {
      begun.push(userMessage.text);
      await first;
    };
    await create(() => Promise.resolve(backend(runTurn)));
    const queue = (text: string) =>
      apply({ type: 'session/pendingMessageSet', session: uri, kind: 'queued', id: 'q', userMessage: { text } });
    start('t1');
    queue('first');
    assert.equal(queue('changed'), undefined);
    const second = new Promise<void>((resolve) => {
      const listening = store.onDidDispatch(({ envelope: { action } }) => {
        if (action.type !== 'session/turnComplete' || begun.length < 2) return;
        listening.dispose();
        resolve();
      });
    });
    end();
    await second;
    assert.equal(queue('too late'), 'the message was sent already, so it cannot be changed');
    assert.deepEqual(begun.slice(1), ['changed']);
  });

  it('cuts the title from the first line that says something', async () => {
    await create(() => Promise.resolve(backend(() => Promise.resolve())));
    const ended = turnEnd();
    apply({ type: 'session/turnStarted', session: uri, turnId: 't1', userMessage: { text: `\n \n${'long '.repeat(40)}\nmore` } });
    await ended;
    const title = store.session(uri)?.summary.title ?? '';
    assert.ok(title.length <= 80 && title.startsWith('long long') && title.endsWith('…'), title);
  });
});
