import { readDaemonRecord } from '../../src/base/daemon.ts';
import { isAlive, processesWith, untilGone } from './processes.ts';

/**
 * Ends whatever runs for a lock file: who it names, and who was started for it (where many were, one that lost may take the place of one
 * that ended).
 */
export async function endDaemons(lockFile: string): Promise<void> {
  for (;;) {
    const named = readDaemonRecord(lockFile)?.pid;
    const pids = [...processesWith(lockFile), ...(named === undefined ? [] : [named])].filter(isAlive);
    if (!pids.length) return;
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    await untilGone(...pids);
  }
}
