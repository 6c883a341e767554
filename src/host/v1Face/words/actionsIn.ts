/** What a client of AHP v1 does, as actions of channels. The action is of valid shape, and `refusals` has nothing against it. */
import type { StateAction } from '../../../ahp/channels/actions.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { Message } from '../../../ahp/channels/shapes/message.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import { ASKED } from '../../../ahp/common/callQuestion.ts';
import type { ClientActionType, clientActions } from '../../../ahp/v1/clientActions.ts';
import type { TerminalClaim, UserMessage } from '../../../ahp/v1/common.ts';
import { upgradedPendingMessage } from '../../../ahp/v1/upgrade/parts.ts';
import { isoTime, upgradedActiveClient } from '../../../ahp/v1/upgrade/upgradedShapes.ts';
import { topSession } from '../../../ahp/subagentUri.ts';
import { withNoted } from '../../checks/chatChecks.ts';
import { chatUri } from '../../state/chatUris.ts';
import { withModel } from '../../state/draftModel.ts';
import { isRead } from '../../state/listedSession.ts';
import type { Place } from './names.ts';
import { contentOf } from './v1Parts.ts';
import type * as z from 'zod/mini';

export type ClientAction = { [T in ClientActionType]: z.infer<(typeof clientActions)[T]> }[ClientActionType];

interface Step {
  channel: URI;
  action: StateAction;
  /** Clients of channels may not do this, so the face does it itself. */
  byFace?: true;
}

/** The states of what the action names. */
export interface Reading {
  place: Place;
  session?: SessionState | undefined;
  chat?: ChatState | undefined;
  clientId: string;
  /** ms since the epoch. */
  now: number;
  isV1Client(clientId: string): boolean;
}

/** Of a session. */
interface SessionReading extends Reading {
  place: Extract<Place, { kind: 'session' }>;
  session: SessionState;
  chat: ChatState;
}

type ActionOf<T> = Extract<ClientAction, { type: T }>;
type SessionType = Extract<ClientActionType, `session/${string}`>;
type Table = { readonly [T in SessionType]: (action: ActionOf<T>, reading: SessionReading) => Step[] };

export function messageOf(userMessage: UserMessage): Message {
  return upgradedPendingMessage({ id: '', userMessage }).message;
}

export function claimOf(claim: TerminalClaim): Extract<StateAction, { type: 'terminal/claimed' }>['claim'] {
  if (claim.kind !== 'session') return claim;
  const { session, ...rest } = claim;
  return { ...rest, session: topSession(session), chat: chatUri(session) };
}

/** The same words, of the session. */
function ofSession({ session: _session, ...action }: { session: URI }, { place }: SessionReading): Step[] {
  return [{ channel: place.session, action: action as unknown as StateAction }];
}
/** The same words, of its chat. */
function ofChat<A extends { session: URI; type: string }>({ session: _session, ...action }: A, { place }: SessionReading): Step[] {
  const type = action.type.replace('session/', 'chat/');
  return [{ channel: place.channel, action: { ...action, type } as unknown as StateAction }];
}

/** Milliseconds since the turn began. */
function durationOf({ activeTurn }: ChatState, now: number): number {
  const began = Date.parse(activeTurn?.startedAt ?? '');
  return Number.isFinite(began) ? Math.max(0, now - began) : 0;
}

/** Every action about a call may replace its `_meta`. In AHP v1 none does. */
function metaKept(
  action: { turnId: string; toolCallId: string; _meta?: Record<string, unknown> | undefined },
  { chat }: SessionReading,
): object {
  const asked = action._meta?.[ASKED];
  const _meta = withNoted(asked === undefined ? {} : { [ASKED]: asked }, chat, action.toolCallId);
  return { _meta: Object.keys(_meta).length > 0 ? _meta : undefined };
}

const table: Table = {
  'session/turnStarted': ({ userMessage, ...action }, reading) =>
    ofChat({ ...action, startedAt: isoTime(reading.now), message: messageOf(userMessage) }, reading),
  'session/turnCancelled': (action, reading) => ofChat({ ...action, duration: durationOf(reading.chat, reading.now) }, reading),
  'session/truncated': ofChat,

  'session/titleChanged': (action, reading) => {
    const { place } = reading;
    if (!place.isSubagent) return ofSession(action, reading);
    const changes = { title: action.title };
    return [{ channel: place.session, action: { type: 'session/chatUpdated', chat: place.channel, changes }, byFace: true }];
  },
  'session/modelChanged': ({ model }, { place, chat }) => {
    return [{ channel: place.channel, action: { type: 'chat/draftChanged', draft: withModel(chat.draft, model) } }];
  },
  'session/isReadChanged': (action, reading) => {
    if (reading.place.isSubagent) return ofChat(action, reading);
    // It is read where the session and its chat are.
    const withChat = action.isRead && !isRead(reading.chat.status);
    return withChat ? [...ofChat(action, reading), ...ofSession(action, reading)] : ofSession(action, reading);
  },
  'session/isArchivedChanged': (action, reading) => (reading.place.isSubagent ? ofChat(action, reading) : ofSession(action, reading)),
  'session/configChanged': ofSession,
  'session/customizationToggled': ({ type, uri, enabled }, { place, session }) => {
    const known = session.customizations?.find((one) => one.type === 'plugin' && 'uri' in one && one.uri === uri);
    return [{ channel: place.session, action: { type, id: known?.id ?? uri, enablement: [{ kind: 'session', enabled }] } }];
  },

  'session/activeClientChanged': ({ activeClient }, { place, session, isV1Client }) => {
    const channel = place.session;
    if (activeClient) return [{ channel, action: { type: 'session/activeClientSet', activeClient: upgradedActiveClient(activeClient) } }];
    // AHP v1 shows one. None is left where it says that there is none.
    const ofV1 = session.activeClients.filter(({ clientId }) => isV1Client(clientId));
    return ofV1.map(({ clientId }) => ({ channel, action: { type: 'session/activeClientRemoved', clientId } }));
  },
  'session/activeClientToolsChanged': ({ tools }, { place, session, clientId }) => {
    const known = session.activeClients.find((client) => client.clientId === clientId);
    return known ? [{ channel: place.session, action: { type: 'session/activeClientSet', activeClient: { ...known, tools } } }] : [];
  },

  'session/pendingMessageSet': ({ userMessage, ...action }, reading) => ofChat({ ...action, message: messageOf(userMessage) }, reading),
  'session/pendingMessageRemoved': ofChat,
  'session/queuedMessagesReordered': ofChat,

  'session/toolCallConfirmed': (action, reading) => {
    const suggestion = 'userSuggestion' in action && action.userSuggestion ? { userSuggestion: messageOf(action.userSuggestion) } : {};
    return ofChat({ ...action, ...suggestion, ...metaKept(action, reading) }, reading);
  },
  'session/toolCallComplete': (action, reading) => {
    const { content } = action.result;
    const result = { ...action.result, ...(content && { content: contentOf(content) }) };
    return ofChat({ ...action, result, ...metaKept(action, reading) }, reading);
  },
  'session/toolCallResultConfirmed': (action, reading) => ofChat({ ...action, ...metaKept(action, reading) }, reading),
  'session/toolCallContentChanged': (action, reading) =>
    ofChat({ ...action, content: contentOf(action.content), ...metaKept(action, reading) }, reading),

  'session/inputAnswerChanged': ofChat,
  'session/inputCompleted': ofChat,
};

/** None where nothing is left to do. */
export function actionsIn(action: ClientAction, reading: Reading): Step[] {
  const { place } = reading;
  if (place.kind === 'session')
    return (table[action.type as SessionType] as (action: ClientAction, reading: Reading) => Step[])(action, reading);
  if (action.type === 'terminal/claimed') return [{ channel: place.channel, action: { type: action.type, claim: claimOf(action.claim) } }];
  const { terminal: _terminal, ...rest } = action as ClientAction & { terminal?: URI };
  return [{ channel: place.channel, action: rest as unknown as StateAction }];
}
