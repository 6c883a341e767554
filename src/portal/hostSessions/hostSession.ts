/** A session of the agent host, as tasks and the HTTP interface use it. The portal is one of its clients, and lends it the job tools. */
import { randomUUID } from 'node:crypto';
import type { AgentHostClient } from '../../ahp/client/agentHostClient.ts';
import type { Settlement, Subscription } from '../../ahp/client/resources/subscription.ts';
import type { ResponsePart, SessionAction, SessionState } from '../../ahp/v1/session.ts';
import type { SessionActiveClient, ToolCallResult, ToolCallState } from '../../ahp/v1/toolCall.ts';
import { withTimeout } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { isRecord } from '../../base/isRecord.ts';
import { grantsOf } from '../../ahp/grants.ts';
import type { Approval } from '../entry/approve.ts';
import { type PortalSession, SessionStoppedError, type StartedTool, type UnaskedCall } from '../tasks/portalSession.ts';
import { asking, hasConfig } from './approvals.ts';
import { lentTools } from './lentTools.ts';
import { SessionCallbacks, type SessionResponse } from './sessionCallbacks.ts';
import { UnaskedCalls } from './unaskedCalls.ts';

/** The host has it in memory. */
const SUBAGENT_TIMEOUT_MS = 30_000;

type ToolCallPart = Extract<ResponsePart, { kind: 'toolCall' }>;
type Body<A> = A extends SessionAction ? Omit<A, 'session'> : never;

export interface HostSessionOptions {
  id: string;
  uri: string;
  client: AgentHostClient;
  /** The job tools run without a question to the user. */
  allowJobTools: boolean;
  /** What the entry approves for this session, and the setting with which it was started for that. */
  approve: readonly Approval[];
  config: Readonly<Record<string, string>>;
  /** A response of the live interface. */
  tell(response: SessionResponse): void;
  /** Called once, when the session is not the portal's any more. */
  onEnd(): void;
}

export class HostSession implements PortalSession {
  readonly id: string;
  readonly uri: string;
  readonly #options: HostSessionOptions;
  readonly #client: AgentHostClient;
  readonly #subscription: Subscription<SessionState>;
  readonly #callbacks = new SessionCallbacks();
  readonly #didStartTool = new Emitter<StartedTool>();
  readonly onDidStartTool = this.#didStartTool.event;
  readonly #didRunUnasked = new Emitter<UnaskedCall>();
  readonly onDidRunUnasked = this.#didRunUnasked.event;
  readonly #unasked: UnaskedCalls | undefined;
  readonly #didChange = new Emitter<void>();
  /** Ids of messages that wait behind a turn. */
  readonly #queued = new Set<string>();
  /** Ids of calls of the job tools that were completed. */
  readonly #completed = new Set<string>();
  /** Why it is not the portal's any more. */
  #ended: SessionStoppedError | undefined;
  #stopping: Promise<void> | undefined;
  #isOver = false;

  constructor(options: HostSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.uri = options.uri;
    this.#client = options.client;
    this.#subscription = options.client.subscribeSession(options.uri);
    if (options.approve.length > 0)
      this.#unasked = new UnaskedCalls(options.client, ({ toolName, toolInput }) =>
        this.#didRunUnasked.fire({ name: toolName, input: toolInput, isByEntry: this.#isAsStarted }),
      );
    this.#subscription.onDidChange(() => this.#look());
    this.#look();
  }

  /** `waiting`: calls and questions of this session that wait for the user, without those of its subagents. */
  get overview(): { sessionId: string; uri: string; title: string; isWorking: boolean; waiting: number } {
    const { confirmed } = this.#subscription;
    const calls = (confirmed?.activeTurn?.responseParts ?? []).filter(
      (part) => part.kind === 'toolCall' && /^pending-/.test((part as ToolCallPart).toolCall.status),
    );
    return {
      sessionId: this.id,
      uri: this.uri,
      title: confirmed?.summary.title ?? '',
      isWorking: confirmed?.activeTurn !== undefined,
      waiting: calls.length + (confirmed?.inputRequests?.length ?? 0),
    };
  }

  /** Resolves when the agent has started. Rejects with why it could not. */
  ready(signal: AbortSignal): Promise<void> {
    return this.#until(({ lifecycle, creationError }) => {
      if (lifecycle === 'creationFailed') throw new Error(creationError?.message ?? 'the session could not be created');
      return lifecycle === 'ready' || undefined;
    }, signal).then(() => undefined);
  }

  /** Waits until no other turn runs: the user may be talking to the agent. */
  async send(prompt: string, signal: AbortSignal): Promise<void> {
    await this.#until(({ activeTurn, queuedMessages }) => (!activeTurn && !queuedMessages?.length) || undefined, signal);
    await this.#lend();
    signal.throwIfAborted();
    const turnId = randomUUID();
    const started = this.#dispatch({ type: 'session/turnStarted', turnId, userMessage: { text: prompt } });
    // The turn can be cancelled only once the host has it.
    const cancel = () => void started.then(() => this.#cancel(turnId));
    signal.addEventListener('abort', cancel);
    try {
      const settlement = await started;
      if (settlement.kind !== 'confirmed') throw new Error(settlement.reason);
      const turn = await this.#until(({ activeTurn, turns }) => {
        if (activeTurn?.id === turnId) return undefined;
        const over = turns.findLast(({ id }) => id === turnId);
        if (!over) throw new SessionStoppedError('the turn was removed from the session');
        return over;
      }, signal);
      if (turn.state === 'cancelled') throw new SessionStoppedError('the turn was stopped by the user');
      if (turn.state !== 'complete') throw new Error(turn.error?.message ?? 'the turn has failed');
      await withTimeout(this.#unasked?.settled() ?? Promise.resolve(), SUBAGENT_TIMEOUT_MS, 'reading what subagents did');
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Begins a turn, or lets the message wait behind the one that runs. Returns why the host did not take it. */
  async query(prompt: string): Promise<string | undefined> {
    const userMessage = { text: prompt };
    const { state } = this.#subscription;
    const isBusy = state?.activeTurn !== undefined || (state?.queuedMessages?.length ?? 0) > 0;
    const id = randomUUID();
    if (isBusy) this.#queued.add(id);
    const settlement = await (isBusy
      ? this.#dispatch({ type: 'session/pendingMessageSet', kind: 'queued', id, userMessage })
      : this.#dispatch({ type: 'session/turnStarted', turnId: id, userMessage }));
    return settlement.kind === 'confirmed' ? undefined : settlement.reason;
  }

  /** Cancels what runs and takes the job tools back. The conversation stays in the host's list, as the record of what was done. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#ended ??= new SessionStoppedError('the session was stopped');
    this.#didChange.fire();
    const { confirmed } = this.#subscription;
    const asked: Promise<Settlement>[] = [];
    // The user may go on with the conversation, and then it asks as every session.
    if (Object.keys(this.#options.config).length > 0) asked.push(this.#dispatch({ type: 'session/configChanged', config: { ...asking } }));
    for (const { id } of confirmed?.queuedMessages ?? [])
      if (this.#queued.has(id)) asked.push(this.#dispatch({ type: 'session/pendingMessageRemoved', kind: 'queued', id }));
    if (confirmed?.activeTurn) asked.push(this.#cancel(confirmed.activeTurn.id));
    if (confirmed?.activeClient?.clientId === this.#client.clientId)
      asked.push(this.#dispatch({ type: 'session/activeClientChanged', activeClient: null }));
    await Promise.all(asked);
    this.#look();
    this.#end(this.#ended);
  }

  /** The user may have taken the tools of the portal away, or the connection was lost. */
  async #lend(): Promise<void> {
    const lender = this.#subscription.confirmed?.activeClient;
    if (lender?.clientId === this.#client.clientId) return;
    if (lender)
      throw new Error(`${lender.displayName ?? 'another client'} lends its tools to the session, so the agent cannot call the job tools`);
    const settlement = await this.#dispatch({ type: 'session/activeClientChanged', activeClient: activeClient(this.#client) });
    if (settlement.kind !== 'confirmed') throw new Error(settlement.reason);
  }

  #cancel(turnId: string): Promise<Settlement> {
    return this.#dispatch({ type: 'session/turnCancelled', turnId });
  }

  #look(): void {
    const { status, confirmed } = this.#subscription;
    if (confirmed) {
      const told = this.#callbacks.update(confirmed, (turnId, call) => {
        if (call.status === 'running') this.#complete(turnId, call);
      });
      for (const response of told) this.#options.tell(response);
      this.#unasked?.look(confirmed);
      if (this.#options.allowJobTools && !this.#ended) this.#completeWaiting(confirmed);
    }
    if (status.kind === 'removed') this.#end(new SessionStoppedError('the session was deleted'));
    else if (status.kind === 'failed') this.#end(new SessionStoppedError(`the session cannot be read: ${status.error.message}`));
    this.#didChange.fire();
  }

  /** A client may complete a call of its own tool that waits for the user: it says that no confirmation is needed. */
  #completeWaiting({ activeTurn }: SessionState): void {
    for (const part of activeTurn?.responseParts ?? []) {
      if (part.kind !== 'toolCall') continue;
      const { toolCall } = part as ToolCallPart;
      if (toolCall.status === 'pending-confirmation') this.#complete(activeTurn?.id ?? '', toolCall);
    }
  }

  /** A tool of ours does nothing but report its argument. */
  #complete(turnId: string, call: ToolCallState): void {
    const { toolCallId, toolName } = call;
    if (call.toolClientId !== this.#client.clientId || this.#completed.has(toolCallId)) return;
    this.#completed.add(toolCallId);
    const { toolInput: input = '' } = call as { toolInput?: string };
    const argument = argumentOf(input);
    if (call.status === 'pending-confirmation' && this.#options.approve.includes('job-tools'))
      this.#didRunUnasked.fire({ name: toolName, input, isByEntry: true });
    this.#didStartTool.fire({ name: toolName, argument });
    void this.#dispatch({ type: 'session/toolCallComplete', turnId, toolCallId, result: resultOf(argument) });
  }

  get #isAsStarted(): boolean {
    const { confirmed } = this.#subscription;
    return confirmed !== undefined && hasConfig(confirmed, this.#options.config) && grantsOf(confirmed).length === 0;
  }

  #end(reason: SessionStoppedError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended ??= reason;
    this.#subscription.dispose();
    this.#unasked?.dispose();
    this.#didChange.fire();
    this.#options.onEnd();
  }

  #dispatch(action: Body<SessionAction>): Promise<Settlement> {
    return this.#client.dispatch(this.uri, { ...action, session: this.uri } as SessionAction).settled;
  }

  /** The first value that is there. `look` is asked at each change. */
  #until<T>(look: (state: SessionState) => T | undefined, signal: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        listening.dispose();
        signal.removeEventListener('abort', check);
        end();
      };
      const check = () => {
        if (signal.aborted) return settle(() => reject(signal.reason));
        if (this.#ended) return settle(() => reject(this.#ended));
        try {
          const { confirmed } = this.#subscription;
          const value = confirmed && look(confirmed);
          if (value !== undefined) settle(() => resolve(value));
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const listening = this.#didChange.event(check);
      signal.addEventListener('abort', check);
      check();
    });
  }
}

export function activeClient({ clientId }: AgentHostClient): SessionActiveClient {
  return { clientId, displayName: 'Tapline portal', tools: lentTools };
}

function argumentOf(input: string | undefined): unknown {
  try {
    const value: unknown = JSON.parse(input ?? '');
    return isRecord(value) ? value['argument'] : undefined;
  } catch {
    return undefined;
  }
}

function resultOf(argument: unknown): ToolCallResult {
  if (typeof argument === 'string') return { success: true, pastTenseMessage: 'Reported', content: [{ type: 'text', text: argument }] };
  const message = 'The tool needs a text as its `argument`.';
  return { success: false, pastTenseMessage: message, error: { message } };
}
