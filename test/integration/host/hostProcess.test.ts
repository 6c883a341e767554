import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { AgentHostClient, ConnectionError, type TransportFactory, whenLive } from '../../../src/ahp/index.ts';
import { findOrStartDaemon } from '../../../src/base/daemon/daemon.ts';
import { type DaemonRecord, isDaemonAlive, readDaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { embeddedHostTransport } from '../../../src/extension/hosts/embeddedHost.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { eventually } from '../../fakes/eventually.ts';
import { hostScript, startHostProcess } from '../../support/hostProcess.ts';

const END_WAIT_MS = 15_000;

describe('agent host as a process', () => {
  it('prints one JSON line with where it is, logs to stderr, and never prints its token elsewhere', async () => {
    const host = await startHostProcess(['--verbose']);
    try {
      const client = await AgentHostClient.connect({ url: host.url, token: host.token });
      assert.equal(client.state.kind, 'connected');
      client.close();
      await assert.rejects(AgentHostClient.connect({ url: host.url, token: 'wrong' }), (error) => {
        assert.ok(error instanceof ConnectionError);
        assert.equal(error.failure.kind, 'token');
        return true;
      });
    } finally {
      assert.equal(await host.stop(), 0);
    }
    assert.equal(host.stdout().trim().split('\n').length, 1);
    assert.match(host.stderr(), /listens on ws:\/\/127\.0\.0\.1:\d+/);
    assert.ok(!host.stderr().includes(host.token));
  });

  it('keeps its token in the file that is named, for its user alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapline-token-'));
    const file = join(folder, 'made/token');
    const start = async () => {
      const host = await startHostProcess(['--token-file', file]);
      assert.equal(await host.stop(), 0);
      return host.token;
    };
    try {
      const token = await start();
      assert.equal(readFileSync(file, 'utf8').trim(), token);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(await start(), token);
      writeFileSync(file, 'short');
      await assert.rejects(start(), /The token in .* must have 22 characters or more, and no spaces/);
      chmodSync(file, 0o644);
      await assert.rejects(start(), /only you can read and write/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('says in the language that it is given what people read, and what programs compare as before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapline-language-'));
    const host = await startHostProcess(['--language', 'de']);
    try {
      const client = await AgentHostClient.connect({ url: host.url, token: host.token });
      assert.equal((await whenLive(client.root())).agents.find(({ provider }) => provider === 'demo')?.displayName, 'Demo-Agent');
      const session = 'demo:/german';
      await client.command('createSession', { channel: session, provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
      const chat = client.chat((await whenLive(client.session(session))).defaultChat ?? '');
      await whenLive(chat);
      assert.equal((await chat.send('run echo first').settled).kind, 'confirmed');
      const asks = () => {
        const part = chat.state?.activeTurn?.responseParts.find(({ kind }) => kind === 'toolCall');
        return part && 'toolCall' in part && part.toolCall.status === 'pending-confirmation' ? part.toolCall : undefined;
      };
      await eventually(() => asks() !== undefined, 'a call that waits');
      const call = asks();
      assert.ok(call);
      const { toolName, displayName, confirmationTitle, invocationMessage, options = [] } = call;
      assert.deepEqual(
        { toolName, displayName, confirmationTitle, invocationMessage },
        {
          toolName: 'run_command',
          displayName: 'Befehl ausführen',
          confirmationTitle: 'Diesen Befehl ausführen?',
          invocationMessage: { markdown: 'Führt `echo first` aus' },
        },
      );
      assert.deepEqual(
        options.map(({ id, label }) => [id, label]),
        [
          ['once', 'Einmal ausführen'],
          ['session', 'Befehle in dieser Sitzung ohne Nachfrage ausführen'],
          ['deny', 'Ablehnen'],
        ],
      );
      client.close();
    } finally {
      await host.stop();
      rmSync(folder, { recursive: true });
    }
    assert.match(host.stderr(), /listens on ws:/);
  });

  it('is English where it is told of no language that it has', async () => {
    // A bundle outside of the folder of the host's own, whose path is what that name would make.
    const folder = mkdtempSync(join(tmpdir(), 'tapline-language-'));
    mkdirSync(join(folder, 'dist'));
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'), 'junction');
    copyFileSync(hostScript, join(folder, 'dist/host.cjs'));
    writeFileSync(join(folder, 'outside.json'), JSON.stringify({ 'Demo agent': 'Another agent' }));
    const host = await startHostProcess(['--language', '../../../outside'], join(folder, 'dist/host.cjs'));
    try {
      const client = await AgentHostClient.connect({ url: host.url, token: host.token });
      assert.equal((await whenLive(client.root())).agents.find(({ provider }) => provider === 'demo')?.displayName, 'Demo agent');
      client.close();
    } finally {
      await host.stop();
      rmSync(folder, { recursive: true });
    }
    assert.match(host.stderr(), /English, because there are no texts of the language that is wanted/);
  });

  it('says which port is taken', async () => {
    const first = await startHostProcess();
    try {
      const { port } = new URL(first.url);
      await assert.rejects(startHostProcess(['--port', port]), new RegExp(`Port ${port} is in use by another program.*--port`));
    } finally {
      await first.stop();
    }
  });

  it('refuses options that make no sense, naming them', async () => {
    const run = (args: string[]) => promisify(execFile)(process.execPath, [hostScript, ...args]);
    await assert.rejects(run(['--port', 'x']), /--port must be a whole number/);
    await assert.rejects(run(['--daemon']), /--daemon needs --lock-file/);
    await assert.rejects(run(['--nonsense']), /nonsense/);
    assert.match((await run(['--help'])).stdout, /--idle-seconds/);
  });
});

describe('agent host as a daemon', () => {
  let folder: string;
  let lockFile: string;
  const start = (idleSeconds: number) =>
    findOrStartDaemon(
      {
        name: 'agent host',
        lockFile,
        logFile: join(folder, 'host.log'),
        args: [hostScript, '--daemon', '--lock-file', lockFile, '--idle-seconds', String(idleSeconds)],
      },
      nullLogger,
    );
  const ended = async (record: DaemonRecord) => {
    const deadline = Date.now() + END_WAIT_MS;
    while (await isDaemonAlive(record)) {
      if (Date.now() > deadline) throw new Error(`the daemon did not end within ${END_WAIT_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-host-'));
    lockFile = join(folder, 'host.lock.json');
  });
  afterEach(async () => {
    await endDaemons(lockFile);
    rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });

  it('is one, however many start it at once', async () => {
    const records = await Promise.all(Array.from({ length: 10 }, () => start(60)));
    assert.equal(new Set(records.map(({ pid }) => pid)).size, 1);
  });

  it('makes room for one in another language, unless it is in use', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as { version: string };
    const inLanguage = async (language?: string) => {
      const args = [hostScript, '--daemon', '--lock-file', lockFile, '--language', language ?? 'de'];
      return await findOrStartDaemon(
        { name: 'agent host', lockFile, logFile: join(folder, 'host.log'), version, ...(language !== undefined && { language }), args },
        nullLogger,
      );
    };
    const german = await inLanguage('de');
    assert.equal((await inLanguage('de')).pid, german.pid);
    const chinese = await inLanguage('zh-cn');
    assert.notEqual(chinese.pid, german.pid);
    assert.equal(await isDaemonAlive(german), false);
    const client = await AgentHostClient.connect(chinese);
    assert.equal((await inLanguage('de')).pid, chinese.pid);
    assert.equal((await inLanguage()).pid, chinese.pid, 'any language will do');
    client.close();
    // The daemon hears of the end of a connection in its own time; from then on it is idle.
    await eventually(async () => (await inLanguage('de')).language === 'de', 'the German one');
    await ended(chinese);
  });

  it('says in its lock file which language it speaks, not the one that it was asked for', async () => {
    for (const asked of ['fr', 'en-us', 'DE']) {
      const args = [hostScript, '--daemon', '--lock-file', lockFile, '--language', asked];
      const record = await findOrStartDaemon({ name: 'agent host', lockFile, logFile: join(folder, 'host.log'), args }, nullLogger);
      assert.equal(record.language, asked === 'DE' ? 'de' : undefined);
      await endDaemons(lockFile);
    }
  });

  it('makes room for the language of a window once', async () => {
    const home = process.env['TAPLINE_HOME'];
    process.env['TAPLINE_HOME'] = folder;
    try {
      const root = join(import.meta.dirname, '../../..');
      const attempt = (window: TransportFactory) => window('', new AbortController().signal).then((line) => line.close());
      const [german, french, english] = ['de', 'fr', 'en'].map((language) => embeddedHostTransport(root, nullLogger, { language }));
      assert.ok(german && french && english);
      const spoken = () => readDaemonRecord(lockFile)?.language;
      await attempt(german);
      assert.equal(spoken(), 'de');
      await attempt(french);
      const { pid } = readDaemonRecord(lockFile) ?? {};
      assert.equal(spoken(), undefined);
      for (const window of [english, german, french, german]) await attempt(window);
      assert.equal(readDaemonRecord(lockFile)?.pid, pid);
    } finally {
      if (home === undefined) delete process.env['TAPLINE_HOME'];
      else process.env['TAPLINE_HOME'] = home;
    }
  });

  it('ends when its last client has gone, and removes its lock file', async () => {
    const record = await start(1);
    const client = await AgentHostClient.connect(record);
    client.close();
    await ended(record);
    assert.equal(readDaemonRecord(lockFile), undefined);
  });

  it('stays while a turn is running, also without clients, and is there again after it was killed', async () => {
    const record = await start(1);
    const client = await AgentHostClient.connect(record);
    try {
      const session = 'demo:/stays';
      await client.command('createSession', { channel: session, provider: 'demo', workingDirectories: [pathToFileURL(folder).href] });
      const chat = client.chat((await whenLive(client.session(session))).defaultChat ?? '');
      await whenLive(chat);
      assert.equal((await chat.send('wait 3').settled).kind, 'confirmed');
    } finally {
      client.close();
    }
    // Longer than the idle time, shorter than the turn.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    assert.equal(await isDaemonAlive(record), true);
    await ended(record);

    const second = await start(60);
    process.kill(second.pid, 'SIGKILL');
    await ended(second);
    const third = await start(60);
    assert.notEqual(third.pid, second.pid);
    const again = await AgentHostClient.connect(third);
    assert.ok(await whenLive(again.root()));
    again.close();
  });
});
