/** Ends what a session of an earlier process of the portal, or one that was lost while it was created, may still do. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { SessionModel } from '../../ahp/client/model/sessionModel.ts';
import type { SubscriptionStatus } from '../../ahp/client/resources/subscription.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { shownChat } from '../../views/session/chats.ts';
import { asking } from './approvals.ts';

/** How often, and how long apart, in ms, a session is looked for that the host may still be making. */
const APPEARS = { tries: 5, everyMs: 500 };

/**
 * Waits for the host as long as it takes. Resolves with true when the session is quiet or is not there any more; with false when the host does
 * not give it or refused. `hasApproval`: something was approved in it, which is taken back. `clock`: of a session whose creation was lost on the
 * way, which may come into being after it was not found.
 */
export async function quietSession(client: AgentHostClient, uri: string, hasApproval: boolean, clock?: Clock): Promise<boolean> {
  const session = client.session(uri);
  try {
    let status = await settledStatus(session);
    for (let tries = 0; status.kind === 'failed'; tries++) {
      if (status.error.code !== ErrorCode.SessionNotFound) return false;
      if (!clock || tries === APPEARS.tries) return true;
      await new Promise<void>((resolve) => clock.setTimer(resolve, APPEARS.everyMs));
      client.retry(uri);
      status = await settledStatus(session);
    }
    const { confirmed } = session;
    if (status.kind === 'removed' || !confirmed) return true;
    const chatUri = shownChat(confirmed);
    const chat = chatUri === undefined ? undefined : client.chat(chatUri);
    try {
      const { activeTurn, turns = [], queuedMessages = [] } = chat ? await whenLive(chat) : {};
      const isOnlyChat = confirmed.chats.every(({ resource }) => resource === chatUri);
      if (isOnlyChat && !activeTurn && turns.length === 0 && queuedMessages.length === 0) {
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

function settledStatus(session: SessionModel): Promise<SubscriptionStatus> {
  return new Promise((resolve) => {
    const look = () => {
      if (!['live', 'removed', 'failed'].includes(session.status.kind)) return;
      listening.dispose();
      resolve(session.status);
    };
    const listening = session.onDidChange(look);
    look();
  });
}
