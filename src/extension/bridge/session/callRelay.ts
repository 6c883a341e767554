/* eslint-disable texts/translated -- for the model */
/**
 * Carries the calls of tools that this window lends from a session to the gateway and their results back. A call goes to the gateway once,
 * also over a reload of the window, and every one ends with something that the model can read. Approving is the user's: only what runs is
 * carried.
 */
import { remembered } from '../../../ahp/common/remembered.ts';
import type { ToolCallResult } from '../../../ahp/common/tools.ts';
import type { Clock } from '../../../base/clock.ts';
import { PausableTimer } from '../../../base/connection/pausableTimer.ts';
import { dropOldest } from '../../../base/dropOldest.ts';
import { englishOf, TimeoutError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/isRecord.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { sha256 } from '../../../base/node/sha256.ts';
import type { Logger } from '../../../base/log.ts';
import { NoLinkError } from '../../../tap/owner/ownerClient.ts';
import { UNKNOWN_EFFECT } from '../../../tap/wire/errorCodes.ts';
import { Limit, Time } from '../../../tap/wire/limits.ts';
import type { ToolOutcome } from '../../../tap/wire/owner/ownerMessages.ts';
import { type CallNames, keyOf } from '../hosted/callKeys.ts';
import type { HostedCall, HostSession } from '../hosted/hostedSession.ts';
import type { CallId, CallMemory } from '../storage/callMemory.ts';
import { failedResult, resultOf } from './callResult.ts';

/** What is lent at the moment, and how it is called. */
export interface LentTools {
  /** Resolves when the tool can be called; rejects with an error for the model when it cannot, or not within a bounded time. */
  ready(call: HostedCall, signal: AbortSignal): Promise<{ timeoutMs: number }>;
  /** Throws an error for the model when the tool is not the one that was ready any more. Rejects only when the gateway is lost. */
  call(call: HostedCall, args: unknown, pause: Pause, ...follow: Follow): Promise<ToolOutcome>;
  /** What becomes of a call that was made before. Undefined when the gateway cannot be reached, or does not have the call. */
  resume(...follow: Follow): Promise<ToolOutcome | undefined>;
  /** The gateway need not keep the call any more, and cancels it when it still runs. It may not hear of it: see {@link CallRelay.needed}. */
  settled(keptAs: string): void;
}

/** `keptAs`: by which the gateway knows the call, also after the window was loaded again. */
type Follow = [keptAs: string, signal: AbortSignal, onProgress: (message: string, provider: string) => void];

/** Lets the time limit of the call stand still while its user is asked, as at the gateway. Dispose the result once they have answered. */
export type Pause = () => Disposable;

export interface CallRelayOptions {
  /** Of the session in this window, for what is remembered. */
  session: string;
  host: HostSession;
  memory: CallMemory;
  tools: LentTools;
  clock: Clock;
  logger: Logger;
  onProgress(call: HostedCall, provider: string, message: string): void;
  /** There is a result of a call of the window before. */
  onTakenUp(): void;
}

/** A call that waits behind others of its provider waits for their ends too, so this is for a gateway that does not keep its own times. */
const LONGEST_WAIT = Limit.queuedCalls + 2;
/** Progress that comes faster is put together. */
const PROGRESS_MS = 250;
const PROGRESS_LINES = 20;
const PROGRESS_CHARACTERS = 8_000;
/** A host that refuses a result again and again has said its last word. */
const MAX_COMPLETIONS = 3;
const MAX_ENDED = 1_000;

interface Run {
  readonly call: HostedCall;
  readonly abort: AbortController;
  /** The window before has made it. */
  readonly isTakenUp: boolean;
  /** Set once there is something to tell the host. */
  result?: ToolCallResult;
  completions: number;
  /** It is being told. */
  isCompleting: boolean;
  /** The gateway has said what came of it, which it may do after the model was told that it took too long. */
  hasOutcome: boolean;
}

export class CallRelay implements Disposable {
  readonly #runs = new Map<string, Run>();
  /** Calls that were begun here and are over, the newest last: a host that goes back to an earlier state must not have them made again. */
  readonly #ended = new Set<string>();
  #isDisposed = false;

  constructor(private readonly options: CallRelayOptions) {}

  /** The calls that the gateway works on. */
  get running(): HostedCall[] {
    return [...this.#runs.values()].filter(({ result }) => !result).map(({ call }) => call);
  }

  /**
   * By what the gateway knows the calls whose outcomes are still to come from it. It is not to keep any others. Undefined while the host has not
   * said what runs: the memory alone may lack a call, because the storage of a window may lose what was written just before a reload.
   */
  get needed(): string[] | undefined {
    const { host, memory } = this.options;
    const { status, calls, unknownChats } = host.state;
    if (status !== 'live' || unknownChats.size > 0) return undefined;
    return running(calls).flatMap((call) => {
      const remembered = memory.get(this.#id(call));
      const isOurs = remembered !== undefined || call.clientId === host.clientId;
      const isAnswered = remembered?.kind === 'answered' && remembered.result !== undefined;
      return !isOurs || isAnswered || this.#ended.has(keyOf(call)) ? [] : [keptAs(call)];
    });
  }

  /** The gateway is asked for calls of the window before. */
  get isTakingUp(): boolean {
    return [...this.#runs.values()].some(({ result, isTakenUp }) => isTakenUp && !result);
  }

  /** Call it after every change of the session's state. */
  update(): void {
    const { host, memory, session } = this.options;
    const { status, calls, unknownChats } = host.state;
    if (this.#isDisposed || status === 'loading') return;
    // While the host is away its state may be old: nothing is begun, and nothing given up.
    if (status === 'stale') return;
    const open = new Map(status === 'live' ? running(calls).map((call) => [keyOf(call), call]) : []);
    const isOver = (call: CallNames) => !open.has(keyOf(call)) && !unknownChats.has(call.chat ?? '');
    // Of a session that the host gives no state of, nobody knows what still runs.
    const isKnown = status === 'live';
    for (const [key, run] of this.#runs) {
      if (!isOver(run.call)) continue;
      this.#drop(key, run);
      // The names of it are known. Those that are remembered have to be read.
      if (isKnown && memory.get(this.#id(run.call))) this.#forget(run.call);
    }
    if (isKnown) for (const id of memory.of(session)) if (isOver(id)) this.#forget(id);
    for (const [key, call] of open) {
      const run = this.#runs.get(key);
      if (run) this.#complete(run);
      else if (call.clientId === host.clientId || memory.get(this.#id(call))) this.#take(key, call);
    }
  }

  /** Nothing is lent any more: what runs is cancelled, and its model told why. */
  stop(reason: string): void {
    for (const run of this.#runs.values()) {
      if (run.result) continue;
      run.abort.abort(reason);
      this.#answer(run, failedResult(run.call.toolName, reason, 'CANCELLED'));
    }
  }

  /** Of the window: what runs goes on, and stays remembered for the next one to take up. */
  dispose(): void {
    this.#isDisposed = true;
    this.#runs.clear();
  }

  #take(key: string, call: HostedCall): void {
    const remembered = this.options.memory.get(this.#id(call));
    const run: Run = {
      call,
      abort: new AbortController(),
      isTakenUp: remembered !== undefined,
      completions: 0,
      isCompleting: false,
      hasOutcome: false,
    };
    this.#runs.set(key, run);
    if (!remembered && this.#ended.has(key)) this.#answer(run, failedResult(call.toolName, ENDED, 'DISCONNECTED'));
    else if (!remembered) void this.#run(run, this.#ask(run));
    else if (remembered.kind === 'answered' && remembered.result) this.#answer(run, remembered.result);
    else void this.#run(run, this.#resume(run, remembered.kind === 'sent' ? INTERRUPTED : RESULT_LOST));
  }

  async #run(run: Run, asked: Promise<ToolCallResult>): Promise<void> {
    const result = await asked.catch((error: unknown) => failedResult(run.call.toolName, englishOf(error), codeOf(error)));
    if (!run.result && !run.abort.signal.aborted && !this.#isDisposed) this.#answer(run, result);
  }

  async #ask(run: Run): Promise<ToolCallResult> {
    const { call } = run;
    const { signal } = run.abort;
    const { tools, memory } = this.options;
    if (call.isInputElsewhere) return failedResult(call.toolName, INPUT_ELSEWHERE, 'INVALID_ARGUMENTS');
    const args = argumentsOf(call.input);
    if (args === undefined) return failedResult(call.toolName, 'The arguments are not a JSON object.', 'INVALID_ARGUMENTS');
    const { timeoutMs } = await tools.ready(call, signal);
    signal.throwIfAborted();
    await memory.sent(this.#id(call));
    signal.throwIfAborted();
    const what = `the tool ${call.toolName}`;
    const limitMs = timeoutMs * LONGEST_WAIT;
    let late = (_: Error): void => undefined;
    const tooLong = new Promise<never>((_, reject) => (late = reject));
    const timer = new PausableTimer(this.options.clock, limitMs, Time.questionMs, () => late(new TimeoutError(what, limitMs)));
    const outcome = this.#followed(run, async (...follow) => {
      try {
        return await tools.call(call, args, () => timer.pause(), ...follow);
      } catch (error) {
        // A gateway that was lost and is reached again still has the call.
        const resumed = error instanceof CallError || this.#isDisposed ? undefined : await tools.resume(...follow);
        if (!resumed) throw lostCall(error);
        return resumed;
      }
    });
    try {
      return resultOf(await Promise.race([outcome, tooLong]), call.toolName);
    } catch (error) {
      if (error instanceof TimeoutError) throw new CallError(`${sentence(error.message)} ${UNKNOWN_EFFECT}`, 'TIMEOUT');
      throw error;
    } finally {
      timer.dispose();
    }
  }

  /** `lost`: what the model is told when the gateway does not have the call any more. */
  async #resume(run: Run, lost: string): Promise<ToolCallResult> {
    const { toolName } = run.call;
    const outcome = await this.#followed(run, (...follow) => this.options.tools.resume(...follow));
    return outcome ? resultOf(outcome, toolName) : failedResult(toolName, lost, 'DISCONNECTED');
  }

  /** Tells the progress of a call while it is asked for. */
  async #followed<T>(run: Run, ask: (...follow: Follow) => Promise<T>): Promise<T> {
    const { call } = run;
    const { signal } = run.abort;
    const isOver = () => signal.aborted || this.#isDisposed;
    const progress = new Progress(this.options.clock, (text) => isOver() || this.options.host.report(call, text));
    try {
      return await ask(keptAs(call), signal, (message, provider) => {
        if (isOver()) return;
        progress.add(message);
        this.options.onProgress(call, provider, message);
      });
    } finally {
      run.hasOutcome = true;
      progress.dispose();
    }
  }

  #answer(run: Run, result: ToolCallResult): void {
    run.result = result;
    this.options.memory.answered(this.#id(run.call), result);
    this.#complete(run);
    // The host may refuse it, and then the session does not change by it.
    if (run.isTakenUp) this.options.onTakenUp();
  }

  /** Until the state shows that the call is over: the host may have been away, or refuse what the tool gave. */
  #complete(run: Run): void {
    if (!run.result || run.isCompleting || run.completions >= MAX_COMPLETIONS) return;
    run.isCompleting = true;
    run.completions++;
    const { host, logger } = this.options;
    void host.complete(run.call, run.result).then((settlement) => {
      // What the host has taken stays told, however long its state shows otherwise.
      if (settlement.kind === 'confirmed') return;
      run.isCompleting = false;
      if (this.#isDisposed || this.#runs.get(keyOf(run.call)) !== run) return;
      const { reason } = settlement;
      logger.warn(`The result of ${run.call.toolName} was not taken (${settlement.kind}): ${reason}`);
      if (settlement.kind === 'rejected') {
        run.result = failedResult(
          run.call.toolName,
          `The tool has answered, but its result could not be handed over: ${reason}`,
          'INTERNAL',
        );
      }
      this.update();
    });
  }

  /** The call is over without us. */
  #drop(key: string, run: Run): void {
    this.#runs.delete(key);
    this.#ended.add(key);
    dropOldest(this.#ended, MAX_ENDED);
    // To abort makes an error with its stack.
    if (!run.hasOutcome) run.abort.abort('the session does not wait for it any more');
  }

  #forget(call: CallNames): void {
    this.options.tools.settled(keptAs(call));
    this.options.memory.forget(this.#id(call));
  }

  #id({ chat, turnId, callId }: CallNames): CallId {
    return { session: this.options.session, chat, turnId, callId };
  }
}

const INTERRUPTED = `The window that runs this tool was loaded again, or lost the session, before the tool had answered. ${UNKNOWN_EFFECT}`;
const ENDED =
  'This call was over already, and the host has it as running again. It was not made a second time: check what it did before calling the tool again.';
const INPUT_ELSEWHERE =
  'The host gave only a reference to the arguments of this call, not their text. The tool was not called. Try smaller arguments.';
const RESULT_LOST =
  'The tool has answered, but the window that runs it was loaded again before the result was handed over, and the result is lost. What the tool did is done: check before calling it again.';

/** An error with a code for the model. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** Of a call that the gateway was sent, or was about to be sent: what its model or user is told when the gateway says nothing of it. */
export function lostCall(error: unknown): Error {
  if (error instanceof CallError || error instanceof RpcError) return error;
  if (error instanceof NoLinkError) return new CallError(UNREACHABLE, 'DISCONNECTED');
  return new CallError(
    `The tap gateway was lost before the tool had answered: ${sentence(error instanceof Error ? error.message : String(error))} ${UNKNOWN_EFFECT}`,
    'DISCONNECTED',
  );
}

export const UNREACHABLE = 'The tap gateway, which runs this tool, cannot be reached. The tool was not called.';

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function codeOf(error: unknown): string {
  return error instanceof CallError ? error.code : 'DISCONNECTED';
}

function running(calls: readonly HostedCall[]): HostedCall[] {
  return calls.filter(({ status }) => status === 'running');
}

/** The same in every window: the ids of hosts may be longer than the gateway takes. */
const keptAs = remembered((call: CallNames) => sha256(keyOf(call)));

/** Nothing counts as no arguments; undefined where it is no JSON object. */
export function argumentsOf(input: string | undefined): Record<string, unknown> | undefined {
  if (input === undefined || input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(input);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The last lines, told at once and then at most every {@link PROGRESS_MS}. */
class Progress implements Disposable {
  #lines: string[] = [];
  #timer: Disposable | undefined;
  #isUntold = false;

  constructor(
    private readonly clock: Clock,
    private readonly tell: (text: string) => void,
  ) {}

  add(line: string): void {
    this.#lines = [...this.#lines, line].slice(-PROGRESS_LINES);
    this.#isUntold = true;
    if (!this.#timer) this.#flush();
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  #flush(): void {
    this.#timer = undefined;
    if (!this.#isUntold) return;
    this.#isUntold = false;
    this.tell(this.#lines.join('\n').slice(-PROGRESS_CHARACTERS));
    this.#timer = this.clock.setTimer(() => this.#flush(), PROGRESS_MS);
  }
}
