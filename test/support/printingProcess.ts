/** A program of ours as a real process in the foreground, which says where it is in one JSON line on stdout. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { withTimeout } from '../../src/base/errors.ts';

const TIMEOUT_MS = 15_000;

export interface PrintingProcess<Said> {
  readonly said: Said;
  readonly pid: number;
  /** Everything that came on stdout. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startPrintingProcess<Said>(
  name: string,
  script: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<PrintingProcess<Said>> {
  if (!existsSync(script)) throw new Error(`${script} is missing: run \`npm run build\` first`);
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const lines = createInterface({ input: child.stdout });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => (stdout += `${line}\n`));
  const ended = exited.then((code) => Promise.reject(new Error(`the ${name} ended with ${code}: ${stderr}`)));
  ended.catch(() => undefined); // also ends later, when nobody races against it any more
  const line = await withTimeout(Promise.race([first, ended]), TIMEOUT_MS, `starting the ${name}`);
  return {
    said: JSON.parse(line) as Said,
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return withTimeout(exited, TIMEOUT_MS, `ending the ${name}`);
    },
  };
}
