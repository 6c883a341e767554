/** The engine process of this host, shared by all sessions. It is started when it is first needed, and again after it has died. */
import type { ChildProcess } from 'node:child_process';
import type { CopilotClient } from '@github/copilot-sdk';
import { englishOf, TimeoutError, UserError, withTimeout, WordedError, wordsOf } from '../../../../base/errors.ts';
import { Emitter, type Event } from '../../../../base/event.ts';
import type { Disposable } from '../../../../base/lifecycle.ts';
import type { Logger } from '../../../../base/log.ts';
import { phrase } from '../../../../base/text/phrase.ts';
import { findEngine } from '../../../../models/copilotEngine.ts';
import type { ResumableError } from '../../agent.ts';
import { loadEngine } from './loadEngine.ts';
import { EngineProcesses } from './engineProcesses.ts';
import { makeTemporaryFolder, removeFolder } from './temporaryFolder.ts';

const START_TIMEOUT_MS = 30_000;
/** How much later than the end of its connection the end of the process may be noticed. */
const DEATH_NEWS_MS = 1_000;
/** How long it may take to end when asked to. */
const STOP_TIMEOUT_MS = 3_000;
/** How long it may take to end after it was killed. */
const KILL_TIMEOUT_MS = 5_000;

/** The engine's process has ended unexpectedly. */
export class EngineDied extends WordedError implements ResumableError {
  override readonly name = 'EngineDied';
  readonly resumable = true;
}

export interface EngineOptions {
  logger: Logger;
  /** `node_modules` folders that may hold it. */
  folders: readonly string[];
  /** Where the engine keeps its sessions. */
  home: string;
}

/** A started engine. It cannot be used after `onDidDie`. */
export interface RunningEngine {
  readonly client: CopilotClient;
  readonly pid: number | undefined;
  /** Set when it has died. */
  readonly death: EngineDied | undefined;
  readonly onDidDie: Event<EngineDied>;
  /** Marks a turn as running until the result is disposed. */
  beginTurn(): Disposable;
  /** The error to report for a failed request: the death of the engine where that is the cause, otherwise the error itself. */
  reasonOf(error: unknown): Promise<Error>;
}

export class Engine implements Disposable {
  readonly #processes: EngineProcesses;
  readonly #temporaryFolder: string;
  #running: Promise<Running> | undefined;
  #current: Running | undefined;
  #disposed = false;

  constructor(private readonly options: EngineOptions) {
    this.#processes = new EngineProcesses(options.logger, options.home);
    this.#processes.endOrphans();
    this.#temporaryFolder = makeTemporaryFolder(options.home, options.logger);
  }

  /** Whether the engine is installed. */
  get isThere(): boolean {
    return findEngine(this.options.folders) !== undefined;
  }
  /** Where the engine keeps its sessions, and the user its settings. */
  get home(): string {
    return this.options.home;
  }
  /** The process that is running now. */
  get pid(): number | undefined {
    return this.#current?.pid;
  }

  /**
   * The environment of commands that the model runs. By it, commands that outlive their terminal are found and ended with the host, or at
   * its next start.
   */
  get commandEnvironment(): NodeJS.ProcessEnv {
    return this.#processes.environment('command');
  }

  /** The running engine, started if there is none. Rejects with an error that says what the user can do. */
  start(): Promise<RunningEngine> {
    if (this.#disposed) return Promise.reject(new Error('the agent host is ending'));
    const starting = (this.#running ??= this.#start());
    starting.catch(() => {
      if (this.#running === starting) this.#running = undefined;
    });
    return starting;
  }

  /**
   * Ends a process that does not respond. Resolves when another one can be started. Rejects, without ending it, while turns of other
   * sessions are running in it.
   */
  async giveUp(engine: RunningEngine): Promise<void> {
    const running = this.#current;
    if (running !== engine || running.death) return;
    if (running.turns > 0)
      throw new UserError(
        phrase`The Copilot engine does not answer for this session. It can be started again when no other session is working: stop those, or try again later.`,
      );
    this.options.logger.warn('The Copilot engine does not respond. It is ended and started again');
    running.end();
    await withTimeout(running.ended, STOP_TIMEOUT_MS + KILL_TIMEOUT_MS, phrase`the end of the Copilot engine`);
  }

  /** Asks the process to end, without waiting for it. Its child processes are ended too. */
  dispose(): void {
    this.#disposed = true;
    this.#processes.endLeft('command');
    const running = this.#current;
    if (!running) return this.#removeTemporaryFiles();
    running.end();
    this.#processes.endLeft('engine', running.pid);
    // It may write until it has ended. Where this process ends first, the next host removes them.
    running.onDidEnd(() => this.#removeTemporaryFiles());
  }

  #removeTemporaryFiles(): void {
    removeFolder(this.#temporaryFolder, this.options.logger);
  }

  async #start(): Promise<Running> {
    const { folders, home, logger } = this.options;
    const folder = findEngine(folders);
    if (folder === undefined) throw new UserError(phrase`The Copilot engine is not installed. Tapline looked in ${folders.join(', ')}.`);
    const { CopilotClient } = await loadEngine(folder);
    const client = new CopilotClient({
      baseDirectory: home,
      useLoggedInUser: false,
      env: { ...this.#processes.environment('engine'), ...temporaryFilesIn(this.#temporaryFolder) },
      logLevel: 'error',
      // Nothing is done in the process's own folder. Each session has its working directory.
      workingDirectory: folder,
    });
    try {
      await withTimeout(client.start(), START_TIMEOUT_MS, phrase`starting the Copilot engine`);
    } catch (error) {
      await this.#forget(client);
      // The SDK puts a stack trace into the message.
      const why = error instanceof TimeoutError ? error.words : (englishOf(error).split('\n', 1)[0] ?? '');
      throw new UserError(phrase`The Copilot engine did not start: ${why}`);
    }
    // The SDK does not report the end of the process. This private field is the only way to notice it at once.
    const child = client['cliProcess'] as ChildProcess | null;
    if (!child) throw new Error('the Copilot SDK has started no process');
    const running = new Running(client, child);
    running.onDidEnd(() => this.#ended(running));
    if (this.#disposed) running.end();
    else this.#current = running;
    logger.info(`The Copilot engine runs as process ${running.pid}`);
    return running;
  }

  #ended(running: Running): void {
    if (this.#current === running) {
      this.#current = undefined;
      this.#running = undefined;
    }
    this.#processes.endLeft('engine');
    if (running.death && !running.isEnding) this.options.logger.error(running.death.message);
    void this.#forget(running.client);
  }

  /** Releases what the SDK keeps for a process that has ended. */
  async #forget(client: CopilotClient): Promise<void> {
    try {
      await withTimeout(client.forceStop(), STOP_TIMEOUT_MS, 'letting go of the Copilot engine');
    } catch (error) {
      this.options.logger.warn(`Releasing the Copilot engine failed: ${englishOf(error)}`);
    }
  }
}

/** By these, programs choose the folder of their temporary files: on Unix, and on Windows. */
function temporaryFilesIn(folder: string): Record<string, string> {
  return { TMPDIR: folder, TEMP: folder, TMP: folder };
}

class Running implements RunningEngine {
  readonly #didDie = new Emitter<EngineDied>();
  readonly #didEnd = new Emitter<void>();
  death: EngineDied | undefined;
  /** It was asked to end. */
  isEnding = false;
  /** The turns that are running in it. */
  turns = 0;
  readonly onDidDie = this.#didDie.event;
  readonly onDidEnd = this.#didEnd.event;
  readonly ended = new Promise<void>((resolve) => this.#didEnd.event(resolve));

  constructor(
    readonly client: CopilotClient,
    private readonly child: ChildProcess,
  ) {
    child.once('exit', (code, signal) => {
      const how = signal === null ? phrase`with exit code ${String(code)}` : phrase`by signal ${signal}`;
      const death = new EngineDied(
        phrase`The Copilot engine ended unexpectedly (${how}). Send a message to go on: it starts again and resumes the session.`,
      );
      this.death = death;
      this.#didDie.fire(death);
      this.#didEnd.fire();
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  beginTurn(): Disposable {
    this.turns++;
    let isOver = false;
    return {
      dispose: () => {
        if (!isOver) this.turns--;
        isOver = true;
      },
    };
  }

  async reasonOf(error: unknown): Promise<Error> {
    const closed = error instanceof Error && /connection is closed|connection got disposed|pending response rejected/i.test(error.message);
    if (closed && !this.death) {
      await Promise.race([this.ended, new Promise<void>((resolve) => setTimeout(resolve, DEATH_NEWS_MS).unref())]);
    }
    return this.death ?? (error instanceof Error ? error : new WordedError(wordsOf(error)));
  }

  end(): void {
    if (this.death || this.isEnding) return;
    this.isEnding = true;
    // The engine handles this signal: it saves its sessions and ends.
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    timer.unref();
    this.child.once('exit', () => clearTimeout(timer));
  }
}
