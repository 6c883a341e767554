/**
 * The one place where what somebody has decided is checked and done: from a card or a transcript, by a key, over the portal's API or on the
 * command line. Is still the same asked? Then it is performed, and what came of it is told.
 */
import { english, phrase, type Words } from '../../base/text/phrase.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { ClientAction, ResourceModel } from '../../ahp/client/model/resourceModel.ts';
import { notDone, type NotDone, type Settlement } from '../../ahp/client/resources/subscription.ts';
import type { WhyNot } from '../../ahp/client/resources/unsettled.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import { TimeoutError, withTimeout, wordsOf } from '../../base/errors.ts';
import type { Gesture } from '../../views/session/sessionGesture.ts';
import { isOutdated, waitingOf } from '../../views/session/waiting/waiting.ts';

/** `asked`: the `questionKey` of what an answer is to, as its user has seen it. */
export interface Decided {
  readonly action: ClientAction;
  readonly asked?: string | undefined;
}

/** The session or chat in which it is done. The host tells the outcome only to those who read it, so it is disposed of afterwards. */
export type DecidedIn = Pick<ResourceModel<'session' | 'chat'>, 'uri' | 'status' | 'onDidChange' | 'perform'> & {
  readonly state: object | undefined;
};

export interface CarryOutOptions {
  /** What is to be done; undefined where that is not asked any more. It is called when the state is there, since by then something else may wait. */
  decide(): Decided | undefined;
  /**
   * How long the host may take until its state is there, in ms. Absent: what is known is enough. A page that shows the chat also takes what is
   * done while the host is away.
   */
  stateMs?: number;
  /** See `ResourceModel.perform`. */
  whyNot?: WhyNot;
  /** How long it may take to settle, in ms. Absent: as long as the client takes, which settles all that it knows of when it is closed. */
  settleMs?: number;
}

export type CarriedOut =
  | { kind: 'confirmed' }
  /** Something else is asked by now. Nothing was sent. */
  | { kind: 'outdated' }
  /** The host did not give the state. Nothing was sent. */
  | { kind: 'notSent'; reason: string; words: Words }
  | (NotDone & { clientSeq: number });

/** Never rejects, unless `decide` throws. */
export async function carryOut(model: DecidedIn, { decide, stateMs, whyNot, settleMs }: CarryOutOptions): Promise<CarriedOut> {
  if (stateMs !== undefined && !(model.status.kind === 'live' && model.state)) {
    try {
      await whenLive<object>(model, stateMs);
    } catch (error) {
      const words = wordsOf(error);
      return { kind: 'notSent', reason: english(words), words };
    }
  }
  const decided = decide();
  if (!decided) return { kind: 'outdated' };
  const { action, asked } = decided;
  const { state } = model;
  if (state && 'turns' in state && isOutdated(waitingOf(state as ChatState), action as Gesture, asked)) return { kind: 'outdated' };
  const { clientSeq, settled } = model.perform(action, whyNot);
  return carriedOut(clientSeq, await inTime(settled, settleMs));
}

export function carriedOut(clientSeq: number, settlement: Settlement): CarriedOut {
  return settlement.kind === 'confirmed' ? settlement : { ...settlement, clientSeq };
}

async function inTime(settled: Promise<Settlement>, ms: number | undefined): Promise<Settlement> {
  if (ms === undefined) return settled;
  try {
    return await withTimeout(settled, ms, phrase`the answer of the host`);
  } catch (error) {
    if (error instanceof TimeoutError) return notDone('unknown', error.words);
    throw error;
  }
}
