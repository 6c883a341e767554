/** Which files of a folder can be executed in the last commit. Git is asked once, when it is asked for the first file. */
import { relative, sep } from 'node:path';
import { Git, GitError, workTreeOf } from '../../../base/node/git/git.ts';
import { committedFiles, headOf, isRegular } from '../../files/workspace/treeFiles.ts';

/** For each command. */
const TIMEOUT_MS = 5_000;

export class CommittedModes {
  #asked: Promise<ReadonlyMap<string, boolean>> | undefined;

  /** `folder`: a real path. `paths`: absolute, all that may be asked about. */
  constructor(
    private readonly folder: string,
    private readonly paths: readonly string[],
  ) {}

  /** Undefined for what the commit does not have, and where Git cannot tell. */
  async isExecutable(path: string): Promise<boolean | undefined> {
    return (await (this.#asked ??= this.#ask())).get(path);
  }

  async #ask(): Promise<ReadonlyMap<string, boolean>> {
    try {
      const top = await workTreeOf(this.folder, TIMEOUT_MS);
      if (top === undefined) return new Map();
      const git = await Git.in(top, { timeoutMs: TIMEOUT_MS });
      const names = new Map(this.paths.map((path) => [relative(top, path), path]));
      const below = [...names.keys()].filter((name) => name !== '' && name !== '..' && !name.startsWith(`..${sep}`));
      const files = await committedFiles(git, await headOf(git), below);
      return new Map([...files].flatMap(([name, file]) => (isRegular(file) ? [[names.get(name) ?? '', file.mode === '100755']] : [])));
    } catch (error) {
      // Then the user is told what can perhaps not be executed any more.
      if (error instanceof GitError) return new Map();
      throw error;
    }
  }
}
