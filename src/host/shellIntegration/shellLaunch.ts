/** How the shell of a terminal is started: which one, with what environment, and with our integration where there is one. */
import { accessSync, constants } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { bashScript } from './bash.ts';

export interface ShellLaunch {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** What the marks of its integration carry; undefined when this shell has none. */
  nonce?: string;
}

/** Shells with an integration, by file name. */
const integrations: Readonly<Record<string, { fileName: string; script: string; args: (path: string) => string[] }>> = {
  bash: { fileName: 'bashrc', script: bashScript, args: (path) => ['--rcfile', path, '-i'] },
};

/** The person's shell (`$SHELL`), interactive. The integration's file is written anew each time, in case someone tidied it away. */
export async function interactiveShell(scriptDirectory: string, nonce: string, base = process.env): Promise<ShellLaunch> {
  const file = personsShell(base);
  const env = terminalEnvironment(base);
  const integration = integrations[basename(file)];
  if (!integration) return { file, args: [], env };
  await mkdir(scriptDirectory, { recursive: true, mode: 0o700 });
  const path = join(scriptDirectory, integration.fileName);
  await writeFile(path, integration.script, { mode: 0o600 });
  return { file, args: integration.args(path), env: { ...env, TAPLINE_SHELL_NONCE: nonce }, nonce };
}

/**
 * A shell that runs one command line and ends. Always bash or, without one, sh: tools write for those, whatever the person's shell is.
 * Pagers are off and prompts for credentials fail, because nobody may be looking.
 */
export function commandShell(commandLine: string, base = process.env): ShellLaunch {
  const file = findExecutable('bash', base) ?? '/bin/sh';
  const env = { ...terminalEnvironment(base), PAGER: 'cat', GIT_PAGER: 'cat', MANPAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };
  return { file, args: ['-c', commandLine], env };
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

/** The host's environment without what belongs to the host itself or to the editor that started it. */
function terminalEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(base).filter(([name]) => !/^(TAPLINE_|VSCODE_|ELECTRON_)/.test(name));
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(own), TERM: 'xterm-256color', COLORTERM: 'truecolor', TERM_PROGRAM: 'tapline' };
  // Started from a desktop there may be no locale; without one a shell mangles everything beyond ASCII.
  if (!env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LANG = 'C.UTF-8';
  return env;
}
