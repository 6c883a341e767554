/** A process that owns sessions. With a key it is the same owner after its connection was lost, and takes up its calls within a time. */
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { Time } from '../../tap/wire/limits.ts';
import type { OwnerEvents } from '../../tap/wire/owner/ownerMessages.ts';
import type { OwnerQuestion, QuestionParams, QuestionResult } from '../../tap/wire/owner/ownerQuestions.ts';
import type { Session, SessionOwner } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { OwnedCalls } from './ownedCalls.ts';

/** The connection of an owner. */
export interface OwnerConnection {
  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void;
  ask: SessionOwner['ask'];
  /** Another connection has come with the key of this owner. */
  replaced(): void;
}

export interface OwnerOptions {
  clock: Clock;
  sessions: Sessions;
  /** Something beside calls goes on in this session while its owner is away. */
  goesOn(session: Session): boolean;
  /** How long the calls of an owner that has gone wait for it. */
  graceMs: number;
  /** It has no connection, and left nothing that it could take up. */
  onGone(): void;
}

const NOBODY_BACK = 'the session owner has disconnected and did not come back';

export class Owner implements SessionOwner, Disposable {
  name = '';
  readonly calls = new OwnedCalls((progress) => this.notify('tool/progress', progress));
  #connection: OwnerConnection | undefined;
  /** Sessions that wait for this owner to come back to them. */
  readonly #left = new Map<Session, Disposable>();
  readonly #listening: Disposable;

  constructor(
    private readonly options: OwnerOptions,
    /** It has a key. Otherwise no call is kept. */
    readonly mayReturn: boolean,
  ) {
    this.#listening = options.sessions.onDidEnd((session) => this.#ended(session));
  }

  connect(name: string, connection: OwnerConnection): void {
    const before = this.#connection;
    this.name = name;
    this.#connection = connection;
    if (!before) return;
    this.#leaveAll();
    before.replaced();
  }

  notify<E extends keyof OwnerEvents>(event: E, params: OwnerEvents[E]): void {
    this.#connection?.notify(event, params);
  }

  async ask<Q extends OwnerQuestion>(question: Q, params: QuestionParams<Q>): Promise<QuestionResult<Q>> {
    if (!this.#connection) throw new Error('the owner of the session is away');
    return this.#connection.ask(question, params);
  }

  disconnected(connection: OwnerConnection): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    this.#leaveAll();
    this.#goneIfDone();
  }

  /** The owner will be back soon. Without calls or emitters that it could take up then, the session ends, and this resolves when it has. */
  async leave(session: Session, deadlineMs: number = Time.shutdownMs): Promise<void> {
    const { clock, sessions, graceMs } = this.options;
    const isKept = this.calls.isKeeping(session.id) || (this.mayReturn && this.options.goesOn(session));
    if (!isKept) return sessions.end(session, deadlineMs);
    session.isLeft = true;
    session.journal?.left(clock.now());
    const giveUp = () => {
      this.calls.drop(session.id, NOBODY_BACK);
      void sessions.end(session);
    };
    this.#left.set(session, clock.setTimer(giveUp, graceMs));
  }

  /** False when the owner has not left this session. */
  takeUp(session: Session): boolean {
    const waiting = this.#left.get(session);
    waiting?.dispose();
    session.isLeft = false;
    if (waiting) session.journal?.left(undefined);
    return this.#left.delete(session);
  }

  dispose(): void {
    this.#listening.dispose();
    for (const waiting of this.#left.values()) waiting.dispose();
  }

  #leaveAll(): void {
    this.calls.cancelUnkept('the session owner has disconnected');
    for (const session of this.options.sessions.active) if (session.owner === this && !session.isLeft) void this.leave(session);
  }

  #ended(session: Session): void {
    if (session.owner !== this) return;
    this.takeUp(session);
    this.calls.drop(session.id, 'the session has ended');
    this.#goneIfDone();
  }

  #goneIfDone(): void {
    if (!this.#connection && this.#left.size === 0) this.options.onGone();
  }
}
