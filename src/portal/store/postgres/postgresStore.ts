/** A store of runs in PostgreSQL, at which several portals work. */
import type { Runner } from 'graphile-worker';
import { englishOf, messageOf, withTimeout } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { runEvent } from '../../runs/runEventSchema.ts';
import { isEndOf, type RunEvent } from '../../runs/runEvents.ts';
import { type SharedStore, type SharedStoreListener, StoreUnavailableError } from '../sharedStore.ts';
import { Database, DATABASE_TIMEOUT_MS } from './database.ts';
import { Lease, release } from './lease.ts';
import { OwnedRun } from './ownedRun.ts';
import { migrateQueue, runQueue } from './queue.ts';
import {
  claimRun,
  deleteRun,
  dequeueRun,
  eventsAfter,
  insertOwnRun,
  insertRun,
  lastNumbers,
  needsOfWaiting,
  noteEvent,
  offerRun,
  reopenRun,
  stopRun,
  stopsOf,
  waitingRun,
} from './runTable.ts';

/** Runs that are shown, besides those that have not ended. */
const MAX_READ = 1000;
/** Reads at the same time. */
const READS = 8;
const JOIN_AGAIN_MS = 1_000;
const NEEDS_KNOWN_MS = 1_000;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** From a lease on, until it is lost. */
interface Membership {
  lease: Lease;
  owned: Map<string, OwnedRun>;
  runner?: Runner;
}

export class PostgresStore implements SharedStore {
  readonly #database: Database;
  readonly #logger: Logger;
  #listener!: SharedStoreListener;
  #member: Membership | undefined;
  #problem: string | undefined = 'it was not opened';
  #isClosed = false;
  #joining: NodeJS.Timeout | undefined;
  /** The numbers of the last events that the listener has, by run. */
  readonly #seen = new Map<string, number>();
  /** Work on a run is done one after the other. */
  readonly #busy = new Map<string, Promise<unknown>>();
  #lacks: { at: number; needs: Promise<string[]> } | undefined;

  /** `url`: as `psql` takes it. */
  constructor(url: string, logger: Logger) {
    this.#logger = logger;
    this.#database = new Database(url, logger);
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  async open(listener: SharedStoreListener): Promise<void> {
    this.#listener = listener;
    try {
      await this.#database.migrate(() => migrateQueue(this.#database, this.#logger));
      await this.#join();
    } catch (error) {
      this.#isClosed = true;
      await this.#database.end().catch(() => undefined);
      throw error;
    }
  }

  async begin(runId: string, first: RunEvent, needs: readonly string[], { isQueued }: { isQueued: boolean }): Promise<boolean> {
    this.#membership();
    const isNew = await insertRun(this.#database, runId, JSON.stringify(first), needs, isQueued);
    await this.#update(runId);
    return isNew;
  }

  async dequeue(runId: string, event: RunEvent, mayBegin: () => boolean): Promise<boolean> {
    this.#membership();
    const seenWhenFree = async () => {
      await this.catchUp();
      return mayBegin() ? this.#seen.get(runId) : undefined;
    };
    const hasBegun = await dequeueRun(this.#database, runId, JSON.stringify(event), seenWhenFree);
    await this.#update(runId);
    return hasBegun;
  }

  async beginOwn(runId: string): Promise<void> {
    const member = this.#membership();
    const epoch = await insertOwnRun(this.#database, runId, member.lease.id);
    if (this.#member !== member) throw this.#unavailable();
    this.#own(member, runId, epoch);
  }

  async forget(runId: string): Promise<void> {
    const owned = this.#member?.owned.get(runId);
    if (!owned) return;
    this.#member?.owned.delete(runId);
    await deleteRun(this.#database, runId, owned.claim);
  }

  async reopen(runId: string, event: RunEvent, loopCap?: number): Promise<boolean> {
    this.#membership();
    const isReopened = await reopenRun(this.#database, runId, this.#seen.get(runId) ?? 0, JSON.stringify(event), loopCap);
    await this.#update(runId);
    return isReopened;
  }

  async note(runId: string, event: RunEvent): Promise<boolean> {
    this.#membership();
    const isNoted = await noteEvent(this.#database, runId, JSON.stringify(event));
    await this.#update(runId);
    return isNoted;
  }

  append(runId: string, event: RunEvent): Promise<void> {
    const owned = this.#member?.owned.get(runId);
    if (!owned) return Promise.reject(new Error('this portal does not own the run any more'));
    return owned.add(event, isEndOf(runId, event));
  }

  async stop(runId: string, id: string): Promise<void> {
    this.#membership();
    if (await stopRun(this.#database, runId, id)) return;
    // Nobody else has it, and its end has no needs.
    void this.#run(runId).catch((error: unknown) => this.#logger.warn(`run ${runId} could not be stopped: ${englishOf(error)}`));
  }

  async catchUp(runId?: string): Promise<void> {
    this.#membership();
    const unread = new Set(await this.#unread());
    // It may be older than those.
    if (runId !== undefined) unread.add(runId);
    for (const some of inGroups([...unread])) await Promise.all(some.map((one) => this.#update(one)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#joining);
    const member = this.#member;
    this.#member = undefined;
    if (member) {
      for (const owned of member.owned.values()) owned.cut();
      const { lease, runner } = member;
      await this.#leave(runner);
      try {
        await this.#database.transaction((query) => release(query, lease.id, { isGone: false }));
      } catch (error) {
        // The others see that it is gone.
        this.#logger.warn(`leaving the store: ${englishOf(error)}`);
      }
      lease.dispose();
    }
    await this.#database.end().catch((error: unknown) => this.#logger.warn(englishOf(error)));
  }

  /** Takes a lease, and reads what has happened without it. */
  async #join(): Promise<void> {
    /** Its member is there once all was read. */
    const joined: { member?: Membership } = {};
    let lostEarly: string | undefined;
    const early: string[] = [];
    const lease = await Lease.take({
      database: this.#database,
      onNotify: (payload) => (joined.member ? this.#notified(payload) : early.push(payload)),
      onLost: (why) => (joined.member ? this.#lost(joined.member, why) : (lostEarly = why)),
    });
    try {
      await this.#readAll();
      if (this.#isClosed) throw new StoreUnavailableError('the store was closed');
      if (lostEarly !== undefined) throw new StoreUnavailableError(lostEarly);
    } catch (error) {
      lease.dispose();
      throw error;
    }
    const member = { lease, owned: new Map() };
    joined.member = member;
    this.#member = member;
    this.#problem = undefined;
    for (const payload of early) this.#notified(payload);
    await this.#takePart(member);
  }

  async #readAll(): Promise<void> {
    for (const some of inGroups(await this.#unread())) {
      const read = await Promise.all(some.map((runId) => this.#oneByOne(runId, () => this.#unseen(runId))));
      read.forEach((tell) => tell());
    }
  }

  /** Runs with events that the listener does not have. */
  async #unread(): Promise<string[]> {
    const last = await lastNumbers(this.#database, MAX_READ);
    return [...last].flatMap(([runId, seq]) => (seq > (this.#seen.get(runId) ?? 0) ? [runId] : []));
  }

  async #takePart(member: Membership): Promise<void> {
    const lost = (error: unknown) => this.#lost(member, `its queue has failed: ${messageOf(error)}`);
    try {
      const runner = await runQueue(this.#database, {
        logger: this.#logger,
        lacks: () => this.#lacking(),
        onRun: (runId) => this.#run(runId),
      });
      member.runner = runner;
      // After so many errors in a row it gives up.
      runner.promise.catch(lost);
      if (this.#member !== member) void this.#leave(runner);
    } catch (error) {
      lost(error);
    }
  }

  #lost(member: Membership, why: string): void {
    if (this.#member !== member) return;
    this.#member = undefined;
    this.#problem = `The portal has lost its place at the store: ${why}.`;
    member.lease.dispose();
    for (const owned of member.owned.values()) owned.cut();
    if (this.#isClosed) return;
    this.#logger.error(`${this.#problem} What it ran goes on at another portal, or here, once it can.`);
    this.#listener.onLost();
    void this.#leave(member.runner).then(() => this.#joinLater());
  }

  async #leave(runner: Runner | undefined): Promise<void> {
    try {
      if (runner) await withTimeout(runner.stop(), DATABASE_TIMEOUT_MS, 'leaving the queue');
    } catch (error) {
      this.#logger.debug(englishOf(error));
    }
  }

  #joinLater(): void {
    if (this.#isClosed) return;
    this.#joining = setTimeout(async () => {
      try {
        await this.#join();
        this.#logger.info('The portal is at the store again.');
      } catch (error) {
        if (this.#problem !== messageOf(error)) this.#logger.warn(englishOf(error));
        this.#problem = messageOf(error);
        this.#joinLater();
      }
    }, JOIN_AGAIN_MS);
  }

  #membership(): Membership {
    if (!this.#member || this.#problem !== undefined) throw this.#unavailable();
    return this.#member;
  }

  #unavailable(): StoreUnavailableError {
    return new StoreUnavailableError(this.#problem ?? 'The store cannot be reached.');
  }

  #own(member: Membership, runId: string, epoch: number): OwnedRun {
    const owned = new OwnedRun(
      this.#database,
      runId,
      { owner: member.lease.id, epoch },
      {
        onKept: (seq) => this.#seen.set(runId, seq),
        onOver: () => {
          if (member.owned.get(runId) === owned) member.owned.delete(runId);
        },
        onRefused: () => {
          // What the next owner does is to be seen.
          void this.#update(runId).catch((error: unknown) => this.#lost(member, messageOf(error)));
        },
        // It is not known what was kept. The next owner sees it.
        onFailed: (error) => this.#lost(member, messageOf(error)),
      },
    );
    member.owned.set(runId, owned);
    return owned;
  }

  /** `RUN NUMBER` of its last event, or `RUN stop WHAT`. */
  #notified(payload: string): void {
    const [runId = '', kind = '', what = ''] = payload.split(' ');
    // Anybody who may use the database can notify.
    if (!UUID.test(runId)) return;
    const member = this.#member;
    if (!member) return;
    const isOwn = member.owned.has(runId);
    if (kind === 'stop') {
      if (isOwn) this.#listener.onStop(runId, what);
    } else if (!isOwn && Number(kind) > (this.#seen.get(runId) ?? 0)) {
      void this.#update(runId).catch((error: unknown) => this.#lost(member, messageOf(error)));
    }
  }

  /** Gives the listener what others have added to a run. */
  #update(runId: string): Promise<void> {
    return this.#oneByOne(runId, () => this.#show(runId));
  }

  async #show(runId: string): Promise<void> {
    if (this.#member?.owned.has(runId)) return;
    (await this.#unseen(runId))();
  }

  /** Reads what others have added. The result tells the listener. */
  async #unseen(runId: string): Promise<() => void> {
    const seen = this.#seen.get(runId);
    const rows = await eventsAfter(this.#database, runId, seen ?? 0);
    const last = rows.at(-1);
    if (!last) return () => undefined;
    const events = rows.flatMap(({ event, seq }) => {
      const { data, error } = runEvent.safeParse(parsed(event));
      if (!data) this.#logger.error(`run ${runId}: event ${seq} is left out, because this version does not know it: ${error?.message}`);
      return data ?? [];
    });
    this.#seen.set(runId, last.seq);
    return () => (seen === undefined ? this.#listener.onRun(runId, events) : this.#listener.onEvents(runId, events));
  }

  /** A run of the queue. Resolves when it does not run here any more. */
  async #run(runId: string): Promise<void> {
    const member = this.#membership();
    let running: { owned: OwnedRun; ended: Promise<void> } | undefined;
    try {
      running = await this.#oneByOne(runId, () => this.#claim(member, runId));
    } catch (error) {
      // It may be this portal's.
      this.#lost(member, messageOf(error));
      throw error;
    }
    await running?.ended;
    if (running && this.#member === member && member.owned.get(runId) === running.owned)
      this.#logger.error(`run ${runId} has not ended, but nothing of it can be run`);
  }

  async #claim(member: Membership, runId: string): Promise<{ owned: OwnedRun; ended: Promise<void> } | undefined> {
    const waiting = await waitingRun(this.#database, runId);
    if (!waiting) return undefined;
    if (waiting.stops.length === 0 && (await this.#missing(waiting.needs)).length > 0) {
      // What is known of needs is old. Others are asked.
      this.#lacks = undefined;
      await offerRun(this.#database.query, runId);
      return undefined;
    }
    const claimed = await claimRun(this.#database, runId, member.lease.id);
    if (!claimed) return undefined;
    const { epoch, is_cut_off: isTakenOver, takeovers, loop_cap: loopCap } = claimed;
    await this.#show(runId);
    if (!this.#seen.has(runId)) {
      // Its portal was gone before anything was said about it.
      await deleteRun(this.#database, runId, { owner: member.lease.id, epoch });
      return undefined;
    }
    if (this.#member !== member) return undefined;
    const owned = this.#own(member, runId, epoch);
    // From here on the listener is told of a stop.
    const stops = await stopsOf(this.#database, runId);
    return { owned, ended: this.#listener.onClaim({ runId, isTakenOver, takeovers, stops, ...(loopCap !== null && { loopCap }) }) };
  }

  async #lacking(): Promise<string[]> {
    const now = performance.now();
    if (!this.#lacks || now - this.#lacks.at > NEEDS_KNOWN_MS)
      this.#lacks = { at: now, needs: needsOfWaiting(this.#database).then((needs) => this.#missing(needs)) };
    return this.#lacks.needs;
  }

  async #missing(needs: readonly string[]): Promise<string[]> {
    const has = await Promise.all(needs.map((need) => this.#listener.has(need)));
    return needs.filter((_need, at) => !has[at]);
  }

  #oneByOne<T>(runId: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#busy.get(runId) ?? Promise.resolve()).then(work);
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (this.#busy.get(runId) === settled) this.#busy.delete(runId);
      });
    this.#busy.set(runId, settled);
    return result;
  }
}

function inGroups(runIds: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (let from = 0; from < runIds.length; from += READS) groups.push(runIds.slice(from, from + READS));
  return groups;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
