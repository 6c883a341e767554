import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type DaemonRecord, findOrStartDaemon, isDaemonAlive, readDaemonRecord } from '../../src/base/daemon.ts';
import { nullLogger } from '../../src/base/log.ts';
import { endDaemon } from '../support/endDaemon.ts';
import { GatewayHome, gatewayScript, startGatewayProcess } from '../support/gatewayProcess.ts';
import { untilGone } from '../support/processes.ts';
import { RawProvider, TestOwner } from './gatewayHarness.ts';

const WAIT_MS = 15_000;
const greet = { name: 'greet', description: 'x', parameters: {} };

describe('gateway as a process', () => {
  let home: GatewayHome;
  beforeEach(() => (home = new GatewayHome()));
  afterEach(async () => {
    await endDaemon(home.lockFile);
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

  it('does not write its token through a link that somebody has put there', async () => {
    mkdirSync(dirname(home.tokenFile), { recursive: true });
    const victim = join(home.folder, 'victim');
    writeFileSync(victim, 'untouched');
    symlinkSync(victim, home.tokenFile);
    const gateway = await startGatewayProcess(home);
    assert.equal(readFileSync(victim, 'utf8'), 'untouched');
    assert.equal(await gateway.stop(), 0);
  });

  it('goes on with the token that a killed one has left, unless others could read it', async () => {
    const killed = await startGatewayProcess(home);
    await killed.stop('SIGKILL');
    const next = await startGatewayProcess(home);
    assert.equal(next.token, killed.token);
    assert.notEqual(next.secret, killed.secret);
    await next.stop('SIGKILL');
    chmodSync(home.tokenFile, 0o644);
    const third = await startGatewayProcess(home);
    assert.notEqual(third.token, killed.token);
    await third.stop();
    const fourth = await startGatewayProcess(home);
    assert.notEqual(fourth.token, third.token);
    await fourth.stop();
  });

  it('leaves a token file that another has written', async () => {
    const gateway = await startGatewayProcess(home);
    writeFileSync(home.tokenFile, 'of another');
    assert.equal(await gateway.stop(), 0);
    assert.equal(readFileSync(home.tokenFile, 'utf8'), 'of another');
  });

  it('gives providers time to clean up when it is asked to end', async () => {
    const gateway = await startGatewayProcess(home);
    const owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
    await owner.session('a');
    const peer = await authenticated(gateway.url, gateway.token);
    peer.say({ type: 'hello', name: 'p', protocolVersion: 2, session: 'a' });
    assert.equal((await peer.next('session.lifecycle')).state, 'started');
    const ended = gateway.stop();
    assert.equal((await peer.next('session.lifecycle')).state, 'shutdown.pending');
    peer.say({ type: 'shutdown.ready', sessionId: 'a' });
    assert.equal(await ended, 0);
    owner.dispose();
  });

  it('takes another port where a stranger has the asked one, says so, and is found all the same', async () => {
    const stranger: Server = createServer();
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const { port } = stranger.address() as { port: number };
    const gateway = await startGatewayProcess(home, ['--port', String(port)]);
    assert.notEqual(gateway.port, port);
    assert.match(gateway.stderr(), new RegExp(`Port ${port} is taken by another program`));
    assert.equal(readDaemonRecord(home.lockFile)?.url, gateway.url);
    stranger.close();
    assert.equal(await gateway.stop(), 0);
  });

  it('is one for a user: a second says where the first is', async () => {
    const gateway = await startGatewayProcess(home);
    await assert.rejects(run(['--port', String(gateway.port)]), new RegExp(`runs already on ${gateway.url}`));
    await assert.rejects(run(['--port', '0']), /runs already/);
    assert.ok(await isDaemonAlive(readDaemonRecord(home.lockFile) as DaemonRecord));
    assert.equal(await gateway.stop(), 0);
  });

  it('tells its status, without secrets', async () => {
    await assert.rejects(run(['status']), /No gateway of this user is running/);
    const gateway = await startGatewayProcess(home);
    const owner = new TestOwner({ url: gateway.url, token: gateway.secret });
    await owner.connected();
    await owner.session('a');
    const peer = await authenticated(gateway.url, gateway.token);
    peer.say({ type: 'hello', name: 'p', protocolVersion: 2, session: 'a', tools: [greet] }).say({ type: 'nonsense' });
    await peer.next('error');
    const { stdout } = await run(['status']);
    assert.match(stdout, /Sessions \(1\)\n {2}a {2}label of a {2}idle, 5 tools/);
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
    assert.match((await run(['--help'])).stdout, /--idle-seconds/);
  });
});

describe('gateway as a daemon', () => {
  let home: GatewayHome;
  const owners: TestOwner[] = [];
  const start = (idleSeconds = 60) =>
    findOrStartDaemon(
      {
        name: 'gateway',
        lockFile: home.lockFile,
        logFile: join(home.folder, 'gateway.log'),
        args: [gatewayScript, '--daemon', '--port', '0', '--lock-file', home.lockFile, '--idle-seconds', String(idleSeconds)],
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
    await endDaemon(home.lockFile);
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

  it('is brought back when it was killed, and everything registers anew', async () => {
    const two = [owner(), owner()];
    await Promise.all(two.map((one) => one.connected(WAIT_MS)));
    await two[0]!.session('a');
    await two[1]!.session('b');
    const killed = readDaemonRecord(home.lockFile) as DaemonRecord;
    process.kill(killed.pid, 'SIGKILL');
    await untilGone(killed.pid);
    await Promise.all(two.map((one) => one.next('tools/changed', () => one.events.length > 1, WAIT_MS)));
    const record = readDaemonRecord(home.lockFile) as DaemonRecord;
    assert.notEqual(record.pid, killed.pid);
    const peer = await RawProvider.open(record.url);
    peer.say({ type: 'auth', token: readFileSync(home.tokenFile, 'utf8') });
    const ids = new Set<string>();
    for (const message of [await peer.next('sessions')]) for (const { id } of message.active) ids.add(id);
    assert.deepEqual([...ids].sort(), ['a', 'b']);
    peer.dispose();
  });
});
