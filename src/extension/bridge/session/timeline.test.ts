import assert from 'node:assert/strict';
import { Timeline } from './timeline.ts';

describe('The timeline of a session', () => {
  it('keeps the newest rows, cuts long ones, and tells each change', () => {
    const timeline = new Timeline();
    let told = 0;
    timeline.onDidChange(() => told++);
    for (let at = 0; at < 250; at++) timeline.add({ kind: 'push', at, provider: 'ci', text: 'x'.repeat(5_000) });
    assert.deepEqual([told, timeline.rows.length, timeline.rows[0]?.at, timeline.rows.at(-1)?.at], [250, 200, 50, 249]);
    assert.equal(timeline.rows[0]?.text.length, 4_000);
  });

  it('keeps of a call’s progress what came last', () => {
    const timeline = new Timeline();
    const add = (callId: string, text: string) => timeline.add({ kind: 'progress', at: 0, provider: 'ci', callId, text });
    add('a', '1');
    add('b', '1');
    add('a', '2');
    assert.deepEqual(
      timeline.rows.map(({ callId, text }) => `${callId} ${text}`),
      ['b 1', 'a 2'],
    );
  });
});
