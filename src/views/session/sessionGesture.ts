/**
 * What a user does in the views of a session: client actions of the newest dialect. The table says of each how it is called when its outcome is
 * not known, when it is refused and while it is held.
 */
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

const MESSAGE = { name: 'A message', refused: 'Your message was not accepted and is back in the composer' };
const ANSWER = 'Your answer was not accepted';
const QUEUE = { name: 'A change of the waiting messages', refused: 'The waiting messages were not changed' };

const words: Record<GestureType, Words> = {
  'chat/turnStarted': MESSAGE,
  'chat/pendingMessageSet': MESSAGE,
  'chat/pendingMessageRemoved': QUEUE,
  'chat/queuedMessagesReordered': QUEUE,
  'chat/turnCancelled': { name: 'Stopping the turn', refused: 'The turn was not stopped' },
  'chat/turnResume': { name: 'Going on with the turn', refused: 'The turn does not go on' },
  'chat/toolCallConfirmed': { name: 'Your answer to a call', refused: ANSWER },
  'chat/toolCallResultConfirmed': { name: 'Your answer about a result', refused: ANSWER },
  'chat/inputAnswerChanged': { name: 'Your answers', refused: ANSWER },
  'chat/inputCompleted': { name: 'Your answers', refused: ANSWER, held: 'your answers' },
  'chat/draftChanged': { name: 'The new model or draft', refused: 'The model or draft was not changed', held: 'the new model' },
  'session/titleChanged': { name: 'The new title', refused: 'The title was not changed', held: 'the new title' },
  'session/configChanged': { name: 'The new setting', refused: 'The setting was not changed', held: 'the new setting' },
};

/** Of an action of any client. */
export function wordsFor({ type }: { readonly type: string }): Words {
  return Object.hasOwn(words, type) ? words[type as GestureType] : { name: 'A change', refused: 'The host refused this' };
}

/** A message of the user, which goes back to the composer when it is refused. */
export function isMessage(action: { readonly type: string }): action is Gesture<'chat/turnStarted' | 'chat/pendingMessageSet'> {
  return action.type === 'chat/turnStarted' || action.type === 'chat/pendingMessageSet';
}
