/**
 * The membership of a portal. It holds a lock of PostgreSQL on a connection of its own, so that the others see at once when its process has ended,
 * and writes every second that it lives, so that they see when it hangs. Without either it owns nothing any more.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { messageOf } from '../../../base/errors.ts';
import type { Disposable } from '../../../base/lifecycle.ts';
import { type Database, errorOf, type Query, QUEUE_SCHEMA } from './database.ts';

const BEAT_MS = 1_000;
/** A portal that was not heard of for so long is gone. It must be longer than a statement may take. */
export const LEASE_MS = 10_000;
/** The first key of the locks: those of others are not ours. */
const LOCK_CLASS = 7_201_002;
/** A run that waits is offered again after so long, in case its job was lost. */
const OFFER_AGAIN_S = 60;

export interface LeaseOptions {
  database: Database;
  /** `payload` of a notification. */
  onNotify(payload: string): void;
  /** Called once: this portal has lost what it owned. */
  onLost(why: string): void;
}

export const CHANNEL = 'tapline_runs';

export class Lease implements Disposable {
  readonly id: string;
  readonly #options: LeaseOptions;
  readonly #client: pg.Client;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isOver = false;

  private constructor(id: string, client: pg.Client, options: LeaseOptions) {
    this.id = id;
    this.#client = client;
    this.#options = options;
    client.on('notification', ({ payload = '' }) => {
      if (!this.#isOver) options.onNotify(payload);
    });
    client.on('end', () => this.#lost('its connection has ended'));
    this.#beatLater();
  }

  static async take(options: LeaseOptions): Promise<Lease> {
    const client = await options.database.connect();
    const id = randomUUID();
    // Without a listener an error would end the process. The end of the connection follows.
    client.on('error', () => undefined);
    try {
      await client.query(`listen ${CHANNEL}`);
      // Nobody sees the portal before it has its lock.
      await client.query('begin');
      const { rows } = await client.query<{ lock_key: number }>('insert into tapline.portals (id) values ($1) returning lock_key', [id]);
      await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, rows[0]?.lock_key]);
      await client.query('commit');
      return new Lease(id, client, options);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw errorOf(error);
    }
  }

  /** Leaves at once. The others see it by the lock. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    // A connection that hangs would not end by itself.
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  #lost(why: string): void {
    if (this.#isOver) return;
    this.dispose();
    this.#options.onLost(why);
  }

  #beatLater(): void {
    this.#timer = setTimeout(() => void this.#beat(), BEAT_MS);
  }

  async #beat(): Promise<void> {
    try {
      const { rowCount } = await this.#client.query('update tapline.portals set seen_at = clock_timestamp() where id = $1', [this.id]);
      if (this.#isOver) return;
      if (rowCount === 0) return this.#lost('other portals have not heard of it for too long');
    } catch (error) {
      return this.#lost(messageOf(error));
    }
    // However long that takes, the others have to hear of this portal.
    void this.#look();
    this.#beatLater();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#lookForGone();
    } catch {
      // It looks again after the next beat, which says what is wrong.
    } finally {
      this.#isLooking = false;
    }
  }

  /** What a portal that is gone owned is offered to all. */
  async #lookForGone(): Promise<void> {
    const { database } = this.#options;
    const { rows } = await database.query<{ id: string }>(
      `select id from tapline.portals where id <> $1 and (seen_at < clock_timestamp() - $2 * interval '1 ms' or not exists (
         select from pg_locks where locktype = 'advisory' and classid = $3 and objid = lock_key and objsubid = 2 and granted
           and database = (select oid from pg_database where datname = current_database())))`,
      [this.id, LEASE_MS, LOCK_CLASS],
    );
    for (const { id } of rows) await database.transaction((query) => release(query, id, { isGone: true }));
    await offer(
      database.query,
      `update tapline.runs set offered_at = clock_timestamp()
         where is_open and owner is null and offered_at < clock_timestamp() - $1 * interval '1 s' returning id, needs`,
      [OFFER_AGAIN_S],
    );
  }
}

/** Takes the runs of a portal from it. `isGone`: it could not finish what it did. */
export async function release(query: Query, portalId: string, { isGone }: { isGone: boolean }): Promise<void> {
  const { rowCount } = await query('select from tapline.portals where id = $1 for update skip locked', [portalId]);
  if (rowCount === 0) return;
  await offer(
    query,
    `update tapline.runs set owner = null, is_cut_off = true, takeovers = takeovers + $2, offered_at = clock_timestamp()
       where owner = $1 returning id, needs`,
    [portalId, isGone ? 1 : 0],
  );
  await query('delete from tapline.portals where id = $1', [portalId]);
}

/** Puts the runs that the statement returns, each with `id` and `needs`, into the queue. A job of the queue that is there for the same run is replaced. */
export async function offer(query: Query, update: string, values: unknown[]): Promise<void> {
  await query(
    `with offered as (${update})
       select ${QUEUE_SCHEMA}.add_job('run', json_build_object('runId', id), job_key => id::text, job_key_mode => 'replace', flags => needs)
         from offered`,
    values,
  );
}
