/** The page's copies of resources: in the dialect of their host, which reduces them, and in the shapes that the page reads. */
import type { ChannelStates } from '../../../ahp/channels/channelReducers.ts';
import { sessionDialects } from '../../../ahp/dialects/sessionDialects.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { withPending } from '../../../ahp/client/resources/pending.ts';
import type { ResourceKind, StateDialect } from '../../../ahp/dialects/dialect.ts';
import type { ActionsMessage, PendingAction, ResourceStatus, SnapshotMessage } from '../protocol.ts';

export interface ResourceView {
  readonly kind: ResourceKind;
  readonly dialect?: StateDialect;
  /** As the host sent it. */
  readonly confirmed?: object;
  /** With what is pending on top. */
  readonly shown?: object;
  readonly pending: readonly PendingAction[];
  readonly status: ResourceStatus;
}

/** A state of any kind that the resource holds, well formed. The same object while nothing of it changes. */
export function resourceModel<K extends ResourceKind>(
  kind: K,
  view: ResourceView | undefined,
  which: 'confirmed' | 'shown' = 'shown',
): ChannelStates[K] | undefined {
  const state = view?.[which];
  if (!view?.dialect || !state || view.dialect.kindOf(kind) !== view.kind) return undefined;
  return view.dialect.upgrade(kind, state);
}

/** True for what belongs to the session that the view is of. A host may name any resource. */
export function partOf(view: ResourceView | undefined, uri: URI, session: URI): boolean {
  return view?.dialect?.isPartOf(uri, session, view.confirmed) ?? uri === session;
}

export const UNKNOWN: ResourceView = { kind: 'session', pending: [], status: { kind: 'loading' } };

export function viewOf({ kind, dialect, confirmed, pending, status }: SnapshotMessage, now: number): ResourceView {
  return looked({ kind, pending, status, ...(dialect && { dialect: sessionDialects[dialect] }), ...(confirmed && { confirmed }) }, now);
}

/** The same view where nothing changes. */
export function withActions(view: ResourceView, message: ActionsMessage): ResourceView {
  const { actions, now, pending = view.pending } = message;
  const { dialect, kind, confirmed: before } = view;
  // Before the snapshot there is nothing to apply them to, and it will include them.
  const confirmed = before && dialect?.reduce(kind, before, actions, now);
  if (confirmed === before && pending === view.pending) return view;
  return looked({ ...view, pending, ...(confirmed && { confirmed }) }, now);
}

function looked(view: ResourceView, now: number): ResourceView {
  const { dialect, kind, confirmed, pending } = view;
  if (!dialect || !confirmed) return view;
  return { ...view, shown: withPending(confirmed, pending, (before, ahead) => dialect.reduce(kind, before, ahead, now)) };
}

/** What is pending in the words of the model. What nobody asked for in them is as the dialect has it. */
export function askedOf(view: ResourceView | undefined): readonly PendingAction[] {
  return view?.pending.map((one) => (one.asked ? { ...one, action: one.asked } : one)) ?? [];
}
