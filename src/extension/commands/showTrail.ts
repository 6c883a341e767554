/** Shows who allowed what in a session and in its subagents, as a text. */
import type { Subscription } from '../../ahp/client/resources/subscription.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import type { SessionState } from '../../ahp/v1/session.ts';
import { messageOf, UserError, withTimeout } from '../../base/errors.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import { type SessionTrail, trailText } from '../../views/session/trail/trail.ts';
import { sessionTitle } from '../../views/sessionList/sessionItem.ts';
import { wellFormedSession } from '../../views/wellFormedV1.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import type { DecisionLog } from '../sessions/decisionLog.ts';

const STATE_TIMEOUT_MS = 5_000;
/** Subagents that are read. */
const MAX_SUBAGENTS = 50;

/** Rejects with a {@link UserError} when the host does not give the session. Subagents that it does not give are named as missing. */
export async function trailOf(host: RegisteredHost, ref: SessionRef, decisions: DecisionLog): Promise<{ title: string; text: string }> {
  const state = await stateOf(host, ref.uri).catch((error: unknown) => {
    throw new UserError(`What was allowed cannot be shown: ${messageOf(error)}`);
  });
  const trails: SessionTrail[] = [{ uri: ref.uri, state }];
  // The list grows by the subagents of subagents.
  for (const trail of trails) {
    for (const uri of trail.state ? subagentsEver(trail.uri, trail.state) : []) {
      if (trails.length > MAX_SUBAGENTS || trails.some((known) => known.uri === uri)) continue;
      trails.push({ uri, state: await stateOf(host, uri).catch(() => undefined) });
    }
  }
  const title = sessionTitle(state.summary);
  const timeOf = (at: number) => new Date(at).toLocaleString();
  return { title: `What was allowed in ${title}`, text: trailText(title, trails, decisions.of(ref), timeOf) };
}

/** Those of all turns. A host may name any resource there, so only those below the session count. */
function subagentsEver(uri: string, { turns, activeTurn }: SessionState): string[] {
  return [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ responseParts }) =>
    responseParts.flatMap((part) => {
      if (part.kind !== 'toolCall' || !('content' in part.toolCall)) return [];
      return (part.toolCall.content ?? []).flatMap((content) =>
        content.type === 'subagent' && isSubagentOf(content.resource, uri) ? [content.resource] : [],
      );
    }),
  );
}

async function stateOf({ client, label }: RegisteredHost, uri: string): Promise<SessionState> {
  const subscription = client.subscribeSession(uri);
  try {
    return wellFormedSession(await withTimeout(known(subscription), STATE_TIMEOUT_MS, `reading the session from ${label}`));
  } finally {
    subscription.dispose();
  }
}

function known(subscription: Subscription<SessionState>): Promise<SessionState> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (subscription.confirmed) resolve(subscription.confirmed);
      else if (subscription.status.kind === 'failed') reject(new Error(subscription.status.error.message));
      else if (subscription.status.kind === 'removed') reject(new Error('The host has removed the session.'));
    };
    subscription.onDidChange(look);
    look();
  });
}
