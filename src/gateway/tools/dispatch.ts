/** Sends tool calls of a session's model to providers. The first terminal message decides, and every call ends. */
import type { Span } from '@opentelemetry/api';
import { isRecord } from '../../base/isRecord.ts';
import { sameJson } from '../../base/sameJson.ts';
import { PausableTimer } from '../../base/connection/pausableTimer.ts';
import type { Clock } from '../../base/clock.ts';
import { CallErrorCode, isToolErrorCode, UNKNOWN_EFFECT } from '../../tap/wire/errorCodes.ts';
import { Limit, Time } from '../../tap/wire/limits.ts';
import type { GatewayStatus, OfferedBy, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import type { FileReference, ProviderMessages, ToolResultMessage } from '../../tap/wire/providerMessages.ts';
import type { UserAnswer, UserQuestion } from '../../tap/wire/userQuestion.ts';
import { cleanText } from '../limits/cleanText.ts';
import type { Answer, Lost } from '../sessions/providerLink.ts';
import type { Binding, Provider, Session } from '../sessions/session.ts';
import { contentName, endFailed, traceparentOf } from '../traces/tracing.ts';
import { cleanQuestion } from './cleanQuestion.ts';
import { Lanes } from './lanes.ts';
import { type MergedTool, offeredBy } from './toolSet.ts';

const PROGRESS_LENGTH = 2000;

export interface ToolRequest {
  session: Session;
  tool: string;
  args: unknown;
  /** Whose tool the owner has been told of. The set may have changed since. */
  of?: OfferedBy | undefined;
  /** Of the span that the call is below. */
  traceparent?: string | undefined;
  /** By which the agent host knows the call. */
  hostCallId?: string | undefined;
  onProgress?(message: string, provider: string): void;
  /** Undefined: there is nobody to ask. */
  onAsk?: ((question: UserQuestion, provider: string) => Promise<UserAnswer>) | undefined;
}
export interface RunningCall {
  /** Never rejects. */
  readonly outcome: Promise<ToolOutcome>;
  cancel(reason: string): void;
}
export interface DispatchOptions {
  clock: Clock;
  toolsOf(session: Session): ReadonlyMap<string, MergedTool>;
  readFile(file: FileReference, provider: Provider): Promise<ToolOutcome>;
}

export class Dispatcher {
  readonly #lanes = new Lanes(Limit.queuedCalls);
  readonly #calls = new Map<Session, Set<Call>>();
  #activity = 0;

  constructor(private readonly options: DispatchOptions) {}

  get queued(): number {
    return this.#lanes.waiting;
  }

  /** Those that have not ended, with their age. */
  get calls(): GatewayStatus['calls'] {
    const now = this.options.clock.now();
    return [...this.#calls.values()].flatMap((calls) => [...calls].map((call) => call.status(now)));
  }

  call(request: ToolRequest): RunningCall {
    const { session, tool } = request;
    const merged = session.ending ? undefined : this.options.toolsOf(session).get(tool);
    if (!merged) return ended(failure(CallErrorCode.NotFound, `There is no tool ${JSON.stringify(tool)} in this session`));
    if (request.of && !sameJson(request.of, offeredBy(merged)))
      return ended(
        failure(CallErrorCode.NotFound, `The tool ${JSON.stringify(tool)} is one of another provider now, so it was not called`),
      );
    const args = request.args ?? {};
    if (!isRecord(args)) return ended(failure(CallErrorCode.InvalidArguments, 'The arguments must be an object'));
    if (merged.kind === 'instances')
      return ended({
        ok: true,
        data: merged.bindings.map(({ provider }) => ({ instance: provider.instance, metadata: provider.metadata ?? {} })),
      });

    const { target, ...rest } = args as Record<string, unknown>;
    const candidates = candidatesFor(merged, merged.hasTarget ? target : undefined);
    if (typeof candidates === 'string') return ended(failure(CallErrorCode.NotFound, candidates));
    const call = new Call(request, candidates, merged.hasTarget ? rest : (args as Record<string, unknown>), this.options, this.#lanes);
    const calls = this.#calls.get(session) ?? new Set();
    this.#calls.set(session, calls.add(call));
    void call.outcome.then(() => {
      calls.delete(call);
      if (!calls.size) this.#calls.delete(session);
    });
    call.start();
    return call;
  }

  cancelAll(session: Session, reason: string): void {
    for (const call of [...(this.#calls.get(session) ?? [])]) call.cancel(reason);
  }

  /** Marks the provider as used: calls without a target go to the most recent one. */
  touch(provider: Provider): void {
    provider.lastActive = ++this.#activity;
  }
}

function candidatesFor({ bindings }: MergedTool, target: unknown): Binding[] | string {
  if (target === undefined) return [...bindings].sort((a, b) => b.provider.lastActive - a.provider.lastActive);
  const found = bindings.find(({ provider }) => provider.instance === target);
  return found
    ? [found]
    : `There is no instance ${JSON.stringify(target)}. Available: ${bindings.map(({ provider }) => provider.instance).join(', ')}`;
}

class Call implements RunningCall {
  readonly outcome: Promise<ToolOutcome>;
  #resolve: (outcome: ToolOutcome) => void = () => undefined;
  #isOver = false;
  /** Ends the current wait, for a place or for an answer. */
  #abandon: (reason: string) => void = () => undefined;
  readonly #startedAt: number;
  #provider: Provider | undefined;
  #isWaiting = true;
  #questions = 0;
  #questionsInAll = 0;
  readonly #span: Span;
  /** Of the provider that has the call at the moment. */
  #providerSpan: Span | undefined;

  constructor(
    private readonly request: ToolRequest,
    private readonly candidates: Binding[],
    private readonly args: Record<string, unknown>,
    private readonly options: DispatchOptions,
    private readonly lanes: Lanes,
  ) {
    this.outcome = new Promise((resolve) => (this.#resolve = resolve));
    this.#startedAt = options.clock.now();
    const { session, tool, traceparent, hostCallId } = request;
    const content = session.tracing.hasContent && { [contentName('arguments')]: JSON.stringify(args) };
    this.#span = session.startSpan(`execute_tool ${tool}`, {
      parent: traceparent,
      attributes: {
        ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool },
        ...(hostCallId !== undefined && { 'gen_ai.tool.call.id': hostCallId }),
        ...content,
      },
    });
  }

  status(now: number): GatewayStatus['calls'][number] {
    const { session, tool } = this.request;
    const provider = cleanText(this.#provider?.name ?? '', Limit.nameLength);
    return { sessionId: session.id, tool, provider, waits: this.#isWaiting, ageMs: now - this.#startedAt };
  }

  start(): void {
    const binding = this.candidates.shift() as Binding;
    const tool = binding.tools.get(this.request.tool);
    if (!tool) return this.#finish(failure(CallErrorCode.NotFound, `There is no tool ${JSON.stringify(this.request.tool)} any more`));
    const wrong = tool.check(this.args);
    if (wrong) return this.#finish(failure(CallErrorCode.InvalidArguments, `The arguments do not fit the tool's parameters: ${wrong}`));

    const { provider } = binding;
    this.#provider = provider;
    this.#isWaiting = true;
    const max = provider.concurrency?.max ?? Infinity;
    const leave = this.lanes.enter(laneOf(provider, this.request.tool), max, (release) => {
      if (this.#isOver) release();
      else this.#send(binding, tool.definition.timeout ?? Time.toolTimeoutMs, release);
    });
    if (!leave)
      return this.#finish(failure(CallErrorCode.RateLimited, `Too many calls wait for the provider ${JSON.stringify(provider.name)}`));
    const abandon = this.#abandon;
    this.#abandon = (reason) => {
      leave();
      abandon(reason);
    };
  }

  cancel(reason: string): void {
    const why = `The call was cancelled: ${reason}`;
    this.#end(this.#isWaiting ? failure(CallErrorCode.Cancelled, why) : cutOff(CallErrorCode.Cancelled, why), reason);
  }

  #send(binding: Binding, timeoutMs: number, release: () => void): void {
    const { provider, session } = binding;
    const { link } = provider;
    if (!session.bindings.has(binding)) {
      release();
      return this.#finish(failure(CallErrorCode.Disconnected, `The provider ${JSON.stringify(provider.name)} has disconnected`));
    }
    this.#isWaiting = false;
    const traceparent = this.#beginSpan(provider);
    const stop = () => {
      timer.dispose();
      this.#abandon = () => undefined;
    };
    const id = link.ask({
      kind: 'tool',
      timeoutMs,
      answered: (answer) => {
        stop();
        release();
        this.#answered(answer as ToolResultMessage, provider);
      },
      lost: (why) => {
        stop();
        release();
        if (why === 'rebound') link.send({ type: 'tool.cancel', id, sessionId: session.id, reason: 'rebind' });
        this.#finish(lostOutcome(why, provider));
      },
      asked: (message) => void this.#asked(message, provider, timer),
      progress: (message) => this.request.onProgress?.(cleanText(message, PROGRESS_LENGTH), provider.name),
    });
    const abandon = (reason: string) => {
      stop();
      // The place stays taken for a while, until the provider confirms, because it may still be working.
      const grace = this.options.clock.setTimer(() => link.forget(id), Time.cancelAnswerMs);
      link.drain(id, () => {
        grace.dispose();
        release();
      });
      link.send({ type: 'tool.cancel', id, sessionId: session.id, reason });
    };
    this.#abandon = abandon;
    const timer = new PausableTimer(this.options.clock, timeoutMs, Time.questionMs, () =>
      this.#end(
        cutOff(CallErrorCode.Timeout, `The provider ${JSON.stringify(provider.name)} did not answer within ${timeoutMs / 1000} s`),
        'timeout',
      ),
    );
    const { tool } = this.request;
    const metadata = traceparent === undefined ? {} : { metadata: { traceparent } };
    if (link.send({ type: 'tool.call', id, sessionId: session.id, tool, args: this.args, ...metadata })) return;
    link.settle(id);
    stop();
    release();
    this.#finish(
      failure(CallErrorCode.PayloadTooLarge, `The call is larger than ${Limit.messageBytes} bytes: its arguments must be shorter`),
    );
  }

  async #asked(
    { id, askId, question }: ProviderMessages['tool.ask'],
    { link, trust, name }: Provider,
    timer: PausableTimer,
  ): Promise<void> {
    // A page could ask in the name of others.
    const isTooMany = this.#questions >= Limit.questionsOfCall || this.#questionsInAll >= Limit.questionsInAll;
    const ask = trust === 'external' || isTooMany ? undefined : this.request.onAsk;
    this.#questions++;
    this.#questionsInAll++;
    const clean = cleanQuestion(question);
    let answer: UserAnswer = { action: 'decline' };
    if (clean && ask) {
      const pause = timer.pause();
      answer = await ask(clean, cleanText(name, Limit.nameLength));
      pause.dispose();
    }
    this.#questions--;
    if (link.peek(id)) link.send({ type: 'tool.answer', id, askId, ...answer });
  }

  #answered(answer: ToolResultMessage & Answer, provider: Provider): void {
    if (answer.error === undefined && answer.errorCode === undefined) {
      if (!answer.file) return this.#finish({ ok: true, data: answer.data });
      void this.options.readFile(answer.file, provider).then((outcome) => this.#finish(outcome));
      return;
    }
    const given = answer.errorCode ?? CallErrorCode.Internal;
    const errorCode = isToolErrorCode(given) ? given : CallErrorCode.Internal;
    if (answer.retryable && this.candidates.length && !this.#isOver) {
      this.#endSpan(this.#providerSpan, errorCode);
      this.#providerSpan = undefined;
      return this.start();
    }
    const error = cleanText(answer.error ?? given, Limit.textLength);
    this.#finish({ ok: false, error, errorCode, details: { errorCode: cleanText(given, 200), retryable: answer.retryable ?? false } });
  }

  #end(outcome: ToolOutcome, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#abandon(reason);
    this.#settle(outcome);
  }

  #finish(outcome: ToolOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#settle(outcome);
  }

  #settle(outcome: ToolOutcome): void {
    const { session } = this.request;
    if (session.tracing.hasContent && outcome.ok && 'data' in outcome)
      this.#span.setAttribute(contentName('result'), JSON.stringify(outcome.data) ?? 'null');
    const code = outcome.ok ? undefined : outcome.errorCode;
    this.#endSpan(this.#providerSpan, code);
    this.#endSpan(this.#span, code);
    this.#resolve(outcome);
  }

  #beginSpan({ name, instance, trust }: Provider): string | undefined {
    const { session } = this.request;
    const attributes = session.tracing.isOn && {
      'tapline.provider': cleanText(name, Limit.nameLength),
      'tapline.provider.trust': trust,
      ...(instance !== undefined && { 'tapline.provider.instance': cleanText(instance, Limit.nameLength) }),
    };
    this.#providerSpan = session.startSpan('call provider', { parent: this.#span, isToOthers: true, ...(attributes && { attributes }) });
    return traceparentOf(this.#providerSpan);
  }

  #endSpan(span: Span | undefined, errorCode: string | undefined): void {
    if (errorCode === undefined) span?.end();
    else if (span) endFailed(span, errorCode);
  }
}

function laneOf({ id, group, concurrency }: Provider, tool: string): string {
  switch (concurrency?.scope) {
    case 'provider':
      return `provider ${group}`;
    case 'tool':
      return `tool ${group} ${tool}`;
    default:
      return `instance ${id}`;
  }
}

function lostOutcome(why: Lost, provider: Provider): ToolOutcome {
  const name = JSON.stringify(provider.name);
  if (why === 'disconnected') return cutOff(CallErrorCode.Disconnected, `The provider ${name} has disconnected`);
  if (why === 'rebound') return cutOff(CallErrorCode.Cancelled, `The provider ${name} has moved to another session`);
  return cutOff(why.code, `The provider ${name} sent an invalid message: ${why.message}`);
}

/** Of a call that its provider was sent. */
function cutOff(errorCode: CallErrorCode, why: string): ToolOutcome {
  return failure(errorCode, `${why}. ${UNKNOWN_EFFECT}`);
}

function failure(errorCode: CallErrorCode, error: string): ToolOutcome {
  return { ok: false, error, errorCode };
}

function ended(outcome: ToolOutcome): RunningCall {
  return { outcome: Promise.resolve(outcome), cancel: () => undefined };
}
