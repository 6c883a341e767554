import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { ServerLog } from './serverLog.ts';

describe('the log of an MCP server', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-mcp-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has a line for each message, up to 100 a minute, and says how many more there were', () => {
    const [clock, file] = [new FakeClock(), join(folder, 'log')];
    const log = new ServerLog(file, clock);
    const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
    for (let at = 0; at < 150; at++) log.add({ level: 'info', data: `message ${at}` });
    assert.deepEqual([lines().length, lines().at(-1)], [100, '[info] message 99']);
    clock.advance(60_000);
    log.add({ level: 'error', logger: 'db', data: { code: 7 } });
    assert.deepEqual(lines().slice(100), ['(50 messages were left out: more than 100 in a minute)', '[error] db: {"code":7}']);
  });

  it('begins anew when it has become too long, and has nothing for programmers', () => {
    const [clock, file] = [new FakeClock(), join(folder, 'log')];
    writeFileSync(file, 'x'.repeat(5 * 1024 * 1024 + 1));
    const log = new ServerLog(file, clock);
    log.add({ level: 'debug', data: 'loop' });
    log.add({ level: 'info', data: 'here' });
    assert.equal(readFileSync(file, 'utf8'), '[info] here\n');
  });
});
