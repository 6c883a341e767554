import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOrStartDaemon } from './daemon.ts';
import { UserError } from '../errors.ts';
import { nullLogger } from '../log.ts';

describe('a daemon', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-daemon-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('that does not start is told with the reason, and where its log is', async () => {
    const script = join(folder, 'broken.cjs');
    writeFileSync(script, 'console.error("no such port"); process.exit(3);');
    const logFile = join(folder, 'log');
    const lockFile = join(folder, 'home', 'host.lock.json');
    await assert.rejects(
      findOrStartDaemon({ name: 'agent host', lockFile, logFile, args: [script] }, nullLogger),
      (error) => error instanceof UserError && /agent host did not start: it ended with code 3.*log/.test(error.message),
    );
    assert.match(readFileSync(logFile, 'utf8'), /no such port/);
  });
});
