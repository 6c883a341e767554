/** The entry of a portal, from the file of the user. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { englishOf, messageOf, UserError } from '../base/errors.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { Logger } from '../base/log.ts';
import type { Entry } from '../portal/entry/entry.ts';
import { validateEntry } from '../portal/entry/validateEntry.ts';
import { entryValue, isModule } from '../portal/entryFile/entryValue.ts';
import type { EntryModules } from './entryModules.ts';

/** Editors write a file in several steps. */
const SETTLE_MS = 200;

/** Loads and checks it. A module is run, as whoever named it wants, and `modules` get what it imports. Rejects with an error that names the file and where its fault is. */
export async function loadEntry(file: string, modules: EntryModules, logger: Logger): Promise<Entry> {
  try {
    const value = await (isModule(file) ? modules.collect(file, () => entryValue(file)) : entryValue(file));
    return validateEntry(value, ({ message }) => logger.warn(`${file}: ${message}`));
  } catch (error) {
    throw new UserError(`${file}: ${messageOf(error)}`);
  }
}

/** Calls back with each valid entry that the file has from now on. One that is not valid is logged, and the one before stays. */
export class WatchedEntry implements Disposable {
  readonly #watcher: FSWatcher;
  #timer: Disposable | undefined;

  constructor(
    private readonly file: string,
    private readonly modules: EntryModules,
    private readonly onEntry: (entry: Entry) => void,
    private readonly logger: Logger,
    clock: Clock,
  ) {
    // Many editors replace the file, and a watcher of the file would stay with the old one.
    this.#watcher = watch(dirname(file), (_kind, name) => {
      if (name !== null && name !== basename(file)) return;
      this.#timer?.dispose();
      this.#timer = clock.setTimer(() => void this.#load(), SETTLE_MS);
    });
    this.#watcher.on('error', (error) => logger.warn(`${file} is not watched any more: ${englishOf(error)}`));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#watcher.close();
  }

  async #load(): Promise<void> {
    try {
      this.onEntry(await loadEntry(this.file, this.modules, this.logger));
      this.logger.info(`${this.file} was loaded again. What runs goes on by the entry with which it was started.`);
    } catch (error) {
      this.logger.error(`The entry is not changed. ${englishOf(error)}`);
    }
  }
}
