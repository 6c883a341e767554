/** What a page is told of a resource that it follows. */
import { problemText } from '../ahp/client/connection/hostError.ts';
import type { ResourceModel } from '../ahp/client/model/resourceModel.ts';
import type { SubscriptionChange } from '../ahp/client/resources/subscription.ts';
import { ErrorCode } from '../ahp/common/errors.ts';
import type { ActionLike } from '../ahp/common/reducers/reducer.ts';
import { withoutBeginning } from '../views/session/toolCall/terminalText.ts';
import type { ActionsMessage, ResourceStatus, SnapshotMessage, StatusMessage } from '../webviews/session/protocol.ts';

export type WatchedKind = 'root' | 'session' | 'chat' | 'terminal';
export type WatchedModel = ResourceModel<WatchedKind>;
export type ResourceMessage = SnapshotMessage | ActionsMessage | StatusMessage;

/** `isListed`: the host lists the resource still, so that it can be requested again. */
export interface Listed {
  isListed(uri: string): boolean;
}

export function snapshotOf(model: WatchedModel, listed: Listed): SnapshotMessage {
  const { kind, dialect, confirmed, pending } = model.mirrored;
  const state = {
    kind,
    ...(dialect && { dialect }),
    ...(confirmed && { confirmed: kind === 'terminal' ? withoutBeginning(confirmed) : confirmed }),
  };
  return { type: 'snapshot', uri: model.uri, ...state, pending: [...pending], status: statusOf(model, listed) };
}

export function statusOf({ uri, status }: WatchedModel, listed: Listed): ResourceStatus {
  const isGone = status.kind === 'removed' || (status.kind === 'failed' && status.error.code === ErrorCode.SessionNotFound);
  // A removed session can be reopened while the host still lists it.
  if (isGone) return { kind: 'removed', canReopen: listed.isListed(uri) };
  if (status.kind !== 'failed') return status;
  const { code } = status.error;
  return { kind: 'failed', message: problemText(status.error), ...(code === ErrorCode.AuthRequired && { needsSignIn: true }) };
}

export function messageOfChange(model: WatchedModel, change: SubscriptionChange<ActionLike>, listed: Listed): ResourceMessage {
  const { uri } = model;
  switch (change.kind) {
    case 'snapshot':
      return snapshotOf(model, listed);
    case 'actions': {
      const { actions, now, pendingChanged } = change;
      return { type: 'actions', uri, actions: [...actions], now, ...(pendingChanged && { pending: [...model.mirrored.pending] }) };
    }
    case 'status':
      return { type: 'status', uri, status: statusOf(model, listed) };
  }
}
