/** The records of a gateway that runs as a process: by the owner link, over HTTP, by the tool, and after it was killed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sqlite from 'node-sqlite3-wasm';
import type { KeptRecord } from '../../../src/tap/wire/records/record.ts';
import { eventually } from '../../fakes/eventually.ts';
import { GatewayHome, type GatewayProcess, gatewayScript, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { tapTools } from '../../support/tapTools.ts';
import { TestOwner } from './gatewayHarness.ts';

const WAIT_MS = 15_000;
const KILLS = 12;
/** From the first record that is on the disk to the kill. */
const MAX_MS_TO_KILL = 60;

describe('records of a gateway', () => {
  let home: GatewayHome;
  const started: GatewayProcess[] = [];
  const owners: TestOwner[] = [];
  beforeEach(() => (home = new GatewayHome()));
  afterEach(async () => {
    for (const owner of owners.splice(0)) owner.dispose();
    for (const gateway of started.splice(0)) await gateway.stop('SIGKILL');
    home.remove();
  });

  const start = async () => {
    const gateway = await startGatewayProcess(home);
    started.push(gateway);
    return gateway;
  };
  const ownerOf = async (gateway: GatewayProcess) => {
    const owner = await TestOwner.of(gateway);
    owners.push(owner);
    return owner;
  };
  const decision = (id: string, data: object = {}, more: object = {}) => ({ kind: 'decision', id, at: Date.now(), data, ...more });
  const add = (owner: TestOwner, ...records: object[]) => owner.client.request('records/add', { records });
  const found = async (owner: TestOwner, query: object = {}) => (await owner.client.request('records/query', query)).records;
  /** All of them, in the order in which they were kept. */
  const all = async (owner: TestOwner) => {
    const records: KeptRecord[] = [];
    for (;;) {
      const page = await found(owner, { after: records.at(-1)?.seq ?? 0, limit: 200 });
      if (!page.length) return records;
      records.push(...page);
    }
  };

  it(`loses nothing that it has acknowledged and doubles nothing when it is killed at any moment, ${KILLS} times`, async function () {
    this.timeout(120_000);
    const acknowledged = new Set<string>();
    const told = new Set<string>();
    let unsettled: object[] = [];
    for (let life = 0; life < KILLS; life++) {
      const gateway = await start();
      const owner = await ownerOf(gateway);
      // What nobody has acknowledged is told again, as an owner does.
      await add(owner, ...unsettled);
      for (const record of unsettled as { id: string }[]) acknowledged.add(record.id);
      unsettled = [];
      let isKilled = false;
      let count = 0;
      const write = async (): Promise<void> => {
        while (!isKilled) {
          const records = [0, 1, 2].map(() => decision(`${life}.${count++}`, { text: 'x'.repeat(200) }));
          for (const { id } of records) told.add(id);
          try {
            await add(owner, ...records);
            for (const { id } of records) acknowledged.add(id);
          } catch {
            unsettled.push(...records);
          }
        }
      };
      await add(owner, decision(`${life}.first`));
      acknowledged.add(`${life}.first`);
      told.add(`${life}.first`);
      const writers = [write(), write(), write()];
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_MS_TO_KILL));
      isKilled = true;
      await gateway.stop('SIGKILL');
      await Promise.all(writers);
      owner.dispose();
    }
    const ids = (await all(await ownerOf(await start()))).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, 'one is there twice');
    assert.deepEqual(
      [...acknowledged].filter((id) => !ids.includes(id)),
      [],
    );
    assert.ok(ids.every((id) => told.has(id)));
    assert.ok(acknowledged.size > KILLS);
    assert.ok(!readdirSync(join(home.folder, 'tapline')).some((name) => name.includes('damaged')));
  });

  it('begins another file where its own is damaged, and says so', async () => {
    const file = join(home.folder, 'tapline', 'records.db');
    mkdirSync(join(home.folder, 'tapline'), { recursive: true });
    writeFileSync(file, 'no database '.repeat(1000));
    const gateway = await start();
    const owner = await ownerOf(gateway);
    await add(owner, decision('a'));
    assert.deepEqual(
      (await found(owner)).map(({ id }) => id),
      ['a'],
    );
    const { records } = await owner.client.request('diagnostics', {});
    assert.match(records?.problem ?? '', /was damaged .*not a database/);
    assert.ok(records?.aside !== undefined && existsSync(records.aside));
    assert.equal(records.state, 'on');
    assert.match(gateway.stderr(), /Records: the file of records was damaged/);
    const { stdout } = await promisify(execFile)(process.execPath, [gatewayScript, 'status'], { env: { ...process.env, ...home.env } });
    assert.match(stdout, /Records \(1\)\n {2}on, \d+ KiB, 0 waiting, 0 dropped; the file of records was damaged/);
  });

  it('keeps none where a newer version has written them, and leaves those alone', async () => {
    const first = await start();
    await add(await ownerOf(first), decision('a'));
    assert.equal(await first.stop(), 0);
    const file = join(home.folder, 'tapline', 'records.db');
    const newer = new sqlite.Database(file);
    newer.all('PRAGMA locking_mode = EXCLUSIVE');
    newer.exec('PRAGMA user_version = 2');
    newer.close();
    const before = readFileSync(file);
    const second = await start();
    const owner = await ownerOf(second);
    const whyNot = /another version of Tapline has written the records/;
    await assert.rejects(add(owner, decision('b')), whyNot);
    await assert.rejects(found(owner), whyNot);
    const { records } = await owner.client.request('diagnostics', {});
    assert.equal(records?.state, 'off');
    assert.match(records.problem ?? '', whyNot);
    assert.equal(await second.stop(), 0);
    assert.deepEqual(readFileSync(file), before);
    assert.ok(!readdirSync(join(home.folder, 'tapline')).some((name) => name.includes('damaged')));
  });

  it('writes what it has noted before it ends by itself', async () => {
    const first = await start();
    const owner = await ownerOf(first);
    const session = await owner.session('a');
    await session.emitters.start({ name: 'note', prompt: 'hello' });
    assert.equal(await first.stop(), 0);
    const [run] = await found(await ownerOf(await start()), { kind: 'run' });
    assert.deepEqual([run?.sessionId, run?.data['emitter'], run?.data['prompt']], ['a', 'note', 'hello']);
  });

  it('has given up its file when it gives up its lock, and notes nothing after that', async () => {
    const first = await start();
    const owner = await ownerOf(first);
    const session = owner.client.addSession({ sessionId: 'a', label: 'a', cwd: home.folder });
    await owner.tools('a', tapTools, WAIT_MS);
    const eventFilter = [{ match: 'up', outcome: 'surface' as const }];
    // It takes its time to end, and the gateway with it.
    await session.emitters.start({ name: 'stays', command: "trap '' TERM; echo up; while :; do sleep 1; done", eventFilter });
    await eventually(async () => (await found(owner, { kind: 'event' })).length === 1, 'the event', WAIT_MS);
    const ended = first.stop();
    await eventually(() => !existsSync(home.lockFile), 'the end of the lock', WAIT_MS);
    assert.ok(!existsSync(join(home.folder, 'tapline', 'records.db.holder')), 'the file is still held');
    const next = await ownerOf(await start());
    await add(next, decision('b'));
    assert.equal(await ended, 0);
    assert.deepEqual(
      (await all(next)).map(({ kind }) => kind),
      ['event', 'decision'],
    );
    assert.doesNotMatch(first.stderr(), /Records:/);
  });

  it('has the runs of emitters and what they have surfaced, and the tool reads those of its own session alone', async () => {
    const owner = await ownerOf(await start());
    const sessions = ['a', 'b'].map((sessionId) => owner.client.addSession({ sessionId, label: sessionId, cwd: home.folder }));
    const [session] = sessions;
    assert.ok(session);
    for (const { id } of sessions) await owner.tools(id, tapTools, WAIT_MS);
    for (const one of sessions) {
      const eventFilter = [{ match: 'loud', outcome: 'surface' as const }];
      await one.emitters.start({
        name: `of-${one.id}`,
        command: 'echo loud; echo quiet; exit 3',
        runInterval: '1d',
        maxRuns: 1,
        eventFilter,
      });
    }
    await eventually(async () => (await found(owner, { kind: 'run' })).length === 2, 'both runs', WAIT_MS);
    const outcome = await session.call('tap_query_records', { kind: 'run', since: '1h', where: { code: 3 } });
    assert.ok(outcome.ok && 'data' in outcome, JSON.stringify(outcome));
    const { records } = outcome.data as { records: KeptRecord[] };
    assert.deepEqual(
      records.map(({ data }) => [data['emitter'], data['run'], data['code']]),
      [['of-a', 1, 3]],
    );
    const events = (await found(owner, { kind: 'event', sessionId: 'a' })).map(({ data }) => data['event']);
    assert.ok(events.includes('loud') && !events.includes('quiet'), JSON.stringify(events));
    const long = `${'sub/'.repeat(900)}none`;
    const checks = Array.from({ length: 50 }, () => ({ kind: 'fileContains', path: long, text: 'x'.repeat(900) }));
    const goal = 'The tests pass';
    const judged = await session.call('tap_verify_goal_output', { goal, checks });
    assert.ok(judged.ok, JSON.stringify(judged));
    const goals = await session.call('tap_query_records', { kind: 'goal', where: { verdict: 'contradicted' } });
    assert.ok(goals.ok && 'data' in goals, JSON.stringify(goals));
    const [kept, ...more] = (goals.data as { records: KeptRecord[] }).records;
    assert.deepEqual([kept?.data['text'], kept?.data['leftOut'], more], [goal, 30, []]);
    await session.call('tap_post', { stream: 'reviews', event: 'REVIEW RECORD\nfinding: it is slow\nverdict: watch' });
    const reviews = await session.call('tap_query_records', { kind: 'review', where: { verdict: 'watch' } });
    assert.ok(reviews.ok && 'data' in reviews, JSON.stringify(reviews));
    const [review] = (reviews.data as { records: KeptRecord[] }).records;
    assert.deepEqual(review?.data, { stream: 'reviews', finding: 'it is slow', verdict: 'watch' });
    assert.match(
      JSON.stringify(kept?.data['checks']),
      /^\[\{"check":"sub\/sub\/.*"verdict":"contradicted","seenBy":"gateway","line":"there is no sub/,
    );
    await add(owner, { kind: 'trace', id: 'span', at: Date.now(), sessionId: 'a', data: { traceId: 't' } });
    const kinds = async (question: object) => {
      const answer = await session.call('tap_query_records', question);
      assert.ok(answer.ok && 'data' in answer, JSON.stringify(answer));
      return new Set((answer.data as { records: KeptRecord[] }).records.map(({ kind }) => kind));
    };
    assert.deepEqual([...(await kinds({}))].sort(), ['event', 'goal', 'review', 'run']);
    assert.deepEqual([...(await kinds({ kind: 'trace' }))], ['trace']);
    const wrong = await session.call('tap_query_records', { since: 'yesterday' });
    assert.ok(!wrong.ok);
    assert.match(wrong.error, /since: must be a time such as/);
  });

  it('prints all of them as JSON lines', async () => {
    const owner = await ownerOf(await start());
    for (const batch of [0, 1]) await add(owner, ...Array.from({ length: 150 }, (_, n) => decision(`${batch}.${n}`, { n })));
    await add(owner, { kind: 'goal', id: 'g', at: 0, data: {} });
    const run = async (...args: string[]) => {
      const env = { ...process.env, ...home.env };
      const { stdout } = await promisify(execFile)(process.execPath, [gatewayScript, 'records', ...args], { env });
      return stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Omit<KeptRecord, 'at'> & { at: string }] : []));
    };
    const lines = await run();
    assert.equal(lines.length, 301);
    assert.deepEqual([lines[0]?.id, lines[299]?.id, lines[300]?.at], ['0.0', '1.149', '1970-01-01T00:00:00.000Z']);
    assert.deepEqual(
      (await run('--kind', 'decision', '--since', '1h', '--where', '{"n":7}')).map(({ id }) => id),
      ['0.7', '1.7'],
    );
    await assert.rejects(run('--where', 'n=7'), /where must be JSON/);
  });

  describe('over HTTP', () => {
    const get = (gateway: GatewayProcess, path: string, headers: Record<string, string> = {}, method = 'GET') =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const asked = request({ port: gateway.port, host: '127.0.0.1', path, headers, method }, (response) => {
          let body = '';
          response.on('data', (part) => (body += String(part)));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        });
        asked.on('error', reject);
        asked.end();
      });

    it('gives them to who has the owner secret, and to no page or other computer', async () => {
      const gateway = await start();
      const owner = await ownerOf(gateway);
      await add(owner, decision('a', { tool: 'run' }), decision('b', { tool: 'read' }, { sessionId: 's' }));
      const secret = { Authorization: `Bearer ${gateway.secret}` };
      const idsOf = (body: string) => (JSON.parse(body) as { records: KeptRecord[] }).records.map(({ id }) => id);
      const where = encodeURIComponent('{"tool":"run"}');
      assert.deepEqual(idsOf((await get(gateway, `/records?kind=decision&since=1h&where=${where}`, secret)).body), ['a']);
      assert.deepEqual(idsOf((await get(gateway, '/records?session=s&limit=1', secret)).body), ['b']);
      assert.equal((await get(gateway, '/records')).status, 401);
      assert.equal((await get(gateway, '/records', { Authorization: `Bearer ${gateway.token}` })).status, 401);
      assert.equal((await get(gateway, '/records', { ...secret, Origin: 'https://example.com' })).status, 403);
      assert.equal((await get(gateway, '/records', { ...secret, Host: 'example.com' })).status, 403);
      assert.equal((await get(gateway, '/records', secret, 'DELETE')).status, 404);
      for (const [query, why] of [
        ['kind=secrets', 'kind'],
        ['where=x', 'where must be JSON'],
        ['limit=100000', 'limit'],
        ['colour=red', 'colour'],
      ] as const) {
        const { status, body } = await get(gateway, `/records?${query}`, secret);
        assert.equal(status, 400);
        assert.match(body, new RegExp(why));
      }
    });
  });
});
