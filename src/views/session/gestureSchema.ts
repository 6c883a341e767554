/**
 * How the side that a page talks to checks what a user does in the views of a session: client actions of the newest dialect, with exactly the
 * members and values that the views use.
 */
import * as z from 'zod/mini';
import { ASKED } from '../../ahp/common/callQuestion.ts';
import { clientActions, type StateAction } from '../../ahp/channels/actions.ts';
import { approval, denial } from '../../ahp/channels/chat/actions.ts';
import { knownInputAnswer } from '../../ahp/common/inputRequest.ts';
import { recordOf } from '../../ahp/common/schemas.ts';

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
export const sessionGesture: z.ZodMiniType<Extract<StateAction, { type: GestureType }>> = z.discriminatedUnion('type', schemas);
