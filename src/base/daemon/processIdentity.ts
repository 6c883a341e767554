/**
 * Which process a process id means. The system reuses ids, and each container has its own. On Linux a process is identified by its start
 * time and its namespaces as well.
 */
import { readFileSync, readlinkSync } from 'node:fs';

export interface ProcessIdentity {
  /** In clock ticks since boot. Empty where it is not known. */
  startTime: string;
  /** The namespace of the process id. Contains the id of the boot, so that it differs between computers. */
  pidNamespace: string;
  /** The namespace in which its ports can be reached. */
  netNamespace: string;
}

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return (own ??= { startTime: startTimeOf(process.pid) ?? '', pidNamespace: namespaceOf('pid'), netNamespace: namespaceOf('net') });
}

/** Whether the process with this id is still the same. Undefined: the id belongs to another namespace and cannot be checked from here. */
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
  // Where the start time is not known, a process of another user is taken for another process.
  return now === '' || startTime === '' ? now !== undefined && isOfThisUser : now === startTime;
}

/** Whether `/proc` shows this namespace. In a container it may show the processes of the host instead. */
export function hasOwnProc(): boolean {
  return process.platform === 'linux' && told(() => readlinkSync('/proc/self')) === String(process.pid);
}

/** Undefined: there is no such process, or it is a zombie. Empty: it is not known. */
export function startTimeOf(pid: number): string | undefined {
  if (!hasOwnProc()) return '';
  const stat = told(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  // The name in parentheses may contain anything. After it, the state is the third field and the start time the 22nd.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' ? undefined : fields?.[19];
}

function namespaceOf(kind: 'pid' | 'net'): string {
  if (process.platform !== 'linux') return process.platform;
  const boot = told(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const namespace = told(() => readlinkSync(`/proc/self/ns/${kind}`));
  return `${boot} ${namespace}`;
}

/** Undefined: `/proc` has no such entry, or it cannot be read. */
function told(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
