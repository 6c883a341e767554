/** Which entries of agent hosts are used: real files, sockets and processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { sha256 } from '../../../src/base/node/sha256.ts';
import { HostAnswers } from '../../../src/extension/hosts/discovery/hostAnswers.ts';
import { LocalHosts } from '../../../src/extension/hosts/discovery/localHosts.ts';
import { VsCodeHosts } from '../../../src/extension/hosts/discovery/vsCodeHosts.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeHost } from '../../fakes/fakeHost.ts';
import { serveFakeHost } from '../../fakes/fakeHostServer.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

describe('Agent hosts of VS Code on this computer', () => {
  const cleanUp: (() => unknown)[] = [];
  let userData: string;
  let entries: string;
  let socket: string;
  let lines: string[];
  let hosts: LocalHosts;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    userData = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-userdata-')));
    cleanUp.push(() => rmSync(userData, { recursive: true, force: true }));
    entries = join(userData, 'agent-host', 'local-endpoint', 'entries');
    mkdirSync(entries, { recursive: true, mode: 0o700 });
    socket = join(userData, 'host.sock');
    await listen(createServer(), socket);
    lines = [];
    const logger = { ...nullLogger, warn: (line: string) => void lines.push(line) };
    hosts = new LocalHosts([{ product: 'VS Code', path: userData }], logger);
  });
  afterEach(async () => {
    for (const end of cleanUp.splice(0).reverse()) await end();
  });

  async function listen(server: Server, at: string | { port: number; host: string }): Promise<number> {
    server.listen(at);
    await once(server, 'listening');
    cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
    return (server.address() as AddressInfo).port;
  }

  let count = 0;
  /** Writes an entry as VS Code does, and returns its file. */
  function write(change: object = {}, name?: string): string {
    const entry = {
      ...{ schemaVersion: 2, type: 'editor', pid: process.pid, instanceId: `id-${++count}`, protocolVersion: '0.9.0' },
      ...{ connectionToken: `s3cret-${count}`, endpoint: { type: 'socket', path: socket } },
      ...change,
    };
    const file = join(entries, name ?? `${sha256(`${entry.type}\0${entry.pid}\0${entry.instanceId}`)}.json`);
    writeFileSync(file, JSON.stringify(entry), { mode: 0o600 });
    return file;
  }

  /** Nothing is found, and the log says why, once, without the token. */
  async function leavesOut(why: RegExp): Promise<void> {
    assert.deepEqual(await hosts.find(), []);
    await hosts.find();
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', why);
    assert.doesNotMatch(lines[0] ?? '', /s3cret/);
  }

  it('are found, one of each type, the newest', async () => {
    const old = write();
    utimesSync(old, 1, 1);
    write();
    const port = await listen(createServer(), { port: 0, host: '127.0.0.1' });
    write({ type: 'standalone', endpoint: { type: 'tcp', host: '127.0.0.1', port } });
    writeFileSync(join(entries, 'being-written.tmp'), 'x');
    const found = await hosts.find();
    assert.deepEqual(
      found.sort((a, b) => a.id.localeCompare(b.id)),
      [
        {
          ...{ id: `vscode-editor:${userData}`, label: 'VS Code', pid: process.pid },
          ...{ address: `ws+unix:${socket}`, token: `s3cret-${count - 1}` },
        },
        {
          ...{ id: `vscode-standalone:${userData}`, label: 'VS Code (command line)', pid: process.pid },
          ...{ address: `ws://127.0.0.1:${port}/`, token: `s3cret-${count}` },
        },
      ],
    );
    assert.deepEqual(lines, []);
  });

  it('are none where there is no VS Code', async () => {
    rmSync(join(userData, 'agent-host'), { recursive: true });
    assert.deepEqual(await hosts.find(), []);
    assert.deepEqual(lines, []);
  });

  it('do not hide each other', async () => {
    write({ schemaVersion: 1 });
    write({ pid: 0 });
    write();
    assert.equal((await hosts.find()).length, 1);
    assert.equal(lines.length, 2);
  });

  it('are left out when their process has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    write({ pid: child.pid });
    await leavesOut(/no process of yours has its process id/);
  });

  for (const [what, change, why] of [
    ['a file that others can read', (file: string) => chmodSync(file, 0o644), /others can read or write it/],
    ['a file that others can write', (file: string) => chmodSync(file, 0o620), /others can read or write it/],
    ['a file that is too large', (file: string) => writeFileSync(file, ' '.repeat(20_000)), /too large/],
    ['a file that is no JSON', (file: string) => writeFileSync(file, '{"connectionToken":"s3cret'), /no JSON/],
    [
      'a file with the name of another entry',
      (file: string) => renameSync(file, join(entries, `${'0'.repeat(64)}.json`)),
      /name is that of another/,
    ],
    ['a second name of a file', (file: string) => linkSync(file, join(userData, 'second')), /no file of its own/],
    [
      'a link',
      (file: string) => {
        renameSync(file, join(userData, 'elsewhere.json'));
        symlinkSync(join(userData, 'elsewhere.json'), file);
      },
      /it is no file/,
    ],
    [
      'a folder behind a link',
      () => {
        renameSync(entries, join(userData, 'elsewhere'));
        symlinkSync(join(userData, 'elsewhere'), entries);
      },
      /it is no folder/,
    ],
    ['a folder that others can write to', () => chmodSync(entries, 0o777), /others can write to it/],
    ['a socket that is gone', () => rmSync(socket), /its socket is gone/],
    [
      'a socket that is a file',
      () => {
        rmSync(socket);
        writeFileSync(socket, '');
      },
      /no socket of yours/,
    ],
    ['a socket that others can replace', () => chmodSync(userData, 0o777), /others can replace its socket/],
    [
      'a socket below a folder that others can replace',
      (file: string) => {
        const path = join(userData, 'open', 'own', 'host.sock');
        mkdirSync(join(userData, 'open', 'own'), { recursive: true, mode: 0o700 });
        renameSync(socket, path);
        chmodSync(join(userData, 'open'), 0o777);
        const entry = JSON.parse(readFileSync(file, 'utf8')) as object;
        writeFileSync(file, JSON.stringify({ ...entry, endpoint: { type: 'socket', path } }));
      },
      /others can replace its socket/,
    ],
  ] as const)
    it(`are left out: ${what}`, async () => {
      change(write());
      await leavesOut(why);
    });

  it('are connected to at the place that was checked, and not by a link that others can replace', async () => {
    const open = join(userData, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    symlinkSync(userData, join(open, 'link'));
    write({ endpoint: { type: 'socket', path: join(open, 'link', 'host.sock') } });
    assert.deepEqual(
      (await hosts.find()).map(({ address }) => address),
      [`ws+unix:${socket}`],
    );
  });

  it('are left out when files, folders, sockets and processes are those of another user', async function () {
    if (!isRoot) return this.skip();
    for (const path of [write(), entries, socket]) {
      chownSync(path, NOBODY, NOBODY);
      assert.deepEqual(await hosts.find(), [], path);
      chownSync(path, 0, 0);
      assert.equal((await hosts.find()).length, 1);
    }
    assert.equal(lines.length, 3);
  });

  it('are left out when nothing, or another user, listens at their port', async function () {
    if (process.platform !== 'linux') return this.skip();
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    const entry = write({ endpoint: { type: 'tcp', host: '127.0.0.1', port } });
    await leavesOut(/nothing listens at its port/);
    if (!isRoot) return;
    rmSync(entry);
    const code = `require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })`;
    const child = spawn(process.execPath, ['-e', code], { uid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
    cleanUp.push(() => child.kill());
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    write({ endpoint: { type: 'tcp', host: '127.0.0.1', port: Number(said) } });
    assert.deepEqual(await hosts.find(), []);
    assert.match(lines.at(-1) ?? '', /another user listens at its port/);
  });

  it('are connected to by their entry of that moment, and not after it has become unfit', async () => {
    const vsCode = new VsCodeHosts({
      find: () => hosts.find(),
      answers: new HostAnswers(join(userData, 'answers'), 'x'),
      offers: () => true,
      clock: systemClock,
      logger: nullLogger,
    });
    cleanUp.push(() => vsCode.dispose());
    const id = `vscode-editor:${userData}`;
    await vsCode.answer({ id, label: 'VS Code' }, 'connect');
    const client = AgentHostClient.create({ url: 'ws://localhost', transport: vsCode.transport({ id, label: 'VS Code' }) });
    cleanUp.push(() => client.dispose());
    const problem = () =>
      client.state.kind === 'reconnecting' && client.state.nextAttemptAt > Date.now() ? client.state.reason.message : undefined;
    await eventually(problem, 'nothing is there');
    assert.match(problem() ?? '', /^The agent host of VS Code is not running here/);

    /** A host with a new socket and token. The entry of the one before is gone. */
    let entry: string | undefined;
    const start = async (name: string) => {
      const endpoint = { type: 'socket', path: join(userData, name) };
      const server = await serveFakeHost(new FakeHost(), { socket: endpoint.path, token: name });
      cleanUp.push(() => server.close());
      if (entry !== undefined) rmSync(entry);
      entry = write({ connectionToken: name, endpoint });
      return server;
    };
    const first = await start('first-s3cret');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected', 'the first host');
    await start('second-s3cret');
    first.dropAll();
    await eventually(() => client.state.kind === 'reconnecting', 'the loss');
    client.reconnectNow();
    await eventually(() => client.state.kind === 'connected', 'the second host');

    const third = await start('third-s3cret');
    chmodSync(entry ?? '', 0o644);
    await assert.rejects(vsCode.transport({ id, label: 'VS Code' })('', new AbortController().signal), /not safe to use/);
    chmodSync(entry ?? '', 0o600);
    await third.close();
    write({ instanceId: 'other', connectionToken: 'wrong-s3cret', endpoint: { type: 'socket', path: join(userData, 'second-s3cret') } });
    rmSync(entry ?? '');
    await assert.rejects(vsCode.transport({ id, label: 'VS Code' })('', new AbortController().signal), (error: Error) => {
      assert.match(error.message, /^The agent host of VS Code cannot be reached: the host answered 401\. Start it again\.$/);
      return true;
    });
  });
});
