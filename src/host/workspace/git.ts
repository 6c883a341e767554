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

/** The output as it is; `variables` are added to git's environment. Rejects like {@link git}. */
export async function gitBytes(
  folder: string,
  args: readonly string[],
  { variables, timeoutMs = TIMEOUT_MS }: { variables?: NodeJS.ProcessEnv; timeoutMs?: number } = {},
): Promise<Buffer> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', folder, ...INERT, ...args], {
      env: { ...environment(), ...variables },
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

/** Without what ties git to another repository (a hook of it may have started us), and without prompts. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|PREFIX)$/.test(name),
  );
  return { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}
