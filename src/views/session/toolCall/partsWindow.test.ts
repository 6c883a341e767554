import assert from 'node:assert/strict';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { oneByOne, type RowGroup } from './readRuns.ts';
import { chunkOf, isOpenCall, partsIn, shownGroups, tailOf } from './partsWindow.ts';
import type { Row } from '../transcript/transcript.ts';

const rows = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ kind: 'markdown', key: `m${at}`, text: '' }));
/** "0-49" for a gap of parts and "50" for one that is drawn, runs of drawn parts shortened. */
const drawn = (groups: readonly RowGroup<Row>[], isDrawn: (group: RowGroup<Row>) => boolean = () => false) => {
  const words: string[] = [];
  let parts = 0;
  for (const shown of shownGroups(groups, tailOf(groups), isDrawn)) {
    if (shown.kind !== 'gap') parts++;
    else {
      if (parts > 0) words.push(`${parts} drawn`);
      parts = 0;
      words.push(`${partsIn(shown.groups)} hidden`);
    }
  }
  return [...words, `${parts} drawn`];
};

describe('The window of the parts of a turn', () => {
  it('draws all of a turn that is not long, and the last ones of one that is', () => {
    assert.deepEqual(drawn([]), ['0 drawn']);
    assert.deepEqual(drawn(oneByOne(rows(100))), ['100 drawn']);
    assert.deepEqual(drawn(oneByOne(rows(101))), ['50 hidden', '51 drawn']);
    assert.deepEqual(drawn(oneByOne(rows(2_000))), ['1900 hidden', '100 drawn']);
  });

  it('draws what must stay in sight and what was opened, with the others hidden around it', () => {
    const groups = oneByOne(rows(300));
    assert.deepEqual(
      drawn(groups, ({ at }) => at === 20),
      ['20 hidden', '1 drawn', '179 hidden', '100 drawn'],
    );
    assert.deepEqual(
      drawn(groups, (group) => chunkOf(group) === 3),
      ['150 hidden', '150 drawn'],
    );
  });

  it('counts the parts of a run, which is one with its last part', () => {
    const calls = rows(120) as Extract<Row, { kind: 'toolCall' }>[];
    const run: RowGroup<Row> = { kind: 'run', at: 0, rows: calls };
    assert.equal(chunkOf(run), 2);
    assert.deepEqual(drawn([run]), ['1 drawn']);
    const later: RowGroup<Row>[] = rows(200).map((row, at) => ({ kind: 'row', at: 120 + at, row }));
    assert.deepEqual(drawn([run, ...later]), ['250 hidden', '70 drawn']);
  });

  it('leaves a part in its chunk, however many follow', () => {
    const [short, long] = [oneByOne(rows(60)), oneByOne(rows(6_000))];
    assert.deepEqual(short.map(chunkOf), long.slice(0, 60).map(chunkOf));
  });

  it('keeps calls that wait, and those that run as long as their turn does', () => {
    const states = [
      'streaming',
      'pending-confirmation',
      'running',
      'auth-required',
      'pending-result-confirmation',
      'completed',
      'cancelled',
      '?',
    ];
    const open = (turn: string) => states.filter((status) => isOpenCall({ status } as ToolCallState, turn));
    assert.deepEqual(open('running'), states.slice(0, 5));
    assert.deepEqual(open('complete'), ['pending-confirmation', 'auth-required', 'pending-result-confirmation']);
  });
});
