/**
 * What a user does in the views of a session: client actions of the newest dialect, with exactly the members and values that the views use. The
 * table says of each how it is checked, and how it is called when its outcome is not known, when it is refused and while it is held.
 */
import * as l10n from '../../base/l10n.ts';
import * as z from 'zod/mini';
import { ASKED } from '../../ahp/common/callQuestion.ts';
import { type ClientActionType, clientActions, type StateAction } from '../../ahp/channels/actions.ts';
import { approval, denial } from '../../ahp/channels/chat/actions.ts';
import { knownInputAnswer } from '../../ahp/common/inputRequest.ts';
import { recordOf } from '../../ahp/common/schemas.ts';

/** A client action of this type. */
export type Gesture<T extends ClientActionType = GestureType> = Extract<StateAction, { type: T }>;

/** What was asked, as the user has seen it. */
const asked = { _meta: z.object({ [ASKED]: z.string() }) };
const pendingKind = z.enum(['steering', 'queued']);
const schemas = [
  z.omit(clientActions['chat/turnStarted'], { queuedMessageId: true, _meta: true }),
  z.omit(clientActions['chat/turnCancelled'], { _meta: true }),
  clientActions['chat/turnResume'],
  z.discriminatedUnion('approved', [
    z.extend(approval, { ...asked, confirmed: z.literal('user-action') }),
    z.extend(denial, { ...asked, reason: z.enum(['denied', 'skipped']), reasonMessage: z.optional(z.string()) }),
  ]),
  z.omit(clientActions['chat/toolCallResultConfirmed'], { _meta: true }),
  z.extend(clientActions['chat/pendingMessageSet'], { kind: pendingKind }),
  z.extend(clientActions['chat/pendingMessageRemoved'], { kind: pendingKind }),
  clientActions['chat/queuedMessagesReordered'],
  clientActions['chat/draftChanged'],
  z.extend(clientActions['chat/inputAnswerChanged'], { answer: z.optional(knownInputAnswer) }),
  z.extend(clientActions['chat/inputCompleted'], {
    response: z.enum(['accept', 'decline', 'cancel']),
    answers: z.optional(recordOf(knownInputAnswer)),
  }),
  clientActions['session/titleChanged'],
  z.extend(z.omit(clientActions['session/configChanged'], { replace: true }), { config: recordOf(z.union([z.string(), z.boolean()])) }),
] as const;

export type GestureType = z.infer<(typeof schemas)[number]>['type'];
export type SessionGesture = Gesture;
export const sessionGesture: z.ZodMiniType<SessionGesture> = z.discriminatedUnion('type', schemas);

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
