/** The code blocks of our documents, and a shell in which a test runs them as a user would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { Emitter } from '../../../src/base/event.ts';
import { withTimeout } from '../../../src/base/errors.ts';
import { until } from '../../support/until.ts';

export const root = join(import.meta.dirname, '../../..');
/** Documented commands build first, which takes its time beside other tests. */
export const COMMAND_MS = 90_000;

export interface CodeBlock {
  file: string;
  /** Its language and text, with the white space of a line. */
  name: string;
  text: string;
}

export function codeBlocksOf(file: string): CodeBlock[] {
  const tokens = new MarkdownIt().parse(readFileSync(join(root, file), 'utf8'), {});
  return tokens
    .filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ file, name: `${info}: ${content.replace(/\s+/g, ' ')}`, text: content }));
}

/** A folder in which commands find a home of their own. */
export class FreshHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'tapline-documented-'));
  readonly #shells: Shell[] = [];

  /** Begins with the command in the folder of the repository, or in `cwd`. */
  run(command: string, cwd = root): Shell {
    const env = {
      ...process.env,
      HOME: this.folder,
      TAPLINE_HOME: join(this.folder, '.tapline'),
      COPILOT_HOME: join(this.folder, '.copilot'),
    };
    const shell = new Shell(spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: 'pipe' }), command);
    this.#shells.push(shell);
    return shell;
  }
  async dispose(): Promise<void> {
    for (const shell of this.#shells.reverse()) await shell.interrupt();
    rmSync(this.folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  }
}

export class Shell {
  #output = '';
  readonly #heard = new Emitter<void>();
  readonly exited: Promise<number | null>;

  constructor(
    private readonly child: ChildProcess,
    private readonly command: string,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#output += String(chunk);
        this.#heard.fire();
      });
    this.exited = new Promise((resolve) => child.once('close', resolve));
    // A test that waits for a line learns that none will come.
    void this.exited.then((code) => {
      this.#output += `\n[ended with ${code}]\n`;
      this.#heard.fire();
    });
  }

  /** What it printed that matches, once it did. Rejects with all of its output when it ends before, or takes too long. */
  async says(pattern: RegExp): Promise<string> {
    const look = () => {
      const found = pattern.exec(this.#output);
      if (!found && /\[ended with .*\]\n$/.test(this.#output)) throw new Error(`“${this.command}” did not say ${String(pattern)}`);
      return found?.[1] ?? found?.[0];
    };
    try {
      return await until(`${String(pattern)} of “${this.command}”`, this.#heard.event, look, COMMAND_MS);
    } catch (error) {
      throw new Error(`${String(error)}:\n${this.#output}`);
    }
  }
  /** The JSON line of a server. */
  async address<T>(): Promise<T> {
    return JSON.parse(await this.says(/^(\{.*\})$/m)) as T;
  }
  type(line: string): void {
    this.child.stdin?.write(`${line}\n`);
  }
  /** As Ctrl+C does, for all programs of the command. */
  async interrupt(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined)
      process.kill(-this.child.pid, 'SIGINT');
    await withTimeout(this.exited, COMMAND_MS, `the end of “${this.command}”`);
  }
  async ended(): Promise<number | null> {
    return withTimeout(this.exited, COMMAND_MS, `the end of “${this.command}”`);
  }
}
