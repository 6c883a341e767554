/**
 * The one engine process of this host, shared by all sessions: started when it is first needed, noticed when it dies, and started again
 * by whoever needs it next.
 */
import type { ChildProcess } from 'node:child_process';
import type { CopilotClient } from '@github/copilot-sdk';
import { messageOf, UserError, withTimeout } from '../../../../base/errors.ts';
import { Emitter, type Event } from '../../../../base/event.ts';
import type { Disposable } from '../../../../base/lifecycle.ts';
import type { Logger } from '../../../../base/log.ts';
import { findEngine } from '../../../../base/copilotEngine.ts';
import { loadEngine } from './loadEngine.ts';
import { EngineProcesses } from './engineProcesses.ts';

const START_TIMEOUT_MS = 30_000;
/** A connection that closes is heard of before the process that has ended is. */
const DEATH_NEWS_MS = 1_000;
/** How long it may take to end when asked to. */
const STOP_TIMEOUT_MS = 3_000;
/** From being killed to being gone. */
const KILL_TIMEOUT_MS = 5_000;

/** The engine's process ended in the middle of something. */
export class EngineDied extends Error {
  override readonly name = 'EngineDied';
}

export interface EngineOptions {
  logger: Logger;
  /** `node_modules` folders to look into. */
  folders: readonly string[];
  /** Where the engine keeps its sessions. */
  home: string;
}

/** A started engine. Useless after `onDidDie`. */
export interface RunningEngine {
  readonly client: CopilotClient;
  readonly pid: number | undefined;
  /** Set once it is dead. */
  readonly death: EngineDied | undefined;
  readonly onDidDie: Event<EngineDied>;
  /** A turn runs in it, until the result is disposed. */
  beginTurn(): Disposable;
  /** A failed request of the client: the death of the engine when that is why, else the error itself. */
  reasonOf(error: unknown): Promise<Error>;
}

export class Engine implements Disposable {
  readonly #processes: EngineProcesses;
  #running: Promise<Running> | undefined;
  #current: Running | undefined;
  #disposed = false;

  constructor(private readonly options: EngineOptions) {
    this.#processes = new EngineProcesses(options.logger);
    this.#processes.endOrphans();
  }

  /** Whether it is installed. */
  get isThere(): boolean {
    return findEngine(this.options.folders) !== undefined;
  }
  /** Where it keeps its sessions, and people its settings. */
  get home(): string {
    return this.options.home;
  }
  /** Of the process that runs now. */
  get pid(): number | undefined {
    return this.#current?.pid;
  }

  /** What commands inherit that the model runs. Those that outlive their terminal are ended with the host, or when it is started again. */
  get commandEnvironment(): NodeJS.ProcessEnv {
    return this.#processes.environment('command');
  }

  /** The running engine, started if there is none. Rejects with what a person can do. */
  start(): Promise<RunningEngine> {
    if (this.#disposed) return Promise.reject(new Error('the agent host is ending'));
    const starting = (this.#running ??= this.#start());
    starting.catch(() => {
      if (this.#running === starting) this.#running = undefined;
    });
    return starting;
  }

  /**
   * Ends a process that does not answer any more; resolves when another one can be started. Rejects, and leaves it alone, while turns of
   * other sessions run in it.
   */
  async giveUp(engine: RunningEngine): Promise<void> {
    const running = this.#current;
    if (running !== engine || running.death) return;
    if (running.turns > 0)
      throw new UserError(
        'The Copilot engine does not answer for this session. It can be started again when no other session is working: stop those, or try again later.',
      );
    this.options.logger.warn('The Copilot engine does not answer: it is ended, and started again');
    running.end();
    await withTimeout(running.ended, STOP_TIMEOUT_MS + KILL_TIMEOUT_MS, 'the end of the Copilot engine');
  }

  /** Asks the process to end, without waiting for it; what it leaves is ended too. */
  dispose(): void {
    this.#disposed = true;
    this.#processes.endLeft('command');
    const running = this.#current;
    if (!running) return;
    running.end();
    this.#processes.endLeft('engine', running.pid);
  }

  async #start(): Promise<Running> {
    const { folders, home, logger } = this.options;
    const folder = findEngine(folders);
    if (folder === undefined) throw new UserError(`The Copilot engine is not installed. Tapline looked in ${folders.join(' and ')}.`);
    const { CopilotClient } = await loadEngine(folder);
    const client = new CopilotClient({
      baseDirectory: home,
      useLoggedInUser: false,
      env: this.#processes.environment('engine'),
      logLevel: 'error',
      // In the process's own folder nothing is done: each session names its working directory.
      workingDirectory: folder,
    });
    try {
      await withTimeout(client.start(), START_TIMEOUT_MS, 'starting the Copilot engine');
    } catch (error) {
      await this.#forget(client);
      // The SDK puts a stack into its message.
      throw new UserError(`The Copilot engine did not start: ${messageOf(error).split('\n', 1)[0]}`);
    }
    // The SDK tells nobody when the process dies; this private field is the only place to hear it at once.
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

  /** Lets go of what the SDK keeps for a process that is gone. */
  async #forget(client: CopilotClient): Promise<void> {
    try {
      await withTimeout(client.forceStop(), STOP_TIMEOUT_MS, 'letting go of the Copilot engine');
    } catch (error) {
      this.options.logger.warn(`The Copilot engine could not be let go: ${messageOf(error)}`);
    }
  }
}

class Running implements RunningEngine {
  readonly #didDie = new Emitter<EngineDied>();
  readonly #didEnd = new Emitter<void>();
  death: EngineDied | undefined;
  /** It was asked to. */
  isEnding = false;
  /** Turns that run in it. */
  turns = 0;
  readonly onDidDie = this.#didDie.event;
  readonly onDidEnd = this.#didEnd.event;
  readonly ended = new Promise<void>((resolve) => this.#didEnd.event(resolve));

  constructor(
    readonly client: CopilotClient,
    private readonly child: ChildProcess,
  ) {
    child.once('exit', (code, signal) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      const death = new EngineDied(
        `The Copilot engine ended unexpectedly (${how}). Send a message to go on: it starts again and resumes the session.`,
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
    return this.death ?? (error instanceof Error ? error : new Error(messageOf(error)));
  }

  end(): void {
    if (this.death || this.isEnding) return;
    this.isEnding = true;
    // Handled by the engine: it writes what it has of its sessions and ends.
    this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    timer.unref();
    this.child.once('exit', () => clearTimeout(timer));
  }
}
