import assert from 'node:assert/strict';
import { foldedRows, rowsByPlace, rowsByTurn, type TimelineRow, timelineRowView } from './timelineRows.ts';

const row = (id: number, fields: Partial<TimelineRow> = {}): TimelineRow => ({
  id,
  kind: 'push',
  at: 0,
  provider: 'ci',
  text: `row ${id}`,
  ...fields,
});
const after = (turnId: string, parts = 0) => ({ after: { turnId, parts } });

describe('The rows of providers in a transcript', () => {
  it('belong to turns, and stay the same list where nothing has changed', () => {
    const first = rowsByTurn([row(1), row(2, after('a')), row(3, after('b'))], new Map());
    assert.deepEqual([first.get(undefined)?.length, first.get('a')?.[0]?.id, first.get('b')?.[0]?.id], [1, 2, 3]);
    const next = rowsByTurn([row(1), row(2, after('a')), row(3, after('b')), row(4, after('b'))], first);
    assert.equal(next.get('a'), first.get('a'));
    assert.notEqual(next.get('b'), first.get('b'));
    // Progress that was replaced has another id.
    assert.notEqual(rowsByTurn([row(5, after('a'))], next).get('a'), next.get('a'));
  });

  it('stand behind the parts that were there, and those of a call behind the call', () => {
    const places = rowsByPlace(
      [
        row(1, after('a', 1)),
        row(2, { ...after('a', 1), callId: 'c' }),
        row(3, { ...after('a', 1), callId: 'gone' }),
        row(4, after('a', 99)),
        row(5, { after: { turnId: 'a' } }),
      ],
      [undefined, 'c', undefined],
    );
    assert.deepEqual(
      [...places].map(([place, rows]) => [place, rows.map(({ id }) => id)]),
      [
        [1, [1, 3]],
        [2, [2]],
        [3, [4]],
        [4, [5]],
      ],
    );
  });

  it('do not push the session away: only the last are open', () => {
    const rows = Array.from({ length: 8 }, (_, id) => row(id));
    const { folded, shown } = foldedRows(rows);
    assert.deepEqual([folded.length, shown.map(({ id }) => id)], [3, [3, 4, 5, 6, 7]]);
    assert.deepEqual(foldedRows(rows.slice(0, 5)).folded, []);
  });

  it('name their provider, and what Tapline says has no name that a provider could take', () => {
    assert.deepEqual(timelineRowView(row(1, { stream: 'ci' })), { icon: 'broadcast', provider: 'ci', text: 'row 1' });
    assert.equal(timelineRowView(row(1, { stream: 'build' })).stream, 'stream build');
    assert.match(timelineRowView(row(1, { injects: true })).note ?? '', /Starts a turn/);
    assert.match(timelineRowView(row(1, { injects: true, paused: true })).note ?? '', /^Paused: .* after your next message/);
    const { provider: _, ...own } = row(1, { kind: 'warning' });
    assert.deepEqual(timelineRowView({ ...row(1, {}), kind: 'dropped' }), { icon: 'debug-pause', provider: 'ci', text: 'row 1' });
    assert.deepEqual(timelineRowView(own), { icon: 'warning', text: 'row 1' });
  });

  it('name what is watched in place of a provider', () => {
    const { provider: _, ...line } = row(1, { emitter: 'npm-test', text: '1 failing' });
    assert.deepEqual(timelineRowView(line), { emitter: 'npm-test', text: '1 failing', icon: 'eye' });
    assert.match(timelineRowView({ ...line, injects: true, paused: true }).note ?? '', /^Paused: it has started too many turns/);
  });
});
