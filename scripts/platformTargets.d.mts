interface Lock {
  packages: Record<string, { version?: string; integrity?: string }>;
}

export function platformTargets(lock: Lock): string[];
export function ownTarget(): string;
export function putNativePart(folder: string, target: string, lock: Lock, root: string): void;
