import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyWork } from '../../../test/support/anyWork.ts';
import { normalWork } from '../entry/normalWork.ts';
import type { GivenWork, Work } from '../entry/work.ts';
import { type ChartGraph, generateChartNodes } from './generateChartNodes.ts';
import { runs } from '../../../test/support/runs.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
const seq = (...works: GivenWork[]): GivenWork => ({ kind: 'Seq', works });

/** One line a node: `id hint label -> to(label)`, with `^` before the target of a back edge. */
function shown(work: GivenWork): string[] {
  return generateChartNodes(normalWork(work)).nodes.map(({ id, hint, label, arrows }) => {
    const to = (arrows ?? []).map((arrow) => `${arrow.loopBack ? '^' : ''}${arrow.to}${arrow.label ? `(${arrow.label})` : ''}`);
    return [id, typeof hint === 'string' ? hint : `${hint[0]}#${hint[1]} ${label}`, ...(to.length > 0 ? [`-> ${to.join(' ')}`] : [])].join(
      ' ',
    );
  });
}

describe('the chart of a job', () => {
  it('has a node for a Ref, and a chain for a Seq', () => {
    assert.deepEqual(shown(seq(ref('a'), ref('b'), ref('c'))), ['0 TaskNode#0 a -> 1', '1 TaskNode#1 b -> 2', '2 TaskNode#2 c']);
    assert.deepEqual(generateChartNodes(normalWork(ref('a'))), { nodes: [{ id: 0, hint: ['TaskNode', 0], label: 'a' }] });
  });

  it('opens and closes a Par', () => {
    assert.deepEqual(shown({ kind: 'Par', works: [ref('a'), seq(ref('b'), ref('c'))] }), [
      '0 ParBegin -> 1 2',
      '1 TaskNode#0 a -> 4',
      '2 TaskNode#1 b -> 3',
      '3 TaskNode#2 c -> 4',
      '4 ParEnd',
    ]);
  });

  it('leads a Loop back from its post-condition to its entry', () => {
    assert.deepEqual(shown({ kind: 'Loop', preCondition: [true, ref('p')], postCondition: [false, ref('q')], body: ref('b') }), [
      '0 CondNode#0 p -> 1(true) 3(false)',
      '1 TaskNode#2 b -> 2',
      '2 CondNode#1 q -> ^0(false) 3(true)',
      '3 LoopEnd',
    ]);
    assert.deepEqual(shown({ kind: 'Loop', preCondition: [false, ref('p')], body: ref('b') }), [
      '0 CondNode#0 p -> 1(false) 2(true)',
      '1 TaskNode#1 b -> 2',
      '2 LoopEnd',
    ]);
    assert.deepEqual(shown({ kind: 'Loop', postCondition: [true, ref('q')], body: ref('b') }), [
      '0 TaskNode#1 b -> 1',
      '1 CondNode#0 q -> ^0(true) 2(false)',
      '2 LoopEnd',
    ]);
  });

  it('has a branch for each answer of an Alt, also one that is missing', () => {
    const alt = { kind: 'Alt', condition: ref('c'), trueWork: ref('t'), falseWork: ref('f') } as const;
    assert.deepEqual(shown(alt), ['0 CondNode#0 c -> 1(true) 2(false)', '1 TaskNode#1 t -> 3', '2 TaskNode#2 f -> 3', '3 AltEnd']);
    assert.deepEqual(shown({ kind: 'Alt', condition: ref('c'), falseWork: ref('f') }), [
      '0 CondNode#0 c -> 2(true) 1(false)',
      '1 TaskNode#1 f -> 2',
      '2 AltEnd',
    ]);
    assert.deepEqual(shown({ kind: 'Alt', condition: ref('c') }), ['0 CondNode#0 c -> 1(true) 1(false)', '1 AltEnd']);
  });

  it('wraps a condition that is more than one Ref', () => {
    assert.deepEqual(shown({ kind: 'Alt', condition: seq(ref('a'), ref('b')) }), [
      '0 CondBegin -> 1',
      '1 TaskNode#0 a -> 2',
      '2 TaskNode#1 b -> 3',
      '3 CondEnd -> 4(true) 4(false)',
      '4 AltEnd',
    ]);
    assert.deepEqual(shown({ kind: 'Alt', condition: seq(ref('a')) })[0], '0 CondNode#0 a -> 1(true) 1(false)');
    assert.equal(shown({ kind: 'Alt', condition: { kind: 'Par', works: [ref('a')] } })[0], '0 CondBegin -> 1');
  });

  it('of any job has each Ref once, one back edge a post-condition, no other circle, and no node that is not reached', () => {
    fc.assert(
      fc.property(anyWork, (given) => {
        const work = normalWork(given);
        const graph = generateChartNodes(work);
        const { nodes } = graph;
        assert.deepEqual(
          nodes.map(({ id }) => id),
          [...nodes.keys()],
        );
        const refs = nodes.flatMap(({ hint }) => (typeof hint === 'string' ? [] : [hint[1]])).sort((x, y) => x - y);
        assert.deepEqual(refs, [...Array(count(work, ({ kind }) => kind === 'Ref')).keys()]);
        const arrows = nodes.flatMap((node) => (node.arrows ?? []).map((arrow) => ({ from: node.id, ...arrow })));
        assert.equal(
          arrows.filter(({ loopBack }) => loopBack).length,
          count(work, (part) => part.kind === 'Loop' && part.postCondition !== undefined),
        );
        assert.deepEqual(
          nodes.filter(({ id }) => !reached(graph).has(id)),
          [],
        );
        assert.ok(isAcyclic(graph));
        // One end, which every node but it leads to; the same construct that begins also ends.
        assert.equal(nodes.filter((node) => !node.arrows?.some(({ loopBack }) => !loopBack)).length, 1);
        for (const [begin, end] of [
          ['ParBegin', 'ParEnd'],
          ['CondBegin', 'CondEnd'],
        ])
          assert.equal(nodes.filter(({ hint }) => hint === begin).length, nodes.filter(({ hint }) => hint === end).length);
        // A condition has both answers, each once.
        for (const node of nodes) {
          const labels = (node.arrows ?? []).flatMap(({ label }) => label ?? []).sort();
          const isCondition = node.hint === 'CondEnd' || node.hint[0] === 'CondNode';
          assert.deepEqual(labels, isCondition ? ['false', 'true'] : []);
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

function count(work: Work<number>, is: (part: Work<number>) => boolean): number {
  const parts = (): (Work<number> | undefined)[] => {
    switch (work.kind) {
      case 'Ref':
        return [];
      case 'Seq':
      case 'Par':
        return work.works;
      case 'Loop':
        return [work.preCondition?.[1], work.body, work.postCondition?.[1]];
      case 'Alt':
        return [work.condition, work.trueWork, work.falseWork];
    }
  };
  return parts().reduce((sum, part) => sum + (part ? count(part, is) : 0), is(work) ? 1 : 0);
}

function reached({ nodes }: ChartGraph): Set<number> {
  const seen = new Set<number>([0]);
  for (const id of seen) for (const { to } of nodes[id]?.arrows ?? []) seen.add(to);
  return seen;
}

/** Without back edges. */
function isAcyclic({ nodes }: ChartGraph): boolean {
  const open = new Set<number>();
  const done = new Set<number>();
  const visit = (id: number): boolean => {
    if (done.has(id)) return true;
    if (open.has(id)) return false;
    open.add(id);
    const good = (nodes[id]?.arrows ?? []).every(({ to, loopBack }) => loopBack || visit(to));
    open.delete(id);
    done.add(id);
    return good;
  };
  return visit(0);
}
