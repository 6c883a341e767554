import { join } from 'node:path';
import type { DaemonSpec } from '../../base/daemon/daemon.ts';
import { taplineHome } from '../../base/node/taplineHome.ts';
import { phrase } from '../../base/text/phrase.ts';
import { gatewayLockFile } from './gatewayPaths.ts';

/** The gateway that all session owners of this user share. `script`: the built `gateway.cjs`; `version`: of the Tapline that asks. */
export function gatewayDaemon(script: string, version: string): DaemonSpec {
  const lockFile = gatewayLockFile();
  return {
    name: phrase`tap gateway`,
    lockFile,
    logFile: join(taplineHome(), 'gateway.log'),
    version,
    args: [script, '--daemon', '--lock-file', lockFile],
  };
}
