/** The tool calls of one turn, those of its subagents included: from the engine's events to what clients show of them. */
import type { SessionEvent } from '@github/copilot-sdk';
import type { FileEdit } from '../../../../ahp/common/shapes.ts';
import type { ToolCallResult, ToolResultContent } from '../../../../ahp/common/tools.ts';
import { englishOf, withTimeout } from '../../../../base/errors.ts';
import { Emitter, type Event } from '../../../../base/event.ts';
import * as l10n from '../../../../base/l10n.ts';
import type { Disposable } from '../../../../base/lifecycle.ts';
import type { AgentChatHost, AgentToolCall, AgentTurn, HookVerdict, ToolCallReady } from '../../agent.ts';
import type { ClientTool, ClientTools } from '../asking/clientTools.ts';
import type { PlannedChange, SessionFiles } from '../files/sessionFiles.ts';
import { runsUnasked, toolTexts, type ToolTexts } from './toolTexts.ts';

type EventData<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>['data'];

/** Characters of a result in the state. The rest can be read as a resource. */
const MAX_INLINE = 32_000;
/** How long the events of a call may be late. */
const NEWS_MS = 2_000;

/** One call, as far as it is known. */
export class TurnCall {
  #status: 'streaming' | 'running' | 'over' = 'streaming';
  #pinned: ToolResultContent[] = [];
  #work: Promise<unknown> | undefined;
  #verdict: Promise<HookVerdict> | undefined;
  #args: unknown;
  texts: ToolTexts;
  /** The changes to files that it asked for, by path. */
  readonly changes = new Map<string, PlannedChange>();
  /** The engine has started it. */
  started = false;
  /** What the user or a setting has allowed for this call, because the engine asks for some things twice. */
  readonly allowed = new Set<string>();

  constructor(
    readonly toolName: string,
    readonly turn: AgentTurn,
    readonly call: AgentToolCall,
    private readonly workingDirectory: string,
    private readonly title: string | undefined,
    /** A client runs it. */
    readonly isLent = false,
    /** The model's name for the tool. */
    private readonly engineName = toolName,
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
    this.#args = args;
    this.texts = toolTexts(this.toolName, args, this.workingDirectory, this.title, this.isLent);
  }

  /** Shows that it is running, if it is not shown yet. */
  run(reason: 'not-needed' | 'setting' = 'not-needed'): void {
    if (this.#status !== 'streaming') return;
    this.#status = 'running';
    this.call.run(this.ready, reason);
  }
  /** The user is being asked, so the next event is not the call's start. */
  asked(): void {
    if (this.#status === 'streaming') this.#status = 'running';
  }

  /** True for the call of that tool with these arguments, when it has begun and its rules were not asked yet. */
  isToBeChecked(engineName: string, args: unknown): boolean {
    if (this.#verdict || !this.started || this.isOver || engineName !== this.engineName) return false;
    return JSON.stringify(args) === JSON.stringify(this.#args);
  }
  /** Asks the rules of the session, once. A call that they deny is over. */
  check(): Promise<HookVerdict> {
    return (this.#verdict ??= this.#check());
  }
  async #check(): Promise<HookVerdict> {
    const verdict = await this.call.check(this.ready, JSON.stringify(this.#args));
    if (!verdict.allowed) this.over();
    else if (runsUnasked(this.toolName)) this.run();
    return verdict;
  }

  /** Runs `work` once, however often the engine asks for it. It asks twice for the call of a subagent. */
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
  /** Nothing more is shown about it. */
  over(): void {
    this.#status = 'over';
  }
}

export class TurnCalls {
  /** By the engine's id. A model may use an id again after the call is over. */
  readonly #calls = new Map<string, TurnCall>();
  readonly #didBegin = new Emitter<void>();
  readonly #didStart = new Emitter<void>();

  constructor(
    private readonly host: AgentChatHost,
    private readonly files: SessionFiles,
    private readonly clientTools: ClientTools,
  ) {}

  get(toolCallId: string | undefined): TurnCall | undefined {
    return toolCallId === undefined ? undefined : this.#calls.get(toolCallId);
  }

  /** The tool of a client that has this name for the model, as it was when the turn began. */
  clientTool(engineName: string): ClientTool | undefined {
    return this.clientTools.get(engineName);
  }

  /** The engine is waiting for a tool of its main agent. A message that is sent now is heard with the tool's result. */
  isRunning(turn: AgentTurn): boolean {
    return [...this.#calls.values()].some((call) => call.turn === turn && call.started && !call.isOver);
  }

  /** The call. Waits for its events, which may come a moment after a request about it. This happens with subagents. */
  async expect(toolCallId: string | undefined): Promise<TurnCall | undefined> {
    if (toolCallId === undefined) return undefined;
    // eslint-disable-next-line texts/translated -- for the log
    return await this.#until(this.#didBegin.event, () => this.#calls.get(toolCallId), `the call ${toolCallId}`);
  }

  /** The call that the engine is about to make. It does not say which one that is, and equal ones are as good as each other. */
  async aboutToRun(engineName: string, args: unknown): Promise<TurnCall | undefined> {
    const find = () => [...this.#calls.values()].find((call) => call.isToBeChecked(engineName, args));
    // eslint-disable-next-line texts/translated -- for the log
    return await this.#until(this.#didStart.event, find, `the call of ${engineName}`);
  }

  inputDelta(turn: AgentTurn, { toolCallId, toolName, inputDelta }: EventData<'assistant.tool_call_delta'>): void {
    const known = this.#open(toolCallId);
    // Without a name there is nothing to show. The start event has the whole call.
    if (!known && !toolName) return;
    const call = known ?? this.#begin(turn, toolCallId, toolName ?? '');
    if (inputDelta !== '') call.call.inputDelta(inputDelta);
  }

  /** The model's message is complete. Calls of a broken attempt are not in it. */
  requested(turn: AgentTurn, toolCallIds: readonly string[]): void {
    for (const [id, call] of this.#calls) {
      if (call.turn !== turn || call.isOver || call.started || toolCallIds.includes(id)) continue;
      const message = l10n.t('The connection to the model broke while it wrote this call.');
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
    this.#didStart.fire();
    return call;
  }

  async complete(data: EventData<'tool.execution_complete'>): Promise<void> {
    const call = this.#open(data.toolCallId);
    if (!call) return;
    // A patch that failed halfway has changed some of the files.
    const edits = await this.#edits(call);
    call.complete(this.#resultOf(call, data, edits));
  }

  /** Nothing more is shown about these calls. */
  end(): void {
    for (const call of this.#calls.values()) call.over();
  }

  /** Undefined when the events do not come. */
  async #until(event: Event<void>, find: () => TurnCall | undefined, what: string): Promise<TurnCall | undefined> {
    const known = find();
    if (known) return known;
    let listening: Disposable | undefined;
    const found = new Promise<TurnCall>((resolve) => {
      listening = event(() => {
        const call = find();
        if (call) resolve(call);
      });
    });
    try {
      return await withTimeout(found, NEWS_MS, what);
    } catch (error) {
      this.host.logger.warn(englishOf(error));
      return undefined;
    } finally {
      listening?.dispose();
    }
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
    const entry = new TurnCall(name, turn, call, this.host.workingDirectory, shownTitle, lent !== undefined, toolName);
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
        this.host.logger.warn(`what ${call.toolName} changed could not be read: ${englishOf(error)}`);
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
