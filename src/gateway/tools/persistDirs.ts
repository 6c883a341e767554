import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that providers keep files in from one session to the next: `<home>/providers/<name>`, for their user alone. */
export class PersistDirs {
  constructor(private readonly home: string) {}

  /** A name is text, not a path: whatever could be more is escaped. */
  pathOf(provider: string): string {
    return join(
      this.home,
      'providers',
      encodeURIComponent(provider).replace(/^\.+/, (dots) => '%2E'.repeat(dots.length)),
    );
  }

  create(provider: string): string {
    const path = this.pathOf(provider);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  }
}
