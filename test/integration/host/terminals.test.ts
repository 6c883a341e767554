/** Terminals of the host over a real socket, through the real client, and what is left of them when the host ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ErrorCode } from '../../../src/ahp/v1/errors.ts';
import type { TerminalAction, TerminalCommandPart, TerminalState } from '../../../src/ahp/v1/terminal.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { isAlive, untilGone } from '../../support/processes.ts';
import type { V1Client } from '../../support/v1Client.ts';
import { DemoHost, untilState } from './demoHarness.ts';

const WAIT_MS = 15_000;
const uri = 'agenthost-terminal:/shared';

describe('terminals of the embedded host', function () {
  this.timeout(40_000);

  describe('over a socket', () => {
    let host: DemoHost;
    let client: V1Client;
    const shell = process.env.SHELL;

    beforeEach(async () => {
      process.env.SHELL = '/bin/bash';
      host = new DemoHost();
      client = await host.start();
    });
    afterEach(async () => {
      await host.stop();
      if (shell === undefined) delete process.env.SHELL;
      else process.env.SHELL = shell;
    });

    const open = async () => {
      const claim = { kind: 'client', clientId: client.clientId } as const;
      await client.request('createTerminal', { terminal: uri, claim, cwd: pathToFileURL(host.directory).href, cols: 80, rows: 24 });
      const terminal = client.subscribeTerminal(uri);
      await untilState(terminal, 'command detection', ({ supportsCommandDetection }) => supportsCommandDetection);
      return terminal;
    };
    const type = (from: V1Client, data: string) => from.dispatch(uri, { type: 'terminal/input', terminal: uri, data });
    const commands = ({ content }: TerminalState) => content.filter((part): part is TerminalCommandPart => part.type === 'command');
    const finished = (state: TerminalState) => commands(state).find(({ isComplete }) => isComplete);
    const snapshot = async () => (await client.request('subscribe', { resource: uri })).snapshot.state;

    it('is the same for all clients, whichever of them types', async () => {
      const mine = await open();
      const other = await host.connect();
      const theirs = other.subscribeTerminal(uri);
      await untilState(theirs, 'the terminal', () => true);
      await untilState(other.subscribeRoot(), 'the list', ({ terminals }) => terminals?.some(({ resource }) => resource === uri));
      type(other, 'echo "from $((40 + 2))"; exit 7\r');
      for (const terminal of [mine, theirs]) {
        const state = await untilState(terminal, 'the exit', (shown) => shown.exitCode === 7 && shown);
        assert.equal(finished(state)?.output.startsWith('from 42\r\n'), true);
      }
      assert.deepEqual(mine.state, theirs.state);
      assert.deepEqual(mine.state, await snapshot());
      await untilState(client.subscribeRoot(), 'the exit in the list', ({ terminals }) => terminals?.[0]?.exitCode === 7);
      await client.request('disposeTerminal', { terminal: uri });
      await untilState(client.subscribeRoot(), 'an empty list', ({ terminals }) => terminals?.length === 0);
      await assert.rejects(snapshot(), (error) => error instanceof RpcError && error.code === ErrorCode.NotFound);
    });

    it('answers in the middle of a flood, drops what is too much, and stays the same for everybody', async () => {
      const terminal = await open();
      let largest = 0;
      terminal.onDidChange(() => (largest = Math.max(largest, JSON.stringify(terminal.state?.content).length)));
      type(client, 'yes "$(printf %0200d 7)"\r');
      await untilState(
        terminal,
        'that old output was dropped',
        ({ content }) => content[0]?.type === 'unclassified' && content[0].value.includes('was dropped'),
      );
      const pressed = Date.now();
      type(client, '\x03');
      const state = await untilState(terminal, 'the end of the flood', (shown) => finished(shown) && shown);
      assert.ok(Date.now() - pressed < 3000, 'the key got through at once');
      assert.equal(finished(state)?.exitCode, 130);
      type(client, 'exit\r');
      await untilState(terminal, 'the exit', ({ exitCode }) => exitCode !== undefined);
      const kept = await snapshot();
      assert.deepEqual(terminal.state, kept);
      assert.ok(largest > 500_000 && largest < 1_200_000, `${largest} characters`);
    });

    it('gives a refused action back with its reason', async () => {
      await open();
      const refused = (action: TerminalAction) => client.dispatch(uri, action).settled;
      const bad = await refused({ type: 'terminal/claimed', terminal: uri, claim: { kind: 'client', clientId: 'someone' } });
      assert.equal(bad.kind, 'rejected');
      const good = await refused({ type: 'terminal/resized', terminal: uri, cols: 81, rows: 25 });
      assert.equal(good.kind, 'confirmed');
    });
  });

  describe('when their host ends', () => {
    /** Starts a process that runs the command, and waits until it has printed the numbers of its processes. */
    const start = async (commandLine: string) => {
      const child = spawn(process.execPath, ['--import=tsx', join(import.meta.dirname, 'terminalsChild.ts'), commandLine], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let output = '';
      const pids = await withTimeout(
        new Promise<number[]>((resolve) => {
          child.stdout.on('data', (chunk) => {
            output += String(chunk);
            const found = /pids (\d+) (\d+)\r\n/.exec(output);
            if (found) resolve(found.slice(1).map(Number));
          });
        }),
        WAIT_MS,
        'the command',
      );
      const ended = new Promise((resolve) => child.once('exit', resolve));
      return { child, pids, ended: () => withTimeout(ended, WAIT_MS, 'the end of the host') };
    };
    it('by itself, even what ignores signals ends', async () => {
      const { child, pids, ended } = await start(
        "trap '' HUP TERM; (trap '' HUP TERM; echo pids $$ $BASHPID; while :; do sleep 0.1; done) & while :; do sleep 0.1; done",
      );
      assert.ok(pids.every(isAlive));
      child.stdin.write('end\n');
      await ended();
      await untilGone(...pids);
    });

    it('by being killed, the hang-up ends them', async () => {
      const { child, pids, ended } = await start('(echo pids $$ $BASHPID; while :; do sleep 0.1; done) & wait');
      assert.ok(pids.every(isAlive));
      child.kill('SIGKILL');
      await ended();
      await untilGone(...pids);
    });
  });
});
