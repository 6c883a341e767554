/** What a client does, in the words of AHP 1.0, as actions of AHP v1. */
import { sameJson } from '../../../base/sameJson.ts';
import type { ClientActionType, StateAction as ChannelAction } from '../../channels/actions.ts';
import type { Message } from '../../channels/shapes/message.ts';
import type { ActionLike } from '../../common/reducers/reducer.ts';
import type { URI } from '../../common/shapes.ts';
import type { StateAction } from '../../v1/actions.ts';
import type { UserMessage } from '../../v1/common.ts';
import type { SessionState } from '../../v1/session.ts';
import { activeClientOf, claimOf, v1ModelSelection, userMessageOf } from './downgrade.ts';

type Actions = readonly StateAction[] | undefined;
type ActionOf<T extends ClientActionType> = Extract<ChannelAction, { type: T }>;
/** `state`: of the session, as it is shown, if it is known. */
type Translation<T extends ClientActionType> = (action: ActionOf<T>, uri: URI, state: Partial<SessionState>) => Actions;

/** The same action, for a session. */
function named(type: StateAction['type']): (action: ActionLike, session: URI) => Actions {
  return (action, session) => [{ ...action, type, session } as unknown as StateAction];
}

function inTerminal(action: ActionLike, terminal: URI): Actions {
  return [{ ...action, terminal } as unknown as StateAction];
}

/** The model is the session's, and not that of a message. */
function withModel(chosen: Message['model'], session: URI, { summary }: Partial<SessionState>, then: readonly StateAction[]): Actions {
  if (!chosen || sameJson(chosen, summary?.model)) return then;
  const model = v1ModelSelection(chosen);
  return model && [{ type: 'session/modelChanged', session, model }, ...then];
}

function withMessage(
  message: Message,
  session: URI,
  state: Partial<SessionState>,
  make: (userMessage: UserMessage) => StateAction,
): Actions {
  const userMessage = userMessageOf(message);
  return userMessage && withModel(message.model, session, state, [make(userMessage)]);
}

const translations: { [T in ClientActionType]?: Translation<T> } = {
  'root/configChanged': (action) => [action],
  'terminal/input': inTerminal,
  'terminal/resized': inTerminal,
  'terminal/titleChanged': inTerminal,
  'terminal/cleared': inTerminal,
  'terminal/claimed': ({ type, claim }, terminal) => [{ type, terminal, claim: claimOf(claim) }],

  'session/titleChanged': named('session/titleChanged'),
  'session/isReadChanged': named('session/isReadChanged'),
  'session/isArchivedChanged': named('session/isArchivedChanged'),
  'session/configChanged': named('session/configChanged'),
  'session/activeClientSet': ({ activeClient }, session, { activeClient: known }) => {
    const entry = activeClientOf(activeClient);
    const { tools } = entry;
    // The client lends already, and only its tools are others.
    const hasOtherTools = sameJson({ ...known, tools }, entry);
    return [
      hasOtherTools
        ? { type: 'session/activeClientToolsChanged', session, tools }
        : { type: 'session/activeClientChanged', session, activeClient: entry },
    ];
  },
  'session/activeClientRemoved': ({ clientId }, session, { activeClient }) =>
    activeClient?.clientId === clientId ? [{ type: 'session/activeClientChanged', session, activeClient: null }] : [],
  'session/customizationToggled': ({ type, id, enablement }, session) => {
    // There is one switch, for the session.
    const [decision, ...others] = enablement;
    if (decision?.kind !== 'session' || others.length > 0) return undefined;
    return [{ type, session, uri: id, enabled: decision.enabled }];
  },

  'chat/turnStarted': ({ turnId, queuedMessageId, message }, session, state) =>
    withMessage(message, session, state, (userMessage) => ({
      ...{ type: 'session/turnStarted', session, turnId, userMessage },
      ...(queuedMessageId !== undefined && { queuedMessageId }),
    })),
  'chat/turnCancelled': ({ turnId }, session) => [{ type: 'session/turnCancelled', session, turnId }],
  'chat/pendingMessageSet': ({ kind, id, message }, session, state) =>
    withMessage(message, session, state, (userMessage) => ({ type: 'session/pendingMessageSet', session, kind, id, userMessage })),
  'chat/pendingMessageRemoved': named('session/pendingMessageRemoved'),
  'chat/queuedMessagesReordered': named('session/queuedMessagesReordered'),
  // Of a draft, AHP v1 has the model only.
  'chat/draftChanged': ({ draft }, session, state) =>
    draft?.text === '' && !draft.attachments?.length ? withModel(draft.model, session, state, []) : undefined,
  'chat/truncated': named('session/truncated'),

  'chat/toolCallConfirmed': (action, session) => {
    const suggested = 'userSuggestion' in action ? action.userSuggestion : undefined;
    const userSuggestion = suggested && userMessageOf(suggested);
    if (suggested && !userSuggestion) return undefined;
    return named('session/toolCallConfirmed')({ ...action, ...(userSuggestion && { userSuggestion }) } as ActionLike, session);
  },
  'chat/toolCallComplete': named('session/toolCallComplete'),
  'chat/toolCallResultConfirmed': named('session/toolCallResultConfirmed'),
  'chat/toolCallContentChanged': named('session/toolCallContentChanged'),
  'chat/inputAnswerChanged': named('session/inputAnswerChanged'),
  'chat/inputCompleted': named('session/inputCompleted'),
};

export function can(type: string): type is ClientActionType {
  return Object.hasOwn(translations, type);
}

/** The actions that do the same for the session, terminal or root `uri`, in order. Undefined where AHP v1 cannot do it. */
export function actionsFor(uri: URI, action: ActionLike, state: object | undefined): Actions {
  const { type } = action;
  if (!can(type)) return undefined;
  return (translations[type] as Translation<ClientActionType>)(action as ActionOf<ClientActionType>, uri, state ?? {});
}
