import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { type RecordInput, recordInput, type RecordQuery, recordQuery } from '../../tap/wire/records/record.ts';
import { RecordFile, RecordsOfOtherVersion, RecordsTakenOver } from './recordFile.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 27);

describe('file of records', () => {
  let folder: string;
  let path: string;
  let aside: { path: string; why: string }[];
  const open: RecordFile[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-records-'));
    path = join(folder, 'records.db');
    aside = [];
  });
  afterEach(() => {
    for (const file of open.splice(0)) file.close();
    rmSync(folder, { recursive: true });
  });

  function opened(maxBytes = 64 * 1024 * 1024): RecordFile {
    const file = new RecordFile(path, { maxBytes, maxAgeMs: 90 * DAY }, (where, why) => aside.push({ path: where, why }));
    open.push(file);
    return file;
  }
  const decision = (id: string, data: object = {}, more: object = {}): RecordInput =>
    recordInput.parse({ kind: 'decision', id, at: NOW, data, ...more });
  const asked = (query: object = {}): RecordQuery => recordQuery.parse(query);
  const ids = (file: RecordFile, query: object = {}) => file.query(asked(query)).map(({ id }) => id);

  it('has after another start what was added', () => {
    const first = opened();
    first.add([decision('a', { tool: 'run' }, { sessionId: 's' })], NOW);
    first.close();
    const [kept] = opened().query(asked());
    assert.deepEqual(kept, { seq: 1, kind: 'decision', id: 'a', at: NOW, sessionId: 's', data: { tool: 'run' } });
    assert.equal(statSync(path).mode & 0o077, 0);
  });

  it('keeps what is told twice once, by the higher rank', () => {
    const file = opened();
    file.add([decision('a', { by: 'client' }), decision('a', { by: 'you' }, { rank: 1 })], NOW);
    file.add([decision('a', { by: 'client' }), decision('b', {})], NOW);
    assert.deepEqual(ids(file), ['b', 'a']);
    assert.deepEqual(file.query(asked({ where: { by: 'you' } }))[0]?.data, { by: 'you' });
  });

  it('keeps the session of what is told twice, whoever knows it', () => {
    const file = opened();
    const sessions = () => file.query(asked()).map(({ sessionId, data }) => [sessionId, data['by']]);
    file.add([decision('a', { by: 'client' })], NOW);
    file.add([decision('a', { by: 'host' }, { sessionId: 's' })], NOW);
    assert.deepEqual(sessions(), [['s', 'client']], 'of an equal rank: only what was missing');
    file.add([decision('a', { by: 'host' }, { sessionId: 't' })], NOW);
    file.add([decision('a', { by: 'you' }, { rank: 1 })], NOW);
    assert.deepEqual(sessions(), [['s', 'you']], 'of a higher rank, without a session');
    file.add([decision('b', { by: 'you' }, { rank: 1 }), decision('b', { by: 'host' }, { sessionId: 's' })], NOW);
    assert.deepEqual(sessions()[0], ['s', 'you'], 'of a lower rank');
  });

  it('keeps a span of a session as it was told last', () => {
    const file = opened();
    const span = (durationMs: number, sessionId?: string) =>
      recordInput.parse({ kind: 'trace', id: 'a.1', at: NOW, sessionId, data: { durationMs } });
    const kept = () => file.query(asked()).map(({ sessionId, data }) => [sessionId, data['durationMs']]);
    file.add([span(1, 's'), span(2, 's')], NOW);
    assert.deepEqual(kept(), [['s', 2]], 'a turn has gone on');
    file.add([span(3, 't'), span(4)], NOW);
    assert.deepEqual(kept(), [['s', 2]], 'of another session, or of none');
  });

  it('finds the spans of one trace, and what is of any kind but one', () => {
    const file = opened();
    const span = (traceId: string, spanId: string) =>
      recordInput.parse({ kind: 'trace', id: `${traceId}.${spanId}`, at: NOW, data: { traceId, spanId } });
    file.add([span('a', '1'), span('ab', '1'), decision('d'), span('a', '2')], NOW);
    assert.deepEqual(ids(file, { kind: 'trace', where: { traceId: 'a' } }), ['a.2', 'a.1']);
    assert.deepEqual(ids(file, { without: 'trace' }), ['d']);
  });

  it('finds by kind, session, time and fields of the data', () => {
    const file = opened();
    file.add(
      [
        decision('a', { tool: 'run', allowed: true, by: { name: 'Ann' } }),
        decision('b', { tool: 'run', allowed: false, n: 1 }, { at: NOW + 1000, sessionId: 's' }),
        recordInput.parse({ kind: 'run', id: 'c', at: NOW + 2000, data: { n: 1, allowed: 1 } }),
      ],
      NOW,
    );
    assert.deepEqual(ids(file, { kind: 'decision' }), ['b', 'a']);
    assert.deepEqual(ids(file, { sessionId: 's' }), ['b']);
    assert.deepEqual(ids(file, { since: NOW + 500, until: NOW + 1500 }), ['b']);
    assert.deepEqual(ids(file, { where: { tool: 'run', allowed: true } }), ['a']);
    assert.deepEqual(ids(file, { where: { 'by.name': 'Ann' } }), ['a']);
    assert.deepEqual(ids(file, { where: { n: 1 } }), ['c', 'b']);
    assert.deepEqual(ids(file, { where: { tool: "run' OR 1=1 --" } }), []);
    assert.deepEqual(ids(file, { limit: 1 }), ['c']);
    assert.deepEqual(ids(file, { after: 1, limit: 1 }), ['b']);
  });

  it('adds all of a batch or nothing', () => {
    const file = opened();
    const broken = { ...decision('b'), at: 'yesterday' } as unknown as RecordInput;
    assert.throws(() => file.add([decision('a'), broken], NOW));
    assert.deepEqual(ids(file), []);
    file.add([decision('a')], NOW);
    assert.deepEqual(ids(file), ['a']);
  });

  it('stays within its size, with the newest, and gives the room back', () => {
    const maxBytes = 1024 * 1024;
    const file = opened(maxBytes);
    const text = 'x'.repeat(10_000);
    for (let batch = 0; batch < 40; batch++) {
      file.add(
        Array.from({ length: 10 }, (_, index) => decision(`${batch}/${index}`, { text })),
        NOW,
      );
    }
    file.trim(NOW);
    assert.ok(statSync(path).size <= maxBytes, `${statSync(path).size} bytes`);
    assert.equal(file.bytes, statSync(path).size);
    assert.ok(ids(file, { limit: 200 }).length > 50);
    assert.equal(ids(file, { limit: 1 })[0], '39/9');
  });

  it('makes room among decisions with those of the lowest rank', () => {
    const file = opened(256 * 1024);
    file.add([decision('mine', {}, { rank: 1 }), decision('of another one', {})], NOW);
    const text = 'x'.repeat(2_000);
    for (let index = 0; index < 300; index++) file.add([decision(`s${index}`, { text }, { rank: -1 })], NOW);
    file.trim(NOW);
    const left = ids(file, { limit: 200 });
    assert.ok(left.length < 150, `${left.length} are left`);
    assert.deepEqual(left.slice(-2), ['of another one', 'mine']);
    for (let index = 0; index < 300; index++) file.add([decision(`o${index}`, { text })], NOW);
    file.trim(NOW);
    assert.equal(ids(file, { limit: 200 }).at(-1), 'mine', 'the oldest of others goes before what the user has decided');
    assert.ok(!ids(file, { limit: 200 }).some((id) => id.startsWith('s')));
  });

  it('keeps what the user has allowed, however much else is recorded', () => {
    const maxBytes = 1024 * 1024;
    const file = opened(maxBytes);
    for (let index = 0; index < 50; index++) file.add([decision(`d${index}`, { text: 'x'.repeat(2_000) })], NOW);
    const flood = (kind: string, count: number, length: number) => {
      const records = Array.from({ length: count }, (_, index) => ({ kind, id: `${index}`, at: NOW, data: { text: 'x'.repeat(length) } }));
      file.add(
        records.map((one) => recordInput.parse(one)),
        NOW,
      );
      file.trim(NOW);
    };
    for (const kind of ['event', 'run', 'trace', 'goal', 'claim', 'review']) flood(kind, 500, 5_000);
    flood('event', 5_000, 1);
    assert.equal(ids(file, { kind: 'decision', limit: 200 }).length, 50);
    for (const kind of ['event', 'run', 'goal']) assert.ok(ids(file, { kind }).length > 5, kind);
    assert.ok(file.bytes <= maxBytes, `${file.bytes} bytes`);
  });

  it('drops what is too old', () => {
    const file = opened();
    file.add([decision('old', {}, { at: NOW - 91 * DAY }), decision('new')], NOW);
    file.trim(NOW);
    assert.deepEqual(ids(file), ['new']);
  });

  it('puts a file aside that is none of SQLite, and begins another', () => {
    writeFileSync(path, 'not a database '.repeat(500));
    const file = opened();
    file.add([decision('a')], NOW);
    assert.deepEqual(ids(file), ['a']);
    assert.match(aside[0]?.why ?? '', /not a database/);
    assert.match(readFileSync(aside[0]?.path ?? '', 'utf8'), /^not a database/);
  });

  it('puts a file aside in which pages are overwritten', () => {
    const first = opened();
    for (let index = 0; index < 50; index++) first.add([decision(`a${index}`, { text: 'x'.repeat(10_000) })], NOW);
    first.close();
    const bytes = readFileSync(path);
    bytes.fill(7, 4096, 200_000);
    writeFileSync(path, bytes);
    const file = opened();
    assert.deepEqual(ids(file), []);
    file.add([decision('b')], NOW);
    assert.deepEqual(ids(file), ['b']);
    assert.equal(aside.length, 1);
  });

  it('keeps two damaged files and no more', () => {
    for (let count = 0; count < 4; count++) {
      writeFileSync(path, `${count} is no database `.repeat(500));
      opened().close();
    }
    assert.equal(aside.length, 4);
    assert.equal(readdirSync(folder).filter((name) => name.includes('damaged')).length, 2);
  });

  it('leaves a file of another version as it is', () => {
    const first = opened();
    first.add([decision('a')], NOW);
    first.close();
    const newer = new sqlite.Database(path);
    newer.all('PRAGMA locking_mode = EXCLUSIVE');
    newer.exec('ALTER TABLE record ADD COLUMN more TEXT; PRAGMA user_version = 2');
    newer.close();
    const before = readFileSync(path);
    assert.throws(() => opened(), RecordsOfOtherVersion);
    assert.deepEqual(readFileSync(path), before);
    assert.deepEqual([readdirSync(folder), aside], [['records.db'], []]);
  });

  it('opens a file whose process was killed', () => {
    const killed = opened();
    killed.add([decision('a')], NOW);
    // As it is left behind: locked, and with its log.
    mkdirSync(`${path}.lock`, { recursive: true });
    assert.deepEqual(ids(opened()), ['a']);
  });

  it('writes nothing once another process has opened the file', () => {
    const first = opened();
    first.add([decision('a')], NOW);
    const second = opened();
    assert.throws(() => first.add([decision('b')], NOW), RecordsTakenOver);
    assert.throws(() => first.query(asked()), RecordsTakenOver);
    first.close();
    second.add([decision('c')], NOW);
    assert.deepEqual(ids(second), ['c', 'a']);
  });
});
