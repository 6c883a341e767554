/** Which file of the changesets an editor shows. */
import type { ChangesetFile, ChangesetOperation } from '../../ahp/channels/changeset.ts';
import { DISCARD } from '../../ahp/changesetOperations.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { type ChangesetInput, operationsOf } from './changesTree.ts';

/** Contents in an editor: both of a difference, or one. */
export interface ShownSides {
  readonly before?: URI;
  readonly after: URI;
}

export interface ShownFile {
  readonly input: ChangesetInput;
  readonly file: ChangesetFile;
  /** Discards a part of the file, or all of a file that was created. */
  readonly discard: ChangesetOperation;
}

/** The first file with exactly these contents, of which a part can be discarded, or all where it was created. */
export function shownFile(inputs: readonly ChangesetInput[], { before, after }: ShownSides): ShownFile | undefined {
  for (const input of inputs) {
    for (const file of input.state?.files ?? []) {
      const { edit } = file;
      if (edit.after?.content.uri !== after || edit.before?.content.uri !== before) continue;
      const discard = operationsOf(input.state, edit.before ? 'range' : 'resource').find(({ id }) => id === DISCARD);
      if (discard) return { input, file, discard };
    }
  }
  return undefined;
}
