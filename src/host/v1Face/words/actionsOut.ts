/**
 * An action of the store as those of AHP v1: whoever reduces them has the state that `states` makes of the store's. None where AHP v1
 * does not show what has changed, and seldom more than one.
 */
import type { ActionType, KnownAction, StateAction } from '../../../ahp/channels/actions.ts';
import type { ChangesetState } from '../../../ahp/channels/changeset.ts';
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { RootState } from '../../../ahp/channels/root.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { omitAbsent } from '../../../ahp/common/reducers/reducer.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { StateAction as V1Action } from '../../../ahp/v1/actions.ts';
import type { ToolResultContent } from '../../../ahp/v1/toolCall.ts';
import { sameJson } from '../../../base/sameJson.ts';
import { findToolCall } from '../../checks/chatChecks.ts';
import { isRead } from '../../state/listedSession.ts';
import { visibleName } from './names.ts';
import { inlineInput, openRequests, toolClientOf, v1ActiveTurn, v1Content, v1Message, v1Model, v1Part } from './v1Parts.ts';
import { activityTold, editsIn, familyStatus, v1ActiveClient, v1Agents, v1Claim, v1Customizations, v1Terminals } from './states.ts';

/** Where it happened: the state of the channel around it, and what else the told state is made of. */
interface RootContext {
  after: RootState;
}
interface TerminalContext {
  /** What AHP v1 calls it. */
  name: URI;
}
interface SessionContext {
  session: URI;
  before: SessionState;
  after: SessionState;
  /** Its first chat. */
  chat: ChatState | undefined;
  isV1Client(clientId: string): boolean;
}
interface ChatContext {
  /** What AHP v1 calls it. */
  name: URI;
  before: ChatState;
  after: ChatState;
  /** Absent for the chat of a subagent, which tells its status and activity alone. */
  session: SessionState | undefined;
}
interface ChangesContext {
  session: URI;
  before: ChangesetState;
  after: ChangesetState;
}

type ContextOf<T> = T extends `root/${string}`
  ? RootContext
  : T extends `terminal/${string}`
    ? TerminalContext
    : T extends `session/${string}`
      ? SessionContext
      : T extends `chat/${string}`
        ? ChatContext
        : ChangesContext;

/** AHP v1 has no such channels. */
type ForeignType = Extract<
  ActionType,
  `${'annotations' | 'resourceWatch' | 'automation' | 'automations' | 'automationRun' | 'canvas'}/${string}`
>;
type TranslatedType = Exclude<ActionType, ForeignType>;
type ActionOf<T> = Extract<KnownAction, { type: T }>;
type Translation = V1Action | readonly V1Action[] | undefined;
type Table = { readonly [T in TranslatedType]: (action: ActionOf<T>, context: ContextOf<T>) => Translation };

function none(): undefined {
  return undefined;
}

/** The same words. */
function same<A extends { type: string }>(action: A): V1Action {
  return action as unknown as V1Action;
}
function inTerminal(action: { type: string }, { name }: TerminalContext): V1Action {
  return { ...action, terminal: name } as unknown as V1Action;
}
function inSession(action: { type: string }, { session }: SessionContext): V1Action {
  return { ...action, session } as unknown as V1Action;
}
/** The same, of the session that the chat is. */
function inChat<A extends { type: string }>(action: A, { name }: ChatContext): V1Action {
  return { ...action, type: action.type.replace('chat/', 'session/'), session: name } as unknown as V1Action;
}

// ---- Sessions

function readFlag({ session, before, after, chat }: SessionContext): V1Action | undefined {
  return chat && readChanged(session, familyStatus(before.status, chat.status), familyStatus(after.status, chat.status));
}
function readChanged(session: URI, before: number, after: number): V1Action | undefined {
  return isRead(before) === isRead(after) ? undefined : { type: 'session/isReadChanged', session, isRead: isRead(after) };
}

function activityChanged(session: URI, before: string | undefined, after: string | undefined): V1Action | undefined {
  return before === after ? undefined : omitAbsent<V1Action>({ type: 'session/activityChanged', session, activity: after });
}

function lenderChanged({ session, before, after, isV1Client }: SessionContext): V1Action | undefined {
  const earlier = v1ActiveClient(before.activeClients, isV1Client);
  const activeClient = v1ActiveClient(after.activeClients, isV1Client);
  return sameJson(earlier, activeClient) ? undefined : { type: 'session/activeClientChanged', session, activeClient: activeClient ?? null };
}

function customizationsChanged({ session, before, after }: SessionContext): V1Action | undefined {
  const customizations = v1Customizations(after.customizations ?? []);
  if (before.customizations !== undefined && sameJson(v1Customizations(before.customizations), customizations)) return undefined;
  return after.customizations && { type: 'session/customizationsChanged', session, customizations };
}

/** The list of chats has the titles of subagents. */
function titleOfChat(chat: URI, { session, before, after }: SessionContext): V1Action | undefined {
  const name = visibleName(chat, session);
  const title = after.chats.find(({ resource }) => resource === chat)?.title;
  const earlier = before.chats.find(({ resource }) => resource === chat)?.title;
  if (name === undefined || name === session || title === undefined || earlier === undefined || title === earlier) return undefined;
  return { type: 'session/titleChanged', session: name, title };
}

// ---- Tool calls

function callIn(chat: ChatState, { turnId, toolCallId }: { turnId: string; toolCallId: string }): ToolCallState | undefined {
  return chat.activeTurn?.id === turnId ? findToolCall(chat, toolCallId) : undefined;
}

function withContent<R extends { content?: ToolResultContent[] | undefined }>(result: R): R {
  return { ...result, ...(result.content && { content: v1Content(result.content) }) };
}

/** The call as it is after it, because channels keep of a call what is not said again. */
function callReady(action: ActionOf<'chat/toolCallReady'>, context: ChatContext): V1Action | undefined {
  const earlier = callIn(context.before, action);
  const call = callIn(context.after, action);
  // To AHP v1 it is running.
  if (earlier?.status === 'auth-required') return undefined;
  const { turnId, toolCallId } = action;
  if (earlier?.status === 'pending-confirmation' && call?.status === 'running') {
    const { confirmed } = call;
    const editedToolInput = inlineInput(call.toolInput);
    const approved = { approved: true, confirmed, ...(editedToolInput !== undefined && { editedToolInput }) };
    return { type: 'session/toolCallConfirmed', session: context.name, turnId, toolCallId, ...approved } as V1Action;
  }
  const { riskAssessment: _risk, contributor: _contributor, intention: _intention, startedAt: _startedAt, toolInput, ...rest } = action;
  return inChat(omitAbsent({ ...rest, toolInput: inlineInput(call && 'toolInput' in call ? call.toolInput : toolInput) }), context);
}

function callConfirmed(action: ActionOf<'chat/toolCallConfirmed'>, context: ChatContext): V1Action {
  if (!action.approved)
    return inChat({ ...action, ...(action.userSuggestion && { userSuggestion: v1Message(action.userSuggestion) }) }, context);
  const call = callIn(context.before, action);
  // Input that is kept elsewhere is edited there, and where there is none nothing is edited. AHP v1 would take what is said here.
  const isInline = call !== undefined && 'toolInput' in call && typeof call.toolInput === 'string';
  const { editedToolInput, startedAt: _startedAt, ...rest } = action;
  return inChat(isInline && editedToolInput !== undefined ? { ...rest, editedToolInput } : rest, context);
}

function callCompleted({ duration: _duration, ...action }: ActionOf<'chat/toolCallComplete'>, context: ChatContext): V1Action | undefined {
  const call = callIn(context.before, action);
  if (call?.status !== 'auth-required') return inChat({ ...action, result: withContent(action.result) }, context);
  // Without the sign-in it cannot have worked.
  if (action.result.success) return undefined;
  const { requiresResultConfirmation: _requires, result, ...rest } = action;
  return inChat(
    { ...rest, result: withContent({ ...result, content: result.content ?? ('content' in call ? call.content : undefined) }) },
    context,
  );
}

function contentChanged(action: ActionOf<'chat/toolCallContentChanged'>, context: ChatContext): V1Action | undefined {
  if (callIn(context.before, action)?.status === 'auth-required') return undefined;
  return inChat({ ...action, content: v1Content(action.content) }, context);
}

/** AHP v1 cannot open a turn again. It is removed, and begins with what it had. */
function turnResumed({ turnId }: ActionOf<'chat/turnResume'>, { name: session, before, after }: ChatContext): V1Action[] {
  if (before.activeTurn || after.activeTurn?.id !== turnId) return [];
  const { userMessage, responseParts, usage } = v1ActiveTurn(after.activeTurn);
  return [
    omitAbsent<V1Action>({ type: 'session/truncated', session, turnId: after.turns.at(-1)?.id }),
    { type: 'session/turnStarted', session, turnId, userMessage },
    ...responseParts.map((part): V1Action => ({ type: 'session/responsePart', session, turnId, part })),
    ...openRequests(after.activeTurn.responseParts).map((request): V1Action => ({ type: 'session/inputRequested', session, request })),
    ...(usage ? [{ type: 'session/usage' as const, session, turnId, usage }] : []),
  ];
}

// ---- Changes

function diffsChanged(_action: StateAction, { session, before, after }: ChangesContext): V1Action | undefined {
  const diffs = [...editsIn(after)];
  return sameJson(editsIn(before), diffs) ? undefined : { type: 'session/diffsChanged', session, diffs };
}

const table: Table = {
  'root/agentsChanged': ({ type }, { after }) => ({ type, agents: v1Agents(after.agents) }),
  'root/activeSessionsChanged': same,
  'root/terminalsChanged': ({ type }, { after }) => ({ type, terminals: v1Terminals(after.terminals) }),
  'root/configChanged': same,

  'terminal/input': inTerminal,
  'terminal/data': inTerminal,
  'terminal/resized': inTerminal,
  'terminal/claimed': ({ type, claim }, { name }) => ({ type, terminal: name, claim: v1Claim(claim) }),
  'terminal/titleChanged': inTerminal,
  'terminal/cwdChanged': inTerminal,
  'terminal/exited': inTerminal,
  'terminal/cleared': inTerminal,
  'terminal/commandDetectionAvailable': inTerminal,
  'terminal/commandExecuted': inTerminal,
  'terminal/commandFinished': inTerminal,

  'session/ready': inSession,
  'session/creationFailed': inSession,
  'session/chatAdded': ({ summary }, context) => titleOfChat(summary.resource, context),
  'session/chatUpdated': ({ chat }, context) => titleOfChat(chat, context),
  'session/chatRemoved': none,
  'session/chatsReordered': none,
  'session/defaultChatChanged': none,
  'session/titleChanged': inSession,
  'session/activityChanged': (_action, { session, before, after, chat }) =>
    activityChanged(session, activityTold(before, chat), activityTold(after, chat)),
  'session/isReadChanged': (_action, context) => readFlag(context),
  'session/isArchivedChanged': inSession,
  'session/configChanged': inSession,
  'session/metaChanged': inSession,
  'session/changesetsChanged': none,
  'session/serverToolsChanged': inSession,
  'session/activeClientSet': (_action, context) => lenderChanged(context),
  'session/activeClientRemoved': (_action, context) => lenderChanged(context),
  'session/workingDirectorySet': none,
  'session/workingDirectoryRemoved': none,
  'session/workingDirectoryReplaced': none,
  'session/inputNeededSet': none,
  'session/inputNeededRemoved': none,
  'session/customizationsChanged': (_action, context) => customizationsChanged(context),
  'session/customizationUpdated': (_action, context) => customizationsChanged(context),
  'session/customizationRemoved': (_action, context) => customizationsChanged(context),
  'session/customizationToggled': (_action, context) => customizationsChanged(context),
  'session/mcpServerStateChanged': none,
  'session/mcpServerStartRequested': none,
  'session/mcpServerStopRequested': none,
  'session/mcpServerBackgroundRequested': none,

  'chat/turnStarted': ({ startedAt: _startedAt, message, ...action }, context) =>
    inChat({ ...action, userMessage: v1Message(message) }, context),
  'chat/delta': inChat,
  'chat/reasoning': inChat,
  'chat/responsePart': (action, context) => {
    const part = v1Part(action.part);
    return part && inChat({ ...action, part }, context);
  },
  'chat/usage': inChat,
  'chat/turnComplete': ({ duration: _duration, ...action }, context) => inChat(action, context),
  'chat/turnCancelled': ({ duration: _duration, ...action }, context) => inChat(action, context),
  'chat/error': ({ duration: _duration, part, ...action }, context) => inChat({ ...action, error: part.error }, context),
  'chat/turnResume': turnResumed,
  'chat/truncated': inChat,
  'chat/turnsLoaded': none,

  'chat/toolCallStart': ({ contributor, intention: _intention, ...action }, context) =>
    inChat(omitAbsent({ ...action, toolClientId: toolClientOf(contributor) }), context),
  'chat/toolCallDelta': (action, context) => inChat({ ...action, content: action.content ?? '' }, context),
  'chat/toolCallReady': callReady,
  'chat/toolCallConfirmed': callConfirmed,
  'chat/toolCallComplete': callCompleted,
  'chat/toolCallResultConfirmed': inChat,
  'chat/toolCallContentChanged': contentChanged,
  'chat/toolCallAuthRequired': none,
  'chat/toolCallAuthResolved': none,

  // Without a turn there is no place for it, and AHP v1 would find one.
  'chat/inputRequested': (action, context) => (context.before.activeTurn ? inChat(action, context) : undefined),
  'chat/inputAnswerChanged': inChat,
  'chat/inputCompleted': inChat,

  'chat/pendingMessageSet': ({ message, ...action }, context) => inChat({ ...action, userMessage: v1Message(message) }, context),
  'chat/pendingMessageRemoved': inChat,
  'chat/queuedMessagesReordered': inChat,
  // Of a draft, AHP v1 has the model only, and it has no word for none.
  'chat/draftChanged': (_action, { name, before, after }) => {
    const model = after.draft?.model && v1Model(after.draft.model);
    const earlier = before.draft?.model && v1Model(before.draft.model);
    return model === undefined || sameJson(earlier, model) ? undefined : { type: 'session/modelChanged', session: name, model };
  },
  'chat/activityChanged': (_action, { name, before, after, session }) =>
    activityChanged(name, activityTold(session ?? {}, before), activityTold(session ?? {}, after)),
  'chat/isReadChanged': (_action, { name, before, after, session }) =>
    session
      ? readChanged(name, familyStatus(session.status, before.status), familyStatus(session.status, after.status))
      : readChanged(name, before.status, after.status),
  // A session is archived with its own flag.
  'chat/isArchivedChanged': (action, context) => (context.session ? undefined : inChat(action, context)),
  'chat/movableChanged': none,
  'chat/workingDirectorySet': none,
  'chat/workingDirectoryRemoved': none,
  'chat/backgroundWorkSet': none,
  'chat/backgroundWorkRemoved': none,
  'chat/changesetsChanged': none,
  'chat/canvasesChanged': none,

  'changeset/statusChanged': none,
  'changeset/fileSet': diffsChanged,
  'changeset/fileRemoved': diffsChanged,
  'changeset/filesReviewChanged': none,
  'changeset/contentChanged': diffsChanged,
  'changeset/operationsChanged': none,
  'changeset/operationStatusChanged': none,
  'changeset/cleared': diffsChanged,
};

/** `context`: of the kind of the channel. */
export function actionOut(
  action: StateAction,
  context: RootContext | TerminalContext | SessionContext | ChatContext | ChangesContext,
): readonly V1Action[] {
  if (!Object.hasOwn(table, action.type)) return [];
  const told = (table[action.type as TranslatedType] as (action: StateAction, context: unknown) => Translation)(action, context);
  return told === undefined ? [] : [told].flat();
}
