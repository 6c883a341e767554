/** The connections to the database, and its tables. */
import pg from 'pg';
import { messageOf, UserError, withTimeout } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import { StoreUnavailableError } from '../sharedStore.ts';

/** How long a statement, or a connection, may take. */
export const DATABASE_TIMEOUT_MS = 6_000;
/** A row that another portal holds: it may be suspended, and must not hold up this one for long. */
const LOCK_TIMEOUT_MS = 2_000;
/** More than runs of the queue at the same time. They are opened when needed. */
const MAX_CONNECTIONS = 20;
/** The queue has a schema of its own. */
export const QUEUE_SCHEMA = 'tapline_queue';
const VERSION = 1;
/** Any number, for as long as tables are made. */
const MIGRATION_LOCK = 7_201_001;
/** What error codes begin with where a connection or a lock, and not a statement, has failed. */
const CONNECTION_STATES = ['08', '57', '53', '25P03', '55P03'];

/** Each brings the tables from its place in the list to the next version. */
const migrations = [
  `create table tapline.portals (
     id uuid primary key,
     lock_key int generated always as identity,
     seen_at timestamptz not null default clock_timestamp()
   );
   create table tapline.runs (
     id uuid primary key,
     began_at timestamptz not null default clock_timestamp(),
     is_open boolean not null,
     owner uuid references tapline.portals (id),
     -- One more with each owner: what an earlier one still sends is refused.
     epoch int not null default 0,
     -- A portal has owned it and is gone, so it may have begun.
     is_cut_off boolean not null default false,
     takeovers int not null default 0,
     offered_at timestamptz not null default clock_timestamp(),
     -- What a portal must have to run it.
     needs text[] not null default '{}',
     last_seq int not null,
     loop_cap int,
     stops text[] not null default '{}'
   );
   create index on tapline.runs (began_at);
   create index on tapline.runs (owner) where is_open;
   create table tapline.events (
     run_id uuid not null references tapline.runs (id) on delete cascade,
     seq int not null,
     event text not null,
     primary key (run_id, seq)
   );`,
];

export type Query = <R extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<pg.QueryResult<R>>;

export class Database {
  readonly pool: pg.Pool;
  readonly #config: pg.ClientConfig;

  /** `url`: as `psql` takes it. What it does not say comes from the variables `PG…` and from `~/.pgpass`. */
  constructor(url: string, logger: Logger) {
    this.#config = {
      ...{ connectionString: url, application_name: `tapline-portal ${process.pid}`, keepAlive: true },
      ...{ connectionTimeoutMillis: DATABASE_TIMEOUT_MS, query_timeout: DATABASE_TIMEOUT_MS },
      // A portal that is suspended in a transaction keeps its locks until the database ends that.
      ...{ lock_timeout: LOCK_TIMEOUT_MS, idle_in_transaction_session_timeout: DATABASE_TIMEOUT_MS },
    };
    this.pool = new pg.Pool({ ...this.#config, max: MAX_CONNECTIONS });
    // One that is lost while it is used rejects what is asked, too.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', (error) => logger.debug(`a connection to the store was lost: ${error.message}`));
  }

  /** A connection of its own, for locks and notifications. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    try {
      await client.connect();
      return client;
    } catch (error) {
      throw errorOf(error);
    }
  }

  /** Rejects with a {@link StoreUnavailableError} when the database cannot be reached. */
  readonly query: Query = async (text, values) => {
    try {
      return await this.pool.query(text, values);
    } catch (error) {
      throw errorOf(error);
    }
  };

  /** All of it happens, or nothing. */
  async transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      throw errorOf(error);
    }
    let broken: unknown;
    try {
      await client.query('begin');
      const result = await work((text, values) => client.query(text, values));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((second: unknown) => (broken = second));
      throw errorOf(error);
    } finally {
      client.release(broken !== undefined);
    }
  }

  /** Makes the tables, or brings them to this version. Rejects when a newer version of Tapline has made them. */
  async migrate(migrateQueue: () => Promise<void>): Promise<void> {
    await this.transaction(async (query) => {
      await query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await migrateQueue();
      await query('create schema if not exists tapline');
      await query('create table if not exists tapline.version (version int not null)');
      const { rows } = await query<{ version: number }>('select version from tapline.version');
      const version = rows[0]?.version ?? 0;
      if (version > VERSION) throw new UserError('The store was made by a newer version of Tapline. Update Tapline.');
      for (const migration of migrations.slice(version)) await query(migration);
      await query('delete from tapline.version');
      await query('insert into tapline.version values ($1)', [VERSION]);
    });
  }

  async end(): Promise<void> {
    await withTimeout(this.pool.end(), DATABASE_TIMEOUT_MS, 'leaving the store');
  }
}

/** The error for the user. What the database says about a statement is a fault of ours and stays as it is. */
export function errorOf(error: unknown): unknown {
  if (error instanceof UserError) return error;
  const { code } = error as { code?: unknown };
  const isOurs =
    typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !CONNECTION_STATES.some((state) => code.startsWith(state)) && !isAccess(code);
  return isOurs ? error : new StoreUnavailableError(`The store cannot be reached: ${messageOf(error) || String(code)}`, { cause: error });
}

/** A wrong password, a database that is not there. */
function isAccess(code: string): boolean {
  return code.startsWith('28') || code.startsWith('3D');
}
