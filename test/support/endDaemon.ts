import { readDaemonRecord } from '../../src/base/daemon.ts';
import { isAlive, processesWith, untilGone } from './processes.ts';

/** Ends the daemon of a lock file and waits until its process has gone. True when one was running. */
export async function endDaemon(lockFile: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
  const record = readDaemonRecord(lockFile);
  if (!record || !isAlive(record.pid)) return false;
  process.kill(record.pid, signal);
  await untilGone(record.pid);
  return true;
}

/** Ends whatever was started for a lock file: where many were started, one that lost may take the place of one that ended. */
export async function endDaemons(lockFile: string): Promise<void> {
  for (let pids; (pids = processesWith(lockFile)).length > 0;) {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    await untilGone(...pids);
  }
}
