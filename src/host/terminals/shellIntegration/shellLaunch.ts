/** How the shell of a terminal is started: which one, with what environment, and with our integration where there is one. */
import { accessSync, constants } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshEnv, zshRc } from './zsh.ts';

export interface ShellLaunch {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The nonce in the marks of its integration. Undefined when this shell has none. */
  nonce?: string;
}

interface Integration {
  /** Start files by name. They are written into a folder for this shell. */
  files: Readonly<Record<string, string>>;
  launch(folder: string, base: NodeJS.ProcessEnv): { args: string[]; env?: NodeJS.ProcessEnv };
}

/** Shells with an integration, by the name of their executable. */
const integrations: Readonly<Record<string, Integration>> = {
  bash: { files: { bashrc: bashScript }, launch: (folder) => ({ args: ['--rcfile', join(folder, 'bashrc'), '-i'] }) },
  zsh: {
    files: { '.zshenv': zshEnv, '.zshrc': zshRc },
    launch: (folder, { ZDOTDIR }) => ({ args: ['-i'], env: { ZDOTDIR: folder, ...(ZDOTDIR && { TAPLINE_USER_ZDOTDIR: ZDOTDIR }) } }),
  },
  fish: {
    files: { 'integration.fish': fishScript },
    launch: (folder) => ({ args: ['-i', '--init-command', `source ${quotedForFish(join(folder, 'integration.fish'))}`] }),
  },
};

/** The user's shell (`$SHELL`), interactive. The files of the integration are written each time, in case they were deleted. */
export async function interactiveShell(scriptDirectory: string, nonce: string, base = process.env): Promise<ShellLaunch> {
  const file = personsShell(base);
  const env = terminalEnvironment(base);
  const name = basename(file);
  const integration = Object.hasOwn(integrations, name) ? integrations[name] : undefined;
  if (!integration) return { file, args: [], env };
  const folder = join(scriptDirectory, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [fileName, script] of Object.entries(integration.files)) await writeFile(join(folder, fileName), script, { mode: 0o600 });
  const launch = integration.launch(folder, base);
  return { file, args: launch.args, env: { ...env, ...launch.env, TAPLINE_SHELL_NONCE: nonce }, nonce };
}

/**
 * A shell that runs one command line and ends. It is always bash, or sh if there is no bash, because tools write for those, whatever the
 * user's shell is. Pagers are off and prompts for credentials fail, because nobody may be watching.
 */
export function commandShell(commandLine: string, base = process.env): ShellLaunch {
  requireCommandLine(commandLine);
  const file = findExecutable('bash', base) ?? '/bin/sh';
  const env = { ...terminalEnvironment(base), PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };
  return { file, args: ['-c', commandLine], env };
}

/** Throws for a text that the shell would get changed: an argument ends at U+0000, and half a surrogate pair has no UTF-8. */
export function requireCommandLine(text: string): void {
  if (/[\0\p{Cs}]/u.test(text)) throw new Error('A command line cannot hold U+0000 or half a surrogate pair.');
}

function personsShell(env: NodeJS.ProcessEnv): string {
  if (env.SHELL && isAbsolute(env.SHELL) && isExecutable(env.SHELL)) return env.SHELL;
  return findExecutable('bash', env) ?? '/bin/sh';
}

function findExecutable(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(isAbsolute), '/bin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // It does not exist, or cannot be executed.
  }
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** The host's environment without the variables of the host itself and of the editor that started it. */
function terminalEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(base).filter(([name]) => !/^(TAPLINE_|VSCODE_|ELECTRON_)/.test(name));
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(own), TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'tapline' };
  // Without a locale, as when started from a desktop, a shell garbles everything beyond ASCII.
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return env;
}
