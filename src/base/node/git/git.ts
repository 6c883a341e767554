/**
 * Runs short git commands in a folder, without prompts.
 *
 * No program is run because the configuration or the hooks of a repository name it. Whoever chose the folder has not read those, and an agent may
 * have written them.
 */
import { execFile } from 'node:child_process';
import { relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { english, type Phrase } from '../../text/phrase.ts';
import { stillLocked } from '../../text/stillLocked.ts';

export const ALWAYS_OFF = ['core.fsmonitor=false', 'core.hooksPath=/dev/null'];
/**
 * Settings that can only be disabled one by one, by section. `hook` exists since git 2.54, and earlier versions ignore it. A merge driver that fails
 * leaves a conflict.
 */
const NAMED_OFF: Readonly<Record<string, readonly string[]>> = {
  filter: ['clean=', 'smudge=', 'process=', 'required=false'],
  merge: ['driver=false'],
  hook: ['enabled=false'],
};
/**
 * Variables that tie git to another repository, a hook of which may have started this process. With `GIT_CONFIG`, `git config` would read
 * another file.
 */
const FOREIGN =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|(ALTERNATE_)?OBJECT_DIRECTOR(Y|IES)|SHALLOW_FILE|NAMESPACE|PREFIX|CONFIG)$/;
const TIMEOUT_MS = 30_000;
/** Between two tries of a command that has found a lock. */
export const LOCK_RETRY_MS = 100;
const MAX_OUTPUT = 16 * 1024 * 1024;
/** Characters of what git said. It is shown to the user. */
const MAX_MESSAGE = 2_000;

/** What git reported when a command failed. */
export class GitError extends Error {
  override readonly name: string = 'GitError';
  /** With which the command ended. Undefined where it did not end by itself. */
  readonly exitCode: number | undefined;

  constructor(message: string, { exitCode, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** There is no git on the PATH. */
export class GitMissingError extends GitError {
  override readonly name = 'GitMissingError';
}

/** Another Git has locked the index, and the command has changed nothing. */
export class GitLockedError extends GitError {
  override readonly name = 'GitLockedError';

  /** `lock`: the file that was in the way. */
  constructor(
    readonly lock: string,
    { message, exitCode }: GitError,
  ) {
    super(message, { exitCode });
  }

  /** In words for the user. */
  stillThereAfter(waitedMs: number): Phrase {
    return stillLocked(this.lock, waitedMs / 1000);
  }
}

/** Git was ended because it took too long. */
class GitTimeoutError extends GitError {
  override readonly name = 'GitTimeoutError';
}

export interface GitOptions {
  /** Worktrees that the commands read, where the configuration may differ. */
  others?: readonly string[];
  /** Of each command. */
  timeoutMs?: number | undefined;
  /** For how long a command is tried again that finds the index locked by another Git. Absent: it fails at once. */
  lockWaitMs?: number | undefined;
  /** The file of another index than that of the work tree. */
  index?: string;
  /** Filters and merge drivers of the user's own configuration run, so that files are what they are elsewhere. Only those of repositories do not. */
  isOfUser?: boolean;
}

export class Git {
  private constructor(
    private readonly folder: string,
    private readonly settings: readonly string[],
    private readonly timeoutMs: number,
    private readonly index: string | undefined,
    private readonly lockWaitMs: number,
  ) {}

  /**
   * Runs commands in `folder`. To be used at once, because the configuration is read now. Rejects with a {@link GitError}, also when git is not
   * installed.
   */
  static async in(folder: string, options: GitOptions = {}): Promise<Git> {
    const { others = [], timeoutMs = TIMEOUT_MS, index, isOfUser = false, lockWaitMs = 0 } = options;
    const named = await Promise.all([folder, ...others].map((each) => namedPrograms(each, timeoutMs, isOfUser)));
    return new Git(folder, [...new Set([...ALWAYS_OFF, ...named.flat()])], timeoutMs, index, lockWaitMs);
  }

  /** The output without its last line feed. Rejects with a {@link GitError}. */
  async text(...args: string[]): Promise<string> {
    return (await this.bytes(...args)).toString().replace(/\n$/, '');
  }

  /** The parts of an output with `-z`. Rejects like {@link text}. */
  async parts(...args: string[]): Promise<string[]> {
    return nulSeparated(await this.bytes(...args));
  }

  /** The answer of a command that says yes with exit code 0, and no with 1. Rejects like {@link text}. */
  async says(...args: string[]): Promise<boolean> {
    try {
      await this.bytes(...args);
      return true;
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return false;
      throw error;
    }
  }

  /** The unchanged output. Rejects like {@link text}. */
  bytes(...args: string[]): Promise<Buffer> {
    return this.bytesFor('', ...args);
  }

  /** The output of a command that reads `input`. Rejects like {@link text}. */
  async bytesFor(input: string, ...args: string[]): Promise<Buffer> {
    const all = [...this.settings.flatMap((setting) => ['-c', setting]), ...args];
    const until = performance.now() + this.lockWaitMs;
    for (;;) {
      try {
        return await run(this.folder, all, this.timeoutMs, { index: this.index, input });
      } catch (error) {
        const lock = error instanceof GitError ? lockIn(error.message) : undefined;
        if (lock === undefined) throw error;
        const locked = new GitLockedError(lock, error as GitError);
        if (this.lockWaitMs === 0) throw locked;
        if (performance.now() >= until) throw new GitError(english(locked.stillThereAfter(this.lockWaitMs)), { cause: locked });
        await setTimeout(LOCK_RETRY_MS);
      }
    }
  }
}

/**
 * The lock of another Git on the index, which Git takes before it does what it is to do, so that can be tried again. One on a branch is found only
 * after the index is written, and a merge that is tried again then is in the middle of itself.
 */
function lockIn(message: string): string | undefined {
  const before = "Unable to create '";
  const start = message.indexOf(before);
  const end = message.indexOf("': File exists", start);
  const path = start < 0 || end < 0 ? '' : message.slice(start + before.length, end);
  return path.endsWith('/index.lock') ? path : undefined;
}

/**
 * The top folder of the work tree that contains the folder, which is a real path. Undefined when there is none. Rejects with a {@link
 * GitTimeoutError}.
 */
export async function workTreeOf(folder: string, timeoutMs?: number): Promise<string | undefined> {
  let top: string;
  try {
    top = await (await Git.in(folder, { timeoutMs })).text('rev-parse', '--show-toplevel');
  } catch (error) {
    if (error instanceof GitError && !(error instanceof GitTimeoutError)) return undefined; // Not a repository, one that git does not trust, or git is not installed.
    throw error;
  }
  // A repository may have its work tree elsewhere.
  const below = relative(top, folder);
  return top !== '' && below !== '..' && !below.startsWith(`..${sep}`) ? top : undefined;
}

/** The main folder of the repository, also when `folder` is another worktree of it. */
export async function mainWorktreeOf(repository: string): Promise<string> {
  const [first = ''] = (await (await Git.in(repository)).text('worktree', 'list', '--porcelain')).split('\n');
  return first.replace(/^worktree /, '');
}

/**
 * Settings that disable the filters, merge drivers and hooks in this folder's configuration. Files that a filter stores elsewhere stay as they were
 * committed.
 */
async function namedPrograms(folder: string, timeoutMs: number, isOfUser: boolean): Promise<string[]> {
  const keys = isOfUser ? await repositoryKeys(folder, timeoutMs) : await listedConfig(folder, timeoutMs);
  const programs = new Set(keys.flatMap((key) => /^((?:filter|merge|hook)\..*)\.[^.]+$/s.exec(key)?.[1] ?? []));
  return [...programs].flatMap((program) => {
    if (program.includes('=')) throw new GitError(`${program} cannot be disabled`);
    return (NAMED_OFF[program.slice(0, program.indexOf('.'))] ?? []).map((setting) => `${program}.${setting}`);
  });
}

async function repositoryKeys(folder: string, timeoutMs: number): Promise<string[]> {
  const parts = await listedConfig(folder, timeoutMs, '--show-scope');
  return parts.filter((_, index) => index % 2 === 1 && ['local', 'worktree'].includes(parts[index - 1] ?? ''));
}

async function listedConfig(folder: string, timeoutMs: number, ...more: string[]): Promise<string[]> {
  return nulSeparated(await run(folder, ['config', '--null', ...more, '--name-only', '--list'], timeoutMs));
}

function nulSeparated(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

async function run(
  folder: string,
  args: readonly string[],
  timeoutMs: number,
  { index, input = '' }: { index?: string | undefined; input?: string } = {},
): Promise<Buffer> {
  try {
    const running = promisify(execFile)('git', ['-C', folder, ...args], {
      env: { ...gitEnvironment(), ...(index !== undefined && { GIT_INDEX_FILE: index }) },
      encoding: 'buffer',
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT,
    });
    // A command that ends without reading it says why in its own words.
    running.child.stdin?.on('error', () => undefined).end(input);
    return (await running).stdout;
  } catch (error) {
    const { stderr, stdout, message, killed, code } = error as Partial<Record<'stderr' | 'stdout', Buffer>> & {
      message: string;
      killed?: boolean;
      code?: unknown;
    };
    // It is also killed for too much output, which has its own code.
    if (killed && typeof code !== 'string') throw new GitTimeoutError(`git took longer than ${timeoutMs / 1000} s`, { cause: error });
    if (code === 'ENOENT') throw new GitMissingError('git is not installed', { cause: error });
    const exitCode = typeof code === 'number' ? code : undefined;
    // A merge says what is in conflict where others give their results.
    const said = [stderr, stdout].map((output) => output?.toString().trim()).find(Boolean) ?? message;
    throw new GitError(said.slice(0, MAX_MESSAGE), { cause: error, exitCode });
  }
}

/** Without prompts and network access. A partial clone would fetch missing objects, and run what its configuration names for that. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const set = {
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_EDITOR: 'true',
    LC_ALL: 'C',
  };
  return { ...Object.fromEntries(own), ...set };
}
