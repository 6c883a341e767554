/** Calls that ran without a question because of a setting of their session, in a session and its subagents. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { ChatModel } from '../../ahp/client/model/chatModel.ts';
import type { ChatState, ResponsePart } from '../../ahp/channels/chat/state.ts';
import type { ToolCallState } from '../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent } from '../../ahp/common/tools.ts';
import { inputOf } from './sessionCallbacks.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

type Call = ToolCallState & { confirmed?: string; content?: ToolResultContent[] };

/** Models may number their calls anew in each turn, and so may those of subagents. */
export function callKey(...ids: string[]): string {
  return JSON.stringify(ids);
}

export class UnaskedCalls implements Disposable {
  readonly #client: AgentHostClient;
  readonly #report: (call: { toolName: string; toolInput: string }) => void;
  readonly #told = new Set<string>();
  /** Their chats, by URI. */
  readonly #subagents = new Map<string, ChatModel>();
  readonly #disposables = new DisposableStore();

  constructor(client: AgentHostClient, report: (call: { toolName: string; toolInput: string }) => void) {
    this.#client = client;
    this.#report = report;
  }

  /** Reports each call once. */
  look({ resource, turns, activeTurn }: ChatState): void {
    // The one that ended with this change, and the one that runs.
    for (const turn of [turns.at(-1), activeTurn])
      for (const part of turn?.responseParts ?? []) this.#lookAt(part, resource, turn?.id ?? '');
  }

  /** Resolves when all that subagents did before is reported. Rejects when that cannot be read. */
  async settled(): Promise<void> {
    for (const subagent of this.#subagents.values()) await whenLive(subagent);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #lookAt(part: ResponsePart, chat: string, turnId: string): void {
    if (part.kind !== 'toolCall') return;
    const call = (part as { toolCall: Call }).toolCall;
    const { toolCallId, toolName, confirmed, content = [] } = call;
    const key = callKey(chat, turnId, toolCallId);
    if (confirmed === 'setting' && !this.#told.has(key)) {
      this.#told.add(key);
      this.#report({ toolName, toolInput: inputOf(call) });
    }
    for (const item of content) if (item.type === 'subagent') this.#follow((item as { resource: string }).resource);
  }

  #follow(uri: string): void {
    if (this.#subagents.has(uri)) return;
    const subagent = this.#disposables.add(this.#client.chat(uri));
    this.#subagents.set(uri, subagent);
    const look = () => subagent.confirmed && this.look(subagent.confirmed);
    this.#disposables.add(subagent.onDidChange(look));
    look();
  }
}
