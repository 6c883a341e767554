/** Commands about sessions: creating, listing, forking, disposing, history, configuration, authentication, and the notifications. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionAddedNotification, SessionSummaryChangedNotification } from '../../../src/ahp/v1/notifications.ts';
import { ROOT_URI, type RootState } from '../../../src/ahp/v1/root.ts';
import { gate, TestHost, type RawClient } from './hostHarness.ts';

describe('sessions of the embedded host', () => {
  let host: TestHost;
  let client: RawClient;

  beforeEach(async () => {
    host = new TestHost();
    await host.start();
    client = await host.connect();
  });
  afterEach(() => host.stop());

  const create = (params: object) => ({ session: 'scripted:/s', provider: 'scripted', workingDirectory: host.directoryUri, ...params });
  const runTurn = async (session: string, turnId: string, count: number) => {
    await client.dispatch({ type: 'session/turnStarted', session, turnId, userMessage: { text: turnId } });
    await client.action('session/turnComplete', count);
  };

  it('are created, then ready; all clients hear of them', async () => {
    const other = await host.connect('client-b', []);
    const ready = gate();
    host.agent.onCreate = async (agentHost) => {
      assert.equal(agentHost.workingDirectory, host.directory);
      await ready.promise;
    };
    await client.request('createSession', create({ model: { id: 'two' } }));
    const snapshot = await client.snapshot('scripted:/s');
    assert.equal((snapshot.state as { lifecycle: string }).lifecycle, 'creating');
    const added = (await other.until('sessionAdded', () => other.notifications()[0])) as SessionAddedNotification;
    const { createdAt, modifiedAt, ...rest } = added.summary;
    assert.equal(createdAt, modifiedAt);
    assert.ok(Math.abs(createdAt - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      resource: 'scripted:/s',
      provider: 'scripted',
      title: '',
      status: 1,
      model: { id: 'two' },
      workingDirectory: host.directoryUri,
    });
    ready.open();
    await client.action('session/ready');
    assert.deepEqual(
      (await other.request('listSessions', {})).items.map(({ resource }) => resource),
      ['scripted:/s'],
    );
  });

  it('a turn that is sent while the session is being created waits for it', async () => {
    const ready = gate();
    host.agent.onCreate = () => ready.promise;
    await client.request('createSession', create({}));
    await client.snapshot('scripted:/s');
    const seq = client.post({ type: 'session/turnStarted', session: 'scripted:/s', turnId: 't1', userMessage: { text: 'early' } });
    await client.dispatch({
      type: 'session/pendingMessageSet',
      session: 'scripted:/s',
      kind: 'queued',
      id: 'q',
      userMessage: { text: 'later' },
    });
    assert.equal(client.echo(seq), undefined);
    ready.open();
    await client.action('session/turnComplete', 2);
    const { turns } = await client.sessionState('scripted:/s');
    assert.deepEqual(
      turns.map(({ userMessage }) => userMessage.text),
      ['early', 'later'],
    );
  });

  it('a backend that cannot be made is creationFailed, and takes no turns', async () => {
    host.agent.onCreate = async () => {
      throw new Error('no engine');
    };
    await client.request('createSession', create({}));
    await client.subscribed('scripted:/s');
    const state = await client.sessionState('scripted:/s');
    assert.deepEqual([state.lifecycle, state.creationError?.message], ['creationFailed', 'no engine']);
    const echo = await client.dispatch({ type: 'session/turnStarted', session: 'scripted:/s', turnId: 't1', userMessage: { text: 'x' } });
    assert.match(echo.rejectionReason ?? '', /could not be created/);
  });

  it('refusals of createSession each have their code', async () => {
    writeFileSync(join(host.directory, 'file'), '');
    host.agent.config = {
      schema: { type: 'object', properties: { mode: { type: 'string', title: 'Mode', enum: ['a', 'b'] } } },
      values: {},
    };
    await client.request('createSession', create({ session: 'scripted:/exists' }));
    for (const [params, code, text] of [
      [{ session: 'scripted:/exists' }, -32003, /exists/],
      [{ provider: 'other' }, -32002, /no agent other/],
      [{ session: 'agenthost-terminal:/x' }, -32602, /session must be/],
      [{ session: 'scripted:/exists/subagent/x' }, -32602, /session must be/],
      [{ session: 'no-scheme' }, -32602, /params\.session/],
      [{ model: { id: 'three' } }, -32602, /model three is not offered any more/],
      [{ model: 'one' }, -32602, /params\.model must be an object/],
      [{ workingDirectory: pathToFileURL(join(host.directory, 'none')).href }, -32602, /workingDirectory/],
      [{ workingDirectory: pathToFileURL(join(host.directory, 'file')).href }, -32602, /workingDirectory/],
      [{ workingDirectory: 'http://example.org/' }, -32602, /workingDirectory/],
      [{ config: { mode: 'c' } }, -32602, /config\.mode/],
      [{ config: { other: 1 } }, -32602, /config\.other/],
      [{ activeClient: { clientId: 'someone', tools: [] } }, -32602, /activeClient\.clientId/],
      [{ fork: { session: 'scripted:/none', turnId: 't' } }, -32001, /no session/],
      [{ fork: { session: 'scripted:/exists', turnId: 't' } }, -32602, /fork\.turnId/],
    ] as const) {
      const error = await client.refusal('createSession', create(params));
      assert.equal(error.code, code, JSON.stringify(params) + error.message);
      assert.match(error.message, text);
    }
    await client.request('createSession', create({ config: { mode: 'b' }, activeClient: { clientId: client.clientId, tools: [] } }));
    const state = await client.sessionState('scripted:/s');
    assert.deepEqual(state.config?.values, { mode: 'b' });
    assert.equal(state.activeClient?.clientId, client.clientId);
    assert.equal((await client.request('listSessions', {})).items.length, 2);
  });

  it('two requests for one name at the same time make one session', async () => {
    const answers = await Promise.all([client.ask('createSession', create({})), client.ask('createSession', create({}))]);
    assert.deepEqual(answers.map(({ error }) => error?.code).sort(), [-32003, undefined]);
  });

  it('are disposed of with all they have, and every client is told', async () => {
    const other = await host.connect('client-b', []);
    const session = await host.session(client);
    const aborted = gate();
    host.agent.onTurn = (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => (aborted.open(), resolve())));
    await client.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'x' } });
    await client.request('disposeSession', { session });
    await aborted.promise;
    await other.until('sessionRemoved', () => other.notifications().find(({ type }) => type === 'notify/sessionRemoved'));
    assert.equal(host.agent.disposedSessions, 1);
    assert.equal(host.server.isBusy, false);
    assert.equal((await client.refusal('disposeSession', { session })).code, -32001);
    assert.equal((await client.refusal('subscribe', { resource: session })).code, -32001);
    assert.deepEqual((await client.request('listSessions', {})).items, []);
  });

  it('take their contents and terminals along when they are disposed of', async () => {
    const busy: boolean[] = [];
    host.server.onDidChangeActivity(() => busy.push(host.server.isBusy));
    const session = await host.session(client);
    const stay = await host.session(client);
    const made = gate<{ content: string; terminal: string }>();
    host.agent.onTurn = async (turn, agentHost) => {
      const { uri: content } = agentHost.storeContent('kept aside', 'text/plain');
      const options = { turn, toolCallId: 'c1', commandLine: 'printf done', title: 'Print' };
      const { terminal, finished } = await agentHost.runCommand(options);
      const { exitCode, output } = await finished;
      turn.markdown(`${exitCode} ${output}`);
      made.open({ content, terminal });
    };
    await client.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'x' } });
    await client.action('session/turnComplete');
    const { content, terminal } = await made.promise;
    assert.deepEqual(busy, [true, false], 'the terminal has ended too');
    const [part] = (await client.sessionState(session)).turns[0]?.responseParts ?? [];
    assert.ok(part?.kind === 'markdown');
    assert.equal(part.content, '0 done');
    await client.request('disposeSession', { session: stay });
    assert.equal((await client.request('resourceRead', { uri: content, encoding: 'utf-8' })).data, 'kept aside');
    await client.snapshot(terminal);
    await client.request('disposeSession', { session });
    assert.equal((await client.refusal('resourceRead', { uri: content })).code, -32008);
    assert.equal((await client.refusal('subscribe', { resource: terminal })).code, -32008);
  });

  it('a terminal that opens for a session while that is disposed of does not stay behind', async () => {
    const session = await host.session(client);
    const terminal = 'agenthost-terminal:/late';
    const opening = client.ask('createTerminal', { terminal, claim: { kind: 'session', session }, cwd: host.directoryUri });
    await client.request('disposeSession', { session });
    const { error } = await opening;
    // Undefined where it was faster than the request that follows it.
    assert.ok(error === undefined || error.code === -32001, error?.message);
    const root = (await client.snapshot(ROOT_URI)).state as RootState;
    assert.deepEqual(root.terminals, []);
  });

  it('a session that is disposed of while it is being created leaves no backend behind', async () => {
    const ready = gate();
    host.agent.onCreate = () => ready.promise;
    await client.request('createSession', create({}));
    await client.request('disposeSession', { session: 'scripted:/s' });
    ready.open();
    await client.settled();
    assert.equal(host.agent.disposedSessions, 1);
  });

  it('changes of the summary are told to everybody, gathered and only what changed', async () => {
    const other = await host.connect('client-b', []);
    const session = await host.session(client);
    await client.dispatch({ type: 'session/isReadChanged', session, isRead: true });
    await client.dispatch({ type: 'session/isArchivedChanged', session, isArchived: true });
    const changed = (await other.until('sessionSummaryChanged', () =>
      other.notifications().find(({ type }) => type === 'notify/sessionSummaryChanged'),
    )) as SessionSummaryChangedNotification;
    assert.deepEqual(changed, { type: 'notify/sessionSummaryChanged', session, changes: { status: 1 | 32 | 64 } });
    await runTurn(session, 'Title of it', 1);
    await other.until('the title', () =>
      other
        .notifications()
        .find((notification) => notification.type === 'notify/sessionSummaryChanged' && notification.changes.title === 'Title of it'),
    );
  });

  it('history is fetched in pages, newest last', async () => {
    const session = await host.session(client);
    for (let i = 1; i <= 5; i++) await runTurn(session, `t${i}`, i);
    const page = async (params: object) => {
      const { turns, hasMore } = await client.request('fetchTurns', { session, ...params });
      return [turns.map(({ id }) => id).join(' '), hasMore];
    };
    assert.deepEqual(await page({}), ['t1 t2 t3 t4 t5', false]);
    assert.deepEqual(await page({ limit: 2 }), ['t4 t5', true]);
    assert.deepEqual(await page({ limit: 2, before: 't4' }), ['t2 t3', true]);
    assert.deepEqual(await page({ limit: 2, before: 't2' }), ['t1', false]);
    assert.deepEqual(await page({ before: 't1' }), ['', false]);
    assert.equal((await client.refusal('fetchTurns', { session, before: 'none' })).code, -32602);
    assert.equal((await client.refusal('fetchTurns', { session, limit: 0 })).code, -32602);
    assert.equal((await client.refusal('fetchTurns', { session: 'scripted:/none' })).code, -32001);
  });

  it('a fork has the turns up to the one that it names, and a life of its own', async () => {
    const session = await host.session(client, { model: { id: 'two' } });
    for (let i = 1; i <= 3; i++) await runTurn(session, `t${i}`, i);
    const seen = gate<string[]>();
    host.agent.onCreate = async ({ chatState }) => seen.open(chatState.turns.map(({ id }) => id));
    await client.request('createSession', { session: 'scripted:/fork', fork: { session, turnId: 't2' } });
    assert.deepEqual(await seen.promise, ['t1', 't2'], 'the agent knows what it forks');
    await client.subscribed('scripted:/fork');
    await runTurn('scripted:/fork', 't9', 4);
    const [fork, source] = [await client.sessionState('scripted:/fork'), await client.sessionState(session)];
    assert.deepEqual(
      fork.turns.map(({ id }) => id),
      ['t1', 't2', 't9'],
    );
    assert.deepEqual([fork.summary.model, fork.summary.workingDirectory, fork.summary.title], [{ id: 'two' }, host.directoryUri, 't1']);
    assert.equal(source.turns.length, 3);
  });

  it('a turn that runs is no place to fork at yet', async () => {
    const session = await host.session(client);
    await runTurn(session, 't1', 1);
    const held = gate();
    host.agent.onTurn = () => held.promise;
    await client.dispatch({ type: 'session/turnStarted', session, turnId: 't2', userMessage: { text: 'x' } });
    const fork = (turnId: string) => ({ session: 'scripted:/fork', fork: { session, turnId } });
    assert.equal((await client.refusal('createSession', fork('t2'))).code, -32004);
    assert.deepEqual(await client.request('createSession', fork('t1')), null);
    held.open();
  });

  it('configuration: only what the schema lets change', async () => {
    host.agent.config = {
      schema: {
        type: 'object',
        properties: {
          mode: { type: 'string', title: 'Mode', enum: ['a', 'b'], sessionMutable: true },
          branch: { type: 'string', title: 'Branch' },
        },
      },
      values: { mode: 'a', branch: 'main' },
    };
    const session = await host.session(client, { config: { branch: 'dev' } });
    const change = (config: object, replace?: boolean) =>
      client.dispatch({ type: 'session/configChanged', session, config, ...(replace && { replace }) });
    assert.match((await change({ branch: 'x' })).rejectionReason ?? '', /config\.branch cannot be changed/);
    assert.match((await change({ mode: 'c' })).rejectionReason ?? '', /one of a, b/);
    assert.match((await change({ mode: 'b' }, true)).rejectionReason ?? '', /config\.branch cannot be changed/);
    assert.equal((await change({ mode: 'b' })).rejectionReason, undefined);
    assert.deepEqual((await client.sessionState(session)).config?.values, { mode: 'b', branch: 'dev' });
    const resolved = await client.request('resolveSessionConfig', { provider: 'scripted', config: { mode: 'b' } });
    assert.deepEqual(resolved.values, { mode: 'b', branch: 'main' });
    const { items } = await client.request('sessionConfigCompletions', { provider: 'scripted', property: 'branch', query: 'm' });
    assert.deepEqual(items, [{ value: 'branch:m', label: 'a completion' }]);
    assert.equal((await client.refusal('resolveSessionConfig', { provider: 'none' })).code, -32002);
  });

  it('authentication: agents that need a token say so, and work once they have a good one', async () => {
    const resource = { resource: 'https://api.example.org', authorization_servers: ['https://example.org/login'] };
    host.agent.setInfo({ protectedResources: [resource, { resource: 'https://more.example.org', required: false }] });
    await client.action('root/agentsChanged');
    const error = await client.refusal('createSession', create({}));
    assert.equal(error.code, -32007);
    assert.deepEqual(error.data, [resource]);
    const offer = (token: string, of = resource.resource) => ({ resource: of, token });
    assert.equal((await client.refusal('authenticate', offer('good', 'https://other.example.org'))).code, -32602);
    const bad = await client.refusal('authenticate', offer('bad'));
    assert.equal(bad.code, -32007);
    assert.equal(JSON.stringify(bad).includes('"bad"'), false);
    assert.equal((await client.refusal('createSession', create({}))).code, -32007);
    assert.deepEqual(await client.request('authenticate', offer('good')), {});
    await client.request('createSession', create({}));
  });

  it('terminals and resources are reached through their commands', async () => {
    const session = await host.session(client);
    const claim = { kind: 'client' as const, clientId: client.clientId };
    assert.equal((await client.refusal('createTerminal', { terminal: 'scripted:/x', claim })).code, -32602);
    assert.equal(
      (await client.refusal('createTerminal', { terminal: 'agenthost-terminal:/1', claim: { ...claim, clientId: 'x' } })).code,
      -32602,
    );
    assert.equal(
      (await client.refusal('createTerminal', { terminal: 'agenthost-terminal:/1', claim: { kind: 'session', session: 'scripted:/none' } }))
        .code,
      -32001,
    );
    assert.equal(
      (await client.refusal('createTerminal', { terminal: 'agenthost-terminal:/1', claim, cwd: 'file:///none/at/all' })).code,
      -32602,
    );
    await client.request('createTerminal', { terminal: 'agenthost-terminal:/1', claim, name: 'mine' });
    assert.equal(host.server.isBusy, true);
    await client.snapshot('agenthost-terminal:/1');
    const marker = `${6 * 7}-from-the-shell`;
    await client.dispatch({ type: 'terminal/input', terminal: 'agenthost-terminal:/1', data: 'echo $((6*7))-from-the-shell\r' });
    await client.until('the output of the shell', () =>
      client
        .actions('terminal/data')
        .map(({ data }) => String(data))
        .join('')
        .includes(marker),
    );
    assert.match(
      (await client.dispatch({ type: 'terminal/resized', terminal: 'agenthost-terminal:/1', cols: 0, rows: 1 })).rejectionReason ?? '',
      /cols/,
    );
    await client.request('disposeTerminal', { terminal: 'agenthost-terminal:/1' });
    assert.equal((await client.refusal('disposeTerminal', { terminal: 'agenthost-terminal:/1' })).code, -32008);
    assert.equal(host.server.isBusy, false);

    const uri = pathToFileURL(join(host.directory, 'a.txt')).href;
    await client.request('resourceWrite', { uri, data: 'hello', encoding: 'utf-8' });
    assert.equal((await client.request('resourceRead', { uri })).data, 'hello');
    assert.equal((await client.refusal('resourceRead', { uri: 'file:///etc/hostname' })).code, -32009);
    await client.request('disposeSession', { session });
    assert.equal((await client.refusal('resourceRead', { uri })).code, -32009, 'the working directory is no root any more');
  });
});
