/**
 * Git in a folder, without a shell, prompts and network. Hooks do not run, and neither do programs that the configuration of the repository itself
 * names, because an agent may have written that. Filters of the user's own configuration do, so that files are what they are elsewhere.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 16 * 1024 * 1024;
/** What git says is shown to the user. */
const MAX_MESSAGE = 2_000;

const ALWAYS = [
  ...['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'commit.gpgSign=false', 'gc.auto=0', 'maintenance.auto=false'],
  ...['merge.autoStash=false', 'merge.verifySignatures=false', 'submodule.recurse=false', 'advice.detachedHead=false'],
];
/** By section, what makes git run no program of it. A driver that fails leaves a conflict. */
const OFF: Readonly<Record<string, readonly string[]>> = {
  filter: ['clean=', 'smudge=', 'process=', 'required=false'],
  merge: ['driver=false'],
  hook: ['enabled=false'],
};
/** They look at no file of the user, and merge nothing. */
const NO_PROGRAMS: ReadonlySet<string> = new Set([
  'config',
  'for-each-ref',
  'ls-files',
  'merge-base',
  'rev-parse',
  'show-ref',
  'symbolic-ref',
  'update-ref',
]);
/** Variables that tie git to another repository, whose hook may have started this process. */
const FOREIGN =
  /^GIT_(DIR|WORK_TREE|IMPLICIT_WORK_TREE|INDEX_FILE|COMMON_DIR|(ALTERNATE_)?OBJECT_DIRECTOR(Y|IES)|SHALLOW_FILE|NAMESPACE|PREFIX|CONFIG)$/;

/** The message is what git said. */
export class GitError extends Error {
  override readonly name = 'GitError';
  constructor(
    message: string,
    /** Undefined where it did not end by itself. */
    readonly exitCode: number | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Without the last line feed. Rejects with a {@link GitError}, also when there is no git, or it takes too long. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const settings = [...ALWAYS, ...(NO_PROGRAMS.has(args[0] ?? '') ? [] : await programsOff(folder))];
  return (await run(folder, [...settings.flatMap((setting) => ['-c', setting]), ...args])).replace(/\n$/, '');
}

/** The same for a command that also looks at the files of another tree, whose configuration may differ. */
export async function gitOver(folder: string, other: string, ...args: string[]): Promise<string> {
  const off = await programsOff(other);
  return git(folder, ...off.flatMap((setting) => ['-c', setting]), ...args);
}

/** The parts of an output with `-z`. */
export async function gitParts(folder: string, ...args: string[]): Promise<string[]> {
  return (await git(folder, ...args)).split('\0').slice(0, -1);
}

/** The answer of a command that says yes with exit code 0, and no with 1. */
export async function gitSays(folder: string, ...args: string[]): Promise<boolean> {
  try {
    await git(folder, ...args);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return false;
    throw error;
  }
}

async function programsOff(folder: string): Promise<string[]> {
  const listed = (await run(folder, ['config', '--null', '--show-scope', '--name-only', '--list'])).split('\0');
  const programs = new Set<string>();
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [, program] = /^((?:filter|merge|hook)\..*)\.[^.]+$/s.exec(listed[at + 1] ?? '') ?? [];
    if (program !== undefined && (listed[at] === 'local' || listed[at] === 'worktree')) programs.add(program);
  }
  return [...programs].flatMap((program) => {
    if (program.includes('=')) throw new GitError(`${program} of the repository cannot be disabled`, undefined);
    return (OFF[program.slice(0, program.indexOf('.'))] ?? []).map((setting) => `${program}.${setting}`);
  });
}

async function run(folder: string, args: readonly string[]): Promise<string> {
  try {
    const running = promisify(execFile)('git', ['-C', folder, ...args], {
      env: environment(),
      timeout: TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT,
    });
    running.child.stdin?.on('error', () => undefined).end();
    return (await running).stdout;
  } catch (error) {
    const {
      stderr = '',
      stdout = '',
      message,
      killed,
      code,
    } = error as { stderr?: string; stdout?: string } & NodeJS.ErrnoException & { killed?: boolean };
    if (killed && typeof code !== 'string') throw new GitError(`git took longer than ${TIMEOUT_MS / 1000} s`, undefined, { cause: error });
    if (code === 'ENOENT') throw new GitError('git is not installed', undefined, { cause: error });
    const said = stderr.trim() || stdout.trim() || message;
    throw new GitError(said.slice(0, MAX_MESSAGE), typeof code === 'number' ? code : undefined, { cause: error });
  }
}

/** A partial clone would fetch missing objects, and run what its configuration names for that. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  const set = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_EDITOR: 'true', LC_ALL: 'C' };
  return { ...Object.fromEntries(own), ...set };
}
