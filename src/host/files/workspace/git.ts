/**
 * Git, as the host needs it: short commands in a folder, with nobody to ask.
 *
 * No program is run because the configuration or the hooks of a repository name it: whoever chose the folder has not read those.
 */
import { execFile } from 'node:child_process';
import { relative, sep } from 'node:path';
import { promisify } from 'node:util';

const ALWAYS_OFF = ['core.fsmonitor=false', 'core.hooksPath=/dev/null'];
/** What can be taken out of use by its name only, by section. `hook` is of git 2.54 and later; earlier ones do not look at it. */
const NAMED_OFF: Readonly<Record<string, readonly string[]>> = {
  filter: ['clean=', 'smudge=', 'process=', 'required=false'],
  hook: ['enabled=false'],
};
/** What ties git to another repository, a hook of which may have started us. With `GIT_CONFIG`, `git config` alone would read another file. */
const FOREIGN =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|(ALTERNATE_)?OBJECT_DIRECTOR(Y|IES)|SHALLOW_FILE|NAMESPACE|PREFIX|CONFIG)$/;
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/** What git said when it did not do it. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
}

/** Git was ended because it took too long. */
export class GitTimeoutError extends GitError {
  override readonly name = 'GitTimeoutError';
}

export class Git {
  private constructor(
    private readonly folder: string,
    private readonly settings: readonly string[],
    private readonly timeoutMs: number,
  ) {}

  /**
   * For commands in `folder`, to be given at once: the configuration is read now. `others` are worktrees that these commands look into,
   * where the configuration may differ. Each command may take `timeoutMs`. Rejects with a {@link GitError}, also where there is no git.
   */
  static async in(folder: string, { others = [] as string[], timeoutMs = TIMEOUT_MS } = {}): Promise<Git> {
    const named = await Promise.all([folder, ...others].map((each) => namedPrograms(each, timeoutMs)));
    return new Git(folder, [...new Set([...ALWAYS_OFF, ...named.flat()])], timeoutMs);
  }

  /** The output without its last newline. Rejects with a {@link GitError}. */
  async text(...args: string[]): Promise<string> {
    return (await this.bytes(...args)).toString().replace(/\n$/, '');
  }

  /** The parts of an output of `-z`. Rejects like {@link text}. */
  async parts(...args: string[]): Promise<string[]> {
    return nulSeparated(await this.bytes(...args));
  }

  /** The output as it is. Rejects like {@link text}. */
  bytes(...args: string[]): Promise<Buffer> {
    return run(this.folder, [...this.settings.flatMap((setting) => ['-c', setting]), ...args], this.timeoutMs);
  }
}

/** The top folder of the work tree that holds the folder, which is a real path; undefined when none does. Rejects with a {@link GitTimeoutError}. */
export async function workTreeOf(folder: string, timeoutMs?: number): Promise<string | undefined> {
  let top: string;
  try {
    top = await (await Git.in(folder, { timeoutMs })).text('rev-parse', '--show-toplevel');
  } catch (error) {
    if (error instanceof GitError && !(error instanceof GitTimeoutError)) return undefined; // no repository, one that git does not trust, or no git
    throw error;
  }
  // A repository may say that its work tree is elsewhere.
  const below = relative(top, folder);
  return top !== '' && below !== '..' && !below.startsWith(`..${sep}`) ? top : undefined;
}

/** The repository's own folder, also when the given one is another worktree of it. */
export async function mainWorktreeOf(repository: string): Promise<string> {
  const [first = ''] = (await (await Git.in(repository)).text('worktree', 'list', '--porcelain')).split('\n');
  return first.replace(/^worktree /, '');
}

/** Settings that take the filters and hooks of this folder's configuration out of use. What a filter keeps elsewhere stays as committed. */
async function namedPrograms(folder: string, timeoutMs: number): Promise<string[]> {
  const keys = nulSeparated(await run(folder, ['config', '--null', '--name-only', '--list'], timeoutMs));
  const programs = new Set(keys.flatMap((key) => /^((?:filter|hook)\..*)\.[^.]+$/s.exec(key)?.[1] ?? []));
  return [...programs].flatMap((program) => {
    if (program.includes('=')) throw new GitError(`${program} cannot be taken out of use`);
    return (NAMED_OFF[program.slice(0, program.indexOf('.'))] ?? []).map((setting) => `${program}.${setting}`);
  });
}

function nulSeparated(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

async function run(folder: string, args: readonly string[], timeoutMs: number): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...args], {
      env: environment(),
      encoding: 'buffer',
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT,
    });
    return stdout;
  } catch (error) {
    const { stderr, message, killed, code } = error as { stderr?: Buffer; message: string; killed?: boolean; code?: unknown };
    // It is killed for too much output too, and that has a code.
    if (killed && typeof code !== 'string') throw new GitTimeoutError(`git took longer than ${timeoutMs / 1000} s`, { cause: error });
    throw new GitError(stderr?.toString().trim() || message, { cause: error });
  }
}

/** Without prompts, and without a network: a partial clone would fetch what it does not have, and run what its configuration says for that. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const set = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' };
  return { ...Object.fromEntries(own), ...set };
}
