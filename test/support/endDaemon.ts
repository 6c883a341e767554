import { readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { isRunning } from '../../src/base/daemon/processIdentity.ts';
import { isAlive, processesWith, untilGone } from './processes.ts';

/**
 * Ends whatever runs for a lock file: who it names, and who was started for it (where many were, one that lost may take the place of one
 * that ended).
 */
export async function endDaemons(lockFile: string): Promise<void> {
  for (;;) {
    const named = readDaemonRecord(lockFile);
    // Not whoever has that number by now, or outside of a container.
    const pids = processesWith(lockFile).filter(isAlive);
    if (named?.process && isRunning(named.pid, named.process)) pids.push(named.pid);
    if (!pids.length) return;
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    await untilGone(...pids);
  }
}
