import assert from 'node:assert/strict';
import type { ChatAction } from '../../ahp/channels/chat/actions.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { Message } from '../../ahp/channels/shapes/message.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { ToolCallCompletedState } from '../../ahp/channels/shapes/toolCall.ts';
import { nullLogger } from '../../base/log.ts';
import type { AgentChat, AgentChatHost, AgentToolCall, AgentTurn, SubagentTurn } from '../agents/agent.ts';
import { ClientHooks } from '../hooks/clientHooks.ts';
import { Clients } from '../state/clients.ts';
import { chatUri, nameOfChat } from '../state/chatUris.ts';
import { StateStore } from '../state/stateStore.ts';
import { SessionRunner, type SessionRunnerOptions } from './sessionRunner.ts';

const NOW = Date.parse('2027-01-01T00:00:00.000Z');

/** How it treats agents that do not come back, and several chats; everything else is tested over real sockets. */
describe('runners of a session and its chats', () => {
  const uri = 'fake:/1';
  const first = chatUri(uri);
  const second = 'ahp-chat://mine/2';
  let now: number;
  let store: StateStore;
  let hooks: ClientHooks;
  let runner: SessionRunner;
  let clientSeq: number;
  let disposed: string[];
  let createChat: (host: AgentChatHost) => Promise<AgentChat>;

  const summary = (resource: string): ChatSummary => ({ resource, title: '', status: 1, modifiedAt: '' });
  /** Puts the session into the store, with these chats, and makes its runner. */
  const open = (
    chats: Record<string, Partial<ChatState>>,
    session: Partial<SessionState> = {},
    options: Partial<SessionRunnerOptions> = {},
  ) => {
    const summaries = Object.keys(chats).map(summary);
    const state = { provider: 'fake', title: '', status: 1, lifecycle: 'creating' as const, activeClients: [], chats: summaries };
    store.add({ channel: uri, kind: 'session', state: { ...state, defaultChat: first, ...session } }, uri);
    for (const [resource, fields] of Object.entries(chats))
      store.add({ channel: resource, kind: 'chat', state: { ...summary(resource), turns: [], ...fields } }, uri);
    runner = new SessionRunner(
      { uri, workingDirectory: '/', createdAt: NOW },
      {
        store,
        logger: nullLogger,
        isExpected: () => true,
        hooks,
        createChat: (host) => createChat(host),
        mayTakeBack: () => false,
        contents: undefined as never,
        edits: undefined as never,
        lent: undefined as never,
        terminals: undefined as never,
        creationTimeoutMs: 20,
        windDownTimeoutMs: 20,
        ...options,
      },
    );
  };

  beforeEach(() => {
    now = NOW;
    store = new StateStore({ now: () => now });
    hooks = new ClientHooks({ store, clients: new Clients(store), logger: nullLogger });
    clientSeq = 0;
    disposed = [];
    createChat = () => assert.fail('no chat is created here');
  });
  afterEach(() => {
    runner.dispose();
    hooks.dispose();
  });

  const create = (make: (host: AgentChatHost) => Promise<AgentChat>, options: Partial<SessionRunnerOptions> = {}) => {
    createChat = make;
    open({ [first]: {} }, {}, options);
    return runner.create();
  };
  const backend = (
    runTurn: (turn: AgentTurn) => Promise<void>,
    name = 'a',
    cut: (turnId?: string) => void = () => undefined,
  ): AgentChat => ({
    runTurn,
    truncate: cut,
    dispose: () => void disposed.push(name),
  });
  const message = (text: string, fields: Partial<Message> = {}): Message => ({ text, origin: { kind: 'user' }, ...fields });
  const apply = (action: ChatAction, chat = first) => runner.applyToChat(chat, action, { clientId: 'a', clientSeq: ++clientSeq });
  const start = (turnId: string, chat = first, fields: Partial<Message> = {}) =>
    apply({ type: 'chat/turnStarted', turnId, startedAt: 'the client’s clock', message: message(turnId, fields) }, chat);
  const cancel = (turnId: string, chat = first) => apply({ type: 'chat/turnCancelled', turnId, duration: 7 }, chat);
  const queue = (id: string, text = id, chat = first) =>
    apply({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: message(text) }, chat);
  const until = (holds: (action: ChatAction, channel: string) => boolean) =>
    new Promise<void>((resolve) => {
      const listener = store.onDidDispatch(({ envelope: { action, channel } }) => {
        if (!holds(action as ChatAction, channel)) return;
        listener.dispose();
        resolve();
      });
    });
  const turnEnd = (chat = first) =>
    until(({ type }, channel) => channel === chat && (type === 'chat/error' || type === 'chat/turnComplete'));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const outcomes = (chat = first) =>
    store.chat(chat)?.turns.map(({ id, state, responseParts }) => {
      const last = responseParts.at(-1);
      return [id, state, last?.kind === 'error' ? last.error.errorType : undefined];
    });
  const texts = (chat = first) => store.chat(chat)?.queuedMessages?.map((waiting) => waiting.message.text);

  it('gives up on a creation that takes too long, and disposes of what comes late', async () => {
    let arrive: (chat: AgentChat) => void = () => undefined;
    await create(() => new Promise((resolve) => (arrive = resolve)));
    assert.equal(store.session(uri)?.lifecycle, 'failed');
    assert.match(store.session(uri)?.creationError?.message ?? '', /creating the session did not finish/);
    arrive(backend(() => Promise.resolve()));
    await settled();
    assert.deepEqual(disposed, ['a']);
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
    await settled();
    cancel('t1');
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
    assert.deepEqual(outcomes(), [
      ['t1', 'cancelled', undefined],
      ['t2', 'error', 'TimeoutError'],
      ['t3', 'error', 'TimeoutError'],
      ['t4', 'complete', undefined],
    ]);
  });

  it('gives a turn back that is cancelled before the session is ready', async () => {
    let arrive: (chat: AgentChat) => void = () => undefined;
    const begun: string[] = [];
    const runTurn = async ({ id }: AgentTurn) => void begun.push(id);
    const created = create(() => new Promise((resolve) => (arrive = resolve)));
    const heard: [string, string | undefined][] = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.origin) heard.push([envelope.action.type, envelope.rejectionReason]);
    });
    start('t1');
    queue('q', 'and then');
    heard.length = 0;
    assert.equal(cancel('t2'), 'turn t2 is not in progress');
    assert.equal(cancel('t1'), undefined);
    assert.deepEqual(heard, [
      ['chat/turnStarted', 'the turn was cancelled before the session was ready'],
      ['chat/turnCancelled', undefined],
    ]);
    arrive(backend(runTurn));
    await created;
    assert.equal(store.session(uri)?.lifecycle, 'ready');
    assert.deepEqual([begun, store.chat(first)?.activeTurn, outcomes()], [[], undefined, []]);
    // As after every turn that was cancelled, what was queued behind it waits for the user.
    assert.equal(texts()?.length, 1);
  });

  it('runs one turn that waited for the session, and gives it back when the session cannot be created', async () => {
    let arrive: (chat: AgentChat) => void = () => undefined;
    const begun: string[] = [];
    const created = create(() => new Promise((resolve) => (arrive = resolve)));
    assert.equal(start('t1'), undefined);
    assert.equal(store.chat(first)?.activeTurn, undefined);
    assert.equal(start('t2'), 'a turn waits already for the session to be ready');
    const ended = turnEnd();
    arrive(backend(async ({ id }) => void begun.push(id)));
    await Promise.all([created, ended]);
    assert.deepEqual([begun, outcomes()], [['t1'], [['t1', 'complete', undefined]]]);

    runner.dispose();
    store = new StateStore();
    const failing = create(() => Promise.reject(new Error('no key')));
    const reasons: (string | undefined)[] = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.action.type === 'chat/turnStarted') reasons.push(envelope.rejectionReason);
    });
    start('t1');
    await failing;
    assert.deepEqual(reasons, ['the session could not be created: no key']);
  });

  it('refuses a change of a queued message that was sent already', async () => {
    const begun: string[] = [];
    let end: () => void = () => undefined;
    const opening = new Promise<void>((resolve) => (end = resolve));
    const runTurn = async (turn: AgentTurn) => {
      begun.push(turn.message.text);
      await opening;
    };
    await create(() => Promise.resolve(backend(runTurn)));
    start('t1');
    queue('q', 'first');
    assert.equal(queue('q', 'changed'), undefined);
    const over = until(({ type }) => type === 'chat/turnComplete' && begun.length === 2);
    end();
    await over;
    assert.equal(queue('q', 'too late'), 'the message was sent already, so it cannot be changed');
    assert.deepEqual(begun.slice(1), ['changed']);
  });

  it('cuts the title from the first line that says something', async () => {
    await create(() => Promise.resolve(backend(() => Promise.resolve())));
    const ended = turnEnd();
    apply({ type: 'chat/turnStarted', turnId: 't1', startedAt: '', message: message(`\n \n${'long '.repeat(40)}\nmore`) });
    await ended;
    const title = store.session(uri)?.title ?? '';
    assert.ok(title.length <= 80 && title.startsWith('long long') && title.endsWith('…'), title);
  });

  it('holds the queue after a turn that did not complete, until the user sends or orders something', async () => {
    const begun: string[] = [];
    await create(() =>
      Promise.resolve(
        backend(async (turn) => {
          begun.push(turn.message.text);
          if (turn.message.text === 't1') throw new Error('no');
        }),
      ),
    );
    const failed = turnEnd();
    start('t1');
    queue('a');
    queue('b');
    await failed;
    assert.deepEqual([begun, texts()], [['t1'], ['a', 'b']]);
    assert.equal(queue('b', 'B'), undefined);
    assert.deepEqual(texts(), ['a', 'B'], 'editing sends nothing');
    const over = until(({ type }) => type === 'chat/turnComplete' && begun.length === 3);
    apply({ type: 'chat/queuedMessagesReordered', order: ['b', 'a'] });
    await over;
    assert.deepEqual([begun, texts()], [['t1', 'B', 'a'], undefined]);
  });

  describe('a turn that failed because of something that passes', () => {
    const passing = Object.assign(new Error('lost'), { resumable: true });
    const resume = (turnId: string) => apply({ type: 'chat/turnResume', turnId });

    it('goes on where it was, with its message, and the queue after it', async () => {
      const begun: [string, boolean][] = [];
      let fails = true;
      await create(() =>
        Promise.resolve(
          backend(async (turn) => {
            begun.push([turn.message.text, turn.isResumed]);
            turn.markdown(`${turn.message.text}.`);
            turn.toolCall({ toolCallId: 'c', toolName: 'x', displayName: 'X' });
            if (fails) throw passing;
          }),
        ),
      );
      const failed = turnEnd();
      start('t');
      queue('a');
      await failed;
      assert.deepEqual(store.chat(first)?.turns[0]?.responseParts.at(-1), {
        ...{ kind: 'error', resumable: true },
        error: { errorType: 'Error', message: 'lost' },
      });
      fails = false;
      const over = until(({ type }) => type === 'chat/turnComplete' && begun.length === 3);
      assert.equal(resume('t'), undefined);
      await over;
      assert.deepEqual(begun, [
        ['t', false],
        ['t', true],
        ['a', false],
      ]);
      const [turn] = store.chat(first)?.turns ?? [];
      assert.deepEqual([turn?.id, turn?.state], ['t', 'complete']);
      assert.deepEqual(
        turn?.responseParts.map(({ kind }) => kind),
        ['markdown', 'toolCall', 'error', 'markdown', 'toolCall'],
      );
      const ids = turn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall.toolCallId] : []));
      assert.equal(new Set(ids).size, 2, 'an engine that numbers its calls anew does not change the earlier ones');
    });

    it('goes on in its own chat only, not in a fork', async () => {
      await create(() => Promise.resolve(backend(() => Promise.reject(passing))));
      start('t');
      await turnEnd();
      runner.createChat({ chat: second, source: { kind: 'fork', chat: first, turnId: 't' } });
      const partsOf = (chat: string) => store.chat(chat)?.turns[0]?.responseParts;
      assert.deepEqual(partsOf(second), [{ kind: 'error', error: { errorType: 'Error', message: 'lost' } }]);
      assert.match(apply({ type: 'chat/turnResume', turnId: 't' }, second) ?? '', /cannot go on with turn t/);
      assert.deepEqual(partsOf(first), [{ ...partsOf(second)?.[0], resumable: true }]);
      assert.equal(resume('t'), undefined);
      await turnEnd();
    });

    it('does not go on after another error, and not where nothing can be saved', async () => {
      let problem: string | undefined;
      let error: Error = new Error('for good');
      const made = () => Promise.resolve(backend(() => Promise.reject(error)));
      await create(made, { saveProblem: () => problem });
      start('t');
      await turnEnd();
      assert.match(resume('t') ?? '', /cannot go on with turn t/);
      error = passing;
      start('u');
      await turnEnd();
      problem = 'disk full';
      assert.match(resume('u') ?? '', /cannot be saved/);
      problem = undefined;
      assert.equal(resume('u'), undefined);
      await turnEnd();
    });
  });

  describe('what the host knows better', () => {
    it('is the time: when a turn began, and how long it took', async () => {
      let end: () => void = () => undefined;
      await create(() => Promise.resolve(backend(() => new Promise<void>((resolve) => (end = resolve)))));
      start('t1');
      assert.equal(store.chat(first)?.activeTurn?.startedAt, '2027-01-01T00:00:00.000Z');
      await settled();
      now += 1500;
      const ended = turnEnd();
      end();
      await ended;
      start('t2');
      now += 250;
      cancel('t2');
      assert.deepEqual(
        store.chat(first)?.turns.map(({ startedAt, duration }) => [startedAt, duration]),
        [
          ['2027-01-01T00:00:00.000Z', 1500],
          ['2027-01-01T00:00:01.500Z', 250],
        ],
      );
    });

    it('is how long a call ran: since it first began to, and not what a client says', async () => {
      let call: AgentToolCall | undefined;
      await create(() =>
        Promise.resolve(
          backend(async (turn) => {
            call = turn.toolCall({ toolCallId: 'c', toolName: 'bash', displayName: 'Bash' });
            for (const toolInput of ['1', '2']) await call.confirm({ invocationMessage: 'Run', confirmationTitle: 'Run?', toolInput });
            call.complete({ success: true, pastTenseMessage: 'Ran' });
          }),
        ),
      );
      const asked = () => until((action) => action.type === 'chat/toolCallReady');
      const times: unknown[] = [];
      store.onDidDispatch(({ envelope: { action } }) => {
        if (action.type.startsWith('chat/toolCall') && ('startedAt' in action || 'duration' in action))
          times.push('startedAt' in action ? action.startedAt : 'duration' in action && action.duration);
      });
      const allow = (startedAt: string) =>
        apply({ type: 'chat/toolCallConfirmed', turnId: 't', toolCallId: 'c', approved: true, confirmed: 'user-action', startedAt });
      const asking = asked();
      start('t');
      await asking;
      now += 5000;
      const again = asked();
      assert.equal(allow('the client’s clock'), undefined);
      await again;
      now += 300;
      const ended = turnEnd();
      assert.equal(allow('the client’s clock'), undefined);
      await ended;
      const part = store.chat(first)?.turns[0]?.responseParts[0];
      const done = part?.kind === 'toolCall' ? (part.toolCall as ToolCallCompletedState) : undefined;
      assert.deepEqual([done?.startedAt, done?.duration], ['2027-01-01T00:00:05.000Z', 300]);
      assert.deepEqual(times, ['2027-01-01T00:00:05.000Z', '2027-01-01T00:00:05.000Z', 300]);
    });

    it('is the model: the last one that was chosen or used, which stays when the draft goes', async () => {
      const begun: (string | undefined)[] = [];
      await create(() => Promise.resolve(backend(async (turn) => void begun.push(turn.message.model?.id))));
      const draft = () => store.chat(first)?.draft;
      const run = async (...given: Parameters<typeof start>) => {
        const ended = turnEnd();
        assert.equal(start(...given), undefined);
        await ended;
      };
      await run('t1');
      assert.deepEqual([begun, draft()], [[undefined], undefined]);
      assert.equal(apply({ type: 'chat/draftChanged', draft: message('half', { model: { id: 'm1' } }) }), undefined);
      await run('t2');
      apply({ type: 'chat/draftChanged' });
      assert.deepEqual(draft(), message('', { model: { id: 'm1' } }));
      apply({ type: 'chat/draftChanged', draft: message('other') });
      assert.deepEqual(draft(), message('other', { model: { id: 'm1' } }));
      await run('t3', first, { model: { id: 'm2' } });
      assert.deepEqual(draft(), message('other', { model: { id: 'm2' } }), 'what follows goes there too');
      const ended = turnEnd();
      queue('q');
      await ended;
      assert.deepEqual(begun, [undefined, 'm1', 'm2', 'm2']);
      assert.deepEqual(
        store.chat(first)?.turns.map((turn) => turn.message.model?.id),
        begun,
      );
    });
  });

  describe('with several chats', () => {
    it('runs a turn in each at the same time, with a backend and a queue of its own', async () => {
      const ends = new Map<string, () => void>();
      const begun: string[] = [];
      const made: [string, boolean][] = [];
      createChat = async ({ chat, isDefault }) => {
        made.push([chat, isDefault]);
        return backend(async (turn) => {
          begun.push(`${turn.chat} ${turn.message.text}`);
          await new Promise<void>((resolve) => ends.set(chat, resolve));
        }, chat);
      };
      open({ [first]: {}, [second]: {} }, { lifecycle: 'ready' });
      assert.equal(start('t', first), undefined);
      assert.equal(start('t', second), undefined);
      queue('q', 'later', second);
      await settled();
      assert.deepEqual(made, [
        [first, true],
        [second, false],
      ]);
      assert.deepEqual(begun, [`${first} t`, `${second} t`]);
      const ended = turnEnd(second);
      ends.get(second)?.();
      await ended;
      await settled();
      assert.deepEqual(begun.slice(2), [`${second} later`]);
      assert.equal(store.chat(first)?.activeTurn?.id, 't');
      assert.equal(cancel('t', first), undefined);
      assert.notEqual(store.chat(second)?.activeTurn, undefined, 'the other one goes on');
      runner.dispose();
      await settled();
      assert.deepEqual(disposed.sort(), [first, second].sort());
    });

    it('names each after its first message, unless it has a name: the session for its first chat', async () => {
      createChat = () => Promise.resolve(backend(() => Promise.resolve()));
      open({ [first]: {}, [second]: {} }, { lifecycle: 'ready' });
      const titles = () => [store.session(uri)?.title, store.session(uri)?.chats.find(({ resource }) => resource === second)?.title];
      const ended = turnEnd(second);
      start('of the second', second);
      await ended;
      assert.deepEqual(titles(), ['', 'of the second']);
      const both = [turnEnd(first), turnEnd(second)];
      start('of the first', first);
      start('something else', second);
      await Promise.all(both);
      assert.deepEqual(titles(), ['of the first', 'of the second']);
    });

    it('is idle when all its chats are, nobody lends tools and it is not being created', async () => {
      createChat = () => Promise.resolve(backend(() => new Promise(() => undefined)));
      open({ [first]: {}, [second]: {} }, { lifecycle: 'creating' });
      assert.equal(runner.isIdle, false);
      await runner.create();
      assert.equal(runner.isIdle, true);
      start('t', second);
      assert.equal(runner.isIdle, false);
      cancel('t', second);
      assert.equal(runner.isIdle, true);
      queue('q', 'q', first);
      assert.equal(runner.isIdle, false);
      cancel(store.chat(first)?.activeTurn?.id ?? '');
      const lend = { type: 'session/activeClientSet' as const, activeClient: { clientId: 'a', tools: [] } };
      assert.equal(runner.apply(lend, { clientId: 'a', clientSeq: 0 }), undefined);
      assert.equal(runner.isIdle, false);
      runner.clientLeft('b');
      assert.equal(runner.isIdle, false);
      runner.clientLeft('a');
      assert.equal(runner.isIdle, true);
    });

    it('forgets the to-do list of a chat that is removed', () => {
      const list = [{ text: 'x', state: 'open' }];
      open(
        { [first]: {}, [second]: {} },
        { lifecycle: 'ready', _meta: { 'tapline.chatTodos': { [second]: list, other: list } } },
        {
          terminals: { disposeOfChat: () => undefined } as never,
        },
      );
      runner.removeChat(second);
      assert.deepEqual(store.session(uri)?._meta, { 'tapline.chatTodos': { other: list } });
    });

    it('does not know a chat that it has not', () => {
      open({ [first]: {} }, { lifecycle: 'ready' });
      assert.equal(runner.chat(second), undefined);
      assert.equal(start('t', second), undefined);
      assert.equal(store.chat(second), undefined);
    });
  });

  describe('clients that lend tools', () => {
    it('stand beside each other, change theirs where they stand, and go one by one', () => {
      open({ [first]: {} }, { lifecycle: 'ready' });
      const ids = () =>
        store.session(uri)?.activeClients.map(({ clientId, tools }) => [clientId, ...tools.map(({ name }) => name)].join(' '));
      const lend = (clientId: string, ...names: string[]) =>
        runner.apply(
          { type: 'session/activeClientSet', activeClient: { clientId, tools: names.map((name) => ({ name })) } },
          { clientId, clientSeq: ++clientSeq },
        );
      assert.equal(lend('a', 'one'), undefined);
      assert.equal(lend('b', 'two'), undefined);
      assert.equal(lend('a', 'three', 'four'), undefined);
      assert.deepEqual(ids(), ['a three four', 'b two']);
      runner.clientLeft('nobody');
      runner.clientLeft('a');
      assert.deepEqual(ids(), ['b two']);
      const takeBack = { type: 'session/activeClientRemoved' as const, clientId: 'b' };
      assert.match(runner.apply(takeBack, { clientId: 'a', clientSeq: 9 }) ?? '', /own tools/);
      assert.equal(runner.apply(takeBack, { clientId: 'b', clientSeq: 9 }), undefined);
      assert.deepEqual(ids(), []);
    });
  });

  describe('a subagent', () => {
    const running = async (use: (host: AgentChatHost, turn: AgentTurn) => SubagentTurn[]) => {
      let subagents: SubagentTurn[] = [];
      let end: () => void = () => undefined;
      await create((host) =>
        Promise.resolve(
          backend(async (turn) => {
            subagents = use(host, turn);
            await new Promise<void>((resolve) => (end = resolve));
          }),
        ),
      );
      start('t1', first, { model: { id: 'm' } });
      await settled();
      return { subagents, end: () => end() };
    };
    const task = { toolCallId: 'c', title: 'Look', prompt: 'Look around' };

    it('is a chat of the session, to read only, with one turn that its agent ends', async () => {
      const { subagents } = await running((host) => [host.startSubagent(task)]);
      const [turn] = subagents;
      assert.ok(turn);
      assert.equal(nameOfChat(turn.chat), 'fake:/1/subagent/c');
      assert.deepEqual(
        store.family(uri).map(({ channel }) => channel),
        [uri, first, turn.chat],
      );
      const [, listed] = store.session(uri)?.chats ?? [];
      assert.deepEqual(
        [listed?.resource, listed?.title, listed?.origin, listed?.interactivity],
        [turn.chat, 'Look', { kind: 'tool', chat: first, toolCallId: 'c' }, 'read-only'],
      );
      assert.deepEqual(
        [store.chat(turn.chat)?.draft?.model, store.chat(turn.chat)?.activeTurn?.message],
        [{ id: 'm' }, { text: 'Look around', origin: { kind: 'tool' } }],
      );
      assert.match(start('t', turn.chat) ?? '', /subagent/);
      assert.match(queue('q', 'q', turn.chat) ?? '', /subagent/);
      turn.markdown('Found it.');
      turn.complete();
      assert.deepEqual(outcomes(turn.chat), [[turn.id, 'complete', undefined]]);
      turn.markdown('Too late.');
      turn.fail({ errorType: 'x', message: 'y' });
      assert.equal(store.chat(turn.chat)?.turns[0]?.responseParts.length, 1);
    });

    it('has a URI of its own, also where its engine numbers its calls anew', async () => {
      const { subagents } = await running((host) => {
        const earlier = host.startSubagent(task);
        earlier.complete();
        return [earlier, host.startSubagent(task)];
      });
      const [earlier, later] = subagents;
      assert.ok(earlier && later);
      assert.notEqual(earlier.chat, later.chat);
      assert.match(nameOfChat(later.chat) ?? '', /^fake:\/1\/subagent\/c-/);
      assert.equal(store.chat(later.chat)?.origin?.kind, 'tool');
    });

    it('has a URI of its own, also beside a chat that the host could not list any more before it ended', async () => {
      const named = chatUri('fake:/1/subagent/c');
      const { subagents } = await running((host) => {
        store.add({ channel: named, kind: 'chat', state: { ...summary(named), turns: [] } }, uri);
        return [host.startSubagent(task)];
      });
      assert.equal(subagents.length, 1);
      assert.notEqual(subagents[0]?.chat, named);
    });

    it('ends with the turn that started it, at any depth', async () => {
      const { subagents } = await running((host) => {
        const outer = host.startSubagent(task);
        return [outer, runner.startSubagent(outer.chat, { ...task, toolCallId: 'd' })];
      });
      const [outer, inner] = subagents;
      assert.ok(outer && inner);
      assert.equal(nameOfChat(inner.chat), 'fake:/1/subagent/c/subagent/d');
      assert.deepEqual(store.chat(inner.chat)?.origin, { kind: 'tool', chat: outer.chat, toolCallId: 'd' });
      cancel('t1');
      for (const turn of [outer, inner]) {
        assert.deepEqual(outcomes(turn.chat), [[turn.id, 'cancelled', undefined]]);
        assert.equal(turn.signal.aborted, true);
      }
      assert.throws(() => runner.startSubagent(first, task), /needs a turn in progress/);
    });

    it('may be steered; what its turn did not take is gone with it', async () => {
      const { subagents } = await running((host) => [host.startSubagent(task)]);
      const [turn] = subagents;
      assert.ok(turn);
      const steer = () => apply({ type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message: message('left') }, turn.chat);
      assert.equal(steer(), undefined);
      turn.complete();
      assert.deepEqual([store.chat(turn.chat)?.steeringMessage, texts(turn.chat)], [undefined, undefined]);
      assert.equal(steer(), 'no turn is in progress');
    });
  });

  describe('messages that a turn took', () => {
    it('come back into the queue of their chat when the model has not heard them', async () => {
      const ends: (() => void)[] = [];
      createChat = async () =>
        backend(async (turn) => {
          const took = turn.takeSteeringMessage();
          if (turn.message.text === 'heard') took?.heard();
          await new Promise<void>((resolve, reject) => {
            ends.push(resolve);
            turn.signal.addEventListener('abort', () => reject(new Error('aborted')));
          });
        });
      open({ [first]: {}, [second]: {} }, { lifecycle: 'ready' });
      for (const chat of [first, second]) {
        apply({ type: 'chat/turnStarted', turnId: 't', startedAt: '', message: message(chat === first ? 'heard' : 'unheard') }, chat);
        apply({ type: 'chat/pendingMessageSet', kind: 'steering', id: 's', message: message(`for ${chat}`) }, chat);
      }
      await settled();
      assert.deepEqual([store.chat(first)?.steeringMessage, store.chat(second)?.steeringMessage], [undefined, undefined]);
      for (const chat of [first, second]) cancel('t', chat);
      assert.deepEqual([texts(first), texts(second)], [undefined, [`for ${second}`]]);
      assert.equal(store.session(uri)?._meta, undefined);
    });
  });

  describe('a session of an earlier run', () => {
    const turn = { id: 't', message: message('x'), responseParts: [], startedAt: '2026-12-31T23:59:59.000Z' };

    it('has what was in progress closed in each chat, and its clients and activities gone', () => {
      open(
        {
          [first]: { activeTurn: turn, activity: 'reading', queuedMessages: [{ id: 'q', message: message('q') }] },
          [second]: { steeringMessage: { id: 's', message: message('s') } },
        },
        { lifecycle: 'creating', activeClients: [{ clientId: 'a', tools: [] }] },
      );
      runner.resume();
      const session = store.session(uri);
      assert.deepEqual([session?.lifecycle, session?.activeClients], ['ready', []]);
      assert.deepEqual(outcomes(first), [['t', 'error', 'hostRestarted']]);
      assert.equal(store.chat(first)?.turns[0]?.duration, 1000);
      const part = store.chat(first)?.turns[0]?.responseParts.at(-1);
      assert.equal(part?.kind === 'error' && part.resumable, true, 'it can go on');
      assert.equal(store.chat(first)?.activity, undefined);
      assert.deepEqual([texts(first), texts(second)], [['q'], ['s']]);
      assert.equal(store.chat(second)?.steeringMessage, undefined);
    });

    it('says that it cannot be saved, ends its turns and takes no messages until it can', async () => {
      let problem: string | undefined;
      createChat = () => Promise.resolve(backend(() => new Promise(() => undefined)));
      open({ [first]: {}, [second]: {} }, { lifecycle: 'ready' }, { saveProblem: () => problem });
      start('t', first);
      start('t', second);
      problem = 'disk full';
      runner.noteSaveProblem(problem);
      assert.deepEqual([outcomes(first), outcomes(second)], [[['t', 'error', 'notSaved']], [['t', 'error', 'notSaved']]]);
      assert.match(start('u', first) ?? '', /cannot be saved \(disk full\)/);
      assert.match(queue('q') ?? '', /cannot be saved/);
      assert.deepEqual(Object.values(store.session(uri)?._meta ?? {}), ['disk full']);
      problem = undefined;
      runner.noteSaveProblem(undefined);
      assert.equal(store.session(uri)?._meta, undefined);
      assert.equal(start('u', first), undefined);
    });
  });

  it('tells the agent of a cut, now or when there is one', async () => {
    const cuts: (string | undefined)[] = [];
    let made = 0;
    createChat = async () => (
      made++,
      backend(
        () => Promise.resolve(),
        'a',
        (turnId) => cuts.push(turnId),
      )
    );
    const turns = ['t1', 't2'].map((id) => ({ id, message: message(id), responseParts: [], state: 'complete' as const }));
    open({ [first]: { turns } }, { lifecycle: 'ready' });
    assert.equal(apply({ type: 'chat/truncated', turnId: 't1' }), undefined);
    await settled();
    assert.deepEqual([made, cuts], [0, []]);
    const ended = turnEnd();
    start('t3');
    await ended;
    assert.deepEqual([made, cuts], [1, ['t1']]);
    apply({ type: 'chat/truncated' });
    await settled();
    assert.deepEqual([cuts, outcomes()], [['t1', undefined], []]);
  });

  it('leaves a title that the session has', async () => {
    open({ [first]: {} }, { lifecycle: 'ready', title: 'Given' });
    createChat = () => Promise.resolve(backend(() => Promise.resolve()));
    const ended = turnEnd();
    start('t1');
    await ended;
    assert.equal(store.session(uri)?.title, 'Given');
  });
});
