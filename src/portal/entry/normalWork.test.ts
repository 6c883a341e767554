import assert from 'node:assert/strict';
import { normalWork } from './normalWork.ts';
import type { GivenWork, Work } from './work.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const seq = (...works: GivenWork[]): GivenWork => ({ kind: 'Seq', works });
const par = (...works: GivenWork[]): GivenWork => ({ kind: 'Par', works });

/** A short form of a work, with its ids. */
function shown(work: Work<number>): string {
  switch (work.kind) {
    case 'Ref':
      return `${work.taskId}${work.workIdInJob}`;
    case 'Seq':
    case 'Par':
      return `${work.kind}(${work.works.map(shown).join(' ')})`;
    case 'Loop':
      return `Loop(${[work.preCondition?.[1], work.postCondition?.[1], work.body].map((part) => (part ? shown(part) : '-')).join(' ')})`;
    case 'Alt':
      return `Alt(${[work.condition, work.trueWork, work.falseWork].map((part) => (part ? shown(part) : '-')).join(' ')})`;
  }
}

describe('the normal form of a work', () => {
  it('has no Seq directly in a Seq and no Par directly in a Par, at any depth', () => {
    assert.equal(shown(normalWork(seq(ref('a'), seq(ref('b'), seq(seq(ref('c')), ref('d'))), ref('e')))), 'Seq(a0 b1 c2 d3 e4)');
    assert.equal(shown(normalWork(par(par(par(ref('a')), ref('b')), ref('c')))), 'Par(a0 b1 c2)');
    assert.equal(shown(normalWork(seq(par(seq(ref('a'), seq(ref('b'))))))), 'Seq(Par(Seq(a0 b1)))');
    const inside: GivenWork = { kind: 'Loop', body: seq(seq(ref('a'))), preCondition: [true, par(par(ref('b')))] };
    assert.equal(shown(normalWork(seq(inside))), 'Seq(Loop(Par(b0) - Seq(a1)))');
  });

  it('has ids from 0, depth first', () => {
    const loop: GivenWork = { kind: 'Loop', body: ref('body'), postCondition: [true, ref('post')], preCondition: [false, ref('pre')] };
    assert.equal(shown(normalWork(loop)), 'Loop(pre0 post1 body2)');
    const alt: GivenWork = { kind: 'Alt', falseWork: ref('false'), trueWork: loop, condition: ref('if') };
    assert.equal(shown(normalWork(seq(alt, ref('last')))), 'Seq(Alt(if0 Loop(pre1 post2 body3) false4) last5)');
  });

  it('replaces ids that were written', () => {
    assert.equal(
      shown(normalWork(seq({ kind: 'Ref', taskId: 'a', workIdInJob: 7 }, { kind: 'Ref', taskId: 'b', workIdInJob: 7 }))),
      'Seq(a0 b1)',
    );
  });
});
