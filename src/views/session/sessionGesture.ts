/**
 * What a user does in the views of a session: client actions of the newest dialect. The table says of each how it is called when its outcome is
 * not known, when it is refused and while it is held.
 */
import * as l10n from '../../base/l10n.ts';
import type { ClientActionType, StateAction } from '../../ahp/channels/actions.ts';
import type { GestureType } from './gestureSchema.ts';

/** A client action of this type. */
export type Gesture<T extends ClientActionType = GestureType> = Extract<StateAction, { type: T }>;

export type SessionGesture = Gesture;

interface Words {
  /** Of an action whose outcome is not known. */
  name: string;
  refused: string;
  /** After “Will be sent when the host is back”. Absent where the place of the action shows it. */
  held?: string;
}

const MESSAGE = { name: l10n.t('A message'), refused: l10n.t('Your message was not accepted and is back in the composer') };
const ANSWER = l10n.t('Your answer was not accepted');
const QUEUE = { name: l10n.t('A change of the waiting messages'), refused: l10n.t('The waiting messages were not changed') };

const words: Record<GestureType, Words> = {
  'chat/turnStarted': MESSAGE,
  'chat/pendingMessageSet': MESSAGE,
  'chat/pendingMessageRemoved': QUEUE,
  'chat/queuedMessagesReordered': QUEUE,
  'chat/turnCancelled': { name: l10n.t('Stopping the turn'), refused: l10n.t('The turn was not stopped') },
  'chat/turnResume': { name: l10n.t('Going on with the turn'), refused: l10n.t('The turn does not go on') },
  'chat/toolCallConfirmed': { name: l10n.t('Your answer to a call'), refused: ANSWER },
  'chat/toolCallResultConfirmed': { name: l10n.t('Your answer about a result'), refused: ANSWER },
  'chat/inputAnswerChanged': { name: l10n.t('Your answers'), refused: ANSWER },
  'chat/inputCompleted': { name: l10n.t('Your answers'), refused: ANSWER, held: l10n.t('your answers') },
  'chat/draftChanged': {
    name: l10n.t('The new model or draft'),
    refused: l10n.t('The model or draft was not changed'),
    held: l10n.t('the new model'),
  },
  'session/titleChanged': { name: l10n.t('The new title'), refused: l10n.t('The title was not changed'), held: l10n.t('the new title') },
  'session/configChanged': {
    name: l10n.t('The new setting'),
    refused: l10n.t('The setting was not changed'),
    held: l10n.t('the new setting'),
  },
};

/** Of an action of any client. */
export function wordsFor({ type }: { readonly type: string }): Words {
  return Object.hasOwn(words, type) ? words[type as GestureType] : { name: l10n.t('A change'), refused: l10n.t('The host refused this') };
}

/** A message of the user, which goes back to the composer when it is refused. */
export function isMessage(action: { readonly type: string }): action is Gesture<'chat/turnStarted' | 'chat/pendingMessageSet'> {
  return action.type === 'chat/turnStarted' || action.type === 'chat/pendingMessageSet';
}
