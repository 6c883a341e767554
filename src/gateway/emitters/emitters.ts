/** The emitters of all sessions. None outlives its session. */
import type { Clock } from '../../base/clock.ts';
import { englishOf, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { EmitterSpec, EventFilter } from '../../tap/wire/emitters/emitterSpec.ts';
import { emitterName } from '../../tap/wire/emitters/emitterWords.ts';
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
import { previewOf } from './filter/previewOf.ts';
import type { LineTime } from './lineTime.ts';
import type { Actor } from './ownership.ts';

/** What was asked for is not done; the message says why, for the user or the model. */
export class EmitterRefused extends Error {
  override readonly name = 'EmitterRefused';
}

const NOTE_LENGTH = 1000;
const UNTRUSTED = 'the workspace is not trusted';

/** What an owner says that comes to a session. */
interface Resuming {
  /** Otherwise nothing runs that the user does not start now. */
  readonly mayRun: boolean;
  /** Stopped by the user, which the gateway may not have heard. */
  readonly stopped: ReadonlySet<string>;
}

interface OfSession {
  readonly emitters: Map<string, Emitter>;
  /** Those of an earlier gateway that could not be started here. The next one may be able to. */
  readonly failed: Map<string, KeptEmitter>;
  readonly shown: Rate;
}

export class Emitters {
  readonly #bySession = new Map<Session, OfSession>();
  readonly #budgets: CompileBudgets;
  /** What is tried while a filter is written takes nothing from those that are in force. */
  readonly #previewBudgets: CompileBudgets;
  readonly #ending = new Set<Promise<void>>();
  readonly #resuming = new Set<Session>();

  constructor(private readonly options: { readonly clock: Clock; readonly time: LineTime; readonly logger: Logger }) {
    this.#budgets = new CompileBudgets(() => options.clock.now());
    this.#previewBudgets = new CompileBudgets(() => options.clock.now());
  }

  /**
   * A persistent one that is there already stays, and one that has changed since takes its place. `isOff`: it does not run before somebody runs it.
   * Throws an {@link EmitterRefused}.
   */
  start(session: Session, spec: EmitterSpec, startedBy: Actor, isOff = false): Emitter {
    const before = spec.lifespan === 'persistent' ? this.#bySession.get(session)?.emitters.get(spec.name) : undefined;
    if (before?.isAs(spec) && (before.lifespan === 'persistent' || !before.isOver)) {
      before.setLifespan('persistent');
      if (before.isAwaited && isOff) void this.#follow(before.stop());
      else if (before.isAwaited) {
        this.#makeRoom(session, before);
        this.#goOn(before);
      }
      return before;
    }
    const emitter = this.#add(session, spec, startedBy, { replaces: before?.lifespan === 'persistent' });
    if (!isOff && (spec.autoStart ?? true)) emitter.runNow();
    else this.#changed(session, emitter);
    return emitter;
  }

  /**
   * What the session had at a gateway that was killed. Only what the user has started in this folder runs again, and only a moment later; what stands
   * in `tap.config.json` waits for the owner, which knows whether it still may run. The streams say so.
   */
  resume(session: Session, { mayRun, stopped }: Resuming): void {
    const { kept } = session;
    if (!kept || kept.emitters.length + kept.lost.length === 0) return;
    this.#resuming.add(session);
    try {
      for (const given of kept.lost) {
        const { data: name } = emitterName.safeParse(given);
        if (name !== undefined) this.#failed(session, name, name, 'nobody understands what it was');
      }
      // What was on comes first, because all of them share what may be compiled at once.
      const ordered = [...kept.emitters].sort((a, b) => Number(b.isOn) - Number(a.isOn));
      for (const { isOn, ...one } of ordered)
        this.#startAgain(session, { ...one, isOn: isOn && !stopped.has(one.spec.name) }, { mayRun, isRecent: kept.isRecent });
    } finally {
      this.#resuming.delete(session);
    }
    this.#keep(session);
  }

  #startAgain(session: Session, kept: KeptEmitter, { mayRun, isRecent }: { mayRun: boolean; isRecent: boolean }): void {
    const { spec, startedAs, startedBy, folder, isOn } = kept;
    const { name, stream = name } = spec;
    let emitter;
    try {
      emitter = this.#add(session, spec, startedBy, { startedAs });
    } catch (error) {
      this.#of(session).failed.set(name, { ...kept, isOn: false });
      return this.#failed(session, name, stream, messageOf(error));
    }
    if (!isOn) return;
    const not = (why: string) => emitter.note(`${name} was not started again: ${why}`, 'surface');
    if (startedBy === 'model')
      return emitter.note(`${name} has ended with the gateway: what a model starts is not started again`, 'surface');
    const ranByItself = spec.autoStart ?? true;
    if (emitter.lifespan === 'persistent' && ranByItself) return emitter.awaitOwner();
    if (!mayRun) return not(UNTRUSTED);
    if (!isRecent) return not('there was no gateway for too long');
    if (emitter.folder !== folder) return not('the session works in another folder');
    // What the user has run himself goes on; the owner says first whether its list still has it.
    if (emitter.lifespan === 'persistent') return emitter.awaitOwner();
    this.#goOn(emitter);
  }

  #goOn(emitter: Emitter): void {
    emitter.note(`${emitter.name} was started again`, 'surface');
    emitter.runNow();
  }

  /** Says of an emitter that is not there why it was not started again. */
  #failed(session: Session, name: string, stream: string, why: string): void {
    const { clock, logger } = this.options;
    const event = cleanText(`${name} was not started again: ${why}`, NOTE_LENGTH);
    logger.warn(`emitter ${event}`);
    try {
      openStream(session, this.#of(session), stream);
      const item = { ts: new Date(clock.now()).toISOString(), event, level: 'surface' as const };
      session.streams.append(tapStreams, stream, item);
      tellSurfaced(session, { provider: tapStreams.name, stream, account: tapStreams.account }, item);
    } catch (error) {
      logger.warn(`the stream of ${name} does not say so: ${englishOf(error)}`);
    }
  }

  #of(session: Session): OfSession {
    const of = this.#bySession.get(session) ?? {
      emitters: new Map<string, Emitter>(),
      failed: new Map<string, KeptEmitter>(),
      shown: new Rate(Limit.shownLinesPerSecond, 1000),
    };
    this.#bySession.set(session, of);
    return of;
  }

  /** Nothing of it runs yet. Throws an {@link EmitterRefused}. */
  #add(
    session: Session,
    spec: EmitterSpec,
    startedBy: Actor,
    { replaces = false, startedAs }: { readonly replaces?: boolean; readonly startedAs?: EmitterSpec | undefined } = {},
  ): Emitter {
    const { clock, time, logger } = this.options;
    if (session.ending) throw new EmitterRefused('the session is ending');
    if (spec.prompt !== undefined && !session.hasTurns)
      throw new EmitterRefused('prompt: nothing can be sent to this session, because it has no turns');
    const of = this.#of(session);
    const before = of.emitters.get(spec.name);
    this.#checkRoom(spec.name, before, startedBy, of, replaces);
    if (startedBy === 'model') this.checkStream(session, spec.stream ?? spec.name, spec.name);
    const emitter: Emitter = refusing(() => {
      const about = { session, clock, time, budget: this.#budgets.of(session), shown: of.shown, startedBy, startedAs };
      return new Emitter(spec, { ...about, changed: () => this.#changed(session, emitter) });
    });
    refusing(() => openStream(session, of, emitter.stream));
    if (before) this.#forget(of, before);
    of.failed.delete(emitter.name);
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
    // Before it is the user's own, so that it is nowhere kept as something of theirs that is on.
    const stopped = this.#follow(emitter.stop());
    if (isWithdrawn) emitter.setLifespan('temporary');
    return stopped;
  }

  /** The owner is back at a session that has gone on. See {@link resume}. */
  takenUp(session: Session, { mayRun, stopped }: Resuming): void {
    for (const emitter of this.#all(session)) {
      if (emitter.kept.isOn && !mayRun && !stopped.has(emitter.name)) emitter.note(`${emitter.name} was stopped: ${UNTRUSTED}`, 'surface');
      if (!mayRun || stopped.has(emitter.name)) void this.#follow(emitter.stop());
    }
  }

  /** Throws an {@link EmitterRefused}. */
  runNow(session: Session, name: string): void {
    const emitter = this.get(session, name);
    if (session.ending) throw new EmitterRefused('the session is ending');
    this.#makeRoom(session, emitter);
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
    for (const emitter of this.#all(session)) void this.#follow(emitter.end());
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

  /** For one that runs again. Throws an {@link EmitterRefused}. */
  #makeRoom(session: Session, emitter: Emitter): void {
    if (!emitter.isOver) return;
    const of = this.#of(session);
    this.#checkRoom(emitter.name, emitter, 'user', of);
    refusing(() => openStream(session, of, emitter.stream));
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
    if (this.#bySession.get(session)?.emitters.get(emitter.name) !== emitter) return;
    this.#keep(session);
    if (!session.ending) session.owner.notify('emitter/state', { sessionId: session.id, emitter: emitter.status });
  }

  #keep(session: Session): void {
    if (!session.journal || this.#resuming.has(session)) return;
    const failed = [...(this.#bySession.get(session)?.failed.values() ?? [])].slice(-Limit.emitters);
    session.journal.keepEmitters([...this.#all(session).map(({ kept }) => kept), ...failed]);
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
