/**
 * The processes that the engine starts, such as MCP servers, and the commands that its model runs in terminals of the host. Some outlive
 * whoever started them: an engine or a host that is killed, a terminal that hangs up. All inherit a variable that names the host, with the namespace
 * in which its process number counts, and what they belong to. By that they are found again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import { hasOwnProc, isRunning, ownIdentity } from '../../../../base/processIdentity.ts';

/** Not one of ours by name: those are kept from the commands of terminals. */
const MARK = 'AGENT_HOST_CHILD';

/** What a process belongs to. */
export type Owner = 'engine' | 'command';

/** What the engine and the commands get of our environment: what programs need to work, nothing that is a secret of the user or opens one, as the socket of an ssh agent does. */
const PASSED = [
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TERM|DISPLAY|WAYLAND_DISPLAY)$/,
  /^(LC|XDG)_[A-Z_]+$/,
  // Where compilers and the like are.
  /^(JAVA_HOME|GOPATH|GOROOT|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|VIRTUAL_ENV|CONDA_PREFIX|ANDROID_HOME|DOTNET_ROOT|GEM_HOME)$/,
  /^(https?|all|no)_proxy$/i,
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR)$/,
  // Windows
  /^(SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|TEMP|TMP|USERPROFILE|USERNAME|APPDATA|LOCALAPPDATA|PROGRAMDATA|ProgramFiles.*|HOMEDRIVE|HOMEPATH)$/i,
];

export class EngineProcesses {
  readonly #id = `${ownIdentity().pidNamespace}.${ownIdentity().startTime}.${process.pid}.${randomUUID()}`;

  constructor(private readonly logger: Logger) {}

  /** The environment for the engine, or for commands. */
  environment(owner: Owner, own: NodeJS.ProcessEnv = process.env): Record<string, string> {
    const passed = Object.entries(own).filter(([name, value]) => value !== undefined && PASSED.some((pattern) => pattern.test(name)));
    return { ...(Object.fromEntries(passed) as Record<string, string>), [MARK]: `${this.#id}.${owner}` };
  }

  /** Ends what is left of that; `except` is the engine itself where it still runs. */
  endLeft(owner: Owner, except?: number): void {
    this.#end((id) => id === `${this.#id}.${owner}`, except);
  }

  /** Ends what hosts left that are gone. Of a host in another container nothing is known, whose processes may be seen here all the same. */
  endOrphans(): void {
    this.#end((id) => {
      const [pidNamespace = '', startTime = '', pid] = id.split('.');
      return Number(pid) > 0 && isRunning(Number(pid), { startTime, pidNamespace }) === false;
    });
  }

  /** Only where `/proc` says what environment a process has; elsewhere nothing is ended, because nothing is known. */
  #end(ours: (id: string) => boolean, except?: number): void {
    if (!hasOwnProc()) return;
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isSafeInteger(pid) || pid === process.pid || pid === except) continue;
      const id = markOf(pid);
      if (id === undefined || !ours(id)) continue;
      try {
        process.kill(pid, 'SIGKILL');
        this.logger.info(`ended process ${pid}, which was left of the Copilot agent`);
      } catch (error) {
        // It may have ended by itself meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') this.logger.warn(`could not end process ${pid}: ${messageOf(error)}`);
      }
    }
  }
}

function markOf(pid: number): string | undefined {
  let environment: string;
  try {
    environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    // Gone meanwhile, or of another user.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
  return environment
    .split('\0')
    .find((entry) => entry.startsWith(`${MARK}=`))
    ?.slice(MARK.length + 1);
}
