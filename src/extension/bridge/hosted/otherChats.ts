/**
 * The chats of a session beside its default one (side chats, forks, those of subagents) in which calls run here or wait for the user. The
 * session's state names them. Only these are read, and only for as long.
 */
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { ChatModel } from '../../../ahp/client/model/chatModel.ts';
import type { SessionInputRequest } from '../../../ahp/channels/session/state.ts';
import type { URI } from '../../../ahp/common/shapes.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { hostedCall, hostedTurn, openCallsOf } from './hostedTurns.ts';
import type { HostedCall, HostedTurn } from './hostedSession.ts';

/** Read at a time. Calls in more chats run as soon as the others have ended. */
const MAX_CHATS = 30;

type OfCall<K> = Extract<SessionInputRequest, { kind: K; toolCall: unknown }>;

export class OtherChats implements Disposable {
  readonly #followed = new Map<URI, { model: ChatModel; listening: Disposable }>();
  #waiting: readonly OfCall<'toolConfirmation'>[] = [];
  /** Chats in which the host has calls for this window to run. */
  #running: ReadonlySet<URI> = new Set();

  constructor(
    private readonly client: AgentHostClient,
    private readonly onChange: () => void,
  ) {}

  /** Call it after every change of the session or of these chats. `needed`: what waits in all chats. */
  follow(needed: readonly SessionInputRequest[], defaultChat: URI | undefined): void {
    const others = needed.filter(({ chat }) => chat !== defaultChat);
    this.#waiting = others.filter((entry) => isOf(entry, 'toolConfirmation'));
    const ours = others.filter((entry) => isOf(entry, 'toolClientExecution') && entry.clientId === this.client.clientId);
    this.#running = new Set(ours.map(({ chat }) => chat));
    // A call that runs here is followed to its end, whatever the session says meanwhile.
    const open = [...this.#followed.keys()].filter((uri) => uri !== defaultChat && this.#hasOwnCall(uri));
    const wanted = new Set([...new Set([...open, ...this.#running, ...this.#waiting.map(({ chat }) => chat)])].slice(0, MAX_CHATS));
    for (const uri of wanted) if (!this.#followed.has(uri)) this.#begin(uri);
    for (const uri of this.#followed.keys()) if (!wanted.has(uri)) this.#end(uri);
  }

  /** Of their running turns, those that are not over. Where that is not known yet, those that wait for the user, as the session says. */
  get calls(): HostedCall[] {
    const live = [...this.#followed.keys()].filter((uri) => this.#isLive(uri));
    const announced = this.#waiting.filter(({ chat }) => !live.includes(chat));
    return [
      ...live.flatMap((uri) => openCallsOf(this.#activeTurn(uri))),
      ...announced.map(({ chat, turnId, toolCall }) => hostedCall(chat, turnId, toolCall)),
    ];
  }

  /** Those of which nobody can say now what runs in them. */
  get unknown(): ReadonlySet<URI> {
    const isOut = (uri: URI) => {
      const status = this.#followed.get(uri)?.model.status.kind;
      return status === undefined || status === 'loading' || status === 'stale';
    };
    return new Set([...this.#running, ...this.#waiting.map(({ chat }) => chat), ...this.#followed.keys()].filter(isOut));
  }

  model(uri: URI): ChatModel | undefined {
    return this.#followed.get(uri)?.model;
  }

  /** A confirmed turn. */
  turn(uri: URI, turnId: string): HostedTurn | undefined {
    const confirmed = this.model(uri)?.confirmed;
    if (!confirmed) return undefined;
    const { turns, activeTurn } = confirmed;
    const found = activeTurn?.id === turnId ? activeTurn : turns.findLast(({ id }) => id === turnId);
    return found && hostedTurn(uri, found);
  }

  dispose(): void {
    for (const uri of this.#followed.keys()) this.#end(uri);
  }

  #begin(uri: URI): void {
    const model = this.client.chat(uri);
    this.#followed.set(uri, { model, listening: model.onDidChange(this.onChange) });
  }

  #end(uri: URI): void {
    const followed = this.#followed.get(uri);
    this.#followed.delete(uri);
    followed?.listening.dispose();
    followed?.model.dispose();
  }

  #isLive(uri: URI): boolean {
    return this.model(uri)?.status.kind === 'live';
  }

  #activeTurn(uri: URI): HostedTurn | undefined {
    const activeTurn = this.model(uri)?.confirmed?.activeTurn;
    return activeTurn && hostedTurn(uri, activeTurn);
  }

  #hasOwnCall(uri: URI): boolean {
    return openCallsOf(this.#activeTurn(uri)).some(({ clientId }) => clientId === this.client.clientId);
  }
}

function isOf<K extends 'toolConfirmation' | 'toolClientExecution'>(entry: SessionInputRequest, kind: K): entry is OfCall<K> {
  return entry.kind === kind && 'toolCall' in entry;
}
