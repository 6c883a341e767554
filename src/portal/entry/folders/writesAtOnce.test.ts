import { english } from '../../../base/text/phrase.ts';
import assert from 'node:assert/strict';
import type { GivenWork } from '../work.ts';
import type { Worktree } from './worktreePolicy.ts';
import { writesAtOnce } from './writesAtOnce.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const par = (...works: GivenWork[]): GivenWork => ({ kind: 'Par', works });
const seq = (...works: GivenWork[]): GivenWork => ({ kind: 'Seq', works });
const tasks = {
  edits: { approve: ['edits'] },
  runs: { approve: ['job-tools', 'everything'] },
  reports: { approve: ['job-tools'] },
  asks: {},
  far: { approve: ['edits'], host: 'box' },
  farther: { approve: ['edits'], host: 'barn' },
} as const;
const found = (work: GivenWork, worktree?: Worktree) =>
  writesAtOnce({ work, worktree }, tasks as unknown as Parameters<typeof writesAtOnce>[1]).map(english);

describe('steps that write into one folder at once', () => {
  it('are branches of a Par that change files without asking', () => {
    assert.deepEqual(found(par(ref('edits'), ref('runs'))), [
      'These tasks change files in one folder at the same time, without asking: edits, runs. "worktree": "step" gives each of them a folder of its own.',
    ]);
    assert.match(found(par(ref('edits'), ref('edits')))[0] ?? '', /^“edits” runs several times at once, and changes files/);
    assert.equal(
      found(par(seq(ref('asks'), { kind: 'Loop', body: ref('edits') }), { kind: 'Alt', condition: ref('asks'), falseWork: ref('runs') }))
        .length,
      1,
    );
  });

  it('are not those that come one after the other, ask first, or only report', () => {
    for (const work of [
      seq(ref('edits'), ref('runs')),
      par(ref('edits'), ref('asks')),
      par(seq(ref('edits'), ref('runs')), ref('reports')),
      par(ref('gone'), ref('edits')),
    ])
      assert.deepEqual(found(work), []);
  });

  it('are not those at different hosts', () => {
    assert.deepEqual(found(par(ref('edits'), ref('far'), ref('farther'))), []);
    assert.deepEqual(found(par(ref('far'), ref('far'), ref('edits'))), [
      '“far” runs several times at once, and changes files in one folder at the same time, without asking.',
    ]);
  });

  it('are not those with work trees of their own, but those in that of the run', () => {
    const both = par(ref('edits'), ref('runs'));
    assert.deepEqual(found(both, 'step'), []);
    assert.deepEqual(found(both, { for: 'step', merge: 'leave' }), []);
    assert.equal(found(both, 'run').length, 1);
  });
});
