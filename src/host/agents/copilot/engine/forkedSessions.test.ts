import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForkedSessions } from './forkedSessions.ts';

describe('Sessions of the engine that were forked', () => {
  const home = mkdtempSync(join(tmpdir(), 'tapline-forks-'));
  after(() => rmSync(home, { recursive: true }));

  it('are found again, until they are forgotten', () => {
    const forks = new ForkedSessions(home);
    assert.equal(forks.idOf('tapline-1'), 'tapline-1');
    forks.keep('tapline-1', '28c4c622-7aef');
    assert.deepEqual([new ForkedSessions(home).idOf('tapline-1'), forks.idOf('tapline-2')], ['28c4c622-7aef', 'tapline-2']);
    forks.forget('tapline-1');
    forks.forget('tapline-1');
    assert.equal(forks.idOf('tapline-1'), 'tapline-1');
  });

  it('have names that are those of folders', () => {
    const forks = new ForkedSessions(home);
    assert.throws(() => forks.keep('tapline-1', '../elsewhere'), /unexpected id/);
    forks.keep('tapline-1', 'a');
    writeFileSync(join(home, 'tapline-forks', 'tapline-1'), '../elsewhere');
    assert.equal(forks.idOf('tapline-1'), 'tapline-1');
  });
});
