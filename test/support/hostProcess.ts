/** The built agent host as a real process in the foreground. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withTimeout } from '../../src/base/errors.ts';

const START_TIMEOUT_MS = 15_000;
export const hostScript = join(import.meta.dirname, '../../dist/host.cjs');

export interface HostProcess {
  readonly url: string;
  readonly token: string;
  readonly stderr: () => string;
  /** Everything that came on stdout. */
  readonly stdout: () => string;
  readonly pid: number;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startHostProcess(args: string[] = [], script = hostScript): Promise<HostProcess> {
  if (!existsSync(script)) throw new Error(`${script} is missing: run \`npm run build\` first`);
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const lines = createInterface({ input: child.stdout });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => (stdout += `${line}\n`));
  const ended = exited.then((code) => Promise.reject(new Error(`the host ended with ${code}: ${stderr}`)));
  ended.catch(() => undefined); // also ends later, when nobody races against it any more
  const line = await withTimeout(Promise.race([first, ended]), START_TIMEOUT_MS, 'starting the agent host');
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    url,
    token,
    pid: child.pid ?? 0,
    stderr: () => stderr,
    stdout: () => stdout,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return withTimeout(exited, START_TIMEOUT_MS, 'ending the agent host');
    },
  };
}
