/** The gateway that comes with the extension: one detached process of the user, started when it is first needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DaemonSpec, findOrStartDaemon, stopDaemon } from '../../../base/daemon/daemon.ts';
import type { DaemonRecord } from '../../../base/daemon/daemonLock.ts';
import type { Logger } from '../../../base/log.ts';
import { gatewayDaemon } from '../../../tap/owner/gatewayDaemon.ts';

export class GatewayDaemon {
  readonly #spec: DaemonSpec;

  /** `extensionPath`: where `package.json` and `dist/gateway.cjs` are. `args`: more for a gateway that is started. */
  constructor(
    extensionPath: string,
    private readonly logger: Logger,
    args: readonly string[] = [],
  ) {
    const { version } = JSON.parse(readFileSync(join(extensionPath, 'package.json'), 'utf8')) as { version: string };
    const spec = gatewayDaemon(join(extensionPath, 'dist', 'gateway.cjs'), version);
    this.#spec = { ...spec, args: [...spec.args, ...args] };
  }

  get logFile(): string {
    return this.#spec.logFile;
  }

  /** The running gateway of this user, also one in the foreground of a terminal; started when there is none. Fails with a {@link UserError}. */
  find(): Promise<DaemonRecord> {
    return findOrStartDaemon(this.#spec, this.logger);
  }

  /** Ends the running gateway and waits for that; false when none runs. Fails with a {@link UserError} when it does not end. */
  stop(): Promise<boolean> {
    return stopDaemon(this.#spec);
  }
}
