/** The sessions that owners have registered, and how they end. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { GatewayMessage } from '../../tap/wire/gatewayMessages.ts';
import { Time } from '../../tap/wire/limits.ts';
import type { SessionRegistration } from '../../tap/wire/owner/ownerMessages.ts';
import type { Journals } from '../journals/journals.ts';
import type { Records } from '../records/records.ts';
import type { Tracing } from '../traces/tracing.ts';
import { type Binding, Session, type SessionOwner } from './session.ts';
import type { Grant } from '../trust/tokenGrants.ts';

type SessionsMessage = Extract<GatewayMessage, { type: 'sessions' | 'sessions.updated' }>;

export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #didChange = new Emitter<void>();
  /** The list that providers are told has changed. */
  readonly onDidChange = this.#didChange.event;
  readonly #willEnd = new Emitter<Session>();
  /** A session is about to be torn down, and its providers clean up. */
  readonly onWillEnd = this.#willEnd.event;
  readonly #didEnd = new Emitter<Session>();
  /** A session was torn down. Its calls end and its bindings are removed. */
  readonly onDidEnd = this.#didEnd.event;

  /** Without `journals` nothing of a session outlives the gateway. */
  constructor(
    private readonly clock: Clock,
    private readonly options: { readonly journals?: Journals | undefined; readonly note: Records['note']; readonly tracing: Tracing },
  ) {}

  /** Sessions that are not ending. */
  get active(): Session[] {
    return [...this.#sessions.values()].filter(({ ending }) => !ending);
  }
  get all(): Session[] {
    return [...this.#sessions.values()];
  }
  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  register(owner: SessionOwner, registration: SessionRegistration): Session {
    // The owner has come back before its lost session was torn down.
    this.#sessions.get(registration.sessionId)?.ending?.finish();
    const { sessionId } = registration;
    const { journals, note, tracing } = this.options;
    const session = new Session(sessionId, owner, {
      ...journals?.open(sessionId),
      note: (kind, data) => note(kind, data, sessionId),
      tracing,
    });
    this.#sessions.set(session.id, session);
    this.#apply(session, { idle: true, ...registration });
    this.#didChange.fire();
    return session;
  }

  /** True when the session has become idle. */
  update(session: Session, change: Partial<SessionRegistration>): boolean {
    const before = `${session.label}\n${session.cwd}\n${session.foreground}`;
    const becameIdle = this.#apply(session, change);
    if (before !== `${session.label}\n${session.cwd}\n${session.foreground}`) this.#didChange.fire();
    return becameIdle;
  }

  /** Resolves when the session is torn down: every bound provider is ready or gone, or the deadline has passed. */
  end(session: Session, deadlineMs: number = Time.shutdownMs): Promise<void> {
    if (session.ending) {
      // The earlier deadline counts. The gateway itself may be ending by now.
      const { finish, finished } = session.ending;
      const sooner = this.clock.setTimer(finish, deadlineMs);
      return finished.then(() => sooner.dispose());
    }
    let resolve: () => void = () => undefined;
    const finished = new Promise<void>((done) => (resolve = done));
    const timer = this.clock.setTimer(() => session.ending?.finish(), deadlineMs);
    session.ending = {
      waitingFor: new Set(session.bindings),
      finished,
      finish: () => {
        if (this.#sessions.get(session.id) !== session) return;
        this.#sessions.delete(session.id);
        timer.dispose();
        this.#didEnd.fire(session);
        resolve();
      },
    };
    this.#willEnd.fire(session);
    for (const { provider } of [...session.bindings]) {
      provider.link.send({ type: 'session.lifecycle', sessionId: session.id, state: 'shutdown.pending', deadline: deadlineMs });
    }
    this.#didChange.fire();
    this.#finishIfReady(session);
    return finished;
  }

  /** The provider is ready, has moved to another session, or is gone. */
  ready(binding: Binding): void {
    const { session } = binding;
    if (session.ending?.waitingFor.delete(binding)) this.#finishIfReady(session);
  }

  /** The sessions that a holder of the grant may use. */
  usableBy(grant: Grant): Session[] {
    const { active } = this;
    const own = grant.sessionId === undefined ? undefined : active.filter(({ id }) => id === grant.sessionId);
    if (grant.kind === 'spawn') return own ?? [];
    return own?.length ? own : active;
  }

  /**
   * The list as a holder of the grant sees it. Sessions that it may use come first, because core clients take the first. A paired peer
   * reads the `cwd` of its own session alone.
   */
  listFor(grant: Grant, type: SessionsMessage['type']): SessionsMessage {
    const usable = new Set(this.usableBy(grant).map(({ id }) => id));
    const mayRead = ({ id }: Session) => (usable.has(id) && grant.kind !== 'paired') || id === grant.sessionId;
    const rank = (session: Session) => (usable.has(session.id) ? 0 : 2) + (session.foreground ? 0 : 1);
    const active = this.active
      .sort((a, b) => rank(a) - rank(b))
      .map((session) => ({
        id: session.id,
        label: session.label,
        ...(mayRead(session) && session.cwd !== undefined && { cwd: session.cwd }),
      }));
    return { type, active };
  }

  #finishIfReady(session: Session): void {
    if (session.ending?.waitingFor.size === 0) session.ending.finish();
  }

  #apply(session: Session, change: Partial<SessionRegistration>): boolean {
    if (change.label !== undefined) session.label = change.label;
    if (change.cwd !== undefined) session.cwd = change.cwd;
    if (change.foreground !== undefined) session.foreground = change.foreground;
    if (change.hasTurns !== undefined) session.hasTurns = change.hasTurns;
    if (change.agentTools !== undefined) session.agentTools = new Set(change.agentTools);
    return change.idle === undefined ? false : session.inbox.setIdle(change.idle);
  }
}
