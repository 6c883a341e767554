import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nullLogger } from '../../base/log.ts';
import type { RunEvent } from '../runs/runEvents.ts';
import { RunStore } from './runStore.ts';

const started = (taskId: string): RunEvent => ({ type: 'taskStarted', at: 1, taskId, taskName: 'T', model: 'm' });
const stopped = (taskId: string): RunEvent => ({ type: 'taskStopped', at: 2, taskId });

describe('the runs on disk', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-runs-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const path = (runId: string) => join(folder, `${runId}.run.jsonl`);

  it('are there for the next process, the oldest first', () => {
    const first = new RunStore(folder, nullLogger);
    for (const event of [started('a'), stopped('a')]) first.append('a', event);
    first.append('b', started('b'));
    utimesSync(path('b'), 1, 1);
    // The first one was killed.
    const second = new RunStore(folder, nullLogger);
    assert.deepEqual(second.read(), [
      { runId: 'b', events: [started('b')] },
      { runId: 'a', events: [started('a'), stopped('a')] },
    ]);
    second.append('b', stopped('b'));
    assert.deepEqual(second.read().find(({ runId }) => runId === 'b')?.events, [started('b'), stopped('b')]);
    first.dispose();
  });

  it('lose a line that was not written to its end, and nothing else', () => {
    const line = `${JSON.stringify(started('a'))}\n`;
    writeFileSync(path('a'), `${line}{"type":"taskSt`);
    assert.deepEqual(new RunStore(folder, nullLogger).read(), [{ runId: 'a', events: [started('a')] }]);
    assert.equal(readFileSync(path('a'), 'utf8'), line);
  });

  it('get what is done with their result after their end, and stay in their order', () => {
    const note: RunEvent = { type: 'resultChanged', at: 9, did: 'committed', by: 'me' };
    const first = new RunStore(folder, nullLogger);
    for (const event of [started('a'), stopped('a')]) first.append('a', event);
    first.append('b', started('b'));
    first.append('b', { ...stopped('b'), at: 3 });
    first.append('a', note);
    assert.deepEqual(first.read(), [
      { runId: 'a', events: [started('a'), stopped('a'), note] },
      { runId: 'b', events: [started('b'), { ...stopped('b'), at: 3 }] },
    ]);
    first.dispose();
  });

  it('that cannot be read are left out and unchanged, and keep no other from being read', () => {
    writeFileSync(path('bad'), 'no JSON\n{}\n');
    writeFileSync(path('other'), '{"at":1}\n');
    writeFileSync(join(folder, 'notes.txt'), 'not a run');
    const store = new RunStore(folder, nullLogger);
    store.append('a', started('a'));
    assert.deepEqual(
      store.read().map(({ runId }) => runId),
      ['a'],
    );
    assert.equal(readFileSync(path('bad'), 'utf8'), 'no JSON\n{}\n');
    store.dispose();
  });

  it('are read in so far as they were written last or have not ended', () => {
    const old = new Date(1_000);
    const write = (runId: string, events: RunEvent[], at?: Date) => {
      writeFileSync(path(runId), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      if (at) utimesSync(path(runId), at, at);
    };
    const note: RunEvent = { type: 'resultChanged', at: 9, did: 'committed', by: 'me', folder: 'x'.repeat(30_000) };
    write('ended', [started('ended'), stopped('ended')], old);
    write('noted', [started('noted'), stopped('noted'), note], old);
    write('step', [started('other'), stopped('other')], old);
    write('long', [{ type: 'taskStarted', at: 1, taskId: 'long', taskName: 'T'.repeat(30_000), model: 'm' }], old);
    writeFileSync(path('long'), '{"type":"task', { flag: 'a' });
    utimesSync(path('long'), old, old);
    for (let n = 0; n < 1_000; n += 1) write(`new${n}`, [started(`new${n}`), stopped(`new${n}`)]);
    const ids = new RunStore(folder, nullLogger).read().map(({ runId }) => runId);
    assert.equal(ids.length, 1_002);
    assert.deepEqual(ids.filter((runId) => !runId.startsWith('new')).sort(), ['long', 'step']);
  });

  it('are not told of when they cannot be written', () => {
    const store = new RunStore(folder, nullLogger, () => {
      throw new Error('no space left');
    });
    assert.throws(() => store.append('a', started('a')), /no space left/);
    store.dispose();
  });
});
