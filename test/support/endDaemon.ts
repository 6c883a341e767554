import { readDaemonRecord } from '../../src/base/daemon.ts';

const END_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** Ends the daemon of a lock file and waits until its process has gone. True when one was running. */
export async function endDaemon(lockFile: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<boolean> {
  const record = readDaemonRecord(lockFile);
  if (!record || !isRunning(record.pid)) return false;
  process.kill(record.pid, signal);
  const deadline = Date.now() + END_TIMEOUT_MS;
  while (isRunning(record.pid)) {
    if (Date.now() > deadline) throw new Error(`the daemon ${record.pid} did not end within ${END_TIMEOUT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
