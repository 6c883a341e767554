import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TerminalLifecycle } from '../../ahp/channels/shapes/basic.ts';
import type { TerminalAction, TerminalState } from '../../ahp/channels/terminal.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { TerminalCommandPart } from '../../ahp/common/terminal.ts';
import { withTimeout } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { nullLogger } from '../../base/log.ts';
import { isAlive, untilGone } from '../../../test/support/processes.ts';
import { StateStore } from '../state/stateStore.ts';
import { Terminals } from './terminals.ts';

const WAIT_MS = 15_000;
const uri = 'agenthost-terminal:/one';
const origin = { clientId: 'me', clientSeq: 1 };
const claim = { kind: 'client', clientId: 'me' } as const;

describe('Terminals', function () {
  this.timeout(30_000);
  let store: StateStore;
  let terminals: Terminals;
  let home: string;
  let actions: TerminalAction[];

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-terminals-')));
    writeFileSync(join(home, '.bashrc'), "PS1='$ '\nOWN_RC=loaded\n");
    store = new StateStore();
    actions = [];
    store.onDidDispatch(({ envelope }) => {
      if (envelope.action.type.startsWith('terminal/')) actions.push(envelope.action as TerminalAction);
    });
    terminals = new Terminals(store, {
      logger: nullLogger,
      environment: { PATH: process.env.PATH, HOME: home, SHELL: '/bin/bash', LANG: 'C.UTF-8', VSCODE_SECRET: 'x', TAPLINE_SECRET: 'x' },
    });
  });
  afterEach(() => {
    terminals.dispose();
    rmSync(home, { recursive: true, force: true });
  });

  const state = (resource = uri): TerminalState => {
    const terminal = store.terminal(resource);
    assert.ok(terminal, `${resource} is there`);
    return terminal;
  };
  const text = (terminal: TerminalState) =>
    terminal.content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : '')).join('');
  const commands = (terminal = state()) => terminal.content.filter((part): part is TerminalCommandPart => part.type === 'command');
  const until = (what: string, holds: () => boolean) =>
    withTimeout(
      new Promise<void>((resolve, reject) => {
        if (holds()) return resolve();
        const listening = store.onDidDispatch(() => {
          try {
            if (!holds()) return;
            resolve();
          } catch (error) {
            reject(error);
          }
          listening.dispose();
        });
      }),
      WAIT_MS,
      what,
    );
  const send = (action: TerminalAction, resource = uri) => terminals.applyClientAction(resource, action, origin);
  const exitOf = ({ lifecycle }: { lifecycle: TerminalLifecycle }) =>
    lifecycle.status === 'exited' && 'exitCode' in lifecycle ? lifecycle.exitCode : undefined;
  const type = (line: string) => assert.equal(send({ type: 'terminal/input', data: `${line}\r` }), undefined);
  const finish = async (line: string) => {
    const before = commands().length;
    type(line);
    await until(`the end of ${line}`, () => commands().length > before && commands().at(-1)?.isComplete === true);
    const last = commands().at(-1);
    assert.ok(last);
    return last;
  };
  const open = async (options: { name?: string; cols?: number; rows?: number } = {}) => {
    await terminals.create({ terminal: uri, claim, ...options }, home);
    await until('command detection', () => state().supportsCommandDetection === true);
  };
  describe('with a shell', () => {
    it('runs the shell with the user’s start file, tells commands apart and keeps marks out of the output', async () => {
      await open({ cols: 100, rows: 40 });
      const first = await finish('echo "rc $OWN_RC"; (exit 3)');
      assert.equal(first.commandLine, 'echo "rc $OWN_RC"; (exit 3)');
      assert.equal(first.output, 'rc loaded\r\n');
      assert.equal(first.exitCode, 3);
      assert.ok(first.durationMs !== undefined && first.durationMs >= 0);
      const again = await finish('echo "rc $OWN_RC"; (exit 3)');
      assert.equal(again.commandLine, first.commandLine, 'a repeated line is told too');
      assert.equal((await finish('stty size')).output, '40 100\r\n');
      assert.equal((await finish('env | grep -E "SECRET|NONCE" | wc -l')).output.trim(), '0', 'nothing of the host is inherited');
      assert.ok(!text(state()).includes('633;'), 'no mark is left');
    });

    it('tells lines that the history does not hold, and whole multi-line commands', async () => {
      await open();
      await finish('HISTCONTROL=ignoreboth');
      assert.equal((await finish(' echo hidden')).commandLine, 'echo hidden');
      const escaped = await finish("echo 'a\\\\b' # ; \\x41");
      assert.deepEqual([escaped.commandLine, escaped.output], ["echo 'a\\\\b' # ; \\x41", 'a\\\\b\r\n']);
      assert.equal((await finish("printf '%s\\n' ü😀")).output, 'ü😀\r\n');
      const before = commands().length;
      type('for i in 1 2; do');
      type('echo $i');
      type('done');
      await until('the loop', () => commands().length > before && commands().at(-1)?.isComplete === true);
      assert.equal(commands().at(-1)?.commandLine, 'for i in 1 2; do echo $i; done');
      assert.equal(commands().at(-1)?.output.replaceAll('\x1b[?2004l\r', ''), '1\r\n2\r\n');
    });

    it('runs prompt commands of the user with the status that they expect, and keeps their prompt', async () => {
      writeFileSync(join(home, '.bashrc'), "PS1='mine> '\nPROMPT_COMMAND='seen=$?'\nPS0='<ps0>'\nset -u\n");
      await open();
      await finish('(exit 9)');
      const shown = await finish('echo "seen=$seen"');
      assert.equal(shown.output.split('\r\n')[0], 'seen=9');
      assert.match(text(state()), /mine> /);
      assert.match(text(state()), /<ps0>/);
      writeFileSync(join(home, '.bashrc'), "PROMPT_COMMAND=('one=$?' 'two=2')\n");
      terminals.disposeTerminal(uri);
      await open();
      await finish('(exit 8)');
      assert.equal((await finish('echo $one $two')).output.split('\r\n')[0], '8 2');
    });

    it('cannot be made to believe in commands by what is printed', async () => {
      await open();
      const shown = await finish("printf '\\e]633;D;0\\a\\e]633;C;guess;rm -rf x\\a'; echo done");
      assert.equal(commands().length, 1);
      assert.match(shown.output, /guess;rm -rf x/);
      assert.match(shown.output, /done/);
    });

    it('follows the working directory and the title', async () => {
      mkdirSync(join(home, 'a b'));
      await open();
      await finish("cd 'a b'");
      await until('the directory', () => state().cwd === pathToFileURL(join(home, 'a b')).href);
      await finish("printf '\\e]0;hello\\x01\\a'");
      assert.equal(state().title, 'hello');
      assert.equal(store.root.terminals?.[0]?.title, 'hello');
      assert.equal(send({ type: 'terminal/titleChanged', title: 'mine' }), undefined);
      await finish("printf '\\e]2;theirs\\a'");
      assert.equal(state().title, 'mine');
      assert.equal(store.root.terminals?.[0]?.title, 'mine');
    });

    it('resizes, clears, and reports the exit', async () => {
      await open();
      assert.equal(send({ type: 'terminal/resized', cols: 91, rows: 17 }), undefined);
      assert.deepEqual([state().cols, state().rows], [91, 17]);
      assert.equal((await finish('stty size')).output, '17 91\r\n');
      assert.equal(send({ type: 'terminal/cleared' }), undefined);
      assert.deepEqual(state().content, []);
      assert.equal(terminals.runningCount, 1);
      type('exit 5');
      await until('the exit', () => store.root.terminals?.[0]?.lifecycle.status === 'exited');
      assert.deepEqual([exitOf(state()), store.root.terminals?.map(exitOf)], [5, [5]]);
      assert.ok(commands().every((command) => command.isComplete));
      assert.equal(terminals.runningCount, 0);
      assert.match(send({ type: 'terminal/input', data: 'x' }) ?? '', /exited/);
    });

    it('is listed in the root while it is there, and ends with its jobs when disposed', async () => {
      await open({ name: 'build' });
      assert.deepEqual(store.root.terminals, [{ resource: uri, title: 'build', claim, lifecycle: { status: 'running' } }]);
      await finish('sleep 1000 &');
      const pid = Number(/\] (\d+)/.exec(text(state()))?.[1]);
      assert.ok(isAlive(pid));
      type("trap '' HUP; sleep 1001; echo over");
      await until('the foreground job', () => commands().at(-1)?.isComplete === false);
      terminals.disposeTerminal(uri);
      assert.deepEqual(store.root.terminals, []);
      assert.equal(store.terminal(uri), undefined);
      await untilGone(pid);
    });

    it('refuses what does not fit', async () => {
      await open();
      const refused: [string, unknown, RegExp][] = [
        ['input that is no text', { type: 'terminal/input', data: 5 }, /text/],
        ['a size of zero', { type: 'terminal/resized', cols: 0, rows: 5 }, /whole numbers/],
        ['a size that is no number', { type: 'terminal/resized', cols: '5', rows: 5 }, /whole numbers/],
        ['an empty title', { type: 'terminal/titleChanged', title: ' ' }, /title/],
        ['a claim for someone else', { type: 'terminal/claimed', claim: { kind: 'client', clientId: 'other' } }, /itself/],
        [
          'a claim of a session that names no chat',
          { type: 'terminal/claimed', claim: { kind: 'session', session: 'demo:/1' } },
          /a session/,
        ],
        ['an unknown claim', { type: 'terminal/claimed', claim: { kind: 'ghost' } }, /client or a session/],
        ['output of a client', { type: 'terminal/data', data: 'x' }, /not for clients/],
      ];
      const before = state();
      for (const [what, action, reason] of refused) assert.match(send(action as TerminalAction) ?? '', reason, what);
      assert.equal(state(), before);
      assert.match(send({ type: 'terminal/cleared' }, 'agenthost-terminal:/none') ?? '', /no such/);
      const other = { clientId: 'other', clientSeq: 1 };
      const take: TerminalAction = { type: 'terminal/claimed', claim: { kind: 'client', clientId: 'other' } };
      assert.match(terminals.applyClientAction(uri, take, other) ?? '', /another client/);
      const ofSession = { kind: 'session' as const, session: 'demo:/1', chat: 'ahp-chat://1' };
      assert.equal(send({ type: 'terminal/claimed', claim: ofSession }), undefined);
      assert.deepEqual(store.root.terminals?.[0]?.claim, ofSession);
      assert.equal(terminals.isRunningFor('demo:/1'), true);
      assert.equal(terminals.isRunningFor('demo:/2'), false);
      terminals.disposeOfSession('demo:/2');
      assert.ok(store.terminal(uri));
      terminals.disposeOfSession('demo:/1');
      assert.equal(store.terminal(uri), undefined);
    });

    it('refuses to open what exists, is nowhere or is malformed', async () => {
      await terminals.create({ terminal: uri, claim }, home);
      const codeOf = async (promise: Promise<unknown>) => {
        try {
          await promise;
        } catch (error) {
          assert.ok(error instanceof RpcError);
          return error.code;
        }
        return undefined;
      };
      assert.equal(await codeOf(terminals.create({ terminal: uri, claim }, home)), ErrorCode.AlreadyExists);
      assert.equal(await codeOf(terminals.create({ terminal: `${uri}2`, claim }, join(home, 'nope'))), ErrorCode.NotFound);
      assert.equal(await codeOf(terminals.create({ terminal: `${uri}2`, claim, cols: -1 }, home)), ErrorCode.InvalidParams);
      assert.equal(
        await codeOf(terminals.create({ terminal: `${uri}2`, claim: { kind: 'client' } as never }, home)),
        ErrorCode.InvalidParams,
      );
      assert.equal(await codeOf(terminals.create({ terminal: '', claim }, home)), ErrorCode.InvalidParams);
      assert.equal(await codeOf(terminals.create({ terminal: `${uri}2`, claim }, home)), undefined);
      terminals.dispose();
      assert.equal(await codeOf(terminals.create({ terminal: `${uri}3`, claim }, home)), ErrorCode.InternalError);
    });

    it('uses another shell without integration as it is', async () => {
      terminals.dispose();
      terminals = new Terminals(store, {
        logger: nullLogger,
        environment: { PATH: process.env.PATH, HOME: home, SHELL: '/bin/sh', PS1: '% ' },
      });
      await terminals.create({ terminal: uri, claim }, home);
      type('echo $((40+2))');
      await until('the answer', () => /42\r\n/.test(text(state())));
      assert.equal(state().supportsCommandDetection, undefined);
      assert.equal(state().title, 'sh');
    });
  });

  describe('of a tool call', () => {
    const session = 'demo:/1';
    const chat = 'ahp-chat://1';
    const run = (commandLine: string, signal = new AbortController().signal) =>
      terminals.runCommand({
        session,
        chat,
        workingDirectory: home,
        turnId: 't',
        toolCallId: 'c',
        commandLine,
        title: 'a command',
        signal,
      });

    it('runs one command line in its own terminal and gives its output and exit code', async () => {
      const running = await run('echo one; echo two >&2; test -t 1 && pwd; echo "$PAGER $GIT_PAGER $TERM"; exit 4');
      assert.deepEqual(state(running.terminal).claim, { kind: 'session', session, chat, turnId: 't', toolCallId: 'c' });
      const { exitCode, output } = await withTimeout(running.finished, WAIT_MS, 'the command');
      assert.equal(exitCode, 4);
      assert.equal(output, `one\r\ntwo\r\n${home}\r\ncat cat xterm-256color\r\n`);
      const [part] = commands(state(running.terminal));
      assert.equal(part?.output, output);
      assert.equal(part?.exitCode, 4);
      assert.equal(part?.isComplete, true);
      assert.equal(exitOf(state(running.terminal)), 4);
      assert.equal(state(running.terminal).supportsCommandDetection, true);
      assert.deepEqual(store.root.terminals?.map(exitOf), [4]);
      terminals.disposeOfSession(session);
      assert.deepEqual(store.root.terminals, []);
    });

    it('is found by the chat that it runs in, and by its session while it runs', async () => {
      const running = await run('read line');
      assert.deepEqual(store.root.terminals, [
        {
          resource: running.terminal,
          title: 'a command',
          claim: { kind: 'session', session, chat, turnId: 't', toolCallId: 'c' },
          lifecycle: { status: 'running' },
        },
      ]);
      assert.match(running.terminal, /^agenthost-terminal:\//, 'clients of AHP v1 know it by this scheme');
      assert.deepEqual([terminals.isRunningFor(session), terminals.isRunningFor('demo:/2')], [true, false]);
      running.end();
      await withTimeout(running.finished, WAIT_MS, 'the command');
      assert.equal(terminals.isRunningFor(session), false);
      assert.match(send({ type: 'terminal/input', data: 'x' }, running.terminal) ?? '', /exited/);
    });

    it('runs no command line of which the shell would get another', async () => {
      for (const commandLine of ['echo one\0; echo two', 'echo \ud83d'])
        await assert.rejects(run(commandLine), /cannot hold U\+0000 or half a surrogate pair/);
      const { output } = await withTimeout((await run('echo one; echo 😀')).finished, WAIT_MS, 'the command');
      assert.equal(output, 'one\r\n😀\r\n');
    });

    it('lets its starter read along, type, and end it', async () => {
      const running = await run('echo ready; read line; echo "got $line"; sleep 300');
      await until('the question', () => text(state(running.terminal)).includes('ready'));
      const first = running.outputFrom(0);
      assert.deepEqual(first, { text: 'ready\r\n', next: 7 });
      running.write('in\r');
      await until('the answer', () => text(state(running.terminal)).includes('got in'));
      assert.equal(running.outputFrom(first.next).text, 'in\r\ngot in\r\n');
      running.end();
      assert.equal((await withTimeout(running.finished, WAIT_MS, 'the command')).exitCode, undefined);
      running.write('too late');
      running.end();
    });

    it('gives the command the environment that its starter names', async () => {
      const environment = { PATH: process.env.PATH, ONLY: 'this' };
      const options = { session, chat, workingDirectory: home, turnId: 't', toolCallId: 'c', title: 'a command', environment };
      const { finished } = await terminals.runCommand({
        ...options,
        commandLine: 'echo "$ONLY|$HOME|$TERM"',
        signal: new AbortController().signal,
      });
      assert.equal((await withTimeout(finished, WAIT_MS, 'the command')).output, 'this||xterm-256color\r\n');
    });

    it('loses nothing of fast output, and shows it while it runs', async () => {
      const running = await run("seq 1 20000; printf 'ü😀%.0s' $(seq 1 3000); echo; read line; echo got $line");
      await until('the numbers', () => text(state(running.terminal)).endsWith('😀\r\n'));
      assert.equal(send({ type: 'terminal/input', data: 'in\r' }, running.terminal), undefined);
      const { output } = await withTimeout(running.finished, WAIT_MS, 'the command');
      const numbers = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\r\n`).join('');
      const whole = `${numbers}${'ü😀'.repeat(3000)}\r\nin\r\ngot in\r\n`;
      assert.equal(text(state(running.terminal)), whole);
      assert.ok(whole.endsWith(output.slice(output.indexOf('\n') + 1)) || output === whole);
    });

    it('keeps the newest megabyte and says that it dropped the rest', async () => {
      const running = await run('echo first; seq 1 400000');
      let largest = 0;
      const watching = store.onDidDispatch(() => (largest = Math.max(largest, text(state(running.terminal)).length)));
      const { output } = await withTimeout(running.finished, WAIT_MS, 'the flood');
      watching.dispose();
      const terminal = state(running.terminal);
      // What made it too much was there for a moment.
      assert.ok(largest > 900_000 && largest <= 1_000_000 + 64 * 1024, `${largest} characters`);
      assert.match(text(terminal), /^[^\r]*Earlier output was dropped/);
      assert.match(text(terminal), /\r\n399999\r\n400000\r\n$/);
      const [command] = commands(terminal);
      assert.equal(command?.commandLine, 'echo first; seq 1 400000');
      assert.equal(command?.exitCode, 0);
      assert.match(command?.output ?? '', /^\d+\r\n\d+\r\n/, 'cut at the end of a line');
      assert.ok(actions.every((action) => action.type !== 'terminal/data' || action.data.length <= 600_000));
      const [notice = ''] = /^\[\d+ characters of output before this are left out\]\n/.exec(output) ?? [];
      assert.equal(output.length - notice.length, 128 * 1024);
      assert.notEqual(notice, '');
      assert.ok(output.endsWith('400000\r\n'));
    });

    it('ends the whole process group when aborted, also what does not want to', async () => {
      const controller = new AbortController();
      const running = await run(
        "trap '' TERM HUP; (trap '' TERM HUP; echo child $BASHPID; while :; do sleep 0.1; done) & while :; do sleep 0.1; done",
        controller.signal,
      );
      await until('the child', () => /child \d+\r\n/.test(text(state(running.terminal))));
      const child = Number(/child (\d+)/.exec(text(state(running.terminal)))?.[1]);
      assert.ok(isAlive(child));
      controller.abort();
      const { exitCode } = await withTimeout(running.finished, WAIT_MS, 'the end');
      assert.equal(exitCode, undefined);
      await untilGone(child);
      assert.equal(exitOf(state(running.terminal)), 137);
    });

    it('is one of at most a hundred', async () => {
      for (let count = 0; count < 100; count++) await run('read line');
      await assert.rejects(run('echo'), (error) => error instanceof RpcError && error.code === ErrorCode.InternalError);
      assert.equal(terminals.runningCount, 100);
    });

    it('does not start when it is too late, nor where there is no folder', async () => {
      await assert.rejects(run('echo x', AbortSignal.abort(new Error('too late'))), /too late/);
      await assert.rejects(
        terminals.runCommand({
          session,
          chat,
          workingDirectory: join(home, 'nope'),
          turnId: 't',
          toolCallId: 'c',
          commandLine: 'x',
          title: 'x',
          signal: new AbortController().signal,
        }),
        (error) => error instanceof RpcError && error.code === ErrorCode.NotFound,
      );
      assert.deepEqual(store.root.terminals, []);
    });
  });
});
