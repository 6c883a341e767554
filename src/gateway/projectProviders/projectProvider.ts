/**
 * Keeps one provider of a folder's `tap.config.json` running for one session. Each run has its own token, its output is reported, and it is
 * started again when it ends.
 */
import { backoffDelay } from '../../base/connection/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ProjectProviderState } from '../../tap/wire/owner/ownerMessages.ts';
import type { ProjectProviderConfig } from '../../tap/wire/projectProviders.ts';
import { ChildGroup, type ChildEnd } from '../../base/process/childGroup.ts';
import { readLines } from '../process/readLines.ts';
import { workingDirectory } from '../process/workingDirectory.ts';

/** After the first start; twice as long after each that follows. */
const BACKOFF = { firstMs: 1_000, longestMs: 16_000 };
/** Starts in a row that did not last. */
export const MAX_STARTS = 5;
/** After a run that lasted this long the count of starts begins again. */
const STABLE_MS = 60_000;
const TEXT_LENGTH = 1000;

/** What the provider needs from the gateway. */
export interface ProjectProviderHost {
  readonly clock: Clock;
  readonly url: string;
  /** 0 to 1. */
  random(): number;
  /** False while the session is ending: then the provider is not started again. */
  isWanted(): boolean;
  /** A token for one run. Disposing the result revokes it and closes the connections that used it. */
  grant(): { token: string } & Disposable;
  stateChanged(state: ProjectProviderState): void;
  printed(stream: 'stdout' | 'stderr', lines: string[]): void;
}

export class ProjectProvider {
  #state: ProjectProviderState = { state: 'stopped' };
  #group: ChildGroup | undefined;
  #retry: Disposable | undefined;
  #starts = 0;
  #isStopped = false;
  /** Ends with the current run, or the last one. */
  #ended: Promise<void> = Promise.resolve();

  constructor(
    readonly config: ProjectProviderConfig,
    /** Real path of the folder that the provider belongs to. */
    readonly folder: string,
    private readonly host: ProjectProviderHost,
  ) {}

  get state(): ProjectProviderState {
    return this.#state;
  }

  start(): void {
    const { clock } = this.host;
    this.#retry = undefined;
    if (!this.host.isWanted()) return this.#enter({ state: 'stopped' });
    this.#starts++;
    let cwd;
    try {
      cwd = workingDirectory(this.folder, this.config.cwd);
    } catch (error) {
      return this.#enter({ state: 'failed', error: messageOf(error) });
    }
    const grant = this.host.grant();
    const { command, args } = this.config;
    const env = childEnvironment(process.env, this.config.env, { TAP_PROVIDER_TOKEN: grant.token, TAP_GATEWAY_URL: this.host.url });
    const startedAt = clock.now();
    let group;
    try {
      group = new ChildGroup({ command, args, cwd, env, clock });
    } catch (error) {
      grant.dispose();
      return this.#enter({ state: 'failed', error: messageOf(error) });
    }
    this.#group = group;
    if (group.pid !== undefined) this.#enter({ state: 'running', pid: group.pid });
    for (const name of ['stdout', 'stderr'] as const)
      void readLines(group[name], { clock, ended: group.ended, secret: grant.token, tell: (lines) => this.host.printed(name, lines) });
    this.#ended = group.ended.then((end) => {
      grant.dispose();
      this.#group = undefined;
      if (clock.now() - startedAt >= STABLE_MS) this.#starts = 0;
      this.#hasEnded(end);
    });
  }

  /** Resolves when none of its processes runs any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#retry?.dispose();
    this.#group?.stop();
    await this.#ended;
    this.#enter({ state: 'stopped' });
  }

  #hasEnded({ kind, problem }: ChildEnd): void {
    if (this.#isStopped) return;
    if (!this.host.isWanted()) return this.#enter({ state: 'stopped' });
    const error = problem.slice(0, TEXT_LENGTH);
    if (kind === 'notStarted') return this.#enter({ state: 'failed', error });
    if (this.#starts >= MAX_STARTS) return this.#enter({ state: 'failed', error: `${error}, for the ${MAX_STARTS}th time in a row` });
    const retryInMs = backoffDelay(Math.max(1, this.#starts), BACKOFF, () => this.host.random());
    this.#retry = this.host.clock.setTimer(() => this.start(), retryInMs);
    this.#enter({ state: 'waiting', error, retryInMs });
  }

  #enter(state: ProjectProviderState): void {
    if (this.#state.state === 'stopped' && state.state === 'stopped') return;
    this.#state = state;
    this.host.stateChanged(state);
  }
}

/**
 * The gateway's environment without the variables of its editor or of a session, then the provider's own variables, then those that find
 * the gateway.
 */
export function childEnvironment(
  own: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
  gateway: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  const passed = Object.entries(own).filter(([name]) => !/^(TAP_|TAPLINE_|ELECTRON_|VSCODE_)/i.test(name));
  return { ...Object.fromEntries(passed), ...added, ...gateway };
}
