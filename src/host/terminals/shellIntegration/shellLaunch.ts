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
  /** What the marks of its integration carry; undefined when this shell has none. */
  nonce?: string;
}

interface Integration {
  /** By name; written into a folder of the shell's own. */
  files: Readonly<Record<string, string>>;
  launch(folder: string, base: NodeJS.ProcessEnv): { args: string[]; env?: NodeJS.ProcessEnv };
}

/** Shells with an integration, by file name. */
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

/** The person's shell (`$SHELL`), interactive. The integration's files are written anew each time, in case someone tidied it away. */
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
 * A shell that runs one command line and ends. Always bash or, without one, sh: tools write for those, whatever the person's shell is.
 * Pagers are off and prompts for credentials fail, because nobody may be looking.
 */
export function commandShell(commandLine: string, base = process.env): ShellLaunch {
  requireCommandLine(commandLine);
  const file = findExecutable('bash', base) ?? '/bin/sh';
  const env = { ...terminalEnvironment(base), PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };
  return { file, args: ['-c', commandLine], env };
}

/** Throws for a text of which the shell would get another: an argument ends at U+0000, and half a character is no UTF-8. */
export function requireCommandLine(text: string): void {
  if (/[\0\p{Cs}]/u.test(text)) throw new Error('A command line cannot hold U+0000 or half a character.');
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
    return false; // Not there or not ours to run: both mean that it is no candidate.
  }
}

function quotedForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** The host's environment without what belongs to the host itself or to the editor that started it. */
function terminalEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(base).filter(([name]) => !/^(TAPLINE_|VSCODE_|ELECTRON_)/.test(name));
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(own), TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'tapline' };
  // Started from a desktop there may be no locale; without one a shell mangles everything beyond ASCII.
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return env;
}
