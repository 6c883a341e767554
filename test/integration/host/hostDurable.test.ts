/** Sessions that outlive their host: the next host has the same state, and clients are told when writing fails. */
import assert from 'node:assert/strict';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ErrorCode } from '../../../src/ahp/v1/errors.ts';
import { SessionStatus, type SessionState } from '../../../src/ahp/v1/session.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { writeToDisk } from '../../../src/base/node/wholeFile.ts';
import type { HostServerOptions } from '../../../src/host/server/hostServer.ts';
import { gate, TestHost, type RawClient } from './hostHarness.ts';
import { nameOfChat } from '../../../src/host/state/chatUris.ts';

describe('durable sessions', () => {
  let folder: string;
  /** Working directory of the sessions; outlives their hosts. */
  let work: string;
  let hosts: TestHost[];
  const session = 'scripted:/session-1';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-sessions-'));
    work = mkdtempSync(join(tmpdir(), 'tapline-work-'));
    hosts = [];
  });
  afterEach(async () => {
    for (const host of hosts) await host.stop();
    for (const path of [folder, work]) rmSync(path, { recursive: true, maxRetries: 5 });
  });
  const startHost = async (options: Partial<HostServerOptions> = {}) => {
    const host = new TestHost();
    hosts.push(host);
    await host.start({ sessionsFolder: folder, ...options });
    return host;
  };
  const stopHost = async (host: TestHost) => {
    hosts.splice(hosts.indexOf(host), 1);
    await host.stop();
  };
  const say = async (client: RawClient, turnId: string, text: string) => {
    await client.dispatch({ type: 'session/turnStarted', session, turnId, userMessage: { text } });
  };
  const turn = async (client: RawClient, turnId: string, text = turnId) => {
    const ends = client.actions('session/turnComplete').length;
    await say(client, turnId, text);
    await client.action('session/turnComplete', ends + 1);
  };
  const logFiles = () =>
    readdirSync(folder).flatMap((name) => (existsSync(join(folder, name, 'log.jsonl')) ? [join(folder, name, 'log.jsonl')] : []));

  it('reads back exactly what was there: turns with all their parts, titles, flags, models, configuration', async () => {
    const first = await startHost();
    first.agent.config = {
      schema: { type: 'object', properties: { tone: { type: 'string', title: 'Tone', sessionMutable: true } } },
      values: { tone: 'dry' },
    };
    first.agent.onTurn = async (running) => {
      running.reasoning('hmm');
      running.markdown('Hello');
      running.markdown(' world');
      const call = running.toolCall({ toolName: 't', displayName: 'T' });
      call.run({ invocationMessage: 'running', toolInput: '{}' }, 'not-needed');
      call.complete({ success: true, pastTenseMessage: 'ran', content: [{ type: 'text', text: 'out' }] });
      running.usage({ inputTokens: 1, outputTokens: 2 });
    };
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1', 'a first message');
    await turn(client, 't2');
    await client.dispatch({ type: 'session/titleChanged', session, title: 'Renamed' });
    await client.dispatch({ type: 'session/modelChanged', session, model: { id: 'two' } });
    await client.dispatch({ type: 'session/configChanged', session, config: { tone: 'warm' } });
    await client.dispatch({ type: 'session/isReadChanged', session, isRead: true });
    await client.dispatch({ type: 'session/isArchivedChanged', session, isArchived: true });
    const before = await client.snapshot(session);
    const listed = await client.request('listSessions', {});
    await stopHost(first);

    const second = await startHost();
    const again = await second.connect();
    assert.deepEqual(await again.request('listSessions', {}), listed);
    const after = await again.snapshot(session);
    assert.deepEqual(after.state, before.state);
    assert.ok(after.fromSeq > before.fromSeq, 'numbers go on above the earlier ones');
    // It is alive: the next turn knows the ones before, and can take them back.
    second.agent.onTurn = async (running, host) => running.markdown(`after ${host.chatState.turns.length}`);
    await turn(again, 't3');
    const texts = (await again.sessionState(session)).turns.at(-1)?.responseParts;
    assert.deepEqual(
      texts?.map((part) => ('content' in part ? part.content : '')),
      ['after 2'],
    );
    await again.dispatch({ type: 'session/truncated', session, turnId: 't1' });
    await turn(again, 't4');
    assert.deepEqual(second.agent.truncations, ['t1']);
    assert.equal(
      (await again.dispatch({ type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'x' } })).rejectionReason,
      'turnId t1 was used before',
    );
  });

  it('closes a turn that was running as an error that says so, and holds the queue', async () => {
    const first = await startHost();
    first.agent.onTurn = async (running) => {
      running.markdown('so far');
      // The first message is taken, and its model does not hear it any more.
      const taking = running.onDidReceiveSteering(() => {
        taking.dispose();
        running.takeSteeringMessage();
      });
      const call = running.toolCall({ toolName: 't', displayName: 'T' });
      call.run({ invocationMessage: 'running' }, 'not-needed');
      await running.ask({ message: 'Really?' });
    };
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href, activeClient: { clientId: 'client-a', tools: [] } });
    await say(client, 't1', 'go');
    await client.action('session/inputRequested');
    const wait = (from: RawClient, kind: 'queued' | 'steering', id: string, text = id) =>
      from.dispatch({ type: 'session/pendingMessageSet', session, kind, id, userMessage: { text } });
    await wait(client, 'queued', 'queued');
    await wait(client, 'steering', 'taken');
    await wait(client, 'steering', 'untaken');
    await stopHost(first);

    const second = await startHost();
    const again = await second.connect();
    const [summary] = (await again.request('listSessions', {})).items;
    assert.equal(summary?.status, SessionStatus.Error);
    const state = await again.sessionState(session);
    assert.equal(state.activeTurn, undefined);
    assert.equal(state.activeClient, undefined);
    assert.equal(state.inputRequests, undefined);
    assert.equal(state.steeringMessage, undefined);
    assert.deepEqual(
      state.queuedMessages?.map(({ id }) => id),
      ['taken', 'untaken', 'queued'],
    );
    const [ended] = state.turns;
    assert.deepEqual([ended?.id, ended?.state, ended?.error?.errorType], ['t1', 'error', 'hostRestarted']);
    const [said, call] = ended?.responseParts ?? [];
    assert.equal(said?.kind === 'markdown' && 'content' in said && said.content, 'so far');
    assert.equal(call?.kind === 'toolCall' && 'toolCall' in call && call.toolCall.status, 'cancelled');
    // Changing what waits is not sending it.
    await wait(again, 'queued', 'queued', 'changed');
    await again.settled();
    assert.equal((await again.sessionState(session)).queuedMessages?.length, 3);
    assert.deepEqual(again.actions('session/turnStarted'), []);
    // The user sends something: the queue goes on.
    await say(again, 't2', 'go on');
    await again.action('session/turnComplete', 4);
    assert.deepEqual(
      (await again.sessionState(session)).turns.map(({ userMessage }) => userMessage.text),
      ['go', 'go on', 'taken', 'untaken', 'changed'],
    );
  });

  it('refuses a client of the run before, so that it starts over', async () => {
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    const { fromSeq } = await client.snapshot(session);
    await stopHost(first);
    const again = await (await startHost()).open();
    const params = { clientId: 'client-a', lastSeenServerSeq: fromSeq, subscriptions: [session] };
    assert.equal((await again.refusal('reconnect', params)).code, ErrorCode.NotFound);
    const { snapshots } = await again.initialize('client-a', [session]);
    assert.deepEqual(
      snapshots.map(({ resource }) => resource),
      [session],
    );
  });

  it('numbers above all that was numbered before, whichever session was the last', async () => {
    const uris = ['scripted:/a', 'scripted:/b', 'scripted:/c'];
    const params = { provider: 'scripted', workingDirectory: pathToFileURL(work).href };
    let highest = 0;
    for (const last of uris) {
      const host = await startHost();
      const client = await host.open();
      const { serverSeq } = await client.initialize('client-a', []);
      assert.ok(serverSeq > highest, `${serverSeq} comes after ${highest}`);
      for (const uri of uris) {
        if (highest === 0) await client.request('createSession', { ...params, session: uri });
        await client.subscribed(uri);
      }
      ({ serverSeq: highest } = await client.dispatch({ type: 'session/titleChanged', session: last, title: `last ${last}` }));
      await stopHost(host);
    }
    const { serverSeq } = await (await (await startHost()).open()).initialize('client-a', []);
    assert.ok(serverSeq > highest, `${serverSeq} comes after ${highest}`);
  });

  it('tells an agent of a cut that happened while it had no backend', async () => {
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    for (const id of ['t1', 't2']) await turn(client, id);
    await stopHost(first);
    const second = await startHost();
    const again = await second.connect();
    await again.subscribed(session);
    await again.dispatch({ type: 'session/truncated', session, turnId: 't1' });
    assert.deepEqual(second.agent.truncations, []);
    await turn(again, 't3');
    assert.deepEqual(second.agent.truncations, ['t1']);
  });

  it('asks for a token again where an agent needs one, in the turn that needs it', async () => {
    const protectedResources = [{ resource: 'https://api.example.org' }];
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    await stopHost(first);

    const second = await startHost();
    second.agent.setInfo({ protectedResources });
    const again = await second.connect();
    await again.subscribed(session);
    await say(again, 't2', 'x');
    assert.deepEqual((await again.action('session/error')).error, { errorType: 'authRequired', message: 'Scripted needs you to sign in' });
    await again.request('authenticate', { resource: 'https://api.example.org', token: 'good' });
    await turn(again, 't3');
    assert.deepEqual(
      (await again.sessionState(session)).turns.map(({ state }) => state),
      ['complete', 'error', 'complete'],
    );
  });

  it('says in the turn when the working directory has gone', async () => {
    const first = await startHost();
    const client = await first.connect();
    const gone = mkdtempSync(join(work, 'gone-'));
    await first.session(client, { workingDirectory: pathToFileURL(gone).href });
    await turn(client, 't1');
    await stopHost(first);
    rmSync(gone, { recursive: true });
    const again = await (await startHost()).connect();
    assert.equal((await again.sessionState(session)).turns.length, 1);
    await say(again, 't2', 'x');
    const { error } = await again.action('session/error');
    assert.match((error as { message: string }).message, /working directory is not a directory/);
  });

  it('cuts a half line and keeps everything before it', async () => {
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    const before = await client.sessionState(session);
    await stopHost(first);
    const [log] = logFiles();
    appendFileSync(log!, '{"at":1,"envelope":{"serverSeq":99,"act');
    const told: string[] = [];
    const second = await startHost({ logger: { ...nullLogger, warn: (text: unknown) => void told.push(String(text)) } });
    assert.deepEqual(await (await second.connect()).sessionState(session), before);
    assert.ok(readFileSync(log!, 'utf8').endsWith('\n'));
    assert.match(told.join('\n'), /the last line of its log was incomplete and is removed/);
  });

  it('keeps what stands before a damaged line, and the damaged file beside; a log without a beginning is put aside', async () => {
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    const before = await client.sessionState(session);
    await turn(client, 't2');
    await stopHost(first);
    const [log] = logFiles();
    const lines = readFileSync(log!, 'utf8').split('\n');
    const start = lines.findIndex((line) => line.includes('chat/turnStarted') && line.includes('t2'));
    lines[start] = '\0'.repeat(10);
    writeFileSync(log!, lines.join('\n'));
    const told: string[] = [];
    const logger = { ...nullLogger, error: (text: unknown) => void told.push(String(text)) };
    const second = await startHost({ logger });
    const state = await (await second.connect()).sessionState(session);
    assert.deepEqual(state.turns, before.turns);
    assert.ok(existsSync(join(log!, '..', 'log.damaged.jsonl')));
    assert.match(told.join('\n'), /line \d+ of its log cannot be read; log\.damaged\.jsonl keeps what follows/);
    await stopHost(second);

    truncateSync(log!, 3);
    const third = await startHost({ logger });
    assert.deepEqual((await (await third.connect()).request('listSessions', {})).items, []);
    assert.ok(readdirSync(folder).some((name) => name.startsWith('damaged-')));
    assert.match(told.join('\n'), /cannot be read and is put aside as .*damaged-/);
  });

  describe('that cannot be read', () => {
    /** A session that ran one turn, as its host left it, with what stands in its log. */
    const leave = async (prepare?: (client: RawClient) => Promise<void>) => {
      const host = await startHost();
      const client = await host.connect();
      await host.session(client, { workingDirectory: pathToFileURL(work).href });
      await turn(client, 't1', 'a first message');
      await prepare?.(client);
      await stopHost(host);
      const [log] = logFiles();
      assert.ok(log !== undefined);
      return log;
    };
    /** The next run finds it interrupted: its log has to be read. */
    const interrupt = (log: string) => appendFileSync(log, '{"at":1,"envelope":{"serverSeq":99,"act');
    const errors: string[] = [];
    const startLogged = () => {
      errors.length = 0;
      return startHost({ logger: { ...nullLogger, error: (text: unknown) => void errors.push(String(text)) } });
    };
    const isAside = () => readdirSync(folder).some((name) => name.startsWith('damaged-') || name.startsWith('trash-'));
    const refusals = async (host: TestHost, client: RawClient) => {
      const opened = await client.refusal('subscribe', { resource: session });
      const taken = await client.refusal('createSession', { session, provider: 'scripted', workingDirectory: host.directoryUri });
      assert.equal(taken.code, ErrorCode.SessionAlreadyExists);
      const { rejectionReason } = await client.dispatch({ type: 'session/titleChanged', session, title: 'x' });
      assert.equal(rejectionReason, opened.message);
      return opened.message;
    };

    it('stays where it is, is listed with the reason, and is there again when it can be', async () => {
      const log = await leave();
      const before = readFileSync(log, 'utf8');
      interrupt(log);
      renameSync(log, `${log}.kept`);
      mkdirSync(log); // EISDIR: nobody may read it, not even root.
      const host = await startLogged();
      const client = await host.connect();
      const other = 'scripted:/other';
      await client.request('createSession', { session: other, provider: 'scripted', workingDirectory: host.directoryUri });
      const [item] = (await client.request('listSessions', {})).items.filter(({ resource }) => resource === session);
      assert.deepEqual([item?.title, item?.status], ['a first message', SessionStatus.Error]);
      assert.match(item?.activity ?? '', /cannot be read.*EISDIR/);
      assert.match(await refusals(host, client), /cannot be read.*EISDIR/);
      assert.match(errors.join('\n'), /scripted:\/session-1.*EISDIR/);
      assert.ok(!isAside());

      rmdirSync(log);
      renameSync(`${log}.kept`, log);
      const state = await client.sessionState(session);
      assert.deepEqual(
        state.turns.map(({ userMessage }) => userMessage.text),
        ['a first message'],
      );
      const told = await client.until('the news of its summary', () =>
        client.notifications().find((one) => one.type === 'notify/sessionSummaryChanged' && one.session === session),
      );
      assert.ok(told.type === 'notify/sessionSummaryChanged');
      assert.deepEqual([told.changes.status, told.changes.activity], [state.summary.status, '']);
      // The numbers of its log are above those of this run. What comes now is kept all the same.
      assert.ok(JSON.parse(before.split('\n').at(-2)!).envelope.serverSeq > 5);
      await client.dispatch({ type: 'session/titleChanged', session, title: 'Renamed' });
      await stopHost(host);
      const again = await (await startHost()).connect();
      assert.equal((await again.sessionState(session)).summary.title, 'Renamed');
    });

    it('is not taken for one that was never made', async () => {
      const log = await leave();
      const before = readFileSync(log);
      renameSync(log, `${log}.kept`);
      symlinkSync('log.jsonl', log); // ELOOP: it is not known what is there.
      const host = await startLogged();
      const client = await host.connect();
      assert.match((await client.request('listSessions', {})).items[0]?.activity ?? '', /ELOOP/);
      assert.match(await refusals(host, client), /ELOOP/);
      assert.deepEqual(readFileSync(`${log}.kept`), before);
      assert.ok(!isAside());
    });

    it('stays also when nothing is known of it, and its name is not given away', async () => {
      const log = await leave();
      rmSync(join(log, '../summary.json'));
      renameSync(log, `${log}.kept`);
      mkdirSync(log);
      const host = await startLogged();
      const client = await host.connect();
      assert.deepEqual((await client.request('listSessions', {})).items, []);
      assert.match(errors.join('\n'), /EISDIR/);
      const params = { session, provider: 'scripted', workingDirectory: host.directoryUri };
      assert.equal((await client.refusal('createSession', params)).code, ErrorCode.SessionAlreadyExists);
      assert.ok(existsSync(`${log}.kept`) && !isAside());
    });

    for (const known of ['a summary', 'no summary']) {
      it(`because it is of a newer version stays as it is and says what to do, with ${known}`, async () => {
        const log = await leave((client) =>
          client.dispatch({ type: 'session/titleChanged', session, title: 'From tomorrow' }).then(() => undefined),
        );
        const [head, ...rest] = readFileSync(log, 'utf8').split('\n');
        const { format, ...others } = JSON.parse(head!) as { format: number };
        writeFileSync(log, [JSON.stringify({ format: format + 1, ...others, more: {} }), ...rest, 'half a li'].join('\n'));
        const summary = join(log, '../summary.json');
        if (known === 'no summary') rmSync(summary);
        else {
          const file = JSON.parse(readFileSync(summary, 'utf8')) as object;
          writeFileSync(summary, JSON.stringify({ ...file, format: format + 1, logSize: readFileSync(log).length }));
        }
        const files = () => readdirSync(join(log, '..')).map((name) => [name, readFileSync(join(log, '..', name), 'utf8')]);
        const before = files();
        const host = await startLogged();
        const client = await host.connect();
        const [item] = (await client.request('listSessions', {})).items;
        assert.equal(item?.resource, session);
        assert.match(item?.activity ?? '', /newer version of Tapline.*Update Tapline/);
        assert.match(await refusals(host, client), /newer version of Tapline.*Update Tapline/);
        await stopHost(host);
        assert.deepEqual(files(), before);
        assert.ok(!isAside());
      });
    }

    it('can be deleted', async () => {
      const log = await leave();
      interrupt(log);
      renameSync(log, `${log}.kept`);
      mkdirSync(log);
      const host = await startLogged();
      const client = await host.connect();
      await client.request('disposeSession', { session });
      assert.deepEqual((await client.request('listSessions', {})).items, []);
      assert.ok(!existsSync(join(log, '..')));
    });
  });

  it('forgets a session for good when it is disposed of, with all that it kept', async () => {
    const first = await startHost();
    first.agent.onTurn = async (running, host) => {
      running.markdown(host.storeContent('kept', 'text/plain').uri);
    };
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    const part = (await client.sessionState(session)).turns[0]?.responseParts[0];
    const uri = part?.kind === 'markdown' && 'content' in part ? part.content : '';
    await stopHost(first);

    const second = await startHost();
    const again = await second.connect();
    const { data, contentType } = await again.request('resourceRead', { uri });
    assert.deepEqual([data, contentType], ['kept', 'text/plain']);
    await again.request('disposeSession', { session });
    assert.deepEqual((await again.request('listSessions', {})).items, []);
    assert.equal((await again.refusal('subscribe', { resource: session })).code, ErrorCode.SessionNotFound);
    assert.equal((await again.refusal('resourceRead', { uri })).code, ErrorCode.NotFound);
    await stopHost(second);
    assert.deepEqual((await (await (await startHost()).connect()).request('listSessions', {})).items, []);
    assert.deepEqual(logFiles(), []);
  });

  for (const sessionsFolder of ['on disk', undefined]) {
    it(`leaves to a fork what its turns refer to when its source is deleted, ${sessionsFolder ?? 'in memory'}`, async () => {
      const options = sessionsFolder === undefined ? { sessionsFolder } : {};
      let host = await startHost(options);
      host.agent.onTurn = async (running, agentHost) => {
        const side = (text: string) => ({ uri: 'file:///f', content: agentHost.storeContent(text, 'text/plain') });
        const call = running.toolCall({ toolName: 't', displayName: 'T' });
        call.run({ invocationMessage: 'running' }, 'not-needed');
        const { text } = running.message;
        const edit = { type: 'fileEdit' as const, before: side(`before ${text}`), after: side(`after ${text}`) };
        call.complete({ success: true, pastTenseMessage: 'ran', content: [edit] });
      };
      let client = await host.connect();
      await host.session(client, { workingDirectory: pathToFileURL(work).href });
      for (const id of ['t1', 't2']) await turn(client, id);
      const refs = async (uri: string) => {
        const { turns } = await client.sessionState(uri);
        return [...JSON.stringify(turns).matchAll(/tapline-content:[^"]*/g)].map(([ref]) => ref);
      };
      const texts = async (uris: string[]) => {
        const found = [];
        for (const uri of uris) found.push((await client.request('resourceRead', { uri })).data);
        return found;
      };
      const own = await refs(session);
      assert.deepEqual(await texts(own), ['before t1', 'after t1', 'before t2', 'after t2']);

      await client.request('createSession', { session: 'scripted:/fork', fork: { session, turnId: 't2' } });
      await client.request('createSession', { session: 'scripted:/fork-2', fork: { session: 'scripted:/fork', turnId: 't1' } });
      await client.request('disposeSession', { session });
      assert.deepEqual(await texts(await refs('scripted:/fork')), ['before t1', 'after t1', 'before t2', 'after t2']);
      await client.request('disposeSession', { session: 'scripted:/fork' });
      if (sessionsFolder !== undefined) {
        await stopHost(host);
        host = await startHost();
        client = await host.connect();
      }
      assert.deepEqual(await texts(await refs('scripted:/fork-2')), ['before t1', 'after t1']);
      // And no longer than somebody refers to it.
      const last = await refs('scripted:/fork-2');
      await client.request('disposeSession', { session: 'scripted:/fork-2' });
      for (const uri of [...own, ...last]) assert.equal((await client.refusal('resourceRead', { uri })).code, ErrorCode.NotFound);
    });
  }

  it('makes no fork of a source that was deleted meanwhile', async () => {
    const host = await startHost();
    const client = await host.connect();
    await host.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    const asked = gate();
    const held = gate();
    host.agent.resolveSessionConfig = async () => {
      asked.open();
      await held.promise;
      return host.agent.config;
    };
    const refusal = client.refusal('createSession', { session: 'scripted:/fork', fork: { session, turnId: 't1' } });
    await asked.promise;
    await client.request('disposeSession', { session });
    held.open();
    assert.equal((await refusal).code, ErrorCode.SessionNotFound);
    assert.deepEqual((await client.request('listSessions', {})).items, []);
  });

  it('lists by summaries alone, and reads turns when someone asks for them', async () => {
    const first = await startHost();
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1', 'original text');
    await stopHost(first);
    const [log] = logFiles();
    const change = (path: string, from: string, to: string) =>
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`"${from}"`, `"${to}"`));
    change(join(log!, '../summary.json'), 'original text', 'as summed up');
    const second = await startHost();
    const again = await second.connect();
    const whole = readFileSync(log!, 'utf8');
    writeFileSync(log!, '');
    const unread = await again.refusal('subscribe', { resource: session });
    assert.equal(unread.code, ErrorCode.InternalError);
    assert.match(unread.message, /cannot be read from this host's disk/);
    writeFileSync(log!, whole);
    change(log!, 'original text', 'replaced text');
    assert.deepEqual(
      (await again.request('listSessions', {})).items.map(({ title }) => title),
      ['as summed up'],
    );
    assert.equal((await again.sessionState(session)).turns[0]?.userMessage.text, 'replaced text');
  });

  it('lets idle sessions sleep from the fifty-first on', async () => {
    const host = await startHost();
    const client = await host.connect();
    for (let count = 0; count < 50; count++) client.notify('unsubscribe', { resource: await host.session(client) });
    await client.settled();
    assert.equal(host.agent.disposedSessions, 0);
    await host.session(client);
    await client.settled();
    assert.equal(host.agent.disposedSessions, 1);
  });

  it('lets idle sessions sleep, and wakes them for whoever asks', async () => {
    const host = await startHost({ maxAwakeSessions: 2 });
    const client = await host.connect();
    const uris: string[] = [];
    const states: SessionState[] = [];
    for (let index = 0; index < 5; index++) {
      const uri = await host.session(client);
      await client.dispatch({ type: 'session/turnStarted', session: uri, turnId: 't', userMessage: { text: `message ${index}` } });
      await client.action('session/turnComplete', index + 1);
      uris.push(uri);
      states.push(await client.sessionState(uri));
      client.notify('unsubscribe', { resource: uri });
    }
    await client.settled();
    assert.ok(host.agent.disposedSessions >= 2, `${host.agent.disposedSessions} sleep`);
    const { items } = await client.request('listSessions', {});
    assert.deepEqual(
      items,
      states.map(({ summary }) => summary),
    );
    for (const [index, uri] of uris.entries()) {
      assert.deepEqual(await client.sessionState(uri), states[index]);
      client.notify('unsubscribe', { resource: uri });
    }
    // Acted on without being subscribed to.
    const archived = await client.dispatch({ type: 'session/isArchivedChanged', session: uris[0]!, isArchived: true });
    assert.equal(archived.rejectionReason, undefined);
    const fetched = await client.request('fetchTurns', { session: uris[1]! });
    assert.deepEqual(fetched.turns, states[1]?.turns);
    await client.request('disposeSession', { session: uris[2]! });
    assert.equal((await client.request('listSessions', {})).items.length, 4);
  });

  it('keeps the session of an earlier subagent when an engine uses the id of its tool call again', async () => {
    const subagents: string[] = [];
    const useSubagent = (host: TestHost) => {
      host.agent.onTurn = async ({ message }, agentHost) => {
        const subagent = agentHost.startSubagent({ toolCallId: 'call_1', title: 'Research', prompt: message.text });
        subagents.push(nameOfChat(subagent.chat) ?? '');
        subagent.complete();
      };
    };
    const first = await startHost();
    useSubagent(first);
    const client = await first.connect();
    await first.session(client, { workingDirectory: pathToFileURL(work).href });
    await turn(client, 't1');
    await turn(client, 't2');
    await stopHost(first);

    const second = await startHost();
    useSubagent(second);
    const later = await second.connect();
    await later.subscribed(session);
    await turn(later, 't3');
    const prompts = [];
    for (const uri of subagents) prompts.push((await later.sessionState(uri)).turns.map(({ userMessage }) => userMessage.text));
    assert.deepEqual(prompts, [['t1'], ['t2'], ['t3']]);
    assert.equal((await later.request('listSessions', {})).items.length, 4);
  });

  it('tells the last change of a session that falls asleep', async () => {
    const host = await startHost({ maxAwakeSessions: 1 });
    const client = await host.connect();
    const quiet = await host.session(client);
    client.notify('unsubscribe', { resource: quiet });
    await client.settled();
    client.post({ type: 'session/titleChanged', session: quiet, title: 'The last word' });
    // Makes the first one sleep before its changes have been gathered for long.
    await host.session(client);
    await client.until('its title', () =>
      client
        .notifications()
        .find((notification) => notification.type === 'notify/sessionSummaryChanged' && notification.changes.title === 'The last word'),
    );
  });

  it('holds on to a session whose command runs on after the turn, and to that of its subagent', async () => {
    const host = await startHost({ maxAwakeSessions: 1 });
    let terminal = '';
    host.agent.onTurn = async (_turn, agentHost) => {
      const subagent = agentHost.startSubagent({ toolCallId: 'sub', title: 'Sub', prompt: 'x' });
      ({ terminal } = await agentHost.runCommand({ turn: subagent, toolCallId: 'c', commandLine: 'read line', title: 'Wait' }));
      subagent.complete();
    };
    const client = await host.connect();
    const busy = await host.session(client);
    await client.dispatch({ type: 'session/turnStarted', session: busy, turnId: 't', userMessage: { text: 'x' } });
    await client.action('session/turnComplete');
    client.notify('unsubscribe', { resource: busy });
    const next = async () => client.notify('unsubscribe', { resource: await host.session(client) });
    await next();
    await next();
    await client.settled();
    const before = host.agent.disposedSessions;
    assert.equal(before, 1, 'one of the others sleeps');
    await client.subscribed(terminal);
    await client.dispatch({ type: 'terminal/input', terminal, data: '\r' });
    await client.action('terminal/exited');
    await next();
    await client.settled();
    assert.ok(host.agent.disposedSessions > before + 1, 'now it sleeps too');
  });

  it('holds on to sessions where something goes on or someone looks', async () => {
    const host = await startHost({ maxAwakeSessions: 1 });
    const held = gate();
    host.agent.onTurn = () => held.promise;
    const client = await host.connect();
    const busy = await host.session(client);
    await client.dispatch({ type: 'session/turnStarted', session: busy, turnId: 't', userMessage: { text: 'x' } });
    client.notify('unsubscribe', { resource: busy });
    const watched = await host.session(client);
    await host.session(client);
    assert.equal(host.agent.disposedSessions, 0);
    held.open();
    await client.subscribed(watched);
    assert.equal((await client.request('listSessions', {})).items.length, 3);
  });

  describe('when the disk is full', () => {
    let full: boolean;
    const writeSessions = (fd: number, data: Uint8Array, offset: number) => {
      if (!full) return writeToDisk(fd, data, offset);
      // As a disk does it: some of the bytes still fit.
      if (offset === 0 && data.length > 10) return writeToDisk(fd, data.subarray(0, 10), 0);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    beforeEach(() => (full = false));

    it('ends the turn with the reason, takes no messages, and goes on when there is room again', async () => {
      const host = await startHost({ writeSessions });
      const client = await host.connect();
      await host.session(client, { workingDirectory: pathToFileURL(work).href });
      await turn(client, 't1');
      const stopped = gate();
      host.agent.onTurn = async (running) => {
        running.signal.addEventListener('abort', () => stopped.open());
        running.markdown('this fits');
        full = true;
        running.markdown(' this does not');
        await stopped.promise;
      };
      await say(client, 't2', 'go');
      await stopped.promise;
      const state = await client.sessionState(session);
      assert.deepEqual([state.turns[1]?.state, state.turns[1]?.error?.errorType], ['error', 'notSaved']);
      assert.match(state.turns[1]?.error?.message ?? '', /cannot be saved \(ENOSPC/);
      assert.match(String(state._meta?.['tapline.notSaved']), /ENOSPC/);
      host.agent.onTurn = async (running) => running.markdown('again');
      const message = { session, userMessage: { text: 'x' } };
      for (const action of [
        { type: 'session/turnStarted', turnId: 't3', ...message },
        { type: 'session/pendingMessageSet', kind: 'queued', id: 'q', ...message },
      ])
        assert.match((await client.dispatch(action)).rejectionReason ?? '', /cannot be saved \(ENOSPC/);
      const refused = await client.refusal('createSession', {
        session: 'scripted:/new',
        provider: 'scripted',
        workingDirectory: pathToFileURL(work).href,
      });
      assert.equal(refused.code, ErrorCode.InternalError);
      assert.match(refused.message, /cannot be saved: ENOSPC/);
      assert.equal((await client.refusal('subscribe', { resource: 'scripted:/new' })).code, ErrorCode.SessionNotFound);
      // What needs no agent is still done, in memory.
      assert.equal((await client.dispatch({ type: 'session/titleChanged', session, title: 'kept in memory' })).rejectionReason, undefined);

      full = false;
      await turn(client, 't4');
      const healed = await client.sessionState(session);
      assert.equal(healed._meta, undefined);
      assert.equal(healed.summary.title, 'kept in memory');
      await stopHost(host);
      const again = await (await startHost()).connect();
      assert.deepEqual(await again.sessionState(session), healed);
    });

    it('appends nothing behind what was half written, though there is room again', async () => {
      const host = await startHost({ writeSessions });
      const client = await host.connect();
      await host.session(client, { workingDirectory: pathToFileURL(work).href });
      await turn(client, 't1');
      const before = await client.sessionState(session);
      full = true;
      await client.dispatch({ type: 'session/titleChanged', session, title: 'half' });
      full = false;
      await client.dispatch({ type: 'session/titleChanged', session, title: 'whole' });
      // As after a kill: the folder as it is now.
      const copy = join(work, 'sessions');
      cpSync(folder, copy, { recursive: true });
      const [log] = logFiles();
      assert.ok(!readFileSync(log!, 'utf8').includes('whole'));
      const after = await (await startHost({ sessionsFolder: copy })).connect();
      assert.deepEqual(await after.sessionState(session), before);
    });

    it('leaves a log that can be read when the host is ended in that state', async () => {
      const host = await startHost({ writeSessions });
      const client = await host.connect();
      await host.session(client, { workingDirectory: pathToFileURL(work).href });
      await turn(client, 't1');
      const before = await client.sessionState(session);
      full = true;
      await client.dispatch({ type: 'session/titleChanged', session, title: 'not saved' });
      assert.match(String((await client.sessionState(session))._meta?.['tapline.notSaved']), /ENOSPC/);
      await stopHost(host);
      const again = await (await startHost()).connect();
      assert.deepEqual(await again.sessionState(session), before);
    });
  });
});
