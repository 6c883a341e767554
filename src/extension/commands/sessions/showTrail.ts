/** Shows who allowed what in the chats of a session and in its subagents, as a text. */
import * as l10n from '../../../base/l10n.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { SessionModel } from '../../../ahp/client/model/sessionModel.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import { messageOf, unlessAborted, UserError } from '../../../base/errors.ts';
import { ownChat } from '../../../views/session/chats.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { CallDecision } from '../../../views/session/trail/callDecision.ts';
import { type ChatTrail, trailText } from '../../../views/session/trail/trail.ts';
import { sessionTitle } from '../../../views/sessionList/sessionItem.ts';
import { withRecorded } from '../../decisions/decisionRecords.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import type { DecisionLog } from '../../sessions/decisionLog.ts';
import { readChat } from '../../sessions/readChats.ts';

const STATE_TIMEOUT_MS = 5_000;
/** After that long no more is read. The text says where turns or chats are missing. */
const READ_TIMEOUT_MS = 30_000;
/** Chats that are read. */
const MAX_CHATS = 50;

/** What the gateway knows of the decisions in a session. Never rejects. */
export type RecordedDecisions = (session: SessionRef) => Promise<CallDecision[]>;

/**
 * Rejects with a {@link UserError} when the host does not give the session, and at once when the user has `left`. Chats that it does not give
 * are named as missing.
 */
export async function trailOf(
  { client }: Pick<RegisteredHost, 'client'>,
  ref: SessionRef,
  { own, recorded }: { own: Pick<DecisionLog, 'of'>; recorded: RecordedDecisions },
  left: AbortSignal,
): Promise<{ title: string; text: string }> {
  const signal = AbortSignal.any([left, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  const model = client.session(ref.uri);
  try {
    const session = await unlessAborted(known(model), left).catch((error: unknown) => {
      throw new UserError(l10n.t`What was allowed cannot be shown: ${messageOf(error)}`);
    });
    const main = ownChat(session);
    const listed = session.chats.filter(({ resource }) => resource !== main);
    const wanted = [
      ...(main === undefined ? [] : [{ resource: main, title: session.title, isSubagent: false }]),
      ...listed.map(({ resource, title, origin }) => ({ resource, title, isSubagent: origin?.kind === 'tool' })),
    ];
    const trails: ChatTrail[] = [];
    // The list grows by the subagents of subagents.
    for (const { resource: uri, title, isSubagent } of wanted) {
      const chat = await readChat(client, uri, { signal, onTurns: () => undefined }).catch((error: unknown) => {
        if (uri === ref.uri) throw new UserError(l10n.t`What was allowed cannot be shown: ${messageOf(error)}`);
      });
      left.throwIfAborted();
      trails.push({ uri, title: title || (chat?.title ?? ''), isSubagent, chat: chat ?? undefined });
      for (const one of chat ? subagentsEver(chat) : []) {
        if (wanted.length > MAX_CHATS || wanted.some(({ resource }) => resource === one) || !model.holds(one)) continue;
        wanted.push({ resource: one, title: '', isSubagent: true });
      }
    }
    const title = sessionTitle(session);
    const times = l10n.dateFormat({ dateStyle: 'short', timeStyle: 'medium' });
    const timeOf = (at: number) => times.format(at);
    const others = (await unlessAborted(recorded(ref), left)).filter(({ session: chat }) => model.holds(chat));
    const made = withRecorded(
      own.of(ref.hostId, (uri) => model.holds(uri)),
      others,
    );
    return { title: l10n.t`What was allowed in ${title}`, text: trailText(title, trails, made, timeOf) };
  } finally {
    model.dispose();
  }
}

/** Those of all turns, as the host names them. */
function subagentsEver({ turns, activeTurn }: ChatState): string[] {
  return [...turns, ...(activeTurn ? [activeTurn] : [])].flatMap(({ responseParts }) =>
    responseParts.flatMap((part) => {
      if (part.kind !== 'toolCall' || !('content' in part.toolCall)) return [];
      return (part.toolCall.content ?? []).flatMap((content) => (content.type === 'subagent' ? [content.resource] : []));
    }),
  );
}

/** Also as it was last known, while the host cannot be reached. */
function known(model: SessionModel): Promise<SessionState> {
  const { confirmed } = model;
  return confirmed ? Promise.resolve(confirmed) : whenLive(model, STATE_TIMEOUT_MS);
}
