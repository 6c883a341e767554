/** Ends what a session of an earlier process of the portal, or one that was lost while it was created, may still do. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { SubscriptionStatus } from '../../ahp/client/resources/subscription.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { shownChat } from '../../views/session/chats.ts';
import { asking } from './approvals.ts';

/**
 * Waits for the host as long as it takes. Resolves with true when the session is quiet or is not there any more; with false when the host does
 * not give it or refused. `hasApproval`: something was approved in it, which is taken back.
 */
export async function quietSession(client: AgentHostClient, uri: string, hasApproval: boolean): Promise<boolean> {
  const session = client.session(uri);
  try {
    const status = await new Promise<SubscriptionStatus>((resolve) => {
      const look = () => ['live', 'removed', 'failed'].includes(session.status.kind) && resolve(session.status);
      session.onDidChange(look);
      look();
    });
    if (status.kind === 'failed') return status.error.code === ErrorCode.SessionNotFound;
    const { confirmed } = session;
    if (status.kind === 'removed' || !confirmed) return true;
    const chatUri = shownChat(confirmed);
    const chat = chatUri === undefined ? undefined : client.chat(chatUri);
    try {
      const { activeTurn, turns = [], queuedMessages = [] } = chat ? await whenLive(chat) : {};
      if (!activeTurn && turns.length === 0 && queuedMessages.length === 0) {
        // Nobody has said anything in it.
        await client.command('disposeSession', { channel: uri });
        return true;
      }
      const asked = hasApproval ? session.configure({ ...asking }).settled : undefined;
      // Whether the turn has ended meanwhile makes no difference.
      if (activeTurn) await chat?.stop(activeTurn.id).settled;
      const settled = await asked;
      return settled === undefined || settled.kind === 'confirmed';
    } finally {
      chat?.dispose();
    }
  } finally {
    session.dispose();
  }
}
