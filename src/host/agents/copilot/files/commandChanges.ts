/** What commands change in the working directory, on its way into the session's diffs. */
import { messageOf } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/log.ts';
import type { SessionFiles } from './sessionFiles.ts';
import { WorkTree, type WorkTreeState } from './workTree.ts';

/** From the start of a command on. */
export interface FollowedChanges {
  /** Tells what changed until now; later changes do not count. Never rejects, and does it once. */
  close(): Promise<void>;
}

export class CommandChanges {
  readonly #tree: WorkTree;
  /** Git failed, or there is too much: asking again before every command would only cost time. */
  #isGivenUp = false;

  constructor(
    folder: string,
    private readonly files: SessionFiles,
    private readonly logger: Logger,
  ) {
    this.#tree = new WorkTree(folder);
  }

  /** To be called before a command is started. Never rejects. */
  async follow(): Promise<FollowedChanges> {
    const state = this.#isGivenUp ? undefined : await this.#try(() => this.#tree.state());
    let closing: Promise<void> | undefined;
    return { close: () => (closing ??= this.#tell(state)) };
  }

  async #tell(state: WorkTreeState | undefined): Promise<void> {
    if (state && !this.#isGivenUp) await this.#try(async () => await this.files.changed(await this.#tree.changedSince(state)));
  }

  async #try<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#isGivenUp = true;
      this.logger.warn(`the files that commands change are not followed any more: ${messageOf(error)}`);
      return undefined;
    }
  }
}
