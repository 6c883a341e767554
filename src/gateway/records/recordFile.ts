/**
 * The file of records: SQLite, opened by one process at a time. A write-ahead log keeps what was written when the process is killed. SQLite's own
 * lock is a folder here, which a killed process leaves behind; so who has opened the file last owns it, and a process that does not own it any more
 * writes nothing.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { messageOf } from '../../base/errors.ts';
import type { KeptRecord, RecordInput, RecordKind, RecordQuery } from '../../tap/wire/records/record.ts';
import { recordSql } from './recordSql.ts';

const VERSION = 1;
/** Damaged files that are left where they are, for somebody who wants to look. */
const KEPT_ASIDE = 2;
/** The part of the records of a kind that makes room at once. */
const SHARE_THAT_GOES = 20;
/** After so much was added, it is looked whether the oldest must go. */
const TRIM_AFTER_LENGTH = 1024 * 1024;
/** What a record takes beside its data. */
const OVERHEAD_BYTES = 200;
const WAL_BYTES = 4 * 1024 * 1024;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS record (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    at INTEGER NOT NULL,
    session TEXT,
    rank INTEGER NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS record_at ON record (at);
  CREATE INDEX IF NOT EXISTS record_session ON record (session);
  PRAGMA user_version = ${VERSION};
`;

/** The span of a turn that goes on later is told again. */
const REPLACES = `(excluded.rank > record.rank
  OR (excluded.kind = 'trace' AND excluded.rank = record.rank AND excluded.session IS record.session))`;
const INSERT = `
  INSERT INTO record (kind, id, at, session, rank, data) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (kind, id) DO UPDATE SET
    at = iif(${REPLACES}, excluded.at, record.at),
    session = iif(${REPLACES}, coalesce(excluded.session, record.session), coalesce(record.session, excluded.session)),
    data = iif(${REPLACES}, excluded.data, record.data),
    rank = max(excluded.rank, record.rank)
  WHERE ${REPLACES} OR (record.session IS NULL AND excluded.session IS NOT NULL)
`;

const LARGEST_KIND = `
  SELECT kind, count(*) AS count FROM record GROUP BY kind ORDER BY sum(length(data) + ${OVERHEAD_BYTES}) DESC LIMIT 1
`;

export interface RecordBounds {
  maxBytes: number;
  maxAgeMs: number;
}

/** This process is to leave the file alone. */
export abstract class RecordsNotOurs extends Error {}

/** Another version of Tapline has written the file. It is whole, and stays as it is for that one. */
export class RecordsOfOtherVersion extends RecordsNotOurs {
  override readonly name = 'RecordsOfOtherVersion';
  constructor(version: number) {
    super(`another version of Tapline has written the records (${version}, this one writes ${VERSION}), and they stay as they are for it`);
  }
}

/** Another process has opened the file. */
export class RecordsTakenOver extends RecordsNotOurs {
  override readonly name = 'RecordsTakenOver';
  constructor() {
    super('another gateway of this user writes the records now');
  }
}

export class RecordFile {
  #database: InstanceType<typeof sqlite.Database>;
  readonly #holder = randomUUID();
  #addedLength = 0;

  /** `onAside` is told where a damaged file is now, and what was wrong. */
  constructor(
    private readonly path: string,
    private readonly bounds: RecordBounds,
    private readonly onAside: (aside: string, why: string) => void,
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(this.#holderFile, this.#holder, { mode: 0o600 });
    try {
      this.#database = this.#openOrBegin();
    } catch (error) {
      if (this.#isHeld()) rmSync(this.#holderFile, { force: true });
      throw error;
    }
  }

  /** All of them or, where it throws, none. What it has returned from is on the disk. `now`: for the age of what is too old. */
  add(records: readonly RecordInput[], now: number): void {
    this.#withGoodFile(() => {
      const insert = this.#database.prepare(INSERT);
      try {
        this.#transaction(() => {
          for (const { kind, id, at, sessionId, rank, data } of records) {
            const text = JSON.stringify(data);
            this.#addedLength += text.length;
            insert.run([kind, id, at, sessionId ?? null, rank, text]);
          }
        });
      } finally {
        insert.finalize();
      }
      if (this.#addedLength >= TRIM_AFTER_LENGTH) this.trim(now);
    });
  }

  query(query: RecordQuery): KeptRecord[] {
    return this.#withGoodFile(() => {
      const { text, values } = recordSql(query);
      return this.#database.all(text, values).map((row) => {
        const { seq, kind, id, at, session, data } = row as Record<string, string | number | null>;
        return {
          seq: Number(seq),
          kind: kind as RecordKind,
          id: String(id),
          at: Number(at),
          ...(session !== null && { sessionId: String(session) }),
          data: JSON.parse(String(data)) as Record<string, unknown>,
        };
      });
    });
  }

  get bytes(): number {
    return this.#number('PRAGMA page_count') * this.#number('PRAGMA page_size');
  }

  /**
   * Removes what is too old and, of what is too much, the oldest of the lowest rank of the kind that takes the most room: what providers and models
   * cause without end takes none from who has allowed what. Gives the room back to the disk.
   */
  trim(now: number): void {
    this.#addedLength = 0;
    const { maxBytes, maxAgeMs } = this.bounds;
    this.#database.run('DELETE FROM record WHERE at < ?', [now - maxAgeMs]);
    const pageSize = this.#number('PRAGMA page_size');
    while (this.#usedPages() * pageSize > maxBytes) {
      const largest = this.#database.get(LARGEST_KIND) as { kind: string; count: number } | null;
      if (!largest) break;
      const few = Math.ceil(largest.count / SHARE_THAT_GOES);
      this.#database.run('DELETE FROM record WHERE seq IN (SELECT seq FROM record WHERE kind = ? ORDER BY rank, seq LIMIT ?)', [
        largest.kind,
        few,
      ]);
    }
    this.#database.exec('PRAGMA incremental_vacuum');
    this.#database.all('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /** Nothing is written where another process has the file by now. */
  close(): void {
    if (!this.#isHeld()) return;
    this.#database.close();
    rmSync(this.#holderFile, { force: true });
  }

  get #holderFile(): string {
    return `${this.path}.holder`;
  }

  #isHeld(): boolean {
    try {
      return readFileSync(this.#holderFile, 'utf8') === this.#holder;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** In a new file where this one turns out to be damaged. */
  #withGoodFile<T>(work: () => T): T {
    if (!this.#isHeld()) throw new RecordsTakenOver();
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      try {
        this.#database.close();
      } catch {
        // It has said already what is wrong with it.
      }
      this.#putAside(messageOf(error));
      this.#database = this.#open();
      return work();
    }
  }

  #openOrBegin(): InstanceType<typeof sqlite.Database> {
    try {
      return this.#open();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#putAside(messageOf(error));
      return this.#open();
    }
  }

  #open(): InstanceType<typeof sqlite.Database> {
    rmSync(`${this.path}.lock`, { recursive: true, force: true });
    const database = new sqlite.Database(this.path);
    try {
      // There is no shared memory between processes here, and none is needed: the log of a file that is locked for good is read without it.
      database.all('PRAGMA locking_mode = EXCLUSIVE');
      const version = Number(firstOf(database.get('PRAGMA user_version')));
      const problem = firstOf(database.get('PRAGMA quick_check(1)'));
      if (problem !== 'ok') throw new DamagedFile(String(problem));
      if (version !== 0 && version !== VERSION) throw new RecordsOfOtherVersion(version);
      // From here on it is written.
      for (const pragma of ['auto_vacuum = INCREMENTAL', 'journal_mode = WAL', 'synchronous = FULL']) database.all(`PRAGMA ${pragma}`);
      database.all(`PRAGMA journal_size_limit = ${WAL_BYTES}`);
      database.exec(SCHEMA);
      chmodSync(this.path, 0o600);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #putAside(why: string): void {
    const aside = `${this.path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    for (const end of ['', '-wal', '-journal']) if (existsSync(`${this.path}${end}`)) renameSync(`${this.path}${end}`, `${aside}${end}`);
    const folder = dirname(this.path);
    const prefix = `${basename(this.path)}.damaged-`;
    const all = readdirSync(folder).filter((name) => name.startsWith(prefix));
    const times = [...new Set(all.map((name) => name.replace(/-(wal|journal)$/, '')))].sort();
    const tooMany = times.slice(0, -KEPT_ASIDE);
    for (const name of all) if (tooMany.some((one) => name.startsWith(one))) rmSync(join(folder, name), { force: true });
    this.onAside(aside, why);
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // After some errors SQLite has done that by itself.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #usedPages(): number {
    return this.#number('PRAGMA page_count') - this.#number('PRAGMA freelist_count');
  }

  #number(sql: string): number {
    return Number(firstOf(this.#database.get(sql)));
  }
}

class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

/** The library gives the text of SQLite and no code. */
function isDamage(error: unknown): boolean {
  return error instanceof DamagedFile || /not a database|malformed|corrupt/i.test(messageOf(error));
}

function firstOf(row: object | null): unknown {
  return Object.values(row ?? {})[0];
}
