import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { findOrStartDaemon } from '../../../src/base/daemon/daemon.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { english } from '../../../src/base/text/phrase.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { OwnerClient, type OwnerState } from '../../../src/tap/owner/ownerClient.ts';
import { Time } from '../../../src/tap/wire/limits.ts';
import { atRest, eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, type GatewayProcess, gatewayScript, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { isAlive, processesWith, untilGone } from '../../support/processes.ts';
import { RawProvider, TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const WAIT_MS = 15_000;
const script = join(import.meta.dirname, '../../fixtures/projectProvider.mjs');
const projectProvider = (mode: string, name = 'ci') => ({ name, command: process.execPath, args: [script, mode, name], env: {} });
/** Process ids of running providers and of what they have started. */
async function pidsOf(owner: TestOwner, names: string[]): Promise<number[]> {
  const pids = [];
  for (const name of names)
    pids.push((await owner.next('provider/state', (params) => params.name === name && params.state === 'running', WAIT_MS)).pid ?? 0);
  const isChild = (line: string) => line.startsWith('child ');
  const { lines } = await owner.next('provider/output', (params) => params.lines.some(isChild), WAIT_MS);
  pids.push(Number(lines.find(isChild)?.split(' ')[1]));
  for (const pid of pids) assert.ok(isAlive(pid));
  return pids;
}
const greet = { name: 'greet', description: 'x', parameters: {} };

describe('gateway as a process', () => {
  let home: GatewayHome;
  beforeEach(() => (home = new GatewayHome()));
  afterEach(async () => {
    await endDaemons(home.lockFile);
    home.remove();
  });
  const run = (args: string[]) => promisify(execFile)(process.execPath, [gatewayScript, ...args], { env: { ...process.env, ...home.env } });
  const authenticated = async (url: string, token: string) => {
    const peer = await RawProvider.open(url);
    peer.say({ type: 'auth', token });
    await peer.next('sessions');
    return peer;
  };

  it('prints one JSON line, keeps its secrets in files for the user alone, and removes them at the end', async () => {
    const gateway = await startGatewayProcess(home, ['--port', '0', '--verbose']);
    assert.deepEqual(Object.keys(JSON.parse(gateway.stdout()) as object), ['url', 'tokenFile', 'ownerSecretFile']);
    assert.equal(gateway.tokenFile, home.tokenFile);
    for (const file of [gateway.tokenFile, gateway.ownerSecretFile, home.lockFile]) {
      assert.equal(statSync(file).mode & 0o777, 0o600, file);
      assert.equal(statSync(dirname(file)).mode & 0o777, 0o700, file);
    }
    const peer = await authenticated(gateway.url, gateway.token);
    assert.equal(await gateway.stop(), 0);
    assert.equal(await peer.closed(), 1001);
    for (const file of [gateway.tokenFile, gateway.ownerSecretFile, home.lockFile]) assert.ok(!existsSync(file), file);
    assert.ok(!`${gateway.stdout()}${gateway.stderr()}`.includes(gateway.token));
    assert.ok(!`${gateway.stdout()}${gateway.stderr()}`.includes(gateway.secret));
  });

  it('that hangs is noticed by an owner: its calls end, and it reconnects when the gateway continues', async () => {
    const gateway = await startGatewayProcess(home);
    const clock = new FakeClock();
    const find = async () => ({ url: gateway.url, token: gateway.secret });
    const client = new OwnerClient({ name: 'test', find, logger: nullLogger, clock, random: () => 0.5 });
    const states: OwnerState[] = [];
    client.onDidChangeState((state) => states.push(state));
    const is = (kind: OwnerState['kind']) => eventually(() => client.state.kind === kind, kind, WAIT_MS);
    const { pid } = readDaemonRecord(home.lockFile) as DaemonRecord;
    const peer = await authenticated(gateway.url, gateway.token);
    try {
      await is('connected');
      const session = client.addSession({ sessionId: 'a', label: 'a' });
      await peer.next('sessions');
      peer.say({ type: 'hello', name: 'provider', protocolVersion: 2, session: 'a', tools: [greet] });
      await peer.next('hello.ack');
      for (let seconds = 0; seconds < 60; seconds += 5) {
        clock.advance(5_000);
        await client.request('diagnostics', {});
      }
      assert.deepEqual(
        states.map(({ kind }) => kind),
        ['connected'],
        'while it answers',
      );
      const call = assert.rejects(session.call('greet', {}), { message: 'the gateway does not answer' });
      await peer.next('tool.call');
      process.kill(pid, 'SIGSTOP');
      for (let seconds = 0; seconds < 30; seconds += 5) clock.advance(5_000);
      await withTimeout(call, WAIT_MS, 'the end of the call');
      const last = states.at(-1);
      assert.equal(last?.kind === 'waiting' && english(last.error), 'the gateway does not answer');
      process.kill(pid, 'SIGCONT');
      await eventually(() => (clock.advance(1_000), client.state.kind === 'connected'), 'the link', WAIT_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
      client.dispose();
      peer.dispose();
    }
    assert.equal(await gateway.stop(), 0);
  });

  it('listens on ::1 as well where it is told to', async () => {
    const gateway = await startGatewayProcess(home, ['--port', '0', '--ipv6']);
    for (const host of ['127.0.0.1', '[::1]']) {
      const peer = await authenticated(`ws://${host}:${gateway.port}`, gateway.token);
      peer.dispose();
    }
    await gateway.stop();
  });

  it('does not write its token through a symbolic link', async () => {
    mkdirSync(dirname(home.tokenFile), { recursive: true });
    const victim = join(home.folder, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, home.tokenFile);
    const gateway = await startGatewayProcess(home);
    assert.equal(readFileSync(victim, 'utf8'), 'untouched');
    assert.equal(await gateway.stop(), 0);
  });

  it('has new secrets at each start, also after a kill; the old ones are invalid', async () => {
    const killed = await startGatewayProcess(home);
    (await authenticated(killed.url, killed.token)).dispose();
    await killed.stop('SIGKILL');
    assert.equal(readFileSync(home.tokenFile, 'utf8'), killed.token, 'it is left behind');
    const next = await startGatewayProcess(home, ['--port', String(killed.port)]);
    assert.notEqual(next.token, killed.token);
    assert.notEqual(next.secret, killed.secret);
    const stranger = await RawProvider.open(next.url);
    stranger.say({ type: 'auth', token: killed.token });
    // An owner that was connected could still pass it on.
    assert.equal((await stranger.next('error', WAIT_MS)).code, 'AUTH_FAILED');
    (await authenticated(next.url, next.token)).dispose();
    assert.equal(await next.stop(), 0);
  });

  it('keeps its token over every end with --keep-token, and no other secret', async () => {
    let before: GatewayProcess | undefined;
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const gateway = await startGatewayProcess(home, ['--port', '0', '--keep-token']);
      if (before) assert.equal(gateway.token, before.token);
      assert.notEqual(gateway.secret, before?.secret);
      (await authenticated(gateway.url, gateway.token)).dispose();
      await gateway.stop(signal);
      before = gateway;
    }
    assert.equal(statSync(home.tokenFile).mode & 0o777, 0o600);
    const other = await startGatewayProcess(home);
    assert.notEqual(other.token, before?.token, 'not without the option');
    await other.stop();
  });

  it('takes a new token with --keep-token where others could have written the file, and says why', async () => {
    mkdirSync(dirname(home.tokenFile), { recursive: true });
    const planted = `ptk-${'x'.repeat(43)}`;
    writeFileSync(home.tokenFile, planted, { mode: 0o644 });
    const gateway = await startGatewayProcess(home, ['--port', '0', '--keep-token']);
    assert.notEqual(gateway.token, planted);
    assert.match(gateway.stderr(), /The token is new: .*provider-token is not for you alone/);
    await gateway.stop();
  });

  it('knows the results of calls from before it ended or was killed, and lets them harm no other call', async () => {
    let before = '';
    for (const signal of ['SIGTERM', 'SIGKILL', 'SIGTERM'] as const) {
      const gateway = await startGatewayProcess(home);
      const owner = await TestOwner.of(gateway);
      const session = owner.client.addSession({ sessionId: 'a', label: 'a' });
      const peer = await authenticated(gateway.url, gateway.token);
      peer.say({ type: 'hello', name: 'p', protocolVersion: 2, session: 'a', tools: [greet] });
      await peer.next('hello.ack');
      await owner.tools('a', [...tapTools, 'greet'], WAIT_MS);
      const call = session.call('greet', {});
      const { id } = await peer.next('tool.call');
      if (before) peer.say({ type: 'tool.result', id: before, errorCode: 'CANCELLED' });
      peer.say({ type: 'tool.result', id, data: 'hello' });
      assert.deepEqual(await call, { ok: true, data: 'hello' });
      assert.ok(!peer.heard.some(({ type }) => type === 'error'));
      before = id;
      peer.dispose();
      owner.dispose();
      await gateway.stop(signal);
      const key = join(dirname(home.lockFile), 'gateway.id-key');
      assert.equal(statSync(key).mode & 0o777, 0o600);
    }
  });

  it('keeps a token file that another program has written', async () => {
    const gateway = await startGatewayProcess(home);
    writeFileSync(home.tokenFile, 'of another');
    assert.equal(await gateway.stop(), 0);
    assert.equal(readFileSync(home.tokenFile, 'utf8'), 'of another');
  });

  it('gives providers time to clean up when it is asked to end, every bound one, then closes all with 1001', async () => {
    const gateway = await startGatewayProcess(home);
    const owner = await TestOwner.of(gateway);
    await owner.session('a');
    await owner.session('b');
    const link = new WebSocket(`${gateway.url}/owner`, { headers: { Authorization: `Bearer ${gateway.secret}` } });
    await new Promise((resolve) => link.once('open', resolve));
    const linkClosed = new Promise((resolve) => link.once('close', resolve));
    const bound = [];
    for (const session of ['a', 'b', 'all']) {
      const peer = await authenticated(gateway.url, gateway.token);
      peer.say({ type: 'hello', name: `p-${session}`, protocolVersion: 2, session });
      await peer.next('hello.ack');
      bound.push({ peer, sessions: session === 'all' ? ['a', 'b'] : [session] });
    }
    const unbound = await authenticated(gateway.url, gateway.token);
    const silent = await RawProvider.open(gateway.url);
    const ended = gateway.stop();
    for (const { peer, sessions } of bound) {
      const asked = new Set<string>();
      while (asked.size < sessions.length) {
        const { state, sessionId, deadline = 0 } = await peer.next('session.lifecycle');
        if (state !== 'shutdown.pending') continue;
        assert.ok(deadline > 0 && deadline <= Time.shutdownMs);
        asked.add(sessionId);
      }
      assert.deepEqual([...asked].sort(), sessions);
      assert.equal(peer.closeCode, undefined);
    }
    for (const { peer, sessions } of bound) for (const sessionId of sessions) peer.say({ type: 'shutdown.ready', sessionId });
    assert.equal(await ended, 0);
    for (const peer of [...bound.map(({ peer }) => peer), unbound, silent]) assert.equal(await peer.closed(), 1001);
    assert.equal(await linkClosed, 1001);
    owner.dispose();
  });

  it('leaves a port to another program that has it, and says so', async () => {
    const stranger: Server = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    await assert.rejects(run(['--port', String(port)]), new RegExp(`Port ${port} is in use by another program.*--port`));
    assert.equal(readDaemonRecord(home.lockFile), undefined);
    assert.ok(!existsSync(home.tokenFile));
    stranger.close();
    const gateway = await startGatewayProcess(home, ['--port', String(port)]);
    assert.equal(gateway.port, port);
    await gateway.stop();
  });

  const withProviders = async () => {
    const gateway = await startGatewayProcess(home);
    const owner = await TestOwner.of(gateway);
    const session = await owner.session('a');
    await session.startProviders(home.folder, [projectProvider('serve'), projectProvider('stubborn', 'stubborn')]);
    return { gateway, owner, pids: await pidsOf(owner, ['ci', 'stubborn']) };
  };
  it('ends project providers when it ends, also those that ignore SIGTERM', async () => {
    const { gateway, owner, pids } = await withProviders();
    assert.equal(await gateway.stop(), 0);
    for (const pid of pids) assert.ok(!isAlive(pid));
    owner.dispose();
  });

  it('leaves no project provider behind when it is killed', async () => {
    const { gateway, owner, pids } = await withProviders();
    await gateway.stop('SIGKILL');
    await untilGone(...pids);
    owner.dispose();
  });

  it('tells no secret in its log or its status, whatever peers send', async () => {
    const gateway = await startGatewayProcess(home, ['--port', '0', '--verbose']);
    const owner = await TestOwner.of(gateway);
    const session = await owner.session('a');
    const secrets = [gateway.token, gateway.secret, await session.issueToken()];
    const spawned = await authenticated(gateway.url, secrets[2]!);
    spawned.say({ type: 'hello', name: 'spawned', instance: 'one', protocolVersion: 2, tools: [greet] });
    secrets.push((await spawned.next('hello.ack')).reconnectToken ?? '');
    // Paired: first with a wrong code.
    const pairing = async () => {
      const peer = await RawProvider.open(gateway.url, { headers: { Origin: 'http://page.example' } });
      return peer.say({ type: 'auth', mode: 'pair' });
    };
    const clumsy = await pairing();
    const { code } = await owner.next('pairing/started');
    clumsy.say({ type: 'auth.confirm', code: code === '000000' ? '000001' : '000000' });
    await clumsy.closed();
    const paired = (await pairing()).say({ type: 'auth.confirm', code });
    secrets.push((await paired.next('sessions')).token ?? '');
    // A provider that prints its token, on an owner's behalf.
    await session.startProviders(home.folder, [projectProvider('serve')]);
    await owner.next('provider/output', ({ lines }) => lines.some((line) => line.includes('my token is')), WAIT_MS);
    await owner.next('tools/changed', ({ tools }) => tools.some(({ name }) => name === 'where'), WAIT_MS);
    const told = await session.call('where', { token: true });
    secrets.push(String(told.ok && 'data' in told && told.data));
    // Each secret in wrong places: a wrong field, an unknown type, broken JSON, a name, a session, an error.
    for (const secret of secrets) {
      for (const frame of [
        `{"type":"auth","token":"${secret}`,
        secret,
        { type: secret },
        { type: 'auth', token: secret, mode: secret },
        { type: 'hello', name: secret, protocolVersion: 2, session: secret },
      ]) {
        const peer = await authenticated(gateway.url, gateway.token);
        peer.say(frame);
        assert.ok((await peer.next('error')).message);
        peer.dispose();
      }
      spawned.say({ type: 'tools.update', tools: [{ name: secret.replace(/[^\w-]/g, '_'), parameters: { $ref: secret } }] });
      await spawned.next('error');
      const thief = await RawProvider.open(gateway.url, { headers: { Origin: 'http://evil.example' } });
      thief.say({ type: 'auth', token: secret });
      await thief.closed();
      await assert.rejects(
        RawProvider.open(`${gateway.url}/owner?tkn=${secret}`, { headers: { Authorization: `Bearer ${secret}x` } }),
        /401/,
      );
    }
    const status = `${(await run(['status'])).stdout}${(await run(['status', '--json'])).stdout}`;
    await session.end(0);
    owner.dispose();
    await gateway.stop();
    const log = gateway.stderr();
    for (const line of log.trimEnd().split('\n')) assert.match(line, /^(\d{4}-\d\d-\d\dT\S+Z \[(info|warn|error)\] |  )/);
    assert.match(log, /refused a connection: 401/);
    assert.match(status, /AUTH_FAILED/);
    assert.match(status, /UNKNOWN_TYPE/);
    assert.match(status, /Project providers \(1\)\n {2}ci of a: running, process \d+/);
    for (const secret of [...secrets, code]) {
      assert.match(secret, /^((own|ptk|ext|tok)-[\w-]{43}|\d{6})$/);
      const part = secret.slice(0, 25); // half of the random part or more would be redacted
      assert.ok(!log.includes(part), `in the log: ${part}`);
      assert.ok(!status.includes(part), `in the status: ${part}`);
      assert.ok(!gateway.stdout().includes(part));
    }
  });

  it('is one for a user: a second says where the first is', async () => {
    const gateway = await startGatewayProcess(home);
    await assert.rejects(run(['--port', String(gateway.port)]), new RegExp(`is already running on ${gateway.url}`));
    await assert.rejects(run(['--port', '0']), /is already running/);
    assert.ok(await isDaemonAlive(readDaemonRecord(home.lockFile) as DaemonRecord));
    assert.equal(await gateway.stop(), 0);
  });

  it('tells its status, without secrets', async () => {
    await assert.rejects(run(['status']), /No gateway of this user is running/);
    const gateway = await startGatewayProcess(home);
    const owner = await TestOwner.of(gateway);
    await owner.session('a');
    const peer = await authenticated(gateway.url, gateway.token);
    peer.say({ type: 'hello', name: 'p', protocolVersion: 2, session: 'a', tools: [greet] }).say({ type: 'nonsense' });
    await peer.next('error');
    const { stdout } = await run(['status']);
    assert.ok(stdout.includes(`Sessions (1)\n  a  label of a  idle, ${tapTools.length + 1} tools`), stdout);
    assert.match(stdout, /Providers \(2\)[^]*\n {2}p-\w+ {2}p \(project\) {2}sessions: a; tools: greet/);
    assert.match(stdout, /UNKNOWN_TYPE \(p\)/);
    const json = (await run(['status', '--json'])).stdout;
    assert.equal((JSON.parse(json) as { connections: number }).connections, 2);
    for (const secret of [gateway.token, gateway.secret]) assert.ok(!`${stdout}${json}`.includes(secret));
    owner.dispose();
    peer.dispose();
    await gateway.stop();
  });

  it('refuses options that make no sense, naming them', async () => {
    await assert.rejects(run(['--port', 'x']), /--port must be a whole number/);
    await assert.rejects(run(['nonsense']), /no command "nonsense"/);
    await assert.rejects(run(['--keep-token', '--daemon']), /--keep-token is for a gateway that runs by itself/);
    assert.match((await run(['--help'])).stdout, /--idle-seconds[^]*--keep-token|--keep-token[^]*--idle-seconds/);
  });
});

describe('gateway as a daemon', () => {
  let home: GatewayHome;
  const owners: TestOwner[] = [];
  const start = (idleSeconds = 60, port = 0) =>
    findOrStartDaemon(
      {
        name: 'gateway',
        lockFile: home.lockFile,
        logFile: join(home.folder, 'gateway.log'),
        args: [gatewayScript, '--daemon', '--port', String(port), '--lock-file', home.lockFile, '--idle-seconds', String(idleSeconds)],
        env: home.env,
      },
      nullLogger,
    );
  const owner = (idleSeconds?: number) => {
    const made = new TestOwner(() => start(idleSeconds));
    owners.push(made);
    return made;
  };
  beforeEach(() => (home = new GatewayHome()));
  afterEach(async () => {
    for (const made of owners.splice(0)) made.dispose();
    await endDaemons(home.lockFile);
    home.remove();
  });

  it('is one, however many owners start it at once', async () => {
    const ten = Array.from({ length: 10 }, () => owner());
    await Promise.all(ten.map((one) => one.connected(WAIT_MS)));
    const status = await ten[0]!.client.request('diagnostics', {});
    assert.equal(readDaemonRecord(home.lockFile)?.pid, status.pid);
    for (const [at, one] of ten.entries()) await one.session(`s${at}`);
    assert.equal((await ten[9]!.client.request('diagnostics', {})).sessions.length, 10);
  });

  it('takes another port when a program has the configured one, says so, and is found', async () => {
    const stranger: Server = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    const { url } = await start(60, port);
    assert.notEqual(Number(new URL(url).port), port);
    assert.match(readFileSync(join(home.folder, 'gateway.log'), 'utf8'), new RegExp(`Port ${port} is in use by another program`));
    const one = owner();
    await one.connected(WAIT_MS);
    assert.equal((await one.client.request('diagnostics', {})).pid, readDaemonRecord(home.lockFile)?.pid);
    stranger.close();
  });

  it('stays while there is an owner and ends after the last', async () => {
    const first = owner(1);
    await first.connected(WAIT_MS);
    const { pid } = readDaemonRecord(home.lockFile) as DaemonRecord;
    const second = owner(1);
    await second.connected(WAIT_MS);
    first.dispose();
    await second.session('a');
    second.dispose();
    await untilGone(pid);
    assert.equal(readDaemonRecord(home.lockFile), undefined);
  });

  it('leaves no command of an emitter when it is killed at any moment, and the next one starts the emitter again', async () => {
    const one = owner();
    await one.connected(WAIT_MS);
    const session = one.client.addSession({ sessionId: 'a', label: 'x', cwd: home.folder });
    await one.tools('a', tapTools, WAIT_MS);
    const mark = `emitter-${process.pid}-${Date.now()}`;
    const loop = `sh -c 'while :; do echo tick; sleep 0.01; done' ${mark}`;
    await session.emitters.start({ name: 'e', command: loop, eventFilter: [{ match: 'tick', outcome: 'drop' }] });
    const seen = new Set<number | undefined>();
    for (let round = 0; round < 3; round++) {
      const { emitter } = await one.next(
        'emitter/state',
        (params) => !seen.has(params.emitter.pid) && params.emitter.state === 'running',
        WAIT_MS,
      );
      seen.add(emitter.pid);
      const before = processesWith(mark);
      assert.ok(before.includes(emitter.pid ?? 0), `${emitter.pid} of ${before.join()}`);
      const { pid } = readDaemonRecord(home.lockFile) as DaemonRecord;
      process.kill(pid, 'SIGKILL');
      await untilGone(pid, ...before);
    }
    await one.next('emitter/state', (params) => !seen.has(params.emitter.pid) && params.emitter.state === 'running', WAIT_MS);
    await session.emitters.stop('e');
    // The shell may just have begun another process, which still has its name.
    await eventually(() => processesWith(mark).length === 0, 'the end of all', WAIT_MS);
  });

  it('starts nothing again that the user was stopping, or whose session was ending, when it was killed', async () => {
    const one = owner();
    await one.connected(WAIT_MS);
    const mark = `stopped-${process.pid}-${Date.now()}`;
    const command = `trap '' TERM; sh -c 'trap "" TERM; echo ready; while :; do sleep 0.1; done' ${mark}`;
    const session = one.client.addSession({ sessionId: 'a', label: 'x', cwd: home.folder });
    const ended = one.client.addSession({ sessionId: 'b', label: 'x', cwd: home.folder });
    await one.tools('a', tapTools, WAIT_MS);
    await one.tools('b', tapTools, WAIT_MS);
    for (const of of [session, ended]) {
      await of.emitters.start({ name: 'e', command });
      await of.emitters.start({ name: 'listed', command, lifespan: 'persistent' });
      await eventually(async () => (await of.streams()).filter(({ entries }) => entries.length > 0).length === 2, 'the commands', WAIT_MS);
    }
    const all = processesWith(mark);
    const shells = (await Promise.all([session, ended].map((of) => of.emitters.list()))).flat().map(({ pid = 0 }) => pid);
    assert.equal(shells.length, 4, shells.join());
    const ending = ended.end(60_000);
    const stopping = Promise.allSettled([session.emitters.stop('e'), session.emitters.withdrawOthers(new Set())]);
    await eventually(async () => (await session.emitters.list()).every((emitter) => emitter.state === 'stopped'), 'the stops', WAIT_MS);
    const running = processesWith(mark);
    assert.deepEqual(
      shells.filter((pid) => !running.includes(pid)),
      [],
      'all of it runs',
    );
    const { pid } = readDaemonRecord(home.lockFile) as DaemonRecord;
    process.kill(pid, 'SIGKILL');
    await untilGone(pid, ...all);
    await Promise.allSettled([stopping, ending]);
    const again = one.client.addSession({ sessionId: 'b', label: 'x', cwd: home.folder });
    await eventually(async () => (await again.emitters.list().catch(() => undefined))?.length === 0, 'the other session', WAIT_MS);
    const states = async () => (await session.emitters.list().catch(() => [])).map(({ name, state }) => `${name} ${state}`);
    await eventually(async () => (await states()).join() === 'e stopped,listed stopped', 'the session', WAIT_MS);
    assert.deepEqual(processesWith(mark), []);
  });

  it('is brought back when it was killed, and everything registers again', async () => {
    const two = [owner(), owner()];
    await Promise.all(two.map((one) => one.connected(WAIT_MS)));
    await two[0]!.session('a');
    const own = await two[1]!.session('b');
    await own.startProviders(home.folder, [projectProvider('serve')]);
    await two[1]!.tools('b', [...tapTools, 'where'], WAIT_MS);
    const before = await own.call('where', {});
    const killed = readDaemonRecord(home.lockFile) as DaemonRecord;
    const heard = two.map((one) => one.events.length);
    process.kill(killed.pid, 'SIGKILL');
    await untilGone(killed.pid);
    await Promise.all(two.map((one, at) => one.next('tools/changed', () => one.events.length > heard[at]!, WAIT_MS)));
    const record = readDaemonRecord(home.lockFile) as DaemonRecord;
    assert.notEqual(record.pid, killed.pid);
    const peer = await RawProvider.open(record.url);
    peer.say({ type: 'auth', token: readFileSync(home.tokenFile, 'utf8') });
    const ids = new Set<string>();
    for (const message of [await peer.next('sessions')]) for (const { id } of message.active) ids.add(id);
    assert.deepEqual([...ids].sort(), ['a', 'b']);
    peer.dispose();
    await eventually(
      () => two[1]!.events.filter(({ event, params }) => event === 'provider/state' && params.state === 'running').length === 2,
      'the provider runs again',
      WAIT_MS,
    );
    const known = () => two[1]!.client.request('diagnostics', {}).then(({ providers }) => providers.some(({ name }) => name === 'ci'));
    while (!(await known())) await atRest();
    const after = await own.call('where', {});
    assert.ok(before.ok && after.ok && 'data' in before && 'data' in after);
    assert.notEqual(after.data, before.data);
    await untilGone(Number(before.data));
  });
});
