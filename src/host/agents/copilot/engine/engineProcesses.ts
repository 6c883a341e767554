/**
 * The processes that the engine starts, such as MCP servers, and the commands that its model runs in terminals. Some of them outlive the
 * engine, the host or their terminal. All of them inherit an environment variable that names the host (with its PID namespace and its data
 * folder) and what they belong to. By it they are found again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { englishOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import { passedEnvironment } from '../../../../base/process/passedEnvironment.ts';
import { hasOwnProc, isRunning, ownIdentity } from '../../../../base/daemon/processIdentity.ts';

/** The name does not begin with TAPLINE_, because such variables are removed from the environment of terminals. */
const MARK = 'AGENT_HOST_CHILD';
/** Of the digest of a folder. */
const HOME_LENGTH = 16;

/** What a process belongs to. */
export type Owner = 'engine' | 'command';

export class EngineProcesses {
  readonly #home: string;
  readonly #id: string;

  /** `home`: the folder of the engine's data. */
  constructor(
    private readonly logger: Logger,
    home: string,
  ) {
    this.#home = sha256(home).slice(0, HOME_LENGTH);
    this.#id = `${ownIdentity().pidNamespace}.${ownIdentity().startTime}.${process.pid}.${this.#home}.${randomUUID()}`;
  }

  /** The environment for the engine, or for commands. */
  environment(owner: Owner, own: NodeJS.ProcessEnv = process.env): Record<string, string> {
    return { ...passedEnvironment(own), [MARK]: `${this.#id}.${owner}` };
  }

  /** Ends the remaining processes of that kind. `except` is the engine itself while it is running. */
  endLeft(owner: Owner, except?: number): void {
    this.#end((id) => id === `${this.#id}.${owner}`, except);
  }

  /**
   * Ends processes of hosts with the same data that are gone. A host in another container cannot be checked from here, though its processes
   * may be visible. What hosts with other data have left is for them to end.
   */
  endOrphans(): void {
    this.#end((id) => {
      const [pidNamespace = '', startTime = '', pid, home] = id.split('.');
      return home === this.#home && Number(pid) > 0 && isRunning(Number(pid), { startTime, pidNamespace }) === false;
    });
  }

  /** Works only where `/proc` shows the environment of a process. On other systems nothing is ended. */
  #end(ours: (id: string) => boolean, except?: number): void {
    if (!hasOwnProc()) return;
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isSafeInteger(pid) || pid === process.pid || pid === except) continue;
      const id = markOf(pid);
      if (id === undefined || !ours(id)) continue;
      try {
        process.kill(pid, 'SIGKILL');
        this.logger.info(`ended process ${pid}, which the Copilot agent had left behind`);
      } catch (error) {
        // It may have ended by itself meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') this.logger.warn(`could not end process ${pid}: ${englishOf(error)}`);
      }
    }
  }
}

function markOf(pid: number): string | undefined {
  let environment: string;
  try {
    environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    // The process is gone, or belongs to another user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return environment
    .split('\0')
    .find((entry) => entry.startsWith(`${MARK}=`))
    ?.slice(MARK.length + 1);
}
