/** The emitters of all sessions. None outlives its session. */
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { EmitterSpec, EventFilter } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { FilterPreview } from '../../tap/wire/emitters/filterPreview.ts';
import { Limit } from '../../tap/wire/limits.ts';
import { CompileBudgets } from '../limits/compileBudget.ts';
import { Rate } from '../limits/rate.ts';
import type { Session } from '../sessions/session.ts';
import { tapStreams } from '../streams/tapStreams.ts';
import { Emitter } from './emitter.ts';
import { previewOf } from './filter/filterPreview.ts';
import { LineTime } from './lineTime.ts';
import type { Actor } from './ownership.ts';

/** What was asked for is not done; the message says why, for the user or the model. */
export class EmitterRefused extends Error {
  override readonly name = 'EmitterRefused';
}

interface OfSession {
  readonly emitters: Map<string, Emitter>;
  readonly shown: Rate;
}

export class Emitters {
  readonly #bySession = new Map<Session, OfSession>();
  readonly #budgets: CompileBudgets;
  /** What is tried while a filter is written takes nothing from those that are in force. */
  readonly #previewBudgets: CompileBudgets;
  readonly #time = new LineTime();
  readonly #ending = new Set<Promise<void>>();

  constructor(private readonly options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#budgets = new CompileBudgets(() => options.clock.now());
    this.#previewBudgets = new CompileBudgets(() => options.clock.now());
  }

  /**
   * `again`: its owner had started it before. One that is there stays as it is then, otherwise the stream says that it was started again. Throws an
   * {@link EmitterRefused}.
   */
  start(session: Session, spec: EmitterSpec, startedBy: Actor, { autoStart = true, again = false } = {}): Emitter {
    const { clock, logger } = this.options;
    if (session.ending) throw new EmitterRefused('the session is ending');
    if (spec.prompt !== undefined && !session.hasTurns)
      throw new EmitterRefused('prompt: nothing can be sent to this session, because it has no turns');
    const of = this.#bySession.get(session) ?? { emitters: new Map<string, Emitter>(), shown: new Rate(Limit.shownLinesPerSecond, 1000) };
    const before = of.emitters.get(spec.name);
    if (before && again) return before;
    this.#checkRoom(spec.name, before, startedBy, of);
    if (startedBy === 'model') this.checkStream(session, spec.stream ?? spec.name, spec.name);
    const emitter: Emitter = refusing(() => {
      const about = { session, clock, time: this.#time, budget: this.#budgets.of(session), shown: of.shown, startedBy };
      return new Emitter(spec, { ...about, changed: () => this.#changed(session, emitter) });
    });
    refusing(() => openStream(session, of, emitter.stream));
    if (before) this.#forget(of, before);
    this.#bySession.set(session, of);
    of.emitters.set(emitter.name, emitter);
    const oldest = [...of.emitters.values()].find((other) => other.isOver && other !== emitter);
    if (of.emitters.size > Limit.emitters && oldest) this.#forget(of, oldest);
    logger.info(`emitter ${emitter.name} of a session: started by the ${startedBy}`);
    if (again && autoStart) emitter.note(`${emitter.name} was started again`, 'surface');
    if (autoStart) emitter.runNow();
    else this.#changed(session, emitter);
    return emitter;
  }

  /** Throws an {@link EmitterRefused}. */
  get(session: Session, name: string): Emitter {
    const found = this.#bySession.get(session)?.emitters.get(name);
    if (found) return found;
    const names = this.list(session).map((emitter) => JSON.stringify(emitter.name));
    throw new EmitterRefused(
      `there is no emitter ${JSON.stringify(name)}${names.length ? `, only ${names.join(', ')}` : ' in this session'}`,
    );
  }

  /** Resolves when none of its processes runs any more. Throws an {@link EmitterRefused}. */
  stop(session: Session, name: string): Promise<void> {
    return this.#follow(this.get(session, name).stop());
  }

  /** Throws an {@link EmitterRefused}. */
  runNow(session: Session, name: string): void {
    const emitter = this.get(session, name);
    if (session.ending) throw new EmitterRefused('the session is ending');
    const of = this.#bySession.get(session);
    if (of && emitter.isOver) {
      this.#checkRoom(name, emitter, 'user', of);
      refusing(() => openStream(session, of, emitter.stream));
    }
    const why = emitter.runNow();
    if (why !== undefined) throw new EmitterRefused(why);
  }

  /** Throws an {@link EmitterRefused}, and then nothing has changed. */
  setFilter(session: Session, name: string, rules: EventFilter): void {
    const emitter = this.get(session, name);
    if (emitter.hasPrompt()) throw new EmitterRefused(`${JSON.stringify(name)} sends a prompt and has no lines to filter`);
    refusing(() => emitter.setFilter(rules));
  }

  /** What these rules would do with its newest lines. Throws an {@link EmitterRefused}. */
  preview(session: Session, name: string, rules: EventFilter): FilterPreview {
    return previewOf(rules, this.get(session, name).recentLines, this.#previewBudgets.of(session));
  }

  list(session: Session): EmitterStatus[] {
    return this.#all(session).map(({ status }) => status);
  }

  /** A model writes to no stream that an emitter other than `own` fills or has filled. Throws an {@link EmitterRefused}. */
  checkStream(session: Session, stream: string, own?: string): void {
    const other = this.#all(session).find((one) => one.stream === stream && one.name !== own);
    if (other)
      throw new EmitterRefused(
        `the stream ${JSON.stringify(stream)} is filled by the emitter ${JSON.stringify(other.name)}: take another one`,
      );
  }

  /** Something of it goes on while its owner is away. */
  isWatching(session: Session): boolean {
    return this.#all(session).some(({ isOver }) => !isOver);
  }

  /** The session is ending. */
  stopAll(session: Session): void {
    for (const emitter of this.#all(session)) void this.#follow(emitter.stop());
  }

  /** The session is no more. */
  ended(session: Session): void {
    const all = this.#all(session);
    this.#bySession.delete(session);
    for (const emitter of all) void this.#follow(emitter.dispose());
  }

  status(): ({ sessionId: string } & EmitterStatus)[] {
    return [...this.#bySession.keys()].flatMap((session) => this.list(session).map((status) => ({ sessionId: session.id, ...status })));
  }

  /** Resolves when nothing of any emitter runs any more. */
  async dispose(): Promise<void> {
    for (const session of [...this.#bySession.keys()]) this.ended(session);
    await Promise.all(this.#ending);
  }

  #all(session: Session): Emitter[] {
    return [...(this.#bySession.get(session)?.emitters.values() ?? [])];
  }

  #checkRoom(name: string, before: Emitter | undefined, by: Actor, { emitters }: OfSession): void {
    if (before && !before.isOver) throw new EmitterRefused(`${JSON.stringify(name)} is there already: stop it first, or take another name`);
    if (before && by === 'model' && before.ownership === 'userOwned')
      throw new EmitterRefused(`${JSON.stringify(name)} belongs to the user: take another name`);
    const count = (some: Iterable<Emitter>) => [...some].filter(({ isOver }) => !isOver).length;
    if (count(emitters.values()) >= Limit.emitters)
      throw new EmitterRefused(`a session has at most ${Limit.emitters} emitters: stop one first`);
    if (count([...this.#bySession.values()].flatMap((of) => [...of.emitters.values()])) >= Limit.allEmitters)
      throw new EmitterRefused(`there are ${Limit.allEmitters} emitters in all sessions together, and no more are possible`);
  }

  #forget({ emitters }: OfSession, emitter: Emitter): void {
    emitters.delete(emitter.name);
    void this.#follow(emitter.dispose());
  }

  #follow(ending: Promise<void>): Promise<void> {
    this.#ending.add(ending);
    return ending.finally(() => this.#ending.delete(ending));
  }

  #changed(session: Session, emitter: Emitter): void {
    // Another session may have its id by now.
    if (session.ending || this.#bySession.get(session)?.emitters.get(emitter.name) !== emitter) return;
    session.owner.notify('emitter/state', { sessionId: session.id, emitter: emitter.status });
  }
}

/** Those of emitters that are not over stay. */
function openStream(session: Session, { emitters }: OfSession, stream: string): void {
  const inUse = new Set([...emitters.values()].filter(({ isOver }) => !isOver).map((other) => other.stream));
  session.streams.open(tapStreams, stream, (name) => inUse.has(name));
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new EmitterRefused(messageOf(error));
  }
}
