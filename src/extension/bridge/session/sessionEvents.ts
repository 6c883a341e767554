/** Tells providers what happens in a session, from its states: what was there before is not told, and everything once. */
import { splitContext } from '../../../base/text/contextBlock.ts';
import type { Clock } from '../../../base/clock.ts';
import type { HostedCall, HostedPart, HostedTurn, HostSession } from '../hosted/hostedSession.ts';
import { argumentsOf } from './callRelay.ts';

/** Characters of one message or output; the gateway sends no more than 2 MiB at once. */
const MAX_TEXT = 100_000;

export type TellEvent = (event: string, data: Record<string, unknown>, byUser: boolean) => void;

export interface SessionEventsOptions {
  host: HostSession;
  clock: Clock;
  tell: TellEvent;
  /** The provider of a tool that is lent here. */
  providerOf(tool: string): string | undefined;
}

export class SessionEvents {
  /** Everything before this turn was told; undefined before the first look, null while there was none. */
  #turnId: string | null | undefined;
  /** Of that turn: parts that were told, */
  #told = new Set<number>();
  /** and before which place all were, so that a long turn is not gone through with each word. */
  #toldBefore = 0;
  #activity: string | undefined;
  /** When calls began to run, by call. */
  readonly #startedAt = new Map<string, number>();

  constructor(private readonly options: SessionEventsOptions) {}

  /** Call it after every change of the session's state. */
  update(): void {
    const { host } = this.options;
    if (host.state.status !== 'live') return;
    if (this.#turnId === undefined) this.#begin();
    else {
      const current = this.#turnId === null ? undefined : host.turn(this.#turnId);
      if (current) this.#tellParts(current);
      const later = host.turnsAfter(this.#turnId ?? undefined);
      // Cut away, with what was told of it: goes on from what is there now.
      if (!later) this.#begin();
      for (const turn of later ?? []) this.#tellTurn(turn);
    }
    this.#tellActivity();
  }

  #begin(): void {
    const { lastTurn, state } = this.options.host;
    this.#turnId = lastTurn?.id ?? null;
    this.#told = new Set(lastTurn?.parts.flatMap((part, index) => (isFinal(part, index, lastTurn) ? [index] : [])));
    this.#toldBefore = 0;
    this.#activity = state.activity;
  }

  #tellTurn(turn: HostedTurn): void {
    this.#turnId = turn.id;
    this.#told = new Set();
    this.#toldBefore = 0;
    this.#startedAt.clear();
    const { parts, words } = splitContext(turn.text);
    const pushed = parts.find(({ kind }) => kind === 'push');
    this.options.tell('user.message', { content: (words || pushed?.content || '').slice(0, MAX_TEXT) }, pushed === undefined);
    this.#tellParts(turn);
  }

  #tellParts(turn: HostedTurn): void {
    while (this.#told.has(this.#toldBefore)) this.#toldBefore++;
    for (let index = this.#toldBefore; index < turn.parts.length; index++) {
      const part = turn.parts[index] as HostedPart;
      if (part.kind === 'call' && part.call.status === 'running' && !this.#startedAt.has(part.call.callId)) {
        this.#startedAt.set(part.call.callId, this.options.clock.now());
      }
      if (this.#told.has(index) || !isFinal(part, index, turn)) continue;
      this.#told.add(index);
      if (part.kind === 'text' && part.text.trim() !== '') {
        this.options.tell('assistant.message', { content: part.text.slice(0, MAX_TEXT) }, false);
      }
      if (part.kind === 'call') this.#tellCall(part.call);
    }
  }

  #tellCall({ callId, toolName, clientId, input, status, output }: HostedCall): void {
    const startedAt = this.#startedAt.get(callId);
    const { clock, host, providerOf, tell } = this.options;
    const provider = clientId === host.clientId ? providerOf(toolName) : undefined;
    this.#startedAt.delete(callId);
    const data = {
      tool: toolName,
      ...(provider !== undefined && { provider }),
      args: argumentsOf(input) ?? { input },
      result: { type: status === 'done' ? 'success' : 'failure', ...(output && { output: output.slice(0, MAX_TEXT) }) },
      durationMs: startedAt === undefined ? 0 : clock.now() - startedAt,
    };
    tell('tool.execution_complete', data, false);
  }

  #tellActivity(): void {
    const { activity } = this.options.host.state;
    if (activity === this.#activity) return;
    this.#activity = activity;
    if (activity) this.options.tell('assistant.intent', { intent: activity.slice(0, MAX_TEXT) }, false);
  }
}

/** Nothing of it changes any more: text once something follows it or the turn is over, a call once it has ended. */
function isFinal(part: HostedPart, index: number, { parts, isOver }: HostedTurn): boolean {
  if (part.kind === 'call') return isOver || part.call.status === 'done' || part.call.status === 'failed';
  return isOver || index < parts.length - 1;
}
