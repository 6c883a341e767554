import assert from 'node:assert/strict';
import { SECTIONS, sectionsByTurn } from '../../ahp/hookRequests.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { SystemSections } from '../agents/agent.ts';
import { withRecord } from './sectionRecords.ts';

describe('Records of sections', () => {
  let state: Pick<SessionState, '_meta'> = {};
  const note = (turnId: string, added: Partial<SystemSections>) => {
    const records = withRecord(state, turnId, { sections: [], context: [], startup: [], ...added });
    if (records) state = { _meta: { [SECTIONS]: records } };
    return records?.length;
  };
  const red = { context: [{ provider: 'ci', content: 'main is red' }] };
  const green = { context: [{ provider: 'ci', content: 'main is green' }] };
  const added = (turnId: string, meta: unknown = state._meta) => sectionsByTurn(meta).get(turnId) ?? [];
  const saidIn = (turnId: string) => added(turnId).map(({ content }) => content);
  beforeEach(() => (state = {}));

  it('are shared by turns in a row, and stay with theirs when something else is said', () => {
    assert.equal(note('none', {}), undefined);
    assert.equal(note('a', red), 1);
    assert.equal(note('b', red), 1);
    assert.equal(note('b', red), undefined, 'nothing new');
    assert.equal(note('c', green), 2);
    assert.equal(note('d', red), 3);
    assert.deepEqual(['none', 'a', 'b', 'c', 'd'].map(saidIn), [[], ['main is red'], ['main is red'], ['main is green'], ['main is red']]);
  });

  it('are replaced when a turn asks again', () => {
    note('a', red);
    note('a', green);
    assert.deepEqual(
      [saidIn('a'), state._meta?.[SECTIONS]],
      [['main is green'], [{ turns: ['a'], parts: [{ kind: 'context', provider: 'ci', content: 'main is green', length: 13 }] }]],
    );
    note('a', {});
    assert.deepEqual(saidIn('a'), []);
  });

  it('are few and short, whatever is said', () => {
    const long = 'x'.repeat(100_000);
    for (let turn = 0; turn < 300; turn++) note(`${turn}`, { context: [{ provider: 'ci', content: `${turn % 100}${long}` }] });
    assert.ok(JSON.stringify(state._meta).length < 60_000);
    assert.deepEqual(
      added('299').map(({ length }) => length),
      [100_002],
    );
    assert.deepEqual(added('1', { [SECTIONS]: [{ turns: 1 }] }), [], 'what cannot be read is nothing');
  });
});
