/** Ends what a session of an earlier process of the portal, or one that was lost while it was created, may still do. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { SubscriptionStatus } from '../../ahp/client/resources/subscription.ts';
import { ErrorCode } from '../../ahp/v1/errors.ts';
import type { SessionAction } from '../../ahp/v1/session.ts';
import { asking } from './approvals.ts';

/**
 * Waits for the host as long as it takes. Resolves with true when the session is quiet or is not there any more; with false when the host does
 * not give it or refused. `hasApproval`: something was approved in it, which is taken back.
 */
export async function quietSession(client: AgentHostClient, session: string, hasApproval: boolean): Promise<boolean> {
  const subscription = client.subscribeSession(session);
  try {
    const status = await new Promise<SubscriptionStatus>((resolve) => {
      const look = () => ['live', 'removed', 'failed'].includes(subscription.status.kind) && resolve(subscription.status);
      subscription.onDidChange(look);
      look();
    });
    if (status.kind === 'failed') return status.error.code === ErrorCode.SessionNotFound;
    const { confirmed } = subscription;
    if (status.kind === 'removed' || !confirmed) return true;
    const { activeTurn, turns, queuedMessages = [] } = confirmed;
    if (!activeTurn && turns.length === 0 && queuedMessages.length === 0) {
      // Nobody has said anything in it.
      await client.request('disposeSession', { session });
      return true;
    }
    const dispatch = (action: SessionAction) => client.dispatch(session, action).settled;
    const asked = hasApproval ? dispatch({ type: 'session/configChanged', session, config: { ...asking } }) : undefined;
    // Whether the turn has ended meanwhile makes no difference.
    if (activeTurn) await dispatch({ type: 'session/turnCancelled', session, turnId: activeTurn.id });
    const settled = await asked;
    return settled === undefined || settled.kind === 'confirmed';
  } finally {
    subscription.dispose();
  }
}
