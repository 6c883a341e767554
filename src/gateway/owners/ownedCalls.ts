/**
 * The tool calls of one session owner. A call that the owner wants to keep runs on when its connection is lost, and the outcome is held until
 * the owner has made use of it. So an owner that comes back takes the call up where it is.
 */
import { Limit } from '../../tap/wire/limits.ts';
import type { OwnerEvents, ToolOutcome } from '../../tap/wire/owner/ownerMessages.ts';
import type { RunningCall } from '../tools/dispatch.ts';

type Progress = OwnerEvents['tool/progress'];

export interface CallRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly isKept: boolean;
}

interface OwnedCall extends CallRequest {
  readonly running: RunningCall;
  /** What the owner was told last. */
  progress?: Progress;
  /** Characters of the outcome, once the call has ended. */
  size?: number;
}

const NOT_NEEDED = 'the session owner does not need the call any more';

export class OwnedCalls {
  readonly #calls = new Map<string, OwnedCall>();

  constructor(private readonly tell: (progress: Progress) => void) {}

  /** Undefined when there is such a call already. */
  start(request: CallRequest, begin: (onProgress: (message: string, provider: string) => void) => RunningCall): RunningCall | undefined {
    const key = keyOf(request);
    if (this.#calls.has(key)) return undefined;
    const { sessionId, callId, tool } = request;
    const running = begin((message, provider) => {
      const progress = { sessionId, callId, tool, provider, message };
      const call = this.#calls.get(key);
      if (call) call.progress = progress;
      this.tell(progress);
    });
    const call: OwnedCall = { ...request, running };
    this.#calls.set(key, call);
    void running.outcome.then((outcome) => this.#ended(key, call, outcome));
    return running;
  }

  /** Undefined when there is no such call that was kept. Tells the last progress again. */
  resume(sessionId: string, callId: string): Promise<ToolOutcome> | undefined {
    const call = this.#calls.get(keyOf({ sessionId, callId }));
    if (!call?.isKept) return undefined;
    if (call.progress && call.size === undefined) this.tell(call.progress);
    return call.running.outcome;
  }

  cancel(sessionId: string, callId: string, reason: string): void {
    this.#calls.get(keyOf({ sessionId, callId }))?.running.cancel(reason);
  }

  /** The owner does not need the call any more: one that still runs is cancelled. */
  forget(sessionId: string, callId: string): void {
    const key = keyOf({ sessionId, callId });
    const call = this.#calls.get(key);
    if (!call) return;
    this.#calls.delete(key);
    call.running.cancel(NOT_NEEDED);
  }

  /** The owner has come back to the session for these calls only. */
  forgetOthers(sessionId: string, needed: readonly string[]): void {
    const isNeeded = new Set(needed);
    for (const call of [...this.#calls.values()])
      if (call.sessionId === sessionId && !isNeeded.has(call.callId)) this.forget(sessionId, call.callId);
  }

  /** There is something for the owner to take up in this session. */
  isKeeping(sessionId: string): boolean {
    return [...this.#calls.values()].some((call) => call.isKept && call.sessionId === sessionId);
  }

  cancelUnkept(reason: string): void {
    for (const call of this.#calls.values()) if (!call.isKept) call.running.cancel(reason);
  }

  /** Nobody takes up the calls of this session any more. */
  drop(sessionId: string, reason: string): void {
    for (const [key, call] of this.#calls) {
      if (call.sessionId !== sessionId) continue;
      this.#calls.delete(key);
      call.running.cancel(reason);
    }
  }

  #ended(key: string, call: OwnedCall, outcome: ToolOutcome): void {
    if (this.#calls.get(key) !== call) return;
    if (!call.isKept) return void this.#calls.delete(key);
    // To the end: the oldest outcomes are dropped first.
    this.#calls.delete(key);
    this.#calls.set(key, call);
    call.size = JSON.stringify(outcome).length;
    this.#dropOldest();
  }

  #dropOldest(): void {
    let [count, size] = [0, 0];
    for (const [key, call] of [...this.#calls].reverse()) {
      if (call.size === undefined) continue;
      size += call.size;
      if (++count > Limit.keptOutcomes || size > Limit.keptOutcomeBytes) this.#calls.delete(key);
    }
  }
}

function keyOf({ sessionId, callId }: Pick<CallRequest, 'sessionId' | 'callId'>): string {
  return JSON.stringify([sessionId, callId]);
}
