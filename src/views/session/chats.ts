/** The chats of a session: which one is shown, and which there are to choose from. */
import * as l10n from '../../base/l10n.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { RootState } from '../../ahp/channels/root.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { ChatSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { isRecord } from '../../base/isRecord.ts';
import { agentOf } from '../hosts/agentModels.ts';
import { oneLine } from '../text/oneLine.ts';

/** The chat that is the session's own, which gets what is meant for the session. Undefined where it has none. */
export function ownChat({ chats, defaultChat }: Pick<SessionState, 'chats' | 'defaultChat'>): URI | undefined {
  return defaultChat ?? offered(chats)[0]?.resource;
}

/** `chosen`: by the user, or shown before. It counts as long as the session has it. Undefined where there is no chat. */
export function shownChat(session: SessionState, chosen?: URI): URI | undefined {
  const isThere = chosen !== undefined && session.chats.some(({ resource }) => resource === chosen);
  return isThere ? chosen : ownChat(session);
}

/** Of the chats that are offered, those that can be deleted without the session. Its own one has what is meant for the session. */
export function deletableChats(session: SessionState): URI[] {
  const others = offered(session.chats).filter(({ resource }) => resource !== ownChat(session));
  return others.map(({ resource }) => resource);
}

/** The only chat of a session has the session's name, and that of a subagent the name of its task. */
export function isRenamable(session: SessionState, chat: URI): boolean {
  const chats = offered(session.chats);
  return chats.length > 1 && chats.some(({ resource }) => resource === chat);
}

/** Said while the host makes a chat. */
export const MAKING = l10n.t('Making the chat…');

export interface ChatTab {
  uri: URI;
  title: string;
  /** A codicon's name. */
  icon: string;
  /** What it does or what it is, for example "Needs you". */
  note?: string;
  isShown: boolean;
}

/** What a host can do with the chats of a session. */
export interface ChatAbilities {
  several: boolean;
  fork: boolean;
  sideChat: boolean;
}

/** By what the agent says. Hosts of AHP v1 have one chat in a session. */
export function chatAbilities({ provider }: Pick<SessionState, 'provider'>, root: RootState | undefined): ChatAbilities {
  const many: unknown = agentOf({ provider }, root)?.capabilities?.multipleChats;
  const can = (what: string) => isRecord(many) && many[what] === true;
  return { several: isRecord(many), fork: can('fork'), sideChat: can('sideChat') };
}

/** Empty where there is nothing to choose. */
export function chatTabs(session: SessionState, shown: URI | undefined): ChatTab[] {
  const chats = offered(session.chats, shown);
  if (chats.length < 2) return [];
  return chats.map(({ resource, status, origin }) => {
    const note = noteOf(status);
    return {
      uri: resource,
      title: chatTitle(session, resource),
      icon: icons[origin?.kind ?? 'user'] ?? 'comment-discussion',
      ...(note !== undefined && { note }),
      isShown: resource === shown,
    };
  });
}

export function chatTitle(session: SessionState, uri: URI): string {
  const chats = offered(session.chats, uri);
  const index = chats.findIndex(({ resource }) => resource === uri);
  return oneLine(chats[index]?.title ?? '') || (uri === ownChat(session) ? l10n.t('Main chat') : l10n.t`Chat ${index + 1}`);
}

const icons: Readonly<Record<string, string>> = {
  user: 'comment-discussion',
  fork: 'repo-forked',
  sideChat: 'comment',
  tool: 'organization',
};

/** Those of subagents belong to their calls, unless the user has opened one. */
function offered(chats: readonly ChatSummary[], shown?: URI): ChatSummary[] {
  return chats.filter(
    ({ resource, origin, interactivity }) => resource === shown || (origin?.kind !== 'tool' && interactivity !== 'hidden'),
  );
}

function noteOf(status: number): string | undefined {
  if ((status & SessionStatus.InputNeeded) === SessionStatus.InputNeeded) return l10n.t('needs you');
  if (status & SessionStatus.InProgress) return l10n.t('working');
  return status & SessionStatus.Error ? l10n.t('failed') : undefined;
}

/** What calls of the turn in progress have started, as the host names it. Only what belongs to the session counts. */
export function subagentsOf({ activeTurn }: ChatState): URI[] {
  return (activeTurn?.responseParts ?? []).flatMap((part) => {
    if (part.kind !== 'toolCall' || part.toolCall.status !== 'running') return [];
    return (part.toolCall.content ?? []).flatMap((content) =>
      content.type === 'subagent' && 'resource' in content ? [content.resource] : [],
    );
  });
}
