/** The built gateway as a real process, in a home of its own. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PrintingProcess, startPrintingProcess } from './printingProcess.ts';

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

interface Said {
  url: string;
  tokenFile: string;
  ownerSecretFile: string;
}
export interface GatewayProcess extends Omit<PrintingProcess<Said>, 'said'>, Readonly<Said> {
  readonly port: number;
  readonly token: string;
  readonly secret: string;
}

export async function startGatewayProcess(
  home: GatewayHome,
  args: string[] = ['--port', '0'],
  env: Record<string, string> = {},
): Promise<GatewayProcess> {
  const { said, ...gateway } = await startPrintingProcess<Said>('gateway', gatewayScript, args, { ...home.env, ...env });
  return {
    ...gateway,
    ...said,
    port: Number(new URL(said.url).port),
    token: readFileSync(said.tokenFile, 'utf8'),
    secret: readFileSync(said.ownerSecretFile, 'utf8'),
  };
}
