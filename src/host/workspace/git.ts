/** Git, as the host needs it: short commands in a folder, with nobody to ask. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Nothing is run because a repository's own configuration or hooks name it: whoever chose the folder has not read those. */
const INERT = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 16 * 1024 * 1024;

/** What git said when it did not do it. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** The output without its last newline. Rejects with a {@link GitError}, also where there is no git. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  return (await gitBytes(folder, args)).toString().replace(/\n$/, '');
}

/** The output as it is. Rejects like {@link git}. */
export async function gitBytes(folder: string, args: readonly string[], timeoutMs = TIMEOUT_MS): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...INERT, ...args], {
      env: environment(),
      encoding: 'buffer',
      timeout: timeoutMs,
      maxBuffer: MAX_OUTPUT,
    });
    return stdout;
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new GitError(stderr?.toString().trim() || message, { cause: error });
  }
}

/**
 * What to put before a command that compares or writes files: every filter that the configuration names is out of use, because git would
 * run it for each file. What the repository holds by a filter, such as large files, is then as it was committed.
 */
export async function withoutFilters(folder: string, timeoutMs = TIMEOUT_MS): Promise<string[]> {
  const keys = nulSeparated(await gitBytes(folder, ['config', '--null', '--name-only', '--list'], timeoutMs));
  const filters = new Set(keys.flatMap((key) => /^(filter\..+)\.[^.]+$/s.exec(key)?.[1] ?? []));
  return [...filters].flatMap((filter) => {
    if (/[=\n]/.test(filter)) throw new GitError(`${filter} cannot be taken out of use`);
    return ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `${filter}.${setting}`]);
  });
}

/** The parts of an output of `-z` or `--null`. */
export function nulSeparated(output: Buffer): string[] {
  return output.toString().split('\0').slice(0, -1);
}

/** The top folder of the repository that holds the folder; undefined when none does. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  try {
    return (await git(folder, 'rev-parse', '--show-toplevel')) || undefined;
  } catch (error) {
    if (error instanceof GitError) return undefined; // no repository, or no git: either way there is nothing to offer
    throw error;
  }
}

/** The repository's own folder, also when the given one is another worktree of it. */
export async function mainWorktreeOf(repository: string): Promise<string> {
  const [first = ''] = (await git(repository, 'worktree', 'list', '--porcelain')).split('\n');
  return first.replace(/^worktree /, '');
}

/**
 * Without what ties git to another repository (a hook of it may have started us), without prompts, and without a network: a partial clone
 * would fetch what it does not have, and run what its configuration says for that.
 */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|PREFIX)$/.test(name),
  );
  const set = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', LC_ALL: 'C' };
  return { ...Object.fromEntries(own), ...set };
}
