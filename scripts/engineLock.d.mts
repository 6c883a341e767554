interface LockFile {
  lockfileVersion: number;
  packages: Record<string, { version?: string; integrity?: string; optional?: boolean }>;
}

export function engineInstallation(lock: LockFile): { manifest: object; lock: LockFile };
export function withoutIntegrity(lock: LockFile): string[];
