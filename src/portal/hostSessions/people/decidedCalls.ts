/** What was decided about the calls and questions of a session and its subagents: by somebody, or by a setting without a question. */
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../../ahp/client/resources/whenLive.ts';
import type { ChatModel } from '../../../ahp/client/model/chatModel.ts';
import type { ChatState, InputRequestResponsePart, ResponsePart } from '../../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { Decision } from '../../../ahp/common/pending/envelopeDecisions.ts';
import type { ConfirmationOption, ToolResultContent } from '../../../ahp/common/tools.ts';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { plainText } from '../../../views/text/inlineText.ts';
import { type PersonAnswer, SOMEBODY } from '../../runs/personAnswer.ts';
import { inputOf } from '../sessionCallbacks.ts';

/** What the host lets through is kept with each run. */
const MAX_TEXT = 2_000;
/** Decisions that came just before the states that show them. */
const MAX_DECISIONS = 100;

type Call = ToolCallState & {
  confirmed?: string;
  content?: ToolResultContent[];
  selectedOption?: ConfirmationOption;
  reason?: string;
  reasonMessage?: string | { markdown: string };
};
type CallDecision = Pick<Decision, 'about' | 'approved' | 'origin'>;

export interface DecidedCallsOptions {
  client: AgentHostClient;
  /** The call ran because of a setting, and nobody was asked. */
  onUnasked(call: { toolName: string; toolInput: string }): void;
  onAnswer(answer: PersonAnswer): void;
  /** Each state of the session's chat, and of those of its subagents. `parent`: the call that has started the subagent. */
  onLook(state: ChatState, parent?: string): void;
  /** In words. `id`: of the call or the question. `clientId`: who has sent it to the host. Absent: the host does not say. */
  who(id: string, clientId?: string): string | undefined;
}

/** Models may number their calls anew in each turn, and so may those of subagents. */
export function decidedCallKey(...ids: string[]): string {
  return JSON.stringify(ids);
}

export class DecidedCalls implements Disposable {
  readonly #options: DecidedCallsOptions;
  readonly #told = new Set<string>();
  /** Parts as they were looked at. A part that changes is another object. */
  readonly #seen = new WeakSet<ResponsePart>();
  /** Calls that have been seen waiting. */
  readonly #waited = new Set<string>();
  /** By the URI of the chat, or of its session. */
  readonly #decisions = new Map<string, Decision[]>();
  /** Their chats, by URI. */
  readonly #subagents = new Map<string, ChatModel>();
  readonly #followed = new Set<string>();
  readonly #disposables = new DisposableStore();

  constructor(options: DecidedCallsOptions) {
    this.#options = options;
    this.#disposables.add(
      options.client.onDidDecide(({ uri, decisions: all }) => {
        const decisions = all.filter(({ bySetting }) => !bySetting);
        if (this.#followed.has(uri)) this.#decisions.set(uri, [...(this.#decisions.get(uri) ?? []), ...decisions].slice(-MAX_DECISIONS));
      }),
    );
  }

  /** Decisions in it are noted from now on. */
  follow(uri: string): void {
    this.#followed.add(uri);
  }

  /** Reports each decision once. `parent`: the call that has started the subagent whose state it is. */
  look(state: ChatState, parent?: string): void {
    const { resource, turns, activeTurn } = state;
    const decisions = this.#decisions.get(resource) ?? [];
    this.#decisions.delete(resource);
    // The one that ended with this change, and the one that runs.
    for (const turn of [turns.at(-1), activeTurn])
      for (const part of turn?.responseParts ?? []) this.#lookAt(part, { chat: resource, turnId: turn?.id ?? '' }, decisions);
    this.#options.onLook(state, parent);
  }

  /** Resolves when all that subagents did before is reported. Rejects when that cannot be read. */
  async settled(): Promise<void> {
    for (const subagent of this.#subagents.values()) await whenLive(subagent);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #lookAt(part: ResponsePart, at: { chat: string; turnId: string }, decisions: readonly Decision[]): void {
    // A turn may have hundreds of calls, and changes with each word of the agent.
    if (decisions.length === 0 && this.#seen.has(part)) return;
    this.#seen.add(part);
    if (part.kind === 'inputRequest') return this.#lookAtQuestion(part as InputRequestResponsePart, at);
    if (part.kind !== 'toolCall') return;
    const call = (part as { toolCall: Call }).toolCall;
    const { toolCallId, toolName, confirmed, content = [] } = call;
    const key = decidedCallKey(at.chat, at.turnId, toolCallId);
    if (confirmed === 'setting' && this.#isFirst('setting', key)) this.#options.onUnasked({ toolName, toolInput: inputOf(call) });
    for (const one of decisions) if (one.turnId === at.turnId && one.callId === toolCallId) this.#decided(key, call, one);
    this.#lookAtState(key, call);
    for (const item of content) if (item.type === 'subagent') this.#followSubagent((item as { resource: string }).resource, toolCallId);
  }

  #decided(key: string, call: Call, decision: CallDecision): void {
    // What the host decides by itself is no answer.
    if (!decision.origin) return;
    this.#told.add(decidedCallKey(decision.about, key));
    this.#answer(call, decision);
  }

  /** After the connection was lost, the state is all that tells of an answer. */
  #lookAtState(key: string, call: Call): void {
    const { status, confirmed, reason } = call;
    if (/^pending-/.test(status)) this.#waited.add(key);
    if (confirmed === 'user-action' && this.#isFirst('call', key)) this.#answer(call, { about: 'call', approved: true });
    if (status !== 'cancelled' || !this.#waited.has(key)) return;
    if (reason === 'denied' && this.#isFirst('call', key)) this.#answer(call, { about: 'call', approved: false });
    if (reason === 'result-denied' && this.#isFirst('result', key)) this.#answer(call, { about: 'result', approved: false });
  }

  #answer(call: Call, { about, approved, origin }: CallDecision): void {
    const { toolCallId, toolName, selectedOption, reason, reasonMessage } = call;
    const refusal = !approved && about === 'call' && reason === 'skipped' ? 'skipped' : 'denied';
    const said = approved || reasonMessage === undefined ? undefined : plainText(reasonMessage);
    this.#options.onAnswer({
      ...{ about, answer: approved ? 'approved' : refusal, by: this.#who(toolCallId, origin?.clientId) },
      ...{ tool: cut(toolName), input: cut(inputOf(call)) },
      ...(said !== undefined && said !== '' && { reason: cut(said) }),
      ...(about === 'call' && selectedOption && { option: cut(selectedOption.label) }),
    });
  }

  #lookAtQuestion({ request, response }: InputRequestResponsePart, { chat, turnId }: { chat: string; turnId: string }): void {
    const answer = (
      { accept: 'accepted', decline: 'declined', cancel: 'cancelled' } as Partial<Record<string, 'accepted' | 'declined' | 'cancelled'>>
    )[response ?? ''];
    if (!answer || !this.#isFirst('question', decidedCallKey(chat, turnId, request.id))) return;
    const by = this.#options.who(request.id);
    // A turn that ends cancels what it has asked.
    if (answer === 'cancelled' && by === undefined) return;
    this.#options.onAnswer({ about: 'question', answer, by: by ?? SOMEBODY, input: cut(request.message ?? '') });
  }

  #who(id: string, clientId?: string): string {
    return cut(this.#options.who(id, clientId) ?? SOMEBODY);
  }

  #isFirst(about: string, key: string): boolean {
    const known = decidedCallKey(about, key);
    const isFirst = !this.#told.has(known);
    this.#told.add(known);
    return isFirst;
  }

  #followSubagent(uri: string, parent: string): void {
    if (this.#subagents.has(uri)) return;
    this.follow(uri);
    const subagent = this.#disposables.add(this.#options.client.chat(uri));
    this.#subagents.set(uri, subagent);
    const look = () => subagent.confirmed && this.look(subagent.confirmed, parent);
    this.#disposables.add(subagent.onDidChange(look));
    look();
  }
}

/** What is kept of a text. */
export function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
