/** What agents are told in the turn that runs, as it is heard of in either dialect. */
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import type { SubscriptionChange } from '../../../ahp/client/resources/subscription.ts';

interface Fields {
  kind?: unknown;
  id?: unknown;
  message?: { text?: unknown };
  /** In AHP v1. */
  userMessage?: { text?: unknown };
}

/** The texts of others. `own`: ids of what the portal has sent. A message may be taken at once, and then no state ever shows it. */
export function steeredIn(change: SubscriptionChange, own: ReadonlySet<string>): string[] {
  if (change.kind !== 'actions') return [];
  return change.actions.flatMap((action) => {
    if (!action.type.endsWith('/pendingMessageSet')) return [];
    const { kind, id, message, userMessage } = action as ActionLike & Fields;
    const text = (message ?? userMessage)?.text;
    return kind === 'steering' && typeof text === 'string' && !(typeof id === 'string' && own.has(id)) ? [text] : [];
  });
}
