/**
 * One terminal of the host. It moves the pty's output into the terminal's state. Output is collected for a few milliseconds, so that a
 * flood becomes few actions, and the pty is paused when clients could not keep up.
 *
 * The state keeps at most {@link MAX_CONTENT} characters. The protocol has no action that drops old content. So when there is more, the
 * terminal is cleared and its newest half is written again after a line that says so. Every client and every later snapshot shows the same.
 */
import type { TerminalState } from '../../ahp/channels/terminal.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { TerminalContentPart } from '../../ahp/common/terminal.ts';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { CommandDetection, type TerminalEvent } from './commandDetection.ts';
import { PtyProcess, type PtyExit } from './ptyProcess.ts';
import { OutputParser } from './shellIntegration/outputParser.ts';
import type { ShellLaunch } from './shellIntegration/shellLaunch.ts';
import type { StateStore } from '../state/stateStore.ts';

/** Characters of content in the state, and how many stay when it is shortened. */
const MAX_CONTENT = 1_000_000;
const KEPT_CONTENT = 500_000;
/** What a command counts besides its text. */
const PART_SIZE = 200;
const CUT_NOTICE = '\x1b[0m[Earlier output was dropped: a terminal keeps its newest 1 MB.]\r\n';

const FLUSH_AFTER_MS = 5;
/** Characters in one `terminal/data`, and how much output may wait before the pty is paused. */
const MAX_DATA = 64 * 1024;
const PAUSE_ABOVE = 256 * 1024;
const MAX_TITLE = 200;

export interface HostTerminalOptions {
  launch: ShellLaunch;
  /** Real path. */
  cwd: string;
  state: TerminalState;
  /** A client has set the title, so titles of programs are ignored. */
  keepTitle: boolean;
  /** The only command of this terminal. Absent for an interactive shell. */
  commandLine?: string;
  onData?: (text: string) => void;
  onDidChangeInfo: () => void;
}

export class HostTerminal implements Disposable {
  readonly #process: PtyProcess;
  readonly #parser: OutputParser;
  readonly #detection = new CommandDetection();
  #waiting: TerminalEvent[] = [];
  #waitingSize = 0;
  #contentSize = 0;
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #keepTitle: boolean;
  #disposed = false;
  readonly #didExit = new Emitter<PtyExit>();
  /** Fires once, after the state has the exit, also when the terminal was disposed. */
  readonly onDidExit = this.#didExit.event;

  /** Starts the process. The state is in the store from now on. The caller removes it. */
  constructor(
    private readonly store: StateStore,
    readonly uri: URI,
    private readonly options: HostTerminalOptions,
  ) {
    const { launch, cwd, state } = options;
    this.#keepTitle = options.keepTitle;
    this.#parser = new OutputParser(launch.nonce);
    this.#process = new PtyProcess(launch, { cwd, cols: state.cols ?? 80, rows: state.rows ?? 24 }, (text) => this.#receive(text));
    store.add({ channel: uri, kind: 'terminal', state });
    if (options.commandLine !== undefined) this.#dispatch(this.#detection.start(options.commandLine));
    this.#process.onDidExit((exit) => this.#ended(exit));
  }

  get isRunning(): boolean {
    return !this.#process.exit;
  }

  write(data: string): void {
    this.#process.write(data);
  }
  resize(cols: number, rows: number): void {
    this.#process.resize(cols, rows);
  }
  /** Sets the title and keeps it. */
  pinTitle(): void {
    this.#keepTitle = true;
  }
  /** Call it before content is cleared, because output that waits is cleared too. */
  prepareClear(): void {
    this.#flush(Number.POSITIVE_INFINITY);
    this.#contentSize = 0;
  }
  terminate(signal: 'SIGHUP' | 'SIGTERM'): void {
    this.#process.terminate(signal);
  }

  /** Ends the process. Nothing is dispatched any more. */
  dispose(): void {
    this.#disposed = true;
    clearTimeout(this.#flushTimer);
    this.#process.terminate('SIGHUP');
  }

  #receive(text: string): void {
    if (this.#disposed) return;
    this.options.onData?.(text);
    this.#enqueue(this.#parser.push(text).flatMap((piece) => this.#detection.accept(piece)));
    if (this.#waitingSize > PAUSE_ABOVE) this.#process.setPaused(true);
    this.#schedule();
  }

  #enqueue(events: TerminalEvent[]): void {
    for (const event of events) {
      const last = this.#waiting.at(-1);
      if (event.kind === 'data') this.#waitingSize += event.text.length;
      if (event.kind === 'data' && last?.kind === 'data' && last.text.length + event.text.length <= MAX_DATA) last.text += event.text;
      else this.#waiting.push({ ...event });
    }
  }

  #schedule(): void {
    if (this.#waiting.length === 0) return;
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flush(MAX_DATA);
      if (this.#waitingSize <= PAUSE_ABOVE) this.#process.setPaused(false);
      this.#schedule();
    }, FLUSH_AFTER_MS);
  }

  /** Dispatches waiting output, up to `limit` characters. */
  #flush(limit: number): void {
    for (let sent = 0; sent < limit;) {
      const event = this.#waiting.shift();
      if (!event) return;
      if (event.kind === 'data') {
        sent += event.text.length;
        this.#waitingSize -= event.text.length;
      }
      this.#dispatch(event);
    }
  }

  #ended(exit: PtyExit): void {
    if (!this.#disposed) {
      clearTimeout(this.#flushTimer);
      this.#enqueue(this.#parser.end().flatMap((piece) => this.#detection.accept(piece)));
      this.#enqueue(this.#detection.end(exit.exitCode));
      this.#flush(Number.POSITIVE_INFINITY);
      // Clients see the end by the exit code, so a signal gets one too: 128 + the signal, as in shells.
      this.store.dispatch(this.uri, { type: 'terminal/exited', exitCode: exit.exitCode ?? 128 + (exit.signal ?? 0) });
    }
    this.#didExit.fire(exit);
    this.#didExit.dispose();
  }

  #dispatch(event: TerminalEvent): void {
    const terminal = this.uri;
    switch (event.kind) {
      case 'data':
        this.store.dispatch(terminal, { type: 'terminal/data', data: event.text });
        this.#grow(event.text.length);
        return;
      case 'title': {
        // Cut before the search, with room for the characters that it removes.
        const title = event.title
          .slice(0, 2 * MAX_TITLE)
          .replace(/[\x00-\x1f\x7f-\x9f]/g, '')
          .trim()
          .slice(0, MAX_TITLE);
        if (this.#keepTitle || title === '' || title === this.store.terminal(terminal)?.title) return;
        this.store.dispatch(terminal, { type: 'terminal/titleChanged', title });
        this.options.onDidChangeInfo();
        return;
      }
      case 'cwd':
        if (event.uri !== this.store.terminal(terminal)?.cwd)
          this.store.dispatch(terminal, { type: 'terminal/cwdChanged', cwd: event.uri });
        return;
      case 'detectionAvailable':
        this.store.dispatch(terminal, { type: 'terminal/commandDetectionAvailable' });
        return;
      case 'executed':
        this.store.dispatch(terminal, {
          type: 'terminal/commandExecuted',
          commandId: event.commandId,
          commandLine: event.commandLine,
          timestamp: event.timestamp,
        });
        this.#grow(event.commandLine.length + PART_SIZE);
        return;
      case 'finished':
        this.store.dispatch(terminal, {
          type: 'terminal/commandFinished',
          commandId: event.commandId,
          ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }),
          durationMs: event.durationMs,
        });
        return;
    }
  }

  #grow(size: number): void {
    this.#contentSize += size;
    if (this.#contentSize > MAX_CONTENT) this.#dropOldest();
  }

  #dropOldest(): void {
    const kept = newestContent(this.store.terminal(this.uri)?.content ?? [], KEPT_CONTENT);
    this.store.dispatch(this.uri, { type: 'terminal/cleared' });
    this.#contentSize = 0;
    this.#dispatch({ kind: 'data', text: CUT_NOTICE });
    for (const part of kept) {
      if (part.type === 'unclassified') {
        this.#dispatch({ kind: 'data', text: part.value });
        continue;
      }
      this.#dispatch({ kind: 'executed', commandId: part.commandId, commandLine: part.commandLine, timestamp: part.timestamp });
      if (part.output) this.#dispatch({ kind: 'data', text: part.output });
      if (part.isComplete)
        this.#dispatch({ kind: 'finished', commandId: part.commandId, exitCode: part.exitCode, durationMs: part.durationMs ?? 0 });
    }
  }
}

type KnownPart = Extract<TerminalContentPart, { type: 'command' | 'unclassified' }>;

/** The last parts, with about `limit` characters together. The first of them is cut at a line break if it has one. */
function newestContent(content: readonly TerminalContentPart[], limit: number): KnownPart[] {
  const kept: KnownPart[] = [];
  let room = limit;
  for (const part of [...content].reverse()) {
    if (room <= 0) break;
    if (part.type === 'command') {
      const output = newestText(part.output, room);
      kept.unshift({ ...part, output });
      room -= output.length + part.commandLine.length + PART_SIZE;
    } else if (part.type === 'unclassified') {
      const value = newestText(part.value, room);
      kept.unshift({ ...part, value });
      room -= value.length;
    }
  }
  return kept;
}

function newestText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const lineEnd = text.indexOf('\n', text.length - limit);
  const start = lineEnd >= 0 && lineEnd < text.length - limit / 2 ? lineEnd + 1 : text.length - limit;
  return text.slice(isLowSurrogate(text, start) ? start + 1 : start);
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
