/** A chat, and what a person or a tool provider does in it. */
import { phrase } from '../../../base/text/phrase.ts';
import type { Message } from '../../channels/shapes/message.ts';
import type { InputAnswer } from '../../common/inputRequest.ts';
import { listOf } from '../../common/reducers/reducer.ts';
import type { ToolCallResult, ToolResultContent } from '../../common/tools.ts';
import type { Dispatched } from '../resources/subscription.ts';
import type { WhyNot } from '../resources/unsettled.ts';
import { type ClientAction, notSent, ResourceModel } from './resourceModel.ts';

/** The text of a message, or all of it. */
export type Said = string | (Omit<Message, 'origin'> & Partial<Pick<Message, 'origin'>>);

/** Names a call: its turn and its id. */
export interface CallRef {
  readonly turnId: string;
  readonly toolCallId: string;
}
export interface Approval {
  /** Of the options that the host offers. */
  readonly optionId?: string;
  /** In place of the model's, where the call is `editable`. */
  readonly editedInput?: string;
}
export interface Denial {
  readonly optionId?: string;
  /** For the model. */
  readonly reason?: string;
  /** What the model shall do instead. */
  readonly suggestion?: string;
  /** Not asked any more, in place of denied. */
  readonly skipped?: boolean;
}

export class ChatModel extends ResourceModel<'chat'> {
  /** Starts a turn. While one runs, the message is queued. */
  send(said: Said): Dispatched {
    const message = messageOf(said);
    if (this.state?.activeTurn) return this.queue(message);
    return this.perform({ type: 'chat/turnStarted', turnId: crypto.randomUUID(), startedAt: new Date().toISOString(), message });
  }

  /** For a turn of its own, after the one that runs. */
  queue(said: Said, id: string = crypto.randomUUID()): Dispatched {
    return this.perform({ type: 'chat/pendingMessageSet', kind: 'queued', id, message: messageOf(said) });
  }

  /** For the turn that runs. */
  steer(said: Said, id: string = crypto.randomUUID()): Dispatched {
    return this.perform({ type: 'chat/pendingMessageSet', kind: 'steering', id, message: messageOf(said) });
  }

  /** Removes a message that waits. */
  unsend(id: string): Dispatched {
    const kind = this.state?.steeringMessage?.id === id ? 'steering' : 'queued';
    return this.perform({ type: 'chat/pendingMessageRemoved', kind, id });
  }

  /** Stops the turn that runs, or one that the host may have begun meanwhile. */
  stop(turnId = this.state?.activeTurn?.id, whyNot?: WhyNot): Dispatched {
    if (turnId === undefined) return notSent(phrase`No turn is running.`);
    const { id, startedAt } = this.state?.activeTurn ?? {};
    const began = id !== turnId || startedAt === undefined ? NaN : Date.parse(startedAt);
    const duration = Number.isNaN(began) ? 0 : Math.max(0, Date.now() - began);
    return this.perform({ type: 'chat/turnCancelled', turnId, duration }, whyNot);
  }

  /** Goes on with the last turn, when it ended in an error that can be resumed. */
  resume(): Dispatched {
    const last = listOf(this.state?.turns).at(-1);
    return last ? this.perform({ type: 'chat/turnResume', turnId: last.id }) : notSent(phrase`There is no turn.`);
  }

  /** Keeps the turns up to this one, or none. */
  truncate(turnId?: string, whyNot?: WhyNot): Dispatched {
    return this.perform({ type: 'chat/truncated', ...(turnId !== undefined && { turnId }) }, whyNot);
  }

  approve({ turnId, toolCallId }: CallRef, { optionId, editedInput }: Approval = {}): Dispatched {
    return this.perform({
      ...{ type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: true, confirmed: 'user-action' },
      ...(optionId !== undefined && { selectedOptionId: optionId }),
      ...(editedInput !== undefined && { editedToolInput: editedInput }),
    } as ClientAction);
  }

  deny({ turnId, toolCallId }: CallRef, { optionId, reason, suggestion, skipped }: Denial = {}): Dispatched {
    return this.perform({
      ...{ type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: false, reason: skipped ? 'skipped' : 'denied' },
      ...(optionId !== undefined && { selectedOptionId: optionId }),
      ...(reason !== undefined && { reasonMessage: reason }),
      ...(suggestion !== undefined && { userSuggestion: messageOf(suggestion) }),
    } as ClientAction);
  }

  /** Whether the model gets the result of a call. */
  decideResult({ turnId, toolCallId }: CallRef, approved: boolean): Dispatched {
    return this.perform({ type: 'chat/toolCallResultConfirmed', turnId, toolCallId, approved });
  }

  /** Of a tool that this client lends: what the call has so far. */
  report({ turnId, toolCallId }: CallRef, content: ToolResultContent[]): Dispatched {
    return this.perform({ type: 'chat/toolCallContentChanged', turnId, toolCallId, content });
  }

  /** Of a tool that this client lends. */
  complete({ turnId, toolCallId }: CallRef, result: ToolCallResult): Dispatched {
    return this.perform({ type: 'chat/toolCallComplete', turnId, toolCallId, result });
  }

  /** Ends a question. `answers`: by the id of their question. */
  answer(requestId: string, answers: Record<string, InputAnswer>): Dispatched {
    return this.perform({ type: 'chat/inputCompleted', requestId, response: 'accept', answers });
  }

  decline(requestId: string, response: 'decline' | 'cancel' = 'decline'): Dispatched {
    return this.perform({ type: 'chat/inputCompleted', requestId, response });
  }
}

function messageOf(said: Said): Message {
  return typeof said === 'string' ? { text: said, origin: { kind: 'user' } } : { ...said, origin: said.origin ?? { kind: 'user' } };
}
