/** Hosts and gateways of several containers, or of several users, over the same files. Linux only. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { findOrStartDaemon } from '../../../src/base/daemon/daemon.ts';
import { type DaemonRecord, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { sha256 } from '../../../src/base/node/sha256.ts';
import { ownIdentity } from '../../../src/base/daemon/processIdentity.ts';
import { EngineProcesses } from '../../../src/host/agents/copilot/engine/engineProcesses.ts';
import { eventually } from '../../fakes/eventually.ts';
import { Contained, type ContainerOptions, namespacesOrSkip } from '../../support/container.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome, gatewayScript, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { hostScript, startHostProcess } from '../../support/hostProcess.ts';
import { isAlive, processesWith, untilGone } from '../../support/processes.ts';

const WAIT_MS = 15_000;
const root = join(import.meta.dirname, '../../..');

/** Of the files below a folder, by name. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]));
}

describe('in several containers with the same files', function () {
  this.timeout(60_000);
  let folder: string;
  const containers: Contained[] = [];
  before(function () {
    namespacesOrSkip(this);
  });
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-containers-'))));
  afterEach(async () => {
    for (const container of containers.splice(0)) await container.kill();
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });
  const contain = (command: string[], options?: ContainerOptions) => {
    const container = new Contained(command, options);
    containers.push(container);
    return container;
  };

  describe('the built-in agent host', () => {
    let lockFile: string;
    beforeEach(() => (lockFile = join(folder, 'host.lock.json')));
    afterEach(() => endDaemons(lockFile));
    const args = (idleSeconds = 60) => [hostScript, '--daemon', '--lock-file', lockFile, '--idle-seconds', String(idleSeconds)];
    const here = () => findOrStartDaemon({ name: 'agent host', lockFile, logFile: join(folder, 'host.log'), args: args() }, nullLogger);
    const there = async (options?: ContainerOptions) => {
      const container = contain([process.execPath, ...args()], { env: { TAPLINE_HOME: folder }, ...options });
      await eventually(() => container.output.includes('listens on'), 'the host in the container', WAIT_MS);
      return container;
    };
    const session = 'demo:/of-before';
    /** Makes a session, and leaves its host without one. */
    const makeSession = async () => {
      const record = await here();
      const client = await AgentHostClient.connect(record);
      const workingDirectories = [pathToFileURL(folder).href];
      await client.command('createSession', { channel: session, provider: 'demo', workingDirectories });
      client.close();
      process.kill(record.pid, 'SIGTERM');
      await untilGone(record.pid);
    };
    const sessions = async (record: DaemonRecord) => {
      const client = await AgentHostClient.connect(record);
      const { items } = await client.command('listSessions', {});
      client.close();
      return items.map(({ resource }) => resource);
    };

    it('is not started beside one of another container, and is when that has gone', async () => {
      await makeSession();
      const container = await there();
      const lock = readFileSync(lockFile, 'utf8');
      await assert.rejects(here(), /is in use from another container or another computer.*TAPLINE_HOME/);
      assert.ok(isAlive(container.pid));
      assert.equal(readFileSync(lockFile, 'utf8'), lock);
      await container.kill();
      const record = await here();
      assert.notEqual(record.token, (JSON.parse(lock) as DaemonRecord).token);
      assert.deepEqual(await sessions(record), [session]);
    });

    it('is told from one here that has the same number as that one', async () => {
      const { pid } = await there(); // its number there is 1
      const record = readDaemonRecord(lockFile) as DaemonRecord;
      assert.equal(record.pid, 1);
      assert.ok(isAlive(1) && isAlive(pid));
      await assert.rejects(here(), /by process 1 there/);
    });

    it('that was suspended while another took over ends without writing anything', async () => {
      await makeSession();
      const container = await there();
      // An answer of some 10,000 pieces, each of which is written.
      const script = `
        import { AgentHostClient, whenLive } from ${JSON.stringify(pathToFileURL(join(root, 'src/ahp/index.ts')).href)};
        const client = await AgentHostClient.connect(${JSON.stringify(readDaemonRecord(lockFile))});
        const { defaultChat } = await whenLive(client.session(${JSON.stringify(session)}));
        const chat = client.chat(defaultChat);
        await whenLive(chat);
        const begun = new Promise((resolve) => chat.onDidChange(() => chat.confirmed.activeTurn?.responseParts.length && resolve()));
        chat.send('stream 200');
        await begun;
        client.close();
      `;
      await container.enter([process.execPath, '--import=tsx', '--input-type=module', '--eval', script]);
      process.kill(container.pid, 'SIGSTOP');
      const record = await here();
      assert.deepEqual(await sessions(record), [session]);
      const isKept = (file: string) =>
        Object.entries(contentsOf(join(folder, 'sessions'))).some(
          ([path, content]) => path.endsWith(file) && content.includes('stream 200'),
        );
      assert.ok(isKept('log.jsonl'));
      // The summary is written a moment later.
      await eventually(() => isKept('summary.json'), 'the summary with the title');
      const kept = contentsOf(join(folder, 'sessions'));
      process.kill(container.pid, 'SIGCONT');
      assert.equal(await container.ended(), 1);
      assert.match(container.output, /ends at once.*another host has taken it over/);
      assert.equal(readDaemonRecord(lockFile)?.token, record.token);
      assert.deepEqual(contentsOf(join(folder, 'sessions')), kept);
      assert.deepEqual(await sessions(record), [session]);
    });

    it('in the foreground does not share its sessions either', async () => {
      const data = join(folder, 'data');
      const container = contain([process.execPath, hostScript, '--data', data]);
      await eventually(() => container.output.includes('listens on'), 'the host in the container', WAIT_MS);
      await assert.rejects(startHostProcess(['--data', data]), /data is in use from another container/);
      await container.kill();
      const host = await startHostProcess(['--data', data]);
      assert.equal(await host.stop(), 0);
    });

    it('is shared where only process numbers are kept apart, and the network is not', async () => {
      await there({ sharesNetwork: true });
      const record = readDaemonRecord(lockFile) as DaemonRecord;
      assert.deepEqual(await here(), record);
      assert.deepEqual(await sessions(record), []);
    });
  });

  describe('the gateway', () => {
    let home: GatewayHome;
    beforeEach(() => (home = new GatewayHome()));
    afterEach(() => home.remove());

    it('is one, whose token file nobody else writes', async () => {
      const container = contain([process.execPath, gatewayScript, '--port', '0'], { env: home.env });
      await eventually(() => container.output.includes('listens on'), 'the gateway in the container', WAIT_MS);
      const token = readFileSync(home.tokenFile, 'utf8');
      await assert.rejects(startGatewayProcess(home), /is in use from another container/);
      const status = promisify(execFile)(process.execPath, [gatewayScript, 'status'], { env: { ...process.env, ...home.env } });
      await assert.rejects(status, /is in use from another container/);
      assert.equal(readFileSync(home.tokenFile, 'utf8'), token);
      await container.kill();
      const gateway = await startGatewayProcess(home);
      assert.notEqual(gateway.token, token);
      await gateway.stop();
    });
  });

  describe('the engine’s processes', () => {
    it('are ended by no host outside of theirs, and by the next one in it', async () => {
      const duration = `600.${Date.now()}`;
      const script = `
        import { spawn } from 'node:child_process';
        import { EngineProcesses } from ${JSON.stringify(pathToFileURL(join(root, 'src/host/agents/copilot/engine/engineProcesses.ts')).href)};
        const logger = { info: console.log, warn: console.log };
        const processes = new EngineProcesses(logger, '/data');
        const child = spawn('sleep', ['${duration}'], { env: { ...processes.environment('command') }, stdio: 'ignore', detached: true });
        child.once('spawn', () => console.log('the host runs a command'));
        child.once('exit', () => console.log('its command was ended'));
        process.stdin.on('data', () => processes.endLeft('command'));
      `;
      // A number that no process has here, where the kernel lets us choose.
      const number = Array.from({ length: 1000 }, (_, at) => 31_000 + at).find((pid) => !isAlive(pid));
      const choose = `(echo ${Number(number) - 1} > /proc/sys/kernel/ns_last_pid) 2>/dev/null; exec 3<&0; "$@" <&3 & wait`;
      const host = [process.execPath, '--import=tsx', '--input-type=module', '--eval', script];
      const container = contain(['sh', '-c', choose, 'sh', ...host]);
      await eventually(() => container.output.includes('runs'), 'the command in the container', WAIT_MS);
      const ours = spawn('sleep', ['600'], {
        stdio: 'ignore',
        env: {
          AGENT_HOST_CHILD: `${ownIdentity().pidNamespace}.1.${2 ** 22 + 1}.${sha256('/data').slice(0, 16)}.x.command`,
          PATH: process.env.PATH,
        },
      });
      const ended = new Promise((resolve) => ours.once('exit', (_code, signal) => resolve(signal)));
      await new Promise((resolve) => ours.once('spawn', resolve));
      new EngineProcesses(nullLogger, '/data').endOrphans();
      assert.equal(await ended, 'SIGKILL');
      assert.equal(processesWith(duration).filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n').length, 1);
      container.say('end it');
      await eventually(() => container.output.includes('was ended'), 'the end by its own host', WAIT_MS);
    });
  });
});

describe('a lock file that names a process of another user', () => {
  let folder: string;
  let listener: Server;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-users-'));
    chmodSync(folder, 0o755);
    listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await new Promise((resolve) => listener.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it('is stale, and its port is told nothing', async () => {
    const connections: unknown[] = [];
    listener.on('connection', (socket) => {
      connections.push(socket);
      socket.destroy();
    });
    // Process 1 is root's. The look at it must come from somebody else.
    const script = join(folder, 'look.cjs');
    mkdirSync(join(folder, 'home'));
    await build({
      absWorkingDir: root,
      stdin: {
        resolveDir: root,
        loader: 'ts',
        contents: `
          import { isDaemonAlive } from './src/base/daemon/daemonLock.ts';
          import { ownIdentity } from './src/base/daemon/processIdentity.ts';
          const record = { pid: Number(process.argv[2]), url: process.argv[3]!, token: 'secret', version: '1' };
          isDaemonAlive({ ...record, process: { ...ownIdentity(), startTime: '' } }).then((alive) => console.log(process.getuid?.(), alive));
        `,
      },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    chmodSync(script, 0o644);
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const look = async (pid: number) => {
      const url = `ws://127.0.0.1:${(listener.address() as { port: number }).port}`;
      const { stdout } = await promisify(execFile)(process.execPath, [script, String(pid), url], { cwd: folder, ...nobody });
      return stdout.trim();
    };
    const uid = nobody.uid ?? process.getuid?.();
    assert.equal(await look(1), `${uid} false`);
    assert.equal(connections.length, 0);
    // A process of that user is asked: its connection was cut, so that it may be one that has too much to do.
    const own = spawn('sleep', ['60'], { stdio: 'ignore', ...nobody });
    await new Promise((resolve) => own.once('spawn', resolve));
    try {
      assert.equal(await look(own.pid as number), `${uid} true`);
      assert.equal(connections.length, 1);
    } finally {
      own.kill('SIGKILL');
    }
  });
});
