/** The changes of a session. They are a channel of the session, which the host keeps. */
import type { ChangesetOperation, ChangesetState } from '../../ahp/channels/changeset.ts';
import type { ChangesetOperationResult } from '../../ahp/channels/commands.ts';
import type { Changeset } from '../../ahp/channels/shapes/basic.ts';
import { KEEP } from '../../ahp/changesetOperations.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import * as l10n from '../../base/l10n.ts';
import { sessionChanges } from '../state/sessionChangesets.ts';
import type { StateStore } from '../state/stateStore.ts';
import type { ChangesetSource, ChangesetTarget, OperationRequest } from './changesetSource.ts';
import { discardAll, discardOperation, filesOf, requireOperation } from './discardOperation.ts';
import type { SessionEdits } from './sessionEdits.ts';

const keepOperation: ChangesetOperation = {
  id: KEEP,
  label: l10n.t('Keep Changes'),
  description: l10n.t('Takes the files out of the list. What they are now is the beginning of later changes.'),
  scopes: ['changeset', 'resource'],
  confirmation: l10n.t('This takes the files out of the list. These changes cannot be discarded from here any more.'),
  icon: 'check',
  status: 'idle',
};

export const sessionOperations: readonly ChangesetOperation[] = [keepOperation, discardOperation];

export class SessionSource implements ChangesetSource {
  readonly kind = 'session';

  constructor(
    private readonly store: StateStore,
    private readonly edits: SessionEdits,
  ) {}

  async listed(session: URI): Promise<Changeset | undefined> {
    return this.edits.files(session).length > 0 ? sessionChanges(session) : undefined;
  }

  async read({ session }: ChangesetTarget): Promise<ChangesetState> {
    return { status: 'ready', files: [...this.edits.files(session)], operations: [...sessionOperations] };
  }

  async invoke(changeset: ChangesetTarget, request: OperationRequest): Promise<ChangesetOperationResult> {
    requireOperation(sessionOperations, request);
    const { operationId, target } = request;
    const { session } = changeset;
    const files = this.edits.files(session);
    if (operationId === keepOperation.id) {
      await this.edits.keep(session, new Set(filesOf(files, target).map(({ id }) => id)));
      return {};
    }
    const { store, edits } = this;
    const { written, result } = await discardAll(files, changeset, target, { store, contents: edits.contentsOf(session) });
    await edits.record(session, written);
    return result;
  }
}
