/**
 * Which process a number means. Numbers are given again to other processes, and each container counts its own; where the platform says so
 * (Linux), a process is told from another by its start time and its namespaces.
 */
import { readFileSync, readlinkSync } from 'node:fs';

export interface ProcessIdentity {
  /** In clock ticks since the boot; empty where it cannot be known. */
  startTime: string;
  /** Where the process's number counts. Holds the boot, so that no other machine has the same. */
  pidNamespace: string;
  /** Where its ports can be reached. */
  netNamespace: string;
}

let own: ProcessIdentity | undefined;

/** Of this process. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= { startTime: startTimeOf(process.pid) ?? '', pidNamespace: namespaceOf('pid'), netNamespace: namespaceOf('net') });
}

/** Whether the process of that number is still this one. Undefined: it counts in another namespace and cannot be seen from here. */
export function isRunning(pid: number, { startTime, pidNamespace }: Omit<ProcessIdentity, 'netNamespace'>): boolean | undefined {
  if (pidNamespace !== ownIdentity().pidNamespace) return undefined;
  let isOfThisUser = true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
    isOfThisUser = false;
  }
  const now = startTimeOf(pid);
  // Where nothing else is known, a process of another user is another process.
  return now === '' || startTime === '' ? now !== undefined && isOfThisUser : now === startTime;
}

/** False also where `/proc` shows the processes of another namespace, as it does when a container has the machine's. */
export function hasOwnProc(): boolean {
  return process.platform === 'linux' && told(() => readlinkSync('/proc/self')) === String(process.pid);
}

/** Undefined: there is none, or a zombie. Empty: it cannot be known. */
export function startTimeOf(pid: number): string | undefined {
  if (!hasOwnProc()) return '';
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // After the name, which may hold anything: the state is the third field, the start time the 22nd.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

function namespaceOf(kind: 'pid' | 'net'): string {
  if (process.platform !== 'linux') return process.platform;
  const boot = told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = told(() => readlinkSync(`/proc/self/ns/${kind}`));
  return `${boot} ${namespace}`;
}

/** Undefined: `/proc` has no such entry, or none for us. */
function told(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
