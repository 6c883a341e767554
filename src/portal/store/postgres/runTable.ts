/** The statements about runs. Whoever adds events names itself as owner, with the epoch of its claim, and adds nothing when that is over. */
import type pg from 'pg';
import { type Database, type Query } from './database.ts';
import { CHANNEL, offer } from './lease.ts';

/** A claim of a run. */
export interface Claim {
  owner: string;
  epoch: number;
}

export interface ClaimRow extends pg.QueryResultRow {
  epoch: number;
  is_cut_off: boolean;
  takeovers: number;
  stops: string[];
  loop_cap: number | null;
}

/** What an addition says about its run. */
export interface Addition {
  events: string[];
  isEnd: boolean;
  /** A step of it has an answer. */
  hasAdvanced: boolean;
}

/** `offered_at` of a run that is held: it is not offered again after a while, as others are. */
const NEVER = `'infinity'::timestamptz`;
/** Any number, for as long as it is found out whether a run may begin. */
const DEQUEUE_LOCK = 7_201_003;
const NOTIFY = `pg_notify('${CHANNEL}', id || ' ' || last_seq)`;

/** Adds a run with its first event, and puts it into the queue, or keeps it for {@link dequeueRun}. False: there is one with this id. */
export function insertRun(database: Database, id: string, event: string, needs: readonly string[], isHeld: boolean): Promise<boolean> {
  return database.transaction(async (query) => {
    const offeredAt = isHeld ? NEVER : 'clock_timestamp()';
    const run = `insert into tapline.runs (id, is_open, needs, last_seq, offered_at) values ($1, true, $2, 1, ${offeredAt})
      on conflict (id) do nothing returning id, needs`;
    if (isHeld) await query(run, [id, needs]);
    else await offer(query, run, [id, needs]);
    const { rowCount } = await query('insert into tapline.events values ($1, 1, $2) on conflict do nothing', [id, event]);
    if (!rowCount) return false;
    await query(`select ${NOTIFY} from tapline.runs where id = $1`, [id]);
    return true;
  });
}

/**
 * Adds an event to a run that was held, and puts it into the queue. `seenWhenFree`: the number of its last event, if it may begin; of all portals
 * one asks at a time, and what it sees has all that the others have let begin. False: it may not, or it is not as it was seen.
 */
export function dequeueRun(
  database: Database,
  id: string,
  event: string,
  seenWhenFree: () => Promise<number | undefined>,
): Promise<boolean> {
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [DEQUEUE_LOCK]);
    const seen = await seenWhenFree();
    if (seen === undefined) return false;
    const { rowCount } = await query(
      `update tapline.runs set last_seq = last_seq + 1
         where id = $1 and is_open and owner is null and last_seq = $2 and offered_at = ${NEVER} and cardinality(stops) = 0`,
      [id, seen],
    );
    if (rowCount === 0) return false;
    await query('insert into tapline.events values ($1, $2, $3)', [id, seen + 1, event]);
    await offerRun(query, id);
    await query(`select ${NOTIFY} from tapline.runs where id = $1`, [id]);
    return true;
  });
}

/** Adds a run that its portal owns already. Its next owner only has to end it. */
export async function insertOwnRun({ query }: Database, id: string, owner: string): Promise<number> {
  await query('insert into tapline.runs (id, is_open, owner, epoch, last_seq) values ($1, true, $2, 1, 0)', [id, owner]);
  return 1;
}

export async function deleteRun({ query }: Database, id: string, { owner, epoch }: Claim): Promise<void> {
  await query('delete from tapline.runs where id = $1 and owner = $2 and epoch = $3 and last_seq = 0', [id, owner, epoch]);
}

/** What a run that waits needs, and what was stopped of it. Undefined when it has an owner, or has ended. */
export async function waitingRun({ query }: Database, id: string): Promise<{ needs: string[]; stops: string[] } | undefined> {
  const { rows } = await query<{ needs: string[]; stops: string[] }>(
    'select needs, stops from tapline.runs where id = $1 and is_open and owner is null',
    [id],
  );
  return rows[0];
}

/** Undefined when it has an owner, or has ended. One statement, so that a portal that is suspended meanwhile holds no lock. */
export async function claimRun({ query }: Database, id: string, owner: string): Promise<ClaimRow | undefined> {
  const { rows } = await query<ClaimRow>(
    `with free as (select id, is_cut_off from tapline.runs where id = $1 and is_open and owner is null for update)
       update tapline.runs set owner = $2, epoch = epoch + 1, is_cut_off = false from free where runs.id = free.id
         returning epoch, free.is_cut_off, takeovers, stops, loop_cap`,
    [id, owner],
  );
  return rows[0];
}

/** Puts a run that waits into the queue again. */
export function offerRun(query: Query, id: string): Promise<void> {
  return offer(
    query,
    'update tapline.runs set offered_at = clock_timestamp() where id = $1 and is_open and owner is null returning id, needs',
    [id],
  );
}

/** Resolves with the number of the last event, or with undefined when the claim is over and nothing was added. */
export async function addEvents({ query }: Database, id: string, { owner, epoch }: Claim, addition: Addition): Promise<number | undefined> {
  const { events, isEnd, hasAdvanced } = addition;
  const { rows } = await query<{ last_seq: number }>(
    `with mine as (
       update tapline.runs set last_seq = last_seq + $4, is_open = not $5, owner = case when $5 then null else owner end,
           takeovers = case when $6 then 0 else takeovers end
         where id = $1 and owner = $2 and epoch = $3 and is_open returning id, last_seq
     ), added as (
       insert into tapline.events select id, last_seq - $4 + n, event from mine, unnest($7::text[]) with ordinality as given (event, n)
     )
     select last_seq, ${NOTIFY} from mine`,
    [id, owner, epoch, events.length, isEnd, hasAdvanced, events],
  );
  return rows[0]?.last_seq;
}

/** Adds the event with which a run that has ended goes on, and puts it into the queue. False when it is not as it was `seen`. */
export function reopenRun(database: Database, id: string, seen: number, event: string, loopCap: number | undefined): Promise<boolean> {
  return database.transaction(async (query) => {
    const { rowCount } = await query(
      `update tapline.runs set is_open = true, is_cut_off = false, takeovers = 0, stops = '{}', loop_cap = $3, last_seq = last_seq + 1
         where id = $1 and not is_open and last_seq = $2`,
      [id, seen, loopCap],
    );
    if (rowCount === 0) return false;
    await query('insert into tapline.events values ($1, $2, $3)', [id, seen + 1, event]);
    await offerRun(query, id);
    await query(`select ${NOTIFY} from tapline.runs where id = $1`, [id]);
    return true;
  });
}

/** Adds an event to a run that has ended. False when it has not. */
export async function noteEvent({ query }: Database, id: string, event: string): Promise<boolean> {
  const { rowCount } = await query(
    `with noted as (
       update tapline.runs set last_seq = last_seq + 1 where id = $1 and not is_open returning id, last_seq
     ), added as (
       insert into tapline.events select id, last_seq, $2 from noted
     )
     select ${NOTIFY} from noted`,
    [id, event],
  );
  return rowCount === 1;
}

/** Notes that something was stopped, and tells the owner. Resolves with whether there is one. */
export async function stopRun({ query }: Database, id: string, what: string): Promise<boolean> {
  const { rows } = await query<{ is_owned: boolean }>(
    `with stopped as (update tapline.runs set stops = array_append(stops, $2) where id = $1 and is_open returning id, owner)
       select owner is not null as is_owned, pg_notify('${CHANNEL}', id || ' stop ' || $2) from stopped`,
    [id, what],
  );
  return rows[0]?.is_owned ?? true;
}

/** What was stopped of a run. */
export async function stopsOf({ query }: Database, id: string): Promise<string[]> {
  const { rows } = await query<{ stops: string[] }>('select stops from tapline.runs where id = $1', [id]);
  return rows[0]?.stops ?? [];
}

/** The numbers of the last events, by run: of all that have not ended, and of the newest others; the oldest first. */
export async function lastNumbers({ query }: Database, atMost: number): Promise<Map<string, number>> {
  const { rows } = await query<{ id: string; last_seq: number }>(
    `select id, last_seq from tapline.runs
       where is_open or id in (select id from tapline.runs order by began_at desc limit $1) order by began_at`,
    [atMost],
  );
  return new Map(rows.map((row) => [row.id, row.last_seq]));
}

/** The events after number `after`, as they were added. */
export async function eventsAfter({ query }: Database, id: string, after: number): Promise<{ seq: number; event: string }[]> {
  const { rows } = await query<{ seq: number; event: string }>(
    'select seq, event from tapline.events where run_id = $1 and seq > $2 order by seq',
    [id, after],
  );
  return rows;
}

/** What runs that wait need, all together. */
export async function needsOfWaiting({ query }: Database): Promise<string[]> {
  const { rows } = await query<{ need: string }>(
    'select distinct unnest(needs) as need from tapline.runs where is_open and owner is null and cardinality(stops) = 0',
  );
  return rows.map(({ need }) => need);
}
