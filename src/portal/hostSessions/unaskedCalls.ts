/** Calls that ran without a question because of a setting of their session, in a session and its subagents. */
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { Subscription } from '../../ahp/client/resources/subscription.ts';
import { whenLive } from '../../ahp/client/resources/whenLive.ts';
import type { ResponsePart, SessionState } from '../../ahp/v1/session.ts';
import type { ToolCallState, ToolResultContent } from '../../ahp/v1/toolCall.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

type Call = ToolCallState & { confirmed?: string; content?: ToolResultContent[]; toolInput?: string };

export class UnaskedCalls implements Disposable {
  readonly #client: AgentHostClient;
  readonly #report: (call: { toolName: string; toolInput: string }) => void;
  readonly #told = new Set<string>();
  /** By URI. */
  readonly #subagents = new Map<string, Subscription<SessionState>>();
  readonly #disposables = new DisposableStore();

  constructor(client: AgentHostClient, report: (call: { toolName: string; toolInput: string }) => void) {
    this.#client = client;
    this.#report = report;
  }

  /** Reports each call once. */
  look({ turns, activeTurn }: SessionState): void {
    // The one that ended with this change, and the one that runs.
    for (const turn of [turns.at(-1), activeTurn]) for (const part of turn?.responseParts ?? []) this.#lookAt(part);
  }

  /** Resolves when all that subagents did before is reported. Rejects when that cannot be read. */
  async settled(): Promise<void> {
    for (const subagent of this.#subagents.values()) await whenLive(subagent);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #lookAt(part: ResponsePart): void {
    if (part.kind !== 'toolCall') return;
    const { toolCallId, toolName, toolInput = '', confirmed, content = [] } = (part as { toolCall: Call }).toolCall;
    if (confirmed === 'setting' && !this.#told.has(toolCallId)) {
      this.#told.add(toolCallId);
      this.#report({ toolName, toolInput });
    }
    for (const item of content) if (item.type === 'subagent') this.#follow((item as { resource: string }).resource);
  }

  #follow(uri: string): void {
    if (this.#subagents.has(uri)) return;
    const subagent = this.#disposables.add(this.#client.subscribeSession(uri));
    this.#subagents.set(uri, subagent);
    const look = () => subagent.confirmed && this.look(subagent.confirmed);
    this.#disposables.add(subagent.onDidChange(look));
    look();
  }
}
