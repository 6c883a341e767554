import type { ChangesetState } from '../../channels/changeset.ts';
import type { ResourceModel } from './resourceModel.ts';

/** The changeset as soon as the host is done with computing it. Rejects when the host does not have it. The model is not disposed. */
export function whenComputed(model: ResourceModel<'changeset'>): Promise<ChangesetState> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { status, state } = model;
      const read = status.kind === 'live' ? state : undefined;
      if (read && read.status !== 'computing' && read.status !== 'recomputing') resolve(read);
      else if (status.kind === 'failed' || status.kind === 'removed') reject(new Error(`no changeset ${model.uri}`));
    };
    model.onDidChange(look);
    look();
  });
}
