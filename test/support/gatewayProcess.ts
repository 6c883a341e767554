/** The built gateway as a real process, in a home of its own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withTimeout } from '../../src/base/errors.ts';

const TIMEOUT_MS = 15_000;
export const gatewayScript = join(import.meta.dirname, '../../dist/gateway.cjs');

/** Folders that stand for the user's own, so that tests touch nobody's. */
export class GatewayHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'tapline-gateway-'));
  readonly lockFile = join(this.folder, 'tapline', 'gateway.lock.json');
  readonly tokenFile = join(this.folder, 'copilot', 'extensions', 'tap', '.provider-token');
  readonly env = { TAPLINE_HOME: join(this.folder, 'tapline'), COPILOT_HOME: join(this.folder, 'copilot') };

  remove(): void {
    rmSync(this.folder, { recursive: true, maxRetries: 5, retryDelay: 100 });
  }
}

export interface GatewayProcess {
  readonly url: string;
  readonly port: number;
  readonly tokenFile: string;
  readonly ownerSecretFile: string;
  readonly token: string;
  readonly secret: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function startGatewayProcess(home: GatewayHome, args: string[] = ['--port', '0']): Promise<GatewayProcess> {
  if (!existsSync(gatewayScript)) throw new Error('dist/gateway.cjs is missing: run `npm run build` first');
  const child = spawn(process.execPath, [gatewayScript, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...home.env },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const lines = createInterface({ input: child.stdout });
  const first = new Promise<string>((resolve) => lines.once('line', resolve));
  lines.on('line', (line) => (stdout += `${line}\n`));
  const ended = exited.then((code) => Promise.reject(new Error(`the gateway ended with ${code}: ${stderr}`)));
  ended.catch(() => undefined); // also ends later, when nobody races against it any more
  const said = JSON.parse(await withTimeout(Promise.race([first, ended]), TIMEOUT_MS, 'starting the gateway')) as {
    url: string;
    tokenFile: string;
    ownerSecretFile: string;
  };
  return {
    ...said,
    port: Number(new URL(said.url).port),
    token: readFileSync(said.tokenFile, 'utf8'),
    secret: readFileSync(said.ownerSecretFile, 'utf8'),
    stdout: () => stdout,
    stderr: () => stderr,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return withTimeout(exited, TIMEOUT_MS, 'ending the gateway');
    },
  };
}
