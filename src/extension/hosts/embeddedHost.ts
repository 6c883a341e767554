/** How this window reaches the agent host that Tapline brings: one detached process of the user, started when it is not there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectNodeTransport } from '../../ahp/client/nodeTransport.ts';
import type { TransportFactory } from '../../ahp/client/transport.ts';
import { findOrStartDaemon, taplineHome } from '../../base/daemon.ts';
import type { Logger } from '../../base/log.ts';

/** Stands for the embedded host where a URL is asked for; the real one has a new port and token at each start. */
export const EMBEDDED_HOST_URL = 'ws://127.0.0.1';

export function embeddedHostLog(): string {
  return join(taplineHome(), 'host.log');
}

/** Each attempt to connect finds the running host or starts one, so a host that ended is simply there again. */
export function embeddedHostTransport(extensionPath: string, logger: Logger): TransportFactory {
  const { version } = JSON.parse(readFileSync(join(extensionPath, 'package.json'), 'utf8')) as { version: string };
  return async (_url, signal) => {
    const lockFile = join(taplineHome(), 'host.lock.json');
    const record = await findOrStartDaemon(
      {
        name: 'built-in agent host',
        lockFile,
        logFile: embeddedHostLog(),
        version,
        args: [join(extensionPath, 'dist', 'host.cjs'), '--daemon', '--lock-file', lockFile],
      },
      logger,
      signal,
    );
    return connectNodeTransport(undefined, record.token)(record.url, signal);
  };
}
