/** What the chats of a session have used, as their states tell of it. */
import type { ChatState, ResponsePart } from '../../ahp/channels/chat/state.ts';
import { modelCallsIn } from '../../ahp/common/modelCalls.ts';
import type { Metered } from '../limits/roundWatch.ts';

type Counts = Metered['used'];

interface PlayedTurn {
  id: string;
  counts: Counts;
  /** The tokens of its latest report. */
  report: { inputTokens: number; outputTokens: number };
}

interface Chat {
  /** As it was looked at last. */
  state?: ChatState;
  /** Of the turns that have ended. */
  ended: Counts;
  /** Ids of turns that have ended. */
  readonly turns: Set<string>;
  active?: PlayedTurn | undefined;
}

const nothing: Counts = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

export class SessionMeter {
  readonly #chats = new Map<string, Chat>();

  get used(): Counts {
    return [...this.#chats.values()].reduce((all, { ended, active }) => added(added(all, ended), active?.counts ?? nothing), nothing);
  }

  /** A call or a question in it waits for a person. */
  get isWaiting(): boolean {
    return [...this.#chats.values()].some(({ state }) => state?.activeTurn?.responseParts.some(waits));
  }

  /** Returns whether it is another state than before. */
  look(state: ChatState): boolean {
    const { resource, turns, activeTurn } = state;
    const chat: Chat = this.#chats.get(resource) ?? { ended: nothing, turns: new Set() };
    if (chat.state === state) return false;
    chat.state = state;
    this.#chats.set(resource, chat);
    for (let at = turns.length - 1; at >= 0; at--) {
      const turn = turns[at];
      if (!turn || chat.turns.has(turn.id)) break;
      chat.turns.add(turn.id);
      if (chat.active?.id === turn.id) chat.active = played(turn, chat.active);
      else chat.ended = added(chat.ended, played(turn).counts);
    }
    if (chat.active && chat.active.id !== activeTurn?.id) {
      // Also when it was removed from the chat: it was used all the same.
      chat.ended = added(chat.ended, chat.active.counts);
      chat.active = undefined;
    }
    if (activeTurn) chat.active = played(activeTurn, chat.active);
    return true;
  }
}

function played({ id, responseParts, usage }: NonNullable<ChatState['activeTurn']>, known?: PlayedTurn): PlayedTurn {
  const { counts: before, report: last } = known ?? { counts: nothing, report: nothing };
  const report = { inputTokens: count(usage?.inputTokens), outputTokens: count(usage?.outputTokens) };
  const toolCalls = Math.max(before.toolCalls, responseParts.filter(({ kind }) => kind === 'toolCall').length);
  const told = modelCallsIn(usage);
  // A turn is one request at least.
  if (told !== undefined) return { id, report, counts: { ...report, modelCalls: Math.max(1, told), toolCalls } };
  // Other hosts than ours tell of each request by itself.
  const isNew = report.inputTokens !== last.inputTokens || report.outputTokens !== last.outputTokens;
  const isFirst = before.inputTokens === 0 && before.outputTokens === 0;
  const more = isNew ? { ...report, modelCalls: isFirst ? 0 : 1, toolCalls: 0 } : nothing;
  return { id, report, counts: { ...added({ ...before, modelCalls: Math.max(1, before.modelCalls) }, more), toolCalls } };
}

function waits(part: ResponsePart): boolean {
  if (part.kind === 'toolCall') return /^pending-/.test((part as { toolCall: { status: string } }).toolCall.status);
  return part.kind === 'inputRequest' && (part as { response?: unknown }).response === undefined;
}

function added(one: Counts, other: Counts): Counts {
  return {
    modelCalls: one.modelCalls + other.modelCalls,
    toolCalls: one.toolCalls + other.toolCalls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** Beyond it no host counts tokens. */
const MAX_TOKENS = 1e12;

/** What a host says may be anything. */
function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? Math.min(MAX_TOKENS, value) : 0;
}
