/** Finds what commands change in the working directory, and adds it to the session's changes. */
import type { FileEdit } from '../../../../ahp/common/shapes.ts';
import { englishOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import type { SessionFiles } from './sessionFiles.ts';
import { WorkTree, type WorkTreeState } from './workTree.ts';

/** The changes since the start of a command. */
export interface FollowedChanges {
  /** Adds what has changed until now. Later changes do not count; a further call gives the same. Never rejects. */
  close(): Promise<readonly FileEdit[]>;
}

export class CommandChanges {
  readonly #tree: WorkTree;
  /** Git failed, or there is too much to compare. Trying again before every command would only cost time. */
  #isGivenUp = false;

  constructor(
    folder: string,
    private readonly files: SessionFiles,
    private readonly logger: Logger,
  ) {
    this.#tree = new WorkTree(folder);
  }

  /** Call it before a command starts. Never rejects. */
  async follow(): Promise<FollowedChanges> {
    const state = this.#isGivenUp ? undefined : await this.#try(() => this.#tree.state());
    let closing: Promise<readonly FileEdit[]> | undefined;
    return { close: () => (closing ??= this.#tell(state)) };
  }

  async #tell(state: WorkTreeState | undefined): Promise<readonly FileEdit[]> {
    if (!state || this.#isGivenUp) return [];
    return (await this.#try(async () => await this.files.changed(await this.#tree.changedSince(state)))) ?? [];
  }

  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#isGivenUp = true;
      this.logger.warn(`changes of files by commands are not tracked any more: ${englishOf(error)}`);
      return undefined;
    }
  }
}
