import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyWork } from '../../../test/support/anyWork.ts';
import { generateChartNodes } from '../../portal/chart/generateChartNodes.ts';
import { normalWork } from '../../portal/entry/normalWork.ts';
import type { GivenWork } from '../../portal/entry/work.ts';
import { chartLayout, type DrawnChart, type DrawnNode, MAX_CHART_NODES, STEP_WIDTH } from './chartLayout.ts';
import { chartGraph } from './jobData.ts';
import { runs } from '../../../test/support/runs.ts';

const ref = (taskId: string): GivenWork => ({ kind: 'Ref', taskId });
function drawn(work: GivenWork): DrawnChart {
  const chart = chartLayout(chartGraph.parse(generateChartNodes(normalWork(work))));
  assert.ok(chart);
  return chart;
}
const overlap = (a: DrawnNode, b: DrawnNode) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const numbers = (text: string) => (text.match(/-?[\d.]+/g) ?? []).map(Number);

describe('the layout of a chart', () => {
  it('puts what comes later below, and what runs side by side beside', () => {
    const { nodes } = drawn({ kind: 'Seq', works: [ref('a'), { kind: 'Par', works: [ref('b'), ref('c')] }] });
    const [a, begin, b, c, end] = nodes as [DrawnNode, DrawnNode, DrawnNode, DrawnNode, DrawnNode];
    assert.ok(a.y < begin.y && begin.y < b.y && b.y < end.y);
    assert.equal(b.y, c.y);
    assert.ok(b.x + b.width < c.x);
    assert.deepEqual(begin.lines, []);
  });

  it('leads back from the post-condition of a loop to its entry, which stays above', () => {
    const { nodes, arrows } = drawn({ kind: 'Loop', postCondition: [false, ref('good?')], body: ref('try') });
    const [body, condition] = nodes as [DrawnNode, DrawnNode];
    assert.ok(body.y < condition.y);
    const [back, ...others] = arrows.filter(({ loopBack }) => loopBack);
    assert.ok(back);
    assert.deepEqual(others, []);
    assert.equal(back.label?.text, 'false');
    const line = numbers(back.path);
    const [startY, tipY] = [line[1] ?? 0, numbers(back.head)[1] ?? 0];
    assert.ok(startY >= condition.y && tipY <= body.y + body.height, 'from the condition up to the body');
  });

  it('draws both answers of a condition without branches', () => {
    const { arrows } = drawn({ kind: 'Alt', condition: ref('c') });
    assert.deepEqual(arrows.map(({ label }) => label?.text).sort(), ['false', 'true']);
    assert.notEqual(arrows[0]?.path, arrows[1]?.path);
  });

  it('breaks a name at spaces, and cuts what is too long', () => {
    const lines = (name: string) => drawn(ref(name)).nodes[0]?.lines ?? [];
    assert.deepEqual(lines('list the folder'), ['list the folder']);
    assert.deepEqual(lines('write the notes of a release'), ['write the notes', 'of a release']);
    assert.deepEqual(lines('x'.repeat(200)).length, 2);
    assert.ok(lines('漢'.repeat(200)).every((line) => [...line].length < 12));
    assert.match(lines('x'.repeat(200))[1] ?? '', /x…$/);
    assert.deepEqual(lines('a\u202e\nb'), ['a b']);
    assert.deepEqual(lines(''), []);
  });

  it('of any job draws all of it, within its size, without one node on another', () => {
    fc.assert(
      fc.property(anyWork, (given) => {
        const graph = chartGraph.parse(generateChartNodes(normalWork(given)));
        const chart = chartLayout(graph);
        if (!chart) return assert.ok(graph.nodes.length > MAX_CHART_NODES);
        const { nodes, arrows, width, height } = chart;
        assert.deepEqual(
          nodes.map(({ node }) => node),
          graph.nodes,
        );
        for (const [at, one] of nodes.entries()) {
          assert.ok(one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height);
          assert.ok(one.width <= STEP_WIDTH);
          for (const other of nodes.slice(at + 1)) assert.ok(!overlap(one, other));
        }
        assert.equal(arrows.length, graph.nodes.flatMap((node) => node.arrows ?? []).length);
        for (const { path, head } of arrows) for (const number of [...numbers(path), ...numbers(head)]) assert.ok(Number.isFinite(number));
      }),
      { numRuns: runs(100) },
    );
  });

  it('draws no chart that is too large', () => {
    const works = Array.from({ length: MAX_CHART_NODES + 1 }, () => ref('a'));
    assert.equal(chartLayout(chartGraph.parse(generateChartNodes(normalWork({ kind: 'Seq', works })))), undefined);
  });

  it('takes no chart whose arrows lead nowhere', () => {
    const node = { id: 0, hint: 'ParBegin', arrows: [{ to: 1, loopBack: false }] };
    assert.equal(chartGraph.safeParse({ nodes: [node] }).success, false);
  });
});
