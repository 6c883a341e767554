import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionsElsewhere } from './sessionsElsewhere.ts';

describe('sessions elsewhere', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapline-elsewhere-'));
  const file = join(folder, 'elsewhere.json');
  after(() => rmSync(folder, { recursive: true }));
  const one = { host: 'a', session: 'x:/1', hasApproval: true };
  const other = { host: 'b', session: 'x:/1', hasApproval: false };

  it('are there for the next process until they are removed, by host and session', () => {
    const sessions = new SessionsElsewhere(file);
    sessions.add(one);
    sessions.add(other);
    assert.deepEqual(new SessionsElsewhere(file).all, [one, other]);
    sessions.remove(one);
    assert.deepEqual(new SessionsElsewhere(file).all, [other]);
  });

  it('are not started when they cannot be kept', () => {
    const before = readFileSync(file, 'utf8');
    const sessions = new SessionsElsewhere(file, () => {
      throw new Error('the disk is full');
    });
    assert.throws(() => sessions.add(one), /the disk is full/);
    assert.deepEqual([sessions.all, readFileSync(file, 'utf8')], [[other], before]);
  });

  it('are not forgotten because the file cannot be read', () => {
    for (const text of ['[', '{}', '[{"host":"a"}]']) {
      writeFileSync(file, text);
      assert.throws(() => new SessionsElsewhere(file), /elsewhere\.json cannot be read: .* may still work/);
    }
  });
});
