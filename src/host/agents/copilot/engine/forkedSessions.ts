/** Which sessions of the engine are those of chats that were forked. The engine chooses their ids, so they are kept in its home. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An id is the name of a folder of the engine. */
const ID = /^[\w-]{1,100}$/;

export class ForkedSessions {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, 'tapline-forks');
  }

  /** `own`: the id that the chat has where it was not forked. */
  idOf(own: string): string {
    try {
      const kept = readFileSync(join(this.#folder, own), 'utf8').trim();
      return ID.test(kept) ? kept : own;
    } catch {
      return own;
    }
  }

  keep(own: string, id: string): void {
    if (!ID.test(id)) throw new Error('the engine has given the fork an unexpected id');
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, own), id);
  }

  forget(own: string): void {
    rmSync(join(this.#folder, own), { force: true });
  }
}
