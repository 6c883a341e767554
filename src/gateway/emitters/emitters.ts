/** The emitters of all sessions. None outlives its session. */
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { EmitterSpec, EventFilter } from '../../tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../tap/wire/emitters/emitterStatus.ts';
import type { FilterPreview } from '../../tap/wire/emitters/filterPreview.ts';
import { Limit } from '../../tap/wire/limits.ts';
import type { KeptEmitter } from '../journals/sessionJournal.ts';
import { cleanText } from '../limits/cleanText.ts';
import { CompileBudgets } from '../limits/compileBudget.ts';
import { Rate } from '../limits/rate.ts';
import { tellSurfaced } from '../sessions/pushes.ts';
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

const NOTE_LENGTH = 1000;

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
  readonly #resuming = new Set<Session>();

  constructor(private readonly options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#budgets = new CompileBudgets(() => options.clock.now());
    this.#previewBudgets = new CompileBudgets(() => options.clock.now());
  }

  /** A persistent one that is there already stays, and one that has changed since takes its place. Throws an {@link EmitterRefused}. */
  start(session: Session, spec: EmitterSpec, startedBy: Actor, { autoStart = true } = {}): Emitter {
    const before = spec.lifespan === 'persistent' ? this.#bySession.get(session)?.emitters.get(spec.name) : undefined;
    if (before?.isAs(spec) && (before.lifespan === 'persistent' || !before.isOver)) {
      before.setLifespan('persistent');
      return before;
    }
    const emitter = this.#add(session, spec, startedBy, before?.lifespan === 'persistent');
    if (autoStart) emitter.runNow();
    else this.#changed(session, emitter);
    return emitter;
  }

  /** What the session had at a gateway that was killed. Only what the user has started runs again. The streams say so. */
  resume(session: Session): void {
    if (session.keptEmitters.length === 0) return;
    this.#resuming.add(session);
    for (const kept of session.keptEmitters) this.#startAgain(session, kept);
    this.#resuming.delete(session);
    this.#keep(session);
  }

  #startAgain(session: Session, { spec, startedBy, isOn }: KeptEmitter): void {
    const { name, stream = name } = spec;
    try {
      const emitter = this.#add(session, spec, startedBy, false);
      if (!isOn) return;
      if (startedBy === 'model')
        return emitter.note(`${name} has ended with the gateway: what a model starts is not started again`, 'surface');
      emitter.note(`${name} was started again`, 'surface');
      emitter.runNow();
    } catch (error) {
      const event = cleanText(`${name} was not started again: ${messageOf(error)}`, NOTE_LENGTH);
      const item = { ts: new Date(this.options.clock.now()).toISOString(), event, level: 'surface' as const };
      session.streams.append(tapStreams, stream, item);
      tellSurfaced(session, { provider: tapStreams.name, stream, account: tapStreams.account }, item);
    }
  }

  /** Nothing of it runs yet. Throws an {@link EmitterRefused}. */
  #add(session: Session, spec: EmitterSpec, startedBy: Actor, replaces: boolean): Emitter {
    const { clock, logger } = this.options;
    if (session.ending) throw new EmitterRefused('the session is ending');
    if (spec.prompt !== undefined && !session.hasTurns)
      throw new EmitterRefused('prompt: nothing can be sent to this session, because it has no turns');
    const of = this.#bySession.get(session) ?? { emitters: new Map<string, Emitter>(), shown: new Rate(Limit.shownLinesPerSecond, 1000) };
    const before = of.emitters.get(spec.name);
    this.#checkRoom(spec.name, before, startedBy, of, replaces);
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

  /** Resolves when none of its processes runs any more. `isWithdrawn`: it is not persistent any more. Throws an {@link EmitterRefused}. */
  stop(session: Session, name: string, isWithdrawn = false): Promise<void> {
    const emitter = this.get(session, name);
    if (isWithdrawn) emitter.setLifespan('temporary');
    return this.#follow(emitter.stop());
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

  #checkRoom(name: string, before: Emitter | undefined, by: Actor, { emitters }: OfSession, replaces = false): void {
    if (before && !before.isOver && !replaces)
      throw new EmitterRefused(`${JSON.stringify(name)} is there already: stop it first, or take another name`);
    if (before && by === 'model' && before.ownership === 'userOwned')
      throw new EmitterRefused(`${JSON.stringify(name)} belongs to the user: take another name`);
    const count = (some: Iterable<Emitter>) => [...some].filter((one) => !one.isOver && one !== before).length;
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
    this.#keep(session);
    session.owner.notify('emitter/state', { sessionId: session.id, emitter: emitter.status });
  }

  #keep(session: Session): void {
    if (session.journal && !this.#resuming.has(session)) session.journal.keepEmitters(this.#all(session).map(({ kept }) => kept));
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
