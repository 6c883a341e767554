import assert from 'node:assert/strict';
import { shownSpan, type ShownSpan } from './shownSpan.ts';
import { spanWords } from './spanWords.ts';
import { tracesOf, visibleRows } from './waterfall.ts';

const id = (n: number, length = 16) => n.toString(16).padStart(length, '0');
const START = Date.UTC(2026, 10, 27, 12);

/** `n`: its id. `at`, `ms`: from when to when, in the trace. */
function span(n: number, above: number | undefined, name: string, [at, ms]: [number, number], attributes: object = {}): ShownSpan {
  const made = shownSpan({
    ...{ traceId: id(1, 32), spanId: id(n), name, startedAt: START + at, durationMs: ms, attributes },
    ...(above !== undefined && { parentSpanId: id(above) }),
  });
  assert.ok(made);
  return made;
}

/** A watch whose failure was mended. */
const mended = () => [
  span(1, undefined, 'emitter_run', [0, 1_000], { 'tapline.emitter': 'npm-test', 'tapline.run': 4 }),
  span(2, 1, 'emitter_lines', [600, 1], { 'tapline.emitter': 'npm-test', 'tapline.lines.inject': 2 }),
  span(3, 2, 'inject', [601, 399], { 'tapline.emitter': 'npm-test' }),
  span(4, 3, 'turn', [1_000, 3_000], { 'tapline.turn.id': 't1' }),
  span(6, 4, 'execute_tool bash', [3_000, 500], { 'gen_ai.tool.name': 'bash', 'gen_ai.tool.call.id': 'c1' }),
  span(5, 4, 'wait_for_user bash', [1_500, 1_500], { 'gen_ai.tool.name': 'bash', 'gen_ai.tool.call.id': 'c1' }),
  span(7, 6, 'call provider', [3_100, 300], { 'tapline.provider': 'ci' }),
];

describe('waterfall', () => {
  it('has each span below what brought it about, in the order of time, and where it leads', () => {
    const [trace] = tracesOf(mended().reverse());
    assert.ok(trace);
    assert.deepEqual(
      trace.rows.map(({ span: own, depth, from, width, place }) => [depth, spanWords(own).text, from, width, place]),
      [
        [1, 'Run 4 of npm-test', 0, 0.25, undefined],
        [2, '2 lines of npm-test', 0.15, 0.00025, undefined],
        [3, 'Waits for the agent: npm-test', 0.15025, 0.09975, undefined],
        [4, 'Turn', 0.25, 0.75, { turn: 't1' }],
        [5, 'Waits for you: bash', 0.375, 0.375, { turn: 't1', call: 'c1' }],
        [5, 'Call of bash', 0.75, 0.125, { turn: 't1', call: 'c1' }],
        [6, 'ci', 0.775, 0.075, { turn: 't1', call: 'c1' }],
      ],
    );
    assert.deepEqual([trace.start, trace.durationMs, trace.turns, trace.calls, trace.failed], [START, 4_000, 1, 1, 0]);
  });

  it('hides what is below a span that is closed', () => {
    const [trace] = tracesOf(mended());
    assert.ok(trace);
    assert.deepEqual(
      visibleRows(trace.rows, new Set([id(4)])).map(({ span: { name } }) => name),
      ['emitter_run', 'emitter_lines', 'inject', 'turn'],
    );
  });

  it('has the trace with the newest span first, and knows runs that have told nothing', () => {
    const other = { ...span(9, undefined, 'emitter_run', [5_000, 10]), traceId: id(2, 32) };
    const traces = tracesOf([...mended(), other]);
    assert.deepEqual(
      traces.map(({ id: trace, isQuiet }) => [trace, isQuiet]),
      [
        [id(2, 32), true],
        [id(1, 32), false],
      ],
    );
  });

  it('knows no run that failed as one that has told nothing', () => {
    const failed = { ...span(9, undefined, 'emitter_run', [5_000, 10]), error: 'exit code 1' };
    assert.deepEqual(
      tracesOf([failed]).map(({ isQuiet, failed: count }) => [isQuiet, count]),
      [[false, 1]],
    );
  });

  it('draws every span once, also those without what is above them, and those that are above each other', () => {
    const [trace] = tracesOf([
      ...mended().slice(4),
      { ...span(20, 21, 'a', [0, 1]) },
      { ...span(21, 20, 'b', [0, 1]) },
      span(22, 22, 'c', [0, 1]),
    ]);
    assert.ok(trace);
    assert.deepEqual(
      trace.rows.map(({ span: { spanId } }) => spanId).sort(),
      [5, 6, 7, 20, 21, 22].map((n) => id(n)),
    );
    assert.deepEqual(
      trace.rows.filter(({ isOrphan }) => isOrphan).map(({ span: { name } }) => name),
      ['c', 'wait_for_user bash', 'execute_tool bash', 'a'],
    );
  });

  it('takes no record that is no span, and cuts long names', () => {
    assert.equal(shownSpan({ traceId: 'x', spanId: id(1), name: 'a', startedAt: 1, durationMs: 1 }), undefined);
    assert.equal(shownSpan(null), undefined);
    const long = shownSpan({ traceId: id(1, 32), spanId: id(1), name: 'x'.repeat(10_000), startedAt: START, durationMs: 1, failed: true });
    assert.deepEqual([long?.name.length, long?.error], [201, 'failed']);
  });

  it('says of a span of others whose it is', () => {
    const theirs = span(1, undefined, 'turn', [0, 1], { 'tapline.service': 'copilot-host' });
    assert.equal(spanWords(theirs).text, 'turn (copilot-host)');
  });

  it('leads from what a host tells to the call, and from a turn in another chat to what has started it', () => {
    const turn = { 'tapline.turn.id': 't' };
    const theirs = { 'tapline.service': 'a-host' };
    const call = { 'gen_ai.tool.call.id': 'c' };
    const [trace] = tracesOf([
      span(1, undefined, 'turn', [0, 9], turn),
      span(2, 1, 'execute_tool task', [1, 8], { ...theirs, ...turn, ...call }),
      span(3, 2, 'turn', [2, 7], { ...theirs, 'tapline.turn.id': 'of the subagent' }),
      span(4, 3, 'execute_tool x', [3, 6], { ...theirs, 'tapline.turn.id': 'of the subagent', 'gen_ai.tool.call.id': 'd' }),
    ]);
    const task = { turn: 't', call: 'c' };
    assert.deepEqual(
      trace?.rows.map(({ place }) => place),
      [{ turn: 't' }, task, task, task],
    );
  });

  it('says what rules have decided, and which of them', () => {
    const words = (name: string, attributes: object) =>
      spanWords(span(1, undefined, name, [0, 1], attributes as Record<string, string>)).text;
    const tool = { 'gen_ai.tool.name': 'shell' };
    const by = { 'tapline.provider': 'ci', 'tapline.rule': '2 (gate g)' };
    assert.equal(
      words('evaluate_rules shell', { ...tool, ...by, 'tapline.decision': 'deny' }),
      'Rules about shell: deny by ci, rule 2 (gate g)',
    );
    assert.equal(words('evaluate_rules shell', { ...tool, 'tapline.decision': 'allow' }), 'Rules about shell: allow');
    assert.equal(words('gate ci', { ...tool, ...by, 'tapline.decision': 'deny' }), 'Gate of ci: deny, rule 2 (gate g)');
    assert.equal(words('gate ci', { ...tool, 'tapline.decision': 'constructor' }), 'Gate of a provider: constructor');
    assert.equal(words('gate ci', { ...tool, ...by }), 'Gate of ci');
  });
});
