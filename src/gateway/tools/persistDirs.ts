import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Folders in which providers keep files between sessions: `<home>/providers/<name>`, readable for their user alone. */
export class PersistDirs {
  constructor(private readonly home: string) {}

  /** A name is any text, so characters with a meaning in paths are escaped. */
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
