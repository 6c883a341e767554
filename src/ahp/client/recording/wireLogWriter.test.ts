import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { FakeClock } from '../../../../test/fakes/fakeClock.ts';
import { sessionState } from '../../../../test/fakes/fakeHost.ts';
import { WireLogWriter } from './wireLogWriter.ts';

function setUp(maxBytes?: number) {
  const lines: string[] = [];
  const clock = new FakeClock();
  const full = { times: 0 };
  const onFull = () => full.times++;
  const log = new WireLogWriter((line) => lines.push(line), { clock, onFull, ...(maxBytes !== undefined && { maxBytes }) });
  const entries = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const lastFrame = () => JSON.parse(entries().at(-1)?.['raw'] as string) as Record<string, unknown>;
  return { lines, clock, log, entries, lastFrame, full };
}
const request = (id: unknown, method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const answer = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result });

describe('WireLogWriter', () => {
  it('writes one JSON line a frame, with its direction, time and line', () => {
    const { lines, clock, log, entries } = setUp();
    const conn = log.open('build-box');
    clock.advance(12);
    log.frame(conn, 'c2s', request(1, 'listSessions', {}));
    clock.advance(3);
    log.frame(conn, 's2c', answer(1, { items: [] }));
    log.close(conn, 1006, '');
    assert.ok(lines.every((line) => line.endsWith('\n') && !line.slice(0, -1).includes('\n')));
    assert.deepEqual(entries().slice(1), [
      { t: 0, conn: 1, dir: 'event', event: 'open', host: 'build-box' },
      { t: 12, conn: 1, dir: 'c2s', raw: request(1, 'listSessions', {}) },
      { t: 15, conn: 1, dir: 's2c', raw: answer(1, { items: [] }) },
      { t: 15, conn: 1, dir: 'event', event: 'close', code: 1006, reason: '' },
    ]);
  });

  it('says of a frame that cannot be looked through only that it came', () => {
    const { log, entries } = setUp();
    const conn = log.open('h');
    const deep = `{"jsonrpc":"2.0","method":"x","params":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    log.frame(conn, 's2c', deep);
    assert.deepEqual(entries().at(-1), { t: 0, conn, dir: 'event', event: 'unreadable', from: 's2c', length: deep.length });
  });

  it('takes out tokens and secrets wherever they are, and leaves the counts of tokens', () => {
    const { lines, log, lastFrame } = setUp();
    const conn = log.open('h');
    log.frame(conn, 'c2s', request(2, 'authenticate', { resource: 'https://api.example', token: 'gho_SECRET' }));
    assert.deepEqual(lastFrame()['params'], { resource: 'https://api.example', token: '[redacted]' });
    const activeClient = {
      clientId: 'me',
      tools: [],
      credentials: { user: 'SECRET', keys: ['SECRET'] },
      apiKey: 'SECRET',
      access_token: 'SECRET',
      clientSecret: 'SECRET',
      password: 'SECRET',
      passphrase: 'SECRET',
      Authorization: 'SECRET',
      cookie: 'SECRET',
      tkn: 'SECRET',
    };
    log.frame(
      conn,
      'c2s',
      JSON.stringify({ method: 'dispatchAction', params: { clientSeq: 1, action: { type: 'session/activeClientChanged', activeClient } } }),
    );
    log.frame(
      conn,
      's2c',
      JSON.stringify({
        method: 'action',
        params: { action: { type: 'session/usage', usage: { inputTokens: 7, token: 3 } }, serverSeq: 1 },
      }),
    );
    assert.deepEqual((lastFrame()['params'] as { action: unknown }).action, { type: 'session/usage', usage: { inputTokens: 7, token: 3 } });
    log.known(conn, {
      host: 'h',
      clientId: 'me',
      sessions: [],
      snapshots: [{ resource: 'demo:/1', state: { ...sessionState('demo:/1'), token: 'SECRET' } as never, fromSeq: 1 }],
    });
    assert.doesNotMatch(lines.join(''), /SECRET/);
  });

  it('takes out what resources hold, in both directions, and what is typed into terminals', () => {
    const { lines, log, lastFrame } = setUp();
    const conn = log.open('h');
    const contents = { data: 'CONTENTS', encoding: 'utf-8' };
    // The same id means different things in the two directions.
    log.frame(conn, 'c2s', request(1, 'resourceRead', { uri: 'file:///a' }));
    log.frame(conn, 's2c', request(1, 'resourceWrite', { uri: 'file:///b', ...contents }));
    assert.equal((lastFrame()['params'] as { data: unknown }).data, '[redacted: 8 characters]');
    log.frame(conn, 's2c', answer(1, contents));
    assert.deepEqual(lastFrame()['result'], { data: '[redacted: 8 characters]', encoding: 'utf-8' });
    log.frame(conn, 'c2s', answer(1, {}));
    assert.deepEqual(lastFrame()['result'], {});
    log.frame(conn, 's2c', answer('asked before the log began', contents));
    for (const method of ['dispatchAction', 'action']) {
      log.frame(conn, 'c2s', JSON.stringify({ method, params: { action: { type: 'terminal/input', terminal: 't', data: 'CONTENTS' } } }));
    }
    assert.doesNotMatch(lines.join(''), /CONTENTS/);
    log.frame(
      conn,
      's2c',
      JSON.stringify({ method: 'action', params: { action: { type: 'terminal/data', terminal: 't', data: 'shown' } } }),
    );
    assert.match(lines.at(-1) ?? '', /shown/);
  });

  it('does not write what it cannot read', () => {
    const { log, entries, lines } = setUp();
    const conn = log.open('h');
    log.frame(conn, 's2c', '{"token":"SECRET"');
    assert.deepEqual(entries().at(-1), { t: 0, conn, dir: 'event', event: 'unreadable', from: 's2c', length: 17 });
    assert.doesNotMatch(lines.join(''), /SECRET/);
  });

  it('says where it ends when it is full, and stays full', () => {
    const { log, lines, entries, full } = setUp(1_000);
    const conn = log.open('h');
    for (let id = 0; full.times === 0; id++) log.frame(conn, 'c2s', request(id, 'listSessions', { text: 'ü'.repeat(20) }));
    const count = lines.length;
    log.frame(conn, 'c2s', 'short');
    log.open('other');
    assert.deepEqual([lines.length, full.times], [count, 1]);
    assert.deepEqual(entries().at(-1), { t: 0, conn: 0, dir: 'event', event: 'truncated', maxBytes: 1_000 });
    assert.ok(Buffer.byteLength(lines.slice(0, -1).join('')) <= 1_000);
  });

  it('holds 64 MB when nobody says otherwise', () => {
    const sizes: number[] = [];
    let isFull = false;
    const log = new WireLogWriter((line) => sizes.push(line.length), { clock: new FakeClock(), onFull: () => (isFull = true) });
    const conn = log.open('h');
    const frame = request(1, 'listSessions', { text: 'x'.repeat(1024 * 1024) });
    while (!isFull) log.frame(conn, 'c2s', frame);
    const written = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
    assert.ok(written <= 64 * 1024 * 1024 && written > 62 * 1024 * 1024, `${written} bytes`);
  }).timeout(20_000);
});
