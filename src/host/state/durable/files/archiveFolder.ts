/** The folder of all sessions: one folder each, named by the session's URI. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { URI } from '../../../../ahp/common/shapes.ts';
import type { Clock } from '../../../../base/clock.ts';
import { englishOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import { sha256 } from '../../../../base/node/sha256.ts';
import { hasLog } from './logFile.ts';

const TRASH = 'trash-';
const DAMAGED = 'damaged-';
/** Of the folder, only these are touched. */
const OWN_FOLDER = /^(?:[0-9a-f]{32}$|trash-)/;

export class ArchiveFolder {
  readonly #aside = new Set<string>();

  /** Throws when the folder cannot be used. */
  constructor(
    readonly path: string,
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  folderOf(uri: URI): string {
    return join(this.path, sha256(uri).slice(0, 32));
  }

  /** The folders with logs. Removes those that were being deleted or created when the process was killed. */
  sessions(): string[] {
    const own = readdirSync(this.path, { withFileTypes: true }).filter((entry) => entry.isDirectory() && OWN_FOLDER.test(entry.name));
    return own.flatMap(({ name }) => {
      const folder = join(this.path, name);
      if (!name.startsWith(TRASH) && hasLog(folder)) return [folder];
      this.discard(folder);
      return [];
    });
  }

  /** The folder is gone at once, even if this process is killed now. A failure is logged: the rest is removed at the next start. */
  discard(folder: string): void {
    const trash = join(dirname(folder), `${TRASH}${randomUUID()}`);
    try {
      renameSync(folder, trash);
      rmSync(trash, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      this.logger.warn(`${folder} could not be removed: ${englishOf(error)}`);
    }
  }

  /** In this run. */
  isAside(folder: string): boolean {
    return this.#aside.has(folder);
  }

  /** Keeps what cannot be read, under another name. */
  setAside(folder: string, why: string): void {
    this.#aside.add(folder);
    const aside = join(dirname(folder), `${DAMAGED}${basename(folder)}-${this.clock.now()}`);
    try {
      renameSync(folder, aside);
      this.logger.error(`A session cannot be read and is put aside as ${aside}: ${why}`);
    } catch (error) {
      this.logger.error(`A session cannot be read and not be put aside as ${aside} (${englishOf(error)}): ${why}`);
    }
  }
}
