/**
 * The commands that the model runs in one session, each in a terminal of the host. A command goes on after the turn that started it is
 * completed, and ends when that turn is cancelled or fails. All of them end with the session.
 */
import type { ToolResultObject } from '@github/copilot-sdk';
import type { FileEdit } from '../../../../ahp/common/shapes.ts';
import type { ToolResultContent } from '../../../../ahp/common/tools.ts';
import { englishOf, withTimeout } from '../../../../base/errors.ts';
import { Emitter } from '../../../../base/event.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { Disposable } from '../../../../base/lifecycle.ts';
import { plainTerminalText } from '../../../../base/text/plainTerminalText.ts';
import { code } from '../../markdown.ts';
import type { AgentChatHost, AgentTurn, RunningCommand } from '../../agent.ts';
import type { FollowedChanges } from '../files/commandChanges.ts';
import type { ShellRequest } from './shellTools.ts';
import { shortened, typed } from './shellText.ts';
import type { TurnCall } from '../turn/turnCalls.ts';

/** How long a command may take to end after it was told to. It is killed before that. */
const END_TIMEOUT_MS = 5_000;
/** How long a call waits for its command while a message for the model is waiting. */
const HURRIED_WAIT_MS = 500;
/** How many ended commands stay readable. */
const MAX_ENDED = 50;
const MAX_TITLE = 80;

interface Shell {
  readonly id: string;
  readonly commandLine: string;
  readonly running: RunningCommand;
  /** The session's turn in which it was started, also by a subagent. */
  readonly turn: AgentTurn;
  readonly changes: FollowedChanges;
  /** The result of its call says what it has changed. */
  areChangesTold: boolean;
  readonly startedAt: number;
  /** Position in the output after what the model has seen. */
  position: number;
  /** `undefined` while it is running. */
  exit: { exitCode: number | undefined } | undefined;
  /** The model has been told that it has ended. */
  isTold: boolean;
}

export interface ShellCommandsOptions {
  host: AgentChatHost;
  /** The environment of commands. */
  environment: NodeJS.ProcessEnv;
  /** Called before a command starts. */
  followChanges(): Promise<FollowedChanges>;
}

export class ShellCommands implements Disposable {
  readonly #shells = new Map<string, Shell>();
  /** Shell ids that are being used for a command that starts. */
  readonly #starting = new Set<string>();
  readonly #didHurry = new Emitter<void>();
  /** Messages for the model that wait for the end of a tool call. */
  #unheard = 0;
  #count = 0;

  constructor(private readonly options: ShellCommandsOptions) {}

  /** Carries out a call. `turn` is that of the session. Rejects when the call's turn is cancelled. Errors are reported to the model. */
  async answer(request: ShellRequest, call: TurnCall, turn: AgentTurn): Promise<ToolResultObject> {
    // Messages of the user during a turn are not for subagents.
    const isHurried = () => call.turn === turn && this.#unheard > 0;
    switch (request.verb) {
      case 'run':
        return await this.#run(request, call, turn, isHurried);
      case 'list':
        return done(this.#listed());
      default: {
        const shell = this.#shells.get(request.shellId);
        if (!shell) return failed(`There is no shell “${request.shellId}”. ${this.#listed()}`);
        if (request.verb === 'write') {
          if (shell.exit) return failed(`Nothing was typed: the command has ended.\n${this.#news(shell)}`);
          shell.running.write(typed(request.input));
        }
        if (request.verb === 'stop') {
          shell.running.end();
          await withTimeout(shell.running.finished, END_TIMEOUT_MS, `the end of ${shell.commandLine}`);
        } else await this.#ended(shell, request.wait, call.turn, isHurried);
        return done(this.#news(shell));
      }
    }
  }

  /** The command that runs in the shell. Undefined when none does. */
  commandIn(shellId: string): string | undefined {
    const shell = this.#shells.get(shellId);
    return shell && !shell.exit ? shell.commandLine : undefined;
  }

  /**
   * A message is waiting for the model. Until it has been heard, calls of the session's own turn hardly wait for their commands, which go
   * on.
   */
  hurry(): void {
    this.#unheard++;
    this.#didHurry.fire();
  }
  /** The model has heard one of the messages. */
  heard(): void {
    this.#unheard = Math.max(0, this.#unheard - 1);
  }

  /** What the model has not been told yet: which commands have ended. Undefined when there is nothing. */
  takeNews(): string | undefined {
    const news = [...this.#shells.values()].filter(({ exit, isTold }) => exit && !isTold);
    for (const shell of news) shell.isTold = true;
    if (news.length === 0) return undefined;
    return news
      .map((shell) => `The command ${JSON.stringify(titleOf(shell.commandLine))} in shell “${shell.id}” has ended with ${endOf(shell)}.`)
      .join('\n');
  }

  /** The session's turn is over. When it was completed its commands go on. Otherwise they have ended when this resolves. */
  async endTurn(turn: AgentTurn, isCompleted: boolean): Promise<void> {
    this.#unheard = 0;
    const ofTurn = [...this.#shells.values()].filter((shell) => shell.turn === turn);
    const late: FileEdit[] = [];
    const settled = ofTurn.map(async ({ id, running, changes, areChangesTold }) => {
      if (!isCompleted) {
        this.#shells.delete(id);
        running.end();
        await withTimeout(running.finished, END_TIMEOUT_MS, 'the end of a command');
      }
      const edits = await changes.close();
      if (!areChangesTold) late.push(...edits);
    });
    for (const result of await Promise.allSettled(settled))
      if (result.status === 'rejected') this.options.host.logger.warn(englishOf(result.reason));
    if (late.length > 0) tellLate(turn, late);
  }

  dispose(): void {
    this.#didHurry.dispose();
    for (const { running } of this.#shells.values()) running.end();
    this.#shells.clear();
  }

  async #run(
    request: Extract<ShellRequest, { verb: 'run' }>,
    call: TurnCall,
    turn: AgentTurn,
    isHurried: () => boolean,
  ): Promise<ToolResultObject> {
    const { command, shellId = this.#newId(), wait } = request;
    const earlier = this.#shells.get(shellId);
    if (this.#starting.has(shellId) || (earlier && !earlier.exit))
      return this.#notStarted(call, command, `The shell “${shellId}” is in use. Stop its command, or use another shellId.`);
    call.run();
    this.#starting.add(shellId);
    let shell: Shell;
    try {
      shell = await this.#start(shellId, command, call, turn);
    } catch (error) {
      call.turn.signal.throwIfAborted();
      return this.#notStarted(call, command, `The command could not be started: ${englishOf(error)}`);
    } finally {
      this.#starting.delete(shellId);
    }
    await this.#ended(shell, wait, call.turn, isHurried);
    const edits = shell.exit ? await shell.changes.close() : [];
    shell.areChangesTold = shell.exit !== undefined;
    return this.#report(shell, call, edits);
  }

  async #start(id: string, commandLine: string, call: TurnCall, turn: AgentTurn): Promise<Shell> {
    const { host, environment, followChanges } = this.options;
    const changes = await followChanges();
    const title = titleOf(commandLine);
    // The turn may have failed meanwhile, and nobody would end the command.
    if (call.isOver) throw new Error('the turn is over');
    const running = await host.runCommand({ turn: call.turn, toolCallId: call.call.id, commandLine, title, environment });
    call.pin({ type: 'terminal', resource: running.terminal, title });
    const shell: Shell = {
      id,
      commandLine,
      running,
      turn,
      changes,
      areChangesTold: false,
      startedAt: Date.now(),
      position: 0,
      exit: undefined,
      isTold: false,
    };
    this.#add(shell);
    return shell;
  }

  #notStarted(call: TurnCall, command: string, message: string): ToolResultObject {
    call.complete({ success: false, pastTenseMessage: { markdown: l10n.t`Did not run ${code(titleOf(command))}` }, error: { message } });
    return failed(message);
  }

  #report(shell: Shell, call: TurnCall, edits: readonly FileEdit[]): ToolResultObject {
    const { text, next } = shell.running.outputFrom(shell.position);
    shell.position = next;
    const output = shortened(plainTerminalText(text).trimEnd());
    const { exit } = shell;
    const title = titleOf(shell.commandLine);
    const content: ToolResultContent[] = [...(output === '' ? [] : [{ type: 'text' as const, text: output }]), ...asContent(edits)];
    if (!exit) {
      // So that nobody takes what it has printed for its exit code.
      const structuredContent = { exitCode: null };
      call.complete({
        success: true,
        pastTenseMessage: { markdown: l10n.t`Started ${code(title)}, which goes on` },
        content,
        structuredContent,
      });
      return done(this.#told(shell, output));
    }
    const isFine = exit.exitCode === 0;
    call.complete({
      success: isFine,
      pastTenseMessage: { markdown: l10n.t`Ran ${code(title)}` },
      content,
      structuredContent: { exitCode: exit.exitCode ?? null },
      ...(!isFine && { error: { message: endText(exit.exitCode) } }),
    });
    return done(this.#told(shell, output));
  }

  /** The output since the model was last told, and whether the command has ended. */
  #news(shell: Shell): string {
    const { text, next } = shell.running.outputFrom(shell.position);
    shell.position = next;
    return this.#told(shell, shortened(plainTerminalText(text).trimEnd()));
  }

  #told(shell: Shell, output: string): string {
    shell.isTold = shell.exit !== undefined;
    const state = shell.exit ? `[ended with ${endOf(shell)}]` : `[still running in shell “${shell.id}”]`;
    return `${output === '' ? '(no output)' : output}\n${state}`;
  }

  #listed(): string {
    const open = [...this.#shells.values()].filter(({ exit, isTold }) => !exit || !isTold);
    if (open.length === 0) return 'No command is running.';
    return open
      .map((shell) => {
        const state = shell.exit ? `ended with ${endOf(shell)}` : `running for ${Math.round((Date.now() - shell.startedAt) / 1000)} s`;
        return `“${shell.id}”: ${JSON.stringify(titleOf(shell.commandLine))}, ${state}`;
      })
      .join('\n');
  }

  #add(shell: Shell): void {
    this.#shells.delete(shell.id);
    this.#shells.set(shell.id, shell);
    void shell.running.finished.then(async ({ exitCode }) => {
      shell.exit = { exitCode };
      const over = [...this.#shells.values()].filter(({ exit }) => exit);
      for (const oldest of over.slice(0, Math.max(0, over.length - MAX_ENDED))) this.#shells.delete(oldest.id);
      await shell.changes.close();
    });
  }

  /** Resolves when the command has ended, or the time is over, which {@link hurry} shortens. Rejects when the turn is cancelled. */
  async #ended({ running }: Shell, ms: number, { signal }: AgentTurn, isHurried: () => boolean): Promise<void> {
    signal.throwIfAborted();
    let letGo = () => undefined as void;
    try {
      await new Promise<void>((resolve, reject) => {
        let timer = setTimeout(resolve, isHurried() ? Math.min(ms, HURRIED_WAIT_MS) : ms);
        const hurry = this.#didHurry.event(() => {
          if (!isHurried()) return;
          clearTimeout(timer);
          timer = setTimeout(resolve, Math.min(ms, HURRIED_WAIT_MS));
        });
        const abort = () => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        letGo = () => {
          clearTimeout(timer);
          hurry.dispose();
          signal.removeEventListener('abort', abort);
        };
        void running.finished.then(() => resolve());
      });
    } finally {
      letGo();
    }
  }

  #newId(): string {
    do this.#count++;
    while (this.#shells.has(String(this.#count)));
    return String(this.#count);
  }
}

/** The result of a call says what its command has changed. This is for those that went on after their calls. */
function tellLate(turn: AgentTurn, edits: readonly FileEdit[]): void {
  const call = turn.toolCall({ toolName: 'command_changes', displayName: l10n.t('Changes by commands') });
  call.run({ invocationMessage: l10n.t('Looking at what commands have changed') }, 'not-needed');
  call.complete({ success: true, pastTenseMessage: l10n.t('Commands that went on have changed files'), content: asContent(edits) });
}

function asContent(edits: readonly FileEdit[]): ToolResultContent[] {
  return edits.map((edit) => ({ type: 'fileEdit', ...edit }));
}

/** For people. */
function endText(exitCode: number | undefined): string {
  return exitCode === undefined ? l10n.t('The command was ended by a signal.') : l10n.t`The command ended with exit code ${exitCode}.`;
}

/** For the model. */
function endOf({ exit }: Shell): string {
  return exit?.exitCode === undefined ? 'a signal' : `exit code ${exit.exitCode}`;
}

function titleOf(commandLine: string): string {
  return commandLine.length <= MAX_TITLE ? commandLine : `${commandLine.slice(0, MAX_TITLE)}…`;
}

/** The engine has a lower limit, above which it writes the result to a file and gives the model only its beginning. */
function done(text: string): ToolResultObject & { skipLargeOutputProcessing: true } {
  return { textResultForLlm: text, resultType: 'success', skipLargeOutputProcessing: true };
}
function failed(text: string): ToolResultObject {
  return { textResultForLlm: text, resultType: 'failure', error: text };
}
