/** What clients of AHP 1.0 get from the host, frame by frame. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatState } from '../../../src/ahp/channels/chat/state.ts';
import type { ResolvedResource } from '../../../src/ahp/channels/commands.ts';
import type { Message } from '../../../src/ahp/channels/shapes/message.ts';
import type { SessionState } from '../../../src/ahp/channels/session/state.ts';
import type { SessionSummary } from '../../../src/ahp/channels/shapes/summaries.ts';
import { ROOT_CHANNEL } from '../../../src/ahp/channels/root.ts';
import { ROOT_URI, type RootState } from '../../../src/ahp/v1/root.ts';
import { grantsOf, keepGrant } from '../../../src/ahp/grants.ts';
import { activityOf, SessionStatus } from '../../../src/ahp/common/status.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { eventually } from '../../fakes/eventually.ts';
import { sharedDir } from '../../support/shared.ts';
import { wireOf, wireValidator } from '../../support/wireSchema.ts';
import { RawChannelClient } from './channelHarness.ts';
import { gate, TestHost } from './hostHarness.ts';
import { grantsIn } from '../../../src/host/agents/grantsIn.ts';

describe('the frames of the host, for clients of AHP 1.0', function () {
  this.timeout(30_000);
  const uri = 'scripted:/one';
  const dir = sharedDir();
  const problem = dir === undefined ? () => undefined : wireValidator(wireOf(dir));
  const clients: RawChannelClient[] = [];
  let host: TestHost;
  let client: RawChannelClient;

  async function connect(clientId?: string, more?: object): Promise<RawChannelClient> {
    const connected = await RawChannelClient.connect(host, clientId, more);
    clients.push(connected);
    return connected;
  }
  beforeEach(async () => {
    host = new TestHost();
    await host.start();
    client = await connect();
  });
  afterEach(async () => {
    for (const one of clients.splice(0)) one.close();
    await host.stop();
  });

  /** Of the session, as clients of AHP v1 see it. */
  const model = async () => (await (await host.connect('older')).sessionState(uri)).summary.model?.id;

  describe('a message that the host does not take', () => {
    it('is refused once, and changes no model, when its session cannot be created', async () => {
      const creation = gate();
      host.agent.onCreate = async () => {
        await creation.promise;
        throw new Error('no engine');
      };
      await client.result('createSession', { channel: uri, provider: 'scripted', config: {} });
      const { defaultChat = '' } = await client.subscribe<SessionState>(uri);
      await client.subscribe(defaultChat);
      const seq = client.say(defaultChat, 'hello', { model: 'two' });
      await client.result('ping', {});
      assert.deepEqual(client.answersTo(seq), []);
      creation.open();
      await client.answer(seq);
      await client.result('ping', {});
      const answers = client.answersTo(seq).map(({ action, rejectionReason }) => [action.type, rejectionReason]);
      assert.deepEqual(answers, [['chat/turnStarted', 'the session could not be created: no engine']]);
      assert.equal(await model(), undefined);
    });

    it('is refused once, and changes no model, when its turn was there before', async () => {
      const chat = await client.session(uri);
      client.say(chat, 'first', { turnId: 't', model: 'one' });
      await client.action('chat/turnComplete');
      const seq = client.say(chat, 'again', { turnId: 't', model: 'two' });
      await client.answer(seq);
      await client.result('ping', {});
      assert.deepEqual(
        client.answersTo(seq).map(({ action, rejectionReason }) => [action.type, rejectionReason]),
        [['chat/turnStarted', 'turnId t was used before']],
      );
      assert.equal(await model(), 'one');
      const unknown = await client.answer(client.say(chat, 'else', { model: 'three' }));
      assert.equal(unknown.rejectionReason, 'The model three is not offered any more. Choose another one.');
    });
  });

  it('runs each message with the model that it was sent with', async () => {
    const first = gate();
    const ran: unknown[] = [];
    host.agent.onTurn = async ({ message: { text } }, { model }) => {
      ran.push([text, model?.id]);
      if (text === 'first') await first.promise;
    };
    const chat = await client.session(uri);
    await client.answer(client.say(chat, 'first', { model: 'one' }));
    for (const [id, named] of [
      ['q1', 'two'],
      ['q2', 'one'],
    ] as const) {
      const message = { text: id, origin: { kind: 'user' as const }, model: { id: named } };
      const { action } = await client.answer(client.dispatch(chat, { type: 'chat/pendingMessageSet', kind: 'queued', id, message }));
      assert.deepEqual(action, { type: 'chat/pendingMessageSet', kind: 'queued', id, message });
    }
    const late = await connect('late');
    const { queuedMessages } = await late.subscribe(chat);
    assert.deepEqual(
      queuedMessages?.map(({ message }) => message.model?.id),
      ['two', 'one'],
    );
    first.open();
    await client.action('chat/turnComplete', 3);
    assert.deepEqual(ran, [
      ['first', 'one'],
      ['q1', 'two'],
      ['q2', 'one'],
    ]);
    const started = await Promise.all([1, 2, 3].map((count) => client.action('chat/turnStarted', count)));
    assert.deepEqual(
      started.map(({ message }) => message.model?.id),
      ['one', 'two', 'one'],
    );
  });

  describe('a client that comes back', () => {
    const again = async (params: object) => {
      const back = await RawChannelClient.open(host);
      clients.push(back);
      const { snapshots } = await back.result<{ snapshots: { resource: string; state: object }[] }>('reconnect', {
        clientId: 'raw',
        lastSeenServerSeq: 1,
        ...params,
      });
      return { back, snapshots };
    };

    it('keeps the protocol of its initialize, also where its reconnect names no channel', async () => {
      const chat = await client.session(uri);
      client.close();
      const { back, snapshots } = await again({ subscriptions: [ROOT_CHANNEL, uri, chat] });
      assert.deepEqual(
        snapshots.map(({ resource }) => resource),
        [ROOT_CHANNEL, uri, chat],
      );
      for (const [at, name] of ['RootState', 'SessionState', 'ChatState'].entries())
        assert.equal(problem(name, snapshots[at]?.state), undefined, name);
      await back.result('ping', {});
      back.say(chat, 'hello');
      await back.action('chat/turnComplete');
      const older = await host.connect('older');
      older.socket.terminate();
      const olderAgain = await host.open();
      const answer = await olderAgain.ask('reconnect', { clientId: 'older', lastSeenServerSeq: 0, subscriptions: [ROOT_URI, uri] });
      assert.equal(answer.error, undefined);
      assert.equal((await olderAgain.sessionState(uri)).turns.length, 1, 'a client of AHP v1 stays one of AHP v1');
    });

    it('may begin its numbers anew, and a number that it repeats on one connection is refused', async () => {
      const chat = await client.session(uri);
      for (const text of ['one', 'two']) await client.answer(client.say(chat, text));
      await client.action('chat/turnComplete', 2);
      client.close();
      const { back } = await again({ subscriptions: [chat] });
      const seq = back.say(chat, 'three');
      assert.equal(seq, 1);
      assert.equal((await back.answer(seq)).rejectionReason, undefined);
      await back.action('chat/turnComplete');
      back.raw.notify('dispatchAction', { channel: chat, clientSeq: seq, action: { type: 'chat/draftChanged' } });
      await back.raw.until('a refusal', () => back.answersTo(seq).find(({ rejectionReason }) => rejectionReason !== undefined));
      assert.deepEqual(
        (await back.subscribe(chat)).turns.map(({ message }) => message.text),
        ['one', 'two', 'three'],
      );
    });
  });

  it('are not logged for what VS Code tells all its hosts, and are for what nobody knows', async () => {
    const warnings: string[] = [];
    await host.server.close();
    await host.start({ logger: { ...nullLogger, warn: (text: string) => warnings.push(text) } });
    const vsCode = await connect('VS Code');
    vsCode.raw.notify('setClientManagedSettingsPermissions', { permissions: {} });
    await vsCode.result('ping', {});
    assert.deepEqual(warnings, []);
    vsCode.raw.notify('dream', {});
    await vsCode.result('ping', {});
    assert.match(warnings.join(), /there is no notification "dream"/);
  });

  describe('a chat in the middle of a turn', () => {
    const sees = (chat: ChatState) => {
      assert.equal(problem('ChatState', chat), undefined, JSON.stringify(chat));
      const began = Date.parse(chat.activeTurn?.startedAt ?? '');
      assert.ok(began > Date.now() - 60_000, JSON.stringify(chat.activeTurn));
      return began;
    };

    it('says when the turn began to its only reader that comes back', async () => {
      const work = gate();
      host.agent.onTurn = () => work.promise;
      const chat = await client.session(uri);
      await client.answer(client.say(chat, 'long'));
      client.close();
      const again = await RawChannelClient.open(host);
      clients.push(again);
      const params = { channel: 'ahp-root://', clientId: 'raw', lastSeenServerSeq: 1, subscriptions: [chat] };
      const { snapshots } = await again.result<{ snapshots: { state: ChatState }[] }>('reconnect', params);
      const began = sees(snapshots[0]?.state as ChatState);
      await eventually(() => Date.now() > began, 'a moment of the turn');
      work.open();
      const { duration } = await again.action('chat/turnComplete');
      assert.ok(duration > 0, String(duration));
    });

    it('says so in the chat of a subagent, and of a turn that a client of AHP v1 began', async () => {
      const work = gate();
      host.agent.onTurn = async (turn, agentHost) => {
        const call = turn.toolCall({ toolName: 'agent', displayName: 'Agent' });
        const of = agentHost.startSubagent({ toolCallId: call.id, title: 'Below', prompt: 'look' });
        await work.promise;
        of.complete();
      };
      const older = await host.connect('older');
      const session = await host.session(older);
      await older.dispatch({ type: 'session/turnStarted', session, turnId: 't', userMessage: { text: 'go' } });
      const { chats } = await client.subscribe<SessionState>(session);
      assert.equal(chats.length, 2);
      const began = await Promise.all(chats.map(async ({ resource }) => sees(await client.subscribe(resource))));
      await eventually(() => Date.now() > Math.max(...began), 'a moment of the turns');
      work.open();
      for (const count of [1, 2]) assert.ok((await client.action('chat/turnComplete', count)).duration > 0);
    });
  });

  it('takes back what was allowed for a session', async () => {
    const other = await connect('with-grants', { _meta: { 'tapline.grants': 1 } });
    const grant = { kind: 'tool' as const, name: 'shell' };
    host.agent.onTurn = async (_turn, agentHost) => keepGrant(grantsIn(agentHost), grant);
    const chat = await client.session(uri);
    client.say(chat, 'go');
    await client.action('chat/turnComplete');
    assert.deepEqual(grantsOf(await other.subscribe<SessionState>(uri)), [grant]);
    assert.equal(await other.result('tapline/revokeGrants', { session: uri, grants: [grant] }), null);
    assert.deepEqual(grantsOf(await other.subscribe<SessionState>(uri)), []);
    assert.equal((await other.refusal('tapline/revokeGrants', { session: uri }))[0], -32602);
  });

  it('shows a terminal in a call under the name that its client gave it, and to each era in its own words', async () => {
    const terminal = 'ahp-terminal:/0c7f';
    await client.result('createTerminal', { channel: terminal, claim: { kind: 'client', clientId: 'raw' } });
    const older = await host.connect('older');
    const { terminals = [] } = (await older.snapshot(ROOT_URI)).state as RootState;
    const stored = terminals[0]?.resource ?? '';
    assert.match(stored, /^agenthost-terminal:/);
    host.agent.onTurn = async (turn) => {
      const call = turn.toolCall({ toolName: 'bash', displayName: 'Run' });
      call.run({ invocationMessage: 'Run' }, 'not-needed');
      call.setContent([{ type: 'terminal', resource: terminal, title: 'Run' }]);
      call.complete({ success: true, pastTenseMessage: 'Ran' });
    };
    const chat = await client.session(uri);
    await older.subscribed(uri);
    client.say(chat, 'go');
    const { content } = await client.action('chat/toolCallContentChanged');
    assert.deepEqual(content, [{ type: 'terminal', resource: terminal, title: 'Run' }]);
    const told = await older.action('session/toolCallContentChanged');
    assert.deepEqual(told.content, [{ type: 'terminal', resource: stored, title: 'Run' }]);
    assert.equal((await client.refusal('createSession', { channel: terminal, provider: 'scripted' }))[0], -32602);
    await client.result('disposeTerminal', { channel: terminal });
    assert.equal((await client.refusal('subscribe', { channel: terminal }))[0], -32008);
  });

  describe('a draft', () => {
    const origin = { kind: 'user' as const };
    const write = (chat: string, draft?: Message) =>
      client.answer(client.dispatch(chat, { type: 'chat/draftChanged', ...(draft && { draft }) }));

    it('is shared by all clients of the chat, and stays when nobody reads it', async () => {
      const chat = await client.session(uri);
      const other = await connect('other');
      await other.subscribe(chat);
      assert.equal((await write(chat, { text: 'half a', origin })).rejectionReason, undefined);
      assert.deepEqual((await other.action('chat/draftChanged')).draft, { text: 'half a', origin });
      for (const one of [client, other]) one.raw.notify('unsubscribe', { channel: chat });
      await Promise.all([client, other].map((one) => one.result('ping', {})));
      assert.deepEqual((await other.subscribe(chat)).draft, { text: 'half a', origin });
      const older = await host.connect('older');
      await older.dispatch({ type: 'session/modelChanged', session: uri, model: { id: 'two' } });
      assert.deepEqual((await other.action('chat/draftChanged', 2)).draft, { text: 'half a', origin, model: { id: 'two' } });
      await write(chat);
      // The next message goes to the model of the session.
      assert.deepEqual((await other.action('chat/draftChanged', 3)).draft, { text: '', origin, model: { id: 'two' } });
      assert.deepEqual((await other.subscribe(chat)).draft, { text: '', origin, model: { id: 'two' } });
    });

    it('chooses the model of the next message at once', async () => {
      const work = gate();
      host.agent.onTurn = () => work.promise;
      const chat = await client.session(uri);
      await client.answer(client.say(chat, 'long', { model: 'one' }));
      const draft = (text: string, id: string) => ({ text, origin, model: { id } });
      for (const one of [draft('a', 'two'), draft('ab', 'two'), draft('ab', 'one'), draft('abc', 'two')]) {
        const { action, rejectionReason } = await write(chat, one);
        assert.deepEqual([action, rejectionReason], [{ type: 'chat/draftChanged', draft: one }, undefined]);
      }
      assert.equal(await model(), 'two');
      work.open();
      await client.action('chat/turnComplete');
      await client.result('ping', {});
      assert.equal(await model(), 'two');
      assert.deepEqual((await client.subscribe(chat)).draft, draft('abc', 'two'));
      assert.equal(
        (await write(chat, draft('abc', 'three'))).rejectionReason,
        'The model three is not offered any more. Choose another one.',
      );
    });
  });

  describe('files', () => {
    const at = (name: string) => ({ channel: 'ahp-root://', uri: `${host.directoryUri}/${name}` });
    beforeEach(() => client.session(uri));

    it('are looked at and made below the folders of sessions, and nowhere else', async () => {
      assert.deepEqual(await client.result('resourceMkdir', at('a/b')), {});
      assert.deepEqual(await client.result('resourceMkdir', at('a/b')), {});
      const text = { data: 'text', encoding: 'utf-8', mode: 'truncate' };
      assert.deepEqual(await client.result('resourceWrite', { ...at('a/b/file.txt'), ...text }), {});
      symlinkSync('a', join(host.directory, 'link'));
      const found = async (name: string, more: object = {}) => {
        const { mtime, ctime, ...rest } = await client.result<ResolvedResource>('resourceResolve', { ...at(name), ...more });
        for (const time of [mtime, ctime]) assert.ok(Date.parse(time ?? '') > 0);
        return rest;
      };
      assert.deepEqual(await found('link/b/file.txt'), { uri: at('a/b/file.txt').uri, type: 'file', size: 4 });
      assert.equal((await found('link')).type, 'directory');
      assert.deepEqual(await found('link', { followSymlinks: false }).then(({ uri: where, type }) => [where, type]), [
        at('link').uri,
        'symlink',
      ]);
      assert.equal((await client.refusal('resourceResolve', at('none')))[0], -32008);
      assert.equal((await client.refusal('resourceMkdir', at('a/b/file.txt')))[0], -32010);
      for (const method of ['resourceResolve', 'resourceMkdir'])
        assert.equal((await client.refusal(method, { channel: 'ahp-root://', uri: 'file:///etc' }))[0], -32009);
    });

    it('are refused in words where the host cannot do what is asked', async () => {
      const write = { ...at('x'), data: '', encoding: 'utf-8', ifMatch: 'etag' };
      assert.deepEqual((await client.refusal('resourceWrite', write))[0], -32602);
      const two = { channel: 'scripted:/two', provider: 'scripted', workingDirectories: [host.directoryUri, 'file:///tmp'] };
      assert.deepEqual(await client.refusal('createSession', two), [
        -32602,
        'workingDirectories: a session of this host works in one folder',
      ]);
    });
  });

  describe('an agent that needs a token', () => {
    const resource = 'https://api.example.org';
    const create = { channel: uri, provider: 'scripted', config: {} };
    const authenticate = (token: string) => ({ channel: 'ahp-root://', resource, token });
    beforeEach(() => host.agent.setInfo({ protectedResources: [{ resource, resource_name: 'Example' }] }));

    it('says for which resources', async () => {
      const data = { resources: [{ resource, resource_name: 'Example' }] };
      for (const [method, params] of [
        ['createSession', create],
        ['authenticate', authenticate('bad')],
      ] as const) {
        const { error } = await client.ask(method, params);
        assert.deepEqual([error?.code, error?.data], [-32007, data]);
      }
    });

    it('needs one again after it was taken back', async () => {
      await client.result('authenticate', authenticate('good'));
      await client.result('createSession', create);
      assert.deepEqual(await client.result('authenticate', authenticate('')), {});
      assert.deepEqual(host.agent.forgotten, [resource]);
      const { error } = await client.ask('createSession', { ...create, channel: 'scripted:/other' });
      assert.equal(error?.code, -32007);
    });
  });

  describe('the list of sessions', () => {
    const changes = () =>
      client.raw.frames.flatMap(({ method, params }) =>
        method === 'root/sessionSummaryChanged' ? [params?.changes as Partial<SessionSummary>] : [],
      );
    const listed = async () => (await client.result<{ items: SessionSummary[] }>('listSessions', { channel: 'ahp-root://' })).items;

    it('says what waits in a subagent as the session itself does', async () => {
      host.agent.onTurn = async (turn, agentHost) => {
        const call = turn.toolCall({ toolName: 'agent', displayName: 'Agent' });
        const of = agentHost.startSubagent({ toolCallId: call.id, title: 'Below', prompt: 'look' });
        const inner = of.toolCall({ toolName: 'bash', displayName: 'Run' });
        await inner.confirm({ invocationMessage: 'Run', toolInput: 'ls', confirmationTitle: 'Run?' });
        of.complete();
      };
      const chat = await client.session(uri);
      client.say(chat, 'go');
      await client.raw.until('that it waits', () => changes().some(({ status = 0 }) => activityOf(status) === SessionStatus.InputNeeded));
      const [summary] = await listed();
      const { status, inputNeeded, defaultChat } = await client.subscribe<SessionState>(uri);
      assert.deepEqual([summary?.status, summary?.defaultChat], [status, defaultChat]);
      assert.equal(activityOf(status), SessionStatus.InputNeeded);
      assert.deepEqual(
        changes().map((one) => one.defaultChat),
        changes().map(() => defaultChat),
      );
      const [request] = inputNeeded ?? [];
      assert.ok(request?.kind === 'toolConfirmation');
      const { turnId, toolCall } = request;
      const answer = {
        type: 'chat/toolCallConfirmed',
        turnId,
        toolCallId: toolCall.toolCallId,
        approved: false,
        reason: 'denied',
      } as const;
      // The chat of the subagent takes answers.
      await client.answer(client.dispatch(request.chat, answer));
      await client.raw.until('its end', () => activityOf(changes().at(-1)?.status ?? 0) === SessionStatus.Idle);
      assert.equal(activityOf((await listed())[0]?.status ?? 0), SessionStatus.Idle);
    });

    it('says that an activity is over', async () => {
      const work = gate();
      host.agent.onTurn = async (_turn, agentHost) => {
        agentHost.setActivity('Running tests');
        await work.promise;
        agentHost.setActivity(undefined);
      };
      const chat = await client.session(uri);
      client.say(chat, 'go');
      await client.raw.until('the activity', () => changes().at(-1)?.activity === 'Running tests');
      work.open();
      await client.raw.until('its end', () => changes().at(-1)?.activity === '');
    });
  });
});
