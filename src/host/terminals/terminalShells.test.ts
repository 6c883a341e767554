/** Command detection in shells other than bash (terminals.test.ts), each where it is installed. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { TerminalState } from '../../ahp/channels/terminal.ts';
import type { TerminalCommandPart } from '../../ahp/common/terminal.ts';
import { withTimeout } from '../../base/errors.ts';
import { nullLogger } from '../../base/log.ts';
import { StateStore } from '../state/stateStore.ts';
import { Terminals } from './terminals.ts';

const WAIT_MS = 15_000;
const uri = 'agenthost-terminal:/one';

interface Shell {
  name: string;
  /** Its start file in the home folder, which sets a variable, and that the user's prompt hook sees the status of a command. */
  startFile: string;
  start: string;
  exitWith: (code: number) => string;
  /** Several lines that are one command, and what it prints. */
  lines: string[];
  printed: string;
}

const shells: Shell[] = [
  {
    name: 'zsh',
    startFile: '.zshrc',
    start: "PS1='mine> '\nOWN_RC=loaded\nprecmd() { seen=$? }\nsetopt hist_ignore_space ksh_arrays\n",
    exitWith: (code) => `(exit ${code})`,
    lines: ['for i in 1 2; do', 'echo $i', 'done'],
    printed: '1\n2\n',
  },
  {
    name: 'fish',
    startFile: '.config/fish/config.fish',
    start: "set -g OWN_RC loaded\nset -g fish_greeting\nfunction fish_prompt; set -g seen $status; echo 'mine> '; end\n",
    exitWith: (code) => `sh -c 'exit ${code}'`,
    lines: ['for i in 1 2', 'echo $i', 'end'],
    printed: '1\n2\n',
  },
];

function find(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

describe('Terminals with other shells', function () {
  this.timeout(30_000);
  for (const shell of shells) {
    const file = find(shell.name);
    const describeIt = file ? describe : describe.skip;
    describeIt(`${shell.name}${file ? '' : ' (not installed here)'}`, () => {
      let store: StateStore;
      let terminals: Terminals;
      let home: string;

      const start = (environment: NodeJS.ProcessEnv = {}) => {
        store = new StateStore();
        const base = { PATH: process.env.PATH, HOME: home, SHELL: file, LANG: 'C.UTF-8', TAPLINE_SECRET: 'x' };
        terminals = new Terminals(store, { logger: nullLogger, environment: { ...base, ...environment } });
      };
      beforeEach(() => {
        home = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-shells-')));
        mkdirSync(dirname(join(home, shell.startFile)), { recursive: true });
        writeFileSync(join(home, shell.startFile), shell.start);
        start();
      });
      afterEach(() => {
        terminals.dispose();
        rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      });

      const state = (): TerminalState => {
        const terminal = store.terminal(uri);
        assert.ok(terminal);
        return terminal;
      };
      const commands = () => state().content.filter((part): part is TerminalCommandPart => part.type === 'command');
      const until = (what: string, holds: () => boolean) => {
        let stop = () => undefined as void;
        const happened = new Promise<void>((resolve) => {
          const look = () => {
            if (holds()) resolve();
          };
          const listening = store.onDidDispatch(look);
          stop = () => listening.dispose();
          look();
        });
        return withTimeout(happened, WAIT_MS, what).finally(stop);
      };
      const type = (line: string) =>
        terminals.applyClientAction(uri, { type: 'terminal/input', data: `${line}\r` }, { clientId: 'me', clientSeq: 1 });
      const finished = async (typing: () => void, what: string) => {
        const before = commands().length;
        typing();
        await until(`the end of ${what}`, () => commands().length > before && commands().at(-1)?.isComplete === true);
        const last = commands().at(-1);
        assert.ok(last);
        // zsh ends every output with a mark for a missing end of line, which it draws over when there was one.
        const output = stripVTControlCharacters(last.output)
          .replaceAll('\r', '')
          .replace(/[%#] +$/, '');
        return { ...last, output };
      };
      const finish = (line: string) => finished(() => type(line), line);
      const open = async () => {
        await terminals.create({ terminal: uri, claim: { kind: 'client', clientId: 'me' } }, home);
        await until('command detection', () => state().supportsCommandDetection === true);
      };

      it('reads the user’s start file, tells commands apart with their exit codes, and leaves no mark', async () => {
        await open();
        const first = await finish('echo "rc $OWN_RC"');
        assert.deepEqual([first.commandLine, first.exitCode], ['echo "rc $OWN_RC"', 0]);
        assert.ok(first.output.includes('rc loaded\n'), first.output);
        const failed = await finish(shell.exitWith(3));
        assert.deepEqual([failed.commandLine, failed.exitCode], [shell.exitWith(3), 3]);
        assert.ok((await finish('echo "seen $seen"')).output.includes('seen 3\n'), 'the user’s hook saw the status');
        const inherited = await finish('env | grep -E "SECRET|NONCE" || echo nothing');
        assert.ok(inherited.output.endsWith('nothing\n') && !inherited.output.includes('='), inherited.output);
        const all = state()
          .content.map((part) => (part.type === 'command' ? part.output : part.type === 'unclassified' ? part.value : ''))
          .join('');
        assert.ok(!all.includes('633;'));
        assert.ok(all.includes('mine> '), 'the prompt is the user’s');
      });

      it('tells odd and multi-line commands as they were typed, also those that the history leaves out', async () => {
        await open();
        assert.equal((await finish(' echo hidden')).commandLine.trim(), 'echo hidden');
        const escaped = await finish("echo 'a;b' \"ü😀\" '\\x41\\\\'");
        assert.equal(escaped.commandLine, "echo 'a;b' \"ü😀\" '\\x41\\\\'");
        assert.equal(escaped.exitCode, 0);
        const loop = await finished(() => shell.lines.forEach(type), 'the loop');
        const parts = (text: string) => text.split(/[\n;]\s*/);
        assert.deepEqual(parts(loop.commandLine), parts(shell.lines.join('\n')));
        assert.ok(loop.output.endsWith(shell.printed), loop.output);
      });

      it('follows the working directory', async () => {
        const folder = join(home, 'a ü\\b');
        mkdirSync(folder);
        await open();
        await finish('cd a*');
        await until('the directory', () => state().cwd === pathToFileURL(folder).href);
      });

      if (shell.name === 'zsh') {
        it('leaves ZDOTDIR and the history where the user has them', async () => {
          await open();
          assert.ok((await finish('echo "<${ZDOTDIR-none}>"')).output.includes('<none>'));
          terminals.dispose();
          const own = join(home, 'zsh');
          mkdirSync(own);
          writeFileSync(join(own, '.zshenv'), 'OWN_ENV=read\n');
          writeFileSync(join(own, '.zshrc'), 'OWN_RC=other\nHISTFILE=$ZDOTDIR/history\nSAVEHIST=10\nHISTSIZE=10\n');
          start({ ZDOTDIR: own });
          await open();
          assert.ok((await finish('echo "<$ZDOTDIR $OWN_ENV $OWN_RC>"')).output.includes(`<${own} read other>`));
          type('exit');
          await until('the exit', () => state().lifecycle.status === 'exited');
          assert.match(readFileSync(join(own, 'history'), 'utf8'), /OWN_ENV/);
        });
      }
    });
  }
});
