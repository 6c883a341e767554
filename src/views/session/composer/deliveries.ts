/** Whether what the user did has reached the host. */
import * as l10n from '../../../base/l10n.ts';
import type { ActionLike } from '../../../ahp/common/reducers/reducer.ts';
import { type Gesture, wordsFor } from '../sessionGesture.ts';

/**
 * `sending`: the host is connected and has not confirmed it yet. `held`: it was not sent, because the host is away. `unanswered`: it was sent, and
 * the connection was lost before the host answered. `sent`: the host has it.
 */
export type Delivery = 'sent' | 'sending' | 'held' | 'unanswered';

/** An action that the host has not settled. */
export interface Unsettled {
  /** As the user did it, if it was the user. */
  readonly action: ActionLike;
  readonly outcome?: 'unknown';
  readonly held?: true;
}

/** `result`: about the result of a call. */
type AnswerKind = 'approval' | 'denial' | 'result';

/** The user's answer to a tool call, or about its result, that the host has not settled. */
export interface CallAnswer {
  readonly delivery: Delivery;
  readonly kind: AnswerKind;
}

export interface TurnDeliveries {
  readonly start?: Delivery;
  readonly stop?: Delivery;
  /** By the call's id. */
  readonly answers: ReadonlyMap<string, CallAnswer>;
}

/** `isAway`: the host cannot be reached. */
export function deliveryOf({ held }: Unsettled, isAway: boolean): Delivery {
  return held ? 'held' : isAway ? 'unanswered' : 'sending';
}

/** By turn id. Actions of unknown outcome are left out: they are listed separately, and the user decides about them. */
export function turnDeliveries(pending: readonly Unsettled[], isAway: boolean): ReadonlyMap<string, TurnDeliveries> {
  const turns = new Map<string, { start?: Delivery; stop?: Delivery; answers: Map<string, CallAnswer> }>();
  const of = (turnId: string) => {
    const known = turns.get(turnId) ?? { answers: new Map<string, CallAnswer>() };
    turns.set(turnId, known);
    return known;
  };
  for (const one of pending) {
    if (one.outcome === 'unknown') continue;
    const action = one.action as Gesture;
    const delivery = deliveryOf(one, isAway);
    switch (action.type) {
      case 'chat/turnStarted':
        of(action.turnId).start = delivery;
        break;
      case 'chat/turnCancelled':
        of(action.turnId).stop = delivery;
        break;
      case 'chat/toolCallConfirmed':
      case 'chat/toolCallResultConfirmed':
        of(action.turnId).answers.set(action.toolCallId, { delivery, kind: kindOf(action) });
    }
  }
  return turns;
}

function kindOf(action: Gesture<'chat/toolCallConfirmed' | 'chat/toolCallResultConfirmed'>): AnswerKind {
  if (action.type === 'chat/toolCallResultConfirmed') return 'result';
  return action.approved ? 'approval' : 'denial';
}

const TEXTS: Readonly<Record<AnswerKind, { name: string } & Record<Exclude<Delivery, 'sent'>, string>>> = {
  approval: {
    name: l10n.t('Your approval'),
    held: l10n.t('Your approval will be sent when the host is back.'),
    unanswered: l10n.t('Your approval was sent. The host went away before it answered.'),
    sending: l10n.t('Sending your approval.'),
  },
  denial: {
    name: l10n.t('Your denial'),
    held: l10n.t('Your denial will be sent when the host is back.'),
    unanswered: l10n.t('Your denial was sent. The host went away before it answered.'),
    sending: l10n.t('Sending your denial.'),
  },
  result: {
    name: l10n.t('Your answer about the result'),
    held: l10n.t('Your answer about the result will be sent when the host is back.'),
    unanswered: l10n.t('Your answer about the result was sent. The host went away before it answered.'),
    sending: l10n.t('Sending your answer about the result.'),
  },
};

/** Of an action that the host has refused. */
export function answerName(action: ActionLike): string {
  const isOfCall = action.type === 'chat/toolCallConfirmed' || action.type === 'chat/toolCallResultConfirmed';
  return isOfCall
    ? TEXTS[kindOf(action as Gesture<'chat/toolCallConfirmed' | 'chat/toolCallResultConfirmed'>)].name
    : l10n.t('Your answer');
}

/** A sentence about an answer that has not arrived; undefined for one that has. */
export function answerText({ kind, delivery }: CallAnswer): string | undefined {
  return delivery === 'sent' ? undefined : TEXTS[kind][delivery];
}

/** The kinds of held actions that are not shown anywhere else, each once. */
export function heldElsewhere(pending: readonly Unsettled[]): string[] {
  const names = pending.flatMap(({ action, held }) => (held ? (wordsFor(action).held ?? []) : []));
  return [...new Set(names)];
}
