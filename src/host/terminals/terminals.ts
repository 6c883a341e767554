/**
 * All terminals of the host: those that clients open and those that run a command for a tool call. It keeps `root.terminals` up to date.
 * Terminals of tool calls stay readable after the command has ended, until their session is deleted or {@link MAX_ENDED} newer ones have
 * ended too.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ActionOrigin } from '../../ahp/channels/actions.ts';
import { ROOT_CHANNEL } from '../../ahp/channels/root.ts';
import { knownTerminalClaim, type TerminalClaim, type TerminalInfo } from '../../ahp/channels/shapes/basic.ts';
import type { TerminalAction, TerminalState } from '../../ahp/channels/terminal.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import * as l10n from '../../base/l10n.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import type { RunCommandOptions, RunningCommand } from '../agents/agent.ts';
import { HostTerminal, type HostTerminalOptions } from './hostTerminal.ts';
import { commandShell, interactiveShell } from './shellIntegration/shellLaunch.ts';
import type { StateStore } from '../state/stateStore.ts';
import { TailBuffer } from '../../base/text/tailBuffer.ts';

export interface SessionCommandOptions extends Omit<RunCommandOptions, 'turn'> {
  session: URI;
  chat: URI;
  turnId: string;
  signal: AbortSignal;
  /** Real path. */
  workingDirectory: string;
}

/** A terminal to open for a client. */
export interface TerminalRequest {
  terminal: URI;
  claim: TerminalClaim;
  name?: string | undefined;
  cols?: number | undefined;
  rows?: number | undefined;
}

export interface TerminalsOptions {
  logger: Logger;
  /** The environment of shells and commands. Absent: that of the host. */
  environment?: NodeJS.ProcessEnv;
}

/** The URIs of terminals that run a command for a tool call. Clients of AHP v1 know terminals by this scheme. */
const OWN_TERMINALS = 'agenthost-terminal:/';
const MAX_RUNNING = 100;
/** Terminals of tool calls that are kept after their command has ended. */
const MAX_ENDED = 64;
const MAX_SIDE = 1000;
/** Characters in one `terminal/input`. */
const MAX_INPUT = 1024 * 1024;
const MAX_TITLE = 200;
/** Characters of output for an agent. The newest are kept. */
const MAX_COMMAND_OUTPUT = 128 * 1024;

export class Terminals implements Disposable {
  readonly #terminals = new Map<URI, HostTerminal>();
  /** Terminals of tool calls whose command has ended, oldest first. */
  readonly #ended = new Set<URI>();
  #scriptDirectory: string | undefined;
  #disposed = false;

  readonly #logger: Logger;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(
    private readonly store: StateStore,
    options: TerminalsOptions,
  ) {
    this.#logger = options.logger;
    this.#environment = options.environment ?? process.env;
  }

  /** The number of terminals with a running process. */
  get runningCount(): number {
    return [...this.#terminals.values()].filter((terminal) => terminal.isRunning).length;
  }

  /**
   * Opens a terminal with the user's shell in `cwd`, a path that the caller has checked. Rejects with AlreadyExists, NotFound (`cwd` is not
   * a folder) or InvalidParams. The process is running when it resolves. Whether it detects commands is reported by an action.
   */
  async create(params: TerminalRequest, cwd: string): Promise<void> {
    const claim = checkedClaim(params.claim);
    if (typeof params.terminal !== 'string' || params.terminal === '')
      throw new RpcError(ErrorCode.InvalidParams, 'terminal must be a URI');
    if (!claim) throw new RpcError(ErrorCode.InvalidParams, 'claim must name a client or a session');
    if (!isSide(params.cols ?? 80) || !isSide(params.rows ?? 24))
      throw new RpcError(ErrorCode.InvalidParams, `cols and rows must be whole numbers from 1 to ${MAX_SIDE}`);
    this.#requireOpen();
    const name = typeof params.name === 'string' ? params.name.trim().slice(0, MAX_TITLE) : '';
    this.#scriptDirectory ??= mkdtempSync(join(tmpdir(), 'tapline-shell-'));
    const launch = await interactiveShell(this.#scriptDirectory, randomUUID(), this.#environment);
    this.#start(params.terminal, {
      launch,
      cwd,
      state: {
        title: name || launch.file.slice(launch.file.lastIndexOf('/') + 1),
        cwd: pathToFileURL(cwd).href,
        cols: params.cols ?? 80,
        rows: params.rows ?? 24,
        content: [],
        claim,
        lifecycle: { status: 'running' },
      },
      keepTitle: name !== '',
    });
  }

  /** Kills the process and removes the terminal. Ignores an unknown one. */
  disposeTerminal(uri: URI): void {
    const terminal = this.#terminals.get(uri);
    if (!terminal) return;
    this.#terminals.delete(uri);
    this.#ended.delete(uri);
    terminal.dispose();
    this.store.delete(uri);
    this.#publish();
  }

  /**
   * Runs one command line for a tool call, in a terminal that the call claims. Aborting `signal` ends the command and everything that it
   * started. Rejects when the process cannot be started.
   */
  async runCommand(options: SessionCommandOptions): Promise<RunningCommand> {
    const { session, chat, turnId, toolCallId, commandLine, title, signal, workingDirectory, environment = this.#environment } = options;
    signal.throwIfAborted();
    const uri = `${OWN_TERMINALS}${randomUUID()}`;
    const output = new TailBuffer(MAX_COMMAND_OUTPUT);
    const terminal = this.#start(uri, {
      launch: commandShell(commandLine, environment),
      cwd: workingDirectory,
      state: {
        title,
        cwd: pathToFileURL(workingDirectory).href,
        cols: 120,
        rows: 30,
        content: [],
        claim: { kind: 'session', session, chat, turnId, toolCallId },
        lifecycle: { status: 'running' },
      },
      keepTitle: true,
      commandLine,
      onData: (text) => output.push(text),
    });
    const abort = () => terminal.terminate('SIGTERM');
    signal.addEventListener('abort', abort);
    const finished = new Promise<{ exitCode: number | undefined; output: string }>((resolve) => {
      terminal.onDidExit(({ exitCode }) => {
        signal.removeEventListener('abort', abort);
        this.#retire(uri);
        resolve({ exitCode, output: output.text });
      });
    });
    return {
      terminal: uri,
      finished,
      outputFrom: (position) => output.from(position),
      write: (data) => terminal.write(data),
      end: abort,
    };
  }

  /** Performs and dispatches a client's action, or returns why it is refused. */
  applyClientAction(uri: URI, action: TerminalAction, origin: ActionOrigin): string | undefined {
    const terminal = this.#terminals.get(uri);
    const state = this.store.terminal(uri);
    if (!terminal || !state) return 'there is no such terminal';
    const rejection = this.#carryOut(action, terminal, state, origin);
    if (rejection !== undefined) return rejection;
    this.store.dispatch(uri, action, origin);
    if (action.type === 'terminal/claimed' || action.type === 'terminal/titleChanged') this.#publish();
    return undefined;
  }

  /** True while a command of the session or of one of its subagents is running. */
  isRunningFor(session: URI): boolean {
    return [...this.#terminals].some(([uri, terminal]) => {
      const claim = terminal.isRunning ? this.store.terminal(uri)?.claim : undefined;
      return claim?.kind === 'session' && 'session' in claim && claim.session === session;
    });
  }

  /** Ends and removes the terminals of the session. */
  disposeOfSession(session: URI): void {
    for (const uri of [...this.#terminals.keys()]) {
      const claim = this.store.terminal(uri)?.claim;
      if (claim?.kind === 'session' && 'session' in claim && claim.session === session) this.disposeTerminal(uri);
    }
  }

  /** The same, of a chat. */
  disposeOfChat(chat: URI): void {
    for (const uri of [...this.#terminals.keys()]) {
      const claim = this.store.terminal(uri)?.claim;
      if (claim?.kind === 'session' && 'chat' in claim && claim.chat === chat) this.disposeTerminal(uri);
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const uri of [...this.#terminals.keys()]) this.disposeTerminal(uri);
    if (this.#scriptDirectory) rmSync(this.#scriptDirectory, { recursive: true, force: true });
  }

  #start(uri: URI, options: Omit<HostTerminalOptions, 'onDidChangeInfo'>): HostTerminal {
    this.#requireOpen();
    if (this.store.get(uri)) throw new RpcError(ErrorCode.AlreadyExists, `${uri} exists already`);
    if (this.runningCount >= MAX_RUNNING)
      throw new RpcError(ErrorCode.InternalError, l10n.t`the host runs at most ${MAX_RUNNING} terminals`);
    if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new RpcError(ErrorCode.NotFound, `${options.cwd} is not a folder`);
    const terminal = new HostTerminal(this.store, uri, { ...options, onDidChangeInfo: () => this.#publish() });
    this.#logger.debug(`started ${uri}`);
    terminal.onDidExit((exit) => {
      this.#logger.debug(`${uri} ended`, exit);
      if (this.#terminals.get(uri) === terminal) this.#publish();
    });
    this.#terminals.set(uri, terminal);
    this.#publish();
    return terminal;
  }

  #requireOpen(): void {
    if (this.#disposed) throw new RpcError(ErrorCode.InternalError, 'the host is shutting down');
  }

  #carryOut(action: TerminalAction, terminal: HostTerminal, state: TerminalState, origin: ActionOrigin): string | undefined {
    switch (action.type) {
      case 'terminal/input':
        if (typeof action.data !== 'string' || action.data.length > MAX_INPUT)
          return `data must be text of at most ${MAX_INPUT} characters`;
        if (!terminal.isRunning) return l10n.t('the terminal has exited');
        terminal.write(action.data);
        return undefined;
      case 'terminal/resized':
        if (!isSide(action.cols) || !isSide(action.rows)) return `cols and rows must be whole numbers from 1 to ${MAX_SIDE}`;
        terminal.resize(action.cols, action.rows);
        return undefined;
      case 'terminal/claimed': {
        const claim = checkedClaim(action.claim);
        if (!claim) return 'the claim must name a client or a session';
        if ('clientId' in claim && claim.clientId !== origin.clientId) return 'a client claims terminals for itself only';
        // The tool call is over and does not need its terminal any more.
        if ('clientId' in state.claim && state.claim.clientId !== origin.clientId) return l10n.t('another client holds this terminal');
        if (state.claim.kind === 'session' && terminal.isRunning) return l10n.t('a session holds this terminal');
        return undefined;
      }
      case 'terminal/titleChanged':
        if (typeof action.title !== 'string' || action.title.trim() === '' || action.title.length > MAX_TITLE)
          return `the title must be text of 1 to ${MAX_TITLE} characters`;
        terminal.pinTitle();
        return undefined;
      case 'terminal/cleared':
        terminal.prepareClear();
        return undefined;
      default:
        return `${action.type} is not for clients`;
    }
  }

  #retire(uri: URI): void {
    if (!this.#terminals.has(uri)) return;
    this.#ended.add(uri);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.disposeTerminal(oldest);
  }

  #publish(): void {
    const terminals = [...this.#terminals.keys()].flatMap((resource): TerminalInfo[] => {
      const state = this.store.terminal(resource);
      if (!state) return [];
      const { title, claim, lifecycle } = state;
      return [{ resource, title, claim, lifecycle }];
    });
    this.store.dispatch(ROOT_CHANNEL, { type: 'root/terminalsChanged', terminals });
  }
}

function isSide(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_SIDE;
}

/** The claim, if it is that of a client or a session. */
function checkedClaim(claim: TerminalClaim): TerminalClaim | undefined {
  const parsed = knownTerminalClaim.safeParse(claim);
  return parsed.success ? claim : undefined;
}
