/** The tool calls of one turn, those of its subagents included: from the engine's events to what people see of them. */
import type { SessionEvent } from '@github/copilot-sdk';
import type { FileEdit } from '../../../../ahp/v1/common.ts';
import type { ToolCallResult, ToolResultContent } from '../../../../ahp/v1/toolCall.ts';
import { messageOf, withTimeout } from '../../../../base/errors.ts';
import { Emitter } from '../../../../base/event.ts';
import type { Disposable } from '../../../../base/lifecycle.ts';
import type { AgentSessionHost, AgentToolCall, AgentTurn, ToolCallReady } from '../../agent.ts';
import type { ClientTools } from '../asking/clientTools.ts';
import type { PlannedChange, SessionFiles } from '../files/sessionFiles.ts';
import { runsUnasked, toolTexts, type ToolTexts } from './toolTexts.ts';

type EventData<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>['data'];

/** Characters of a result that stand in the state; the rest is readable outside of it. */
const MAX_INLINE = 32_000;
/** How much later the news of a call may come. */
const NEWS_MS = 2_000;

/** One call, as it is known so far. */
export class TurnCall {
  #status: 'streaming' | 'running' | 'over' = 'streaming';
  #pinned: ToolResultContent[] = [];
  #work: Promise<unknown> | undefined;
  texts: ToolTexts;
  /** What it asked to do to files, by path. */
  readonly changes = new Map<string, PlannedChange>();
  /** The engine has begun with it. */
  started = false;
  /** What a person or a setting has allowed for this call; some things are asked twice. */
  readonly allowed = new Set<string>();

  constructor(
    readonly toolName: string,
    readonly turn: AgentTurn,
    readonly call: AgentToolCall,
    private readonly workingDirectory: string,
    private readonly title: string | undefined,
    private readonly isLent = false,
  ) {
    this.texts = toolTexts(toolName, undefined, workingDirectory, title, isLent);
  }

  get isOver(): boolean {
    return this.#status === 'over';
  }
  get ready(): ToolCallReady {
    return { invocationMessage: this.texts.present, toolInput: this.texts.input };
  }

  setArguments(args: unknown): void {
    this.texts = toolTexts(this.toolName, args, this.workingDirectory, this.title, this.isLent);
  }

  /** It runs, if it did not yet. */
  run(reason: 'not-needed' | 'setting' = 'not-needed'): void {
    if (this.#status !== 'streaming') return;
    this.#status = 'running';
    this.call.run(this.ready, reason);
  }
  /** A person is asked: whatever comes is not a first run any more. */
  asked(): void {
    if (this.#status === 'streaming') this.#status = 'running';
  }

  /** Carries it out once, however often the engine asks for it: of a subagent's call it does twice. */
  once<T>(work: () => Promise<T>): Promise<T> {
    return (this.#work ??= work()) as Promise<T>;
  }

  /** Content that stays above the result. */
  pin(content: ToolResultContent): void {
    this.#pinned.push(content);
    this.run();
    this.call.setContent([...this.#pinned]);
  }
  complete(result: ToolCallResult): void {
    if (this.isOver) return;
    this.run();
    this.over();
    this.call.complete({ ...result, content: [...this.#pinned, ...(result.content ?? [])] });
  }
  /** Nothing is to be said about it any more. */
  over(): void {
    this.#status = 'over';
  }
}

export class TurnCalls {
  /** By the engine's id; a model may use one again after the call is over. */
  readonly #calls = new Map<string, TurnCall>();
  readonly #didBegin = new Emitter<void>();

  constructor(
    private readonly host: AgentSessionHost,
    private readonly files: SessionFiles,
    private readonly clientTools: ClientTools,
  ) {}

  get(toolCallId: string | undefined): TurnCall | undefined {
    return toolCallId === undefined ? undefined : this.#calls.get(toolCallId);
  }

  /** The engine waits for a tool of its main agent; what it is told now is heard with the tool's result. */
  isRunning(turn: AgentTurn): boolean {
    return [...this.#calls.values()].some((call) => call.turn === turn && call.started && !call.isOver);
  }

  /** The call, also when the news of it come a moment later than those that need it: a subagent's do. */
  async expect(toolCallId: string | undefined): Promise<TurnCall | undefined> {
    if (toolCallId === undefined || this.#calls.has(toolCallId)) return this.get(toolCallId);
    let listening: Disposable | undefined;
    const begun = new Promise<void>((resolve) => {
      listening = this.#didBegin.event(() => this.#calls.has(toolCallId) && resolve());
    });
    try {
      await withTimeout(begun, NEWS_MS, `the call ${toolCallId}`);
    } catch (error) {
      this.host.logger.warn(messageOf(error));
    } finally {
      listening?.dispose();
    }
    return this.get(toolCallId);
  }

  inputDelta(turn: AgentTurn, { toolCallId, toolName, inputDelta }: EventData<'assistant.tool_call_delta'>): void {
    const known = this.#open(toolCallId);
    // Without a name there is nothing to show; the whole call comes with its start.
    if (!known && !toolName) return;
    const call = known ?? this.#begin(turn, toolCallId, toolName ?? '');
    if (inputDelta !== '') call.call.inputDelta(inputDelta);
  }

  /** The model's message is complete: calls of an attempt that broke are not among those it makes. */
  requested(turn: AgentTurn, toolCallIds: readonly string[]): void {
    for (const [id, call] of this.#calls) {
      if (call.turn !== turn || call.isOver || call.started || toolCallIds.includes(id)) continue;
      const message = 'The connection to the model broke while it wrote this call.';
      call.complete({ success: false, pastTenseMessage: message, error: { message, code: 'interrupted' } });
    }
  }

  start(
    turn: AgentTurn,
    { toolCallId, toolName, arguments: args, toolDescription, mcpToolName }: EventData<'tool.execution_start'>,
  ): TurnCall {
    const call = this.#open(toolCallId) ?? this.#begin(turn, toolCallId, toolName, toolDescription?.name ?? mcpToolName);
    call.started = true;
    call.setArguments(args);
    if (runsUnasked(toolName)) call.run();
    return call;
  }

  async complete(data: EventData<'tool.execution_complete'>): Promise<void> {
    const call = this.#open(data.toolCallId);
    if (!call) return;
    // A patch that fails in the middle has changed some of them.
    const edits = await this.#edits(call);
    call.complete(this.#resultOf(call, data, edits));
  }

  /** Nothing is shown of them from here on. */
  end(): void {
    for (const call of this.#calls.values()) call.over();
  }

  #open(toolCallId: string): TurnCall | undefined {
    const call = this.#calls.get(toolCallId);
    return call && !call.isOver ? call : undefined;
  }

  #begin(turn: AgentTurn, toolCallId: string, toolName: string, title?: string): TurnCall {
    const lent = this.clientTools.get(toolName);
    const name = lent?.definition.name ?? toolName;
    const shownTitle = lent?.definition.title ?? title;
    const { displayName, kind } = toolTexts(name, undefined, this.host.workingDirectory, shownTitle, lent !== undefined);
    const call = turn.toolCall({
      ...(!this.#calls.has(toolCallId) && { toolCallId }),
      toolName: name,
      displayName,
      ...(lent && { toolClientId: lent.clientId }),
      ...(kind && { _meta: { toolKind: kind } }),
    });
    const entry = new TurnCall(name, turn, call, this.host.workingDirectory, shownTitle, lent !== undefined);
    this.#calls.set(toolCallId, entry);
    this.#didBegin.fire();
    return entry;
  }

  async #edits(call: TurnCall): Promise<FileEdit[]> {
    const edits: FileEdit[] = [];
    for (const change of call.changes.values()) {
      try {
        const edit = await this.files.done(change);
        if (edit) edits.push(edit);
      } catch (error) {
        this.host.logger.warn(`what ${call.toolName} changed could not be read: ${messageOf(error)}`);
      }
    }
    return edits;
  }

  #resultOf(call: TurnCall, data: EventData<'tool.execution_complete'>, edits: readonly FileEdit[]): ToolCallResult {
    const { success, result, error } = data;
    const content: ToolResultContent[] = [
      ...edits.map((edit) => ({ type: 'fileEdit' as const, ...edit })),
      ...(result?.content && edits.length === 0 ? this.#textContent(result.content) : []),
      ...(result?.contents ?? []).flatMap((part): ToolResultContent[] =>
        part.type === 'image' || part.type === 'audio' ? [{ type: 'embeddedResource', data: part.data, contentType: part.mimeType }] : [],
      ),
    ];
    return {
      success,
      pastTenseMessage: success ? call.texts.past : call.texts.present,
      content,
      ...(error && { error: { message: error.message, ...(error.code !== undefined && { code: error.code }) } }),
    };
  }

  #textContent(text: string): ToolResultContent[] {
    if (text.length <= MAX_INLINE) return [{ type: 'text', text }];
    return [
      { type: 'text', text: `${text.slice(0, MAX_INLINE)}\n…` },
      { type: 'resource', ...this.host.storeContent(text, 'text/plain') },
    ];
  }
}
