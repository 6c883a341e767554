/** Whether what the user did has reached the host. */
import * as l10n from '@vscode/l10n';
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

/** The user's answer to a tool call, or about its result, that the host has not settled. */
export interface CallAnswer {
  readonly delivery: Delivery;
  /** `approval`, `denial`, or the answer about a result. */
  readonly name: string;
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
        of(action.turnId).answers.set(action.toolCallId, { delivery, name: answerName(action) });
    }
  }
  return turns;
}

/** The name of an answer to a call, to be used after “Your”. */
export function answerName(action: ActionLike): string {
  if (action.type === 'chat/toolCallResultConfirmed') return l10n.t('answer about the result');
  if (action.type === 'chat/toolCallConfirmed') return (action as Gesture<'chat/toolCallConfirmed'>).approved ? 'approval' : 'denial';
  return 'answer';
}

/** A sentence about an answer that has not arrived; undefined for one that has. */
export function answerText({ name, delivery }: CallAnswer): string | undefined {
  switch (delivery) {
    case 'held':
      return l10n.t`Your ${name} will be sent when the host is back.`;
    case 'unanswered':
      return l10n.t`Your ${name} was sent. The host went away before it answered.`;
    case 'sending':
      return l10n.t`Sending your ${name}.`;
    case 'sent':
      return undefined;
  }
}

/** The kinds of held actions that are not shown anywhere else, each once. */
export function heldElsewhere(pending: readonly Unsettled[]): string[] {
  const names = pending.flatMap(({ action, held }) => (held ? (wordsFor(action).held ?? []) : []));
  return [...new Set(names)];
}
