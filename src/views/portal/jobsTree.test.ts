import assert from 'node:assert/strict';
import { jobRuns, type JobStatus, jobStatus, type JobSummary } from './jobData.ts';
import { type JobsInput, type JobsNode, jobsSummary, jobsTree } from './jobsTree.ts';
import type { SessionSummary } from './sessionData.ts';

const NOW = 1_000_000_000_000;
const run = (fields: Partial<JobSummary> = {}): JobSummary => ({
  ...{ jobId: 'j-1', jobName: 'Fix a failing test', status: 'Executing', attempt: 1, startedAt: NOW - 5_000, workingDirectory: '/w' },
  ...fields,
});
const session = (fields: Partial<SessionSummary> = {}): SessionSummary => ({
  ...{ sessionId: 's', uri: 'demo:/s', title: 'npm test', isWorking: true, waiting: 1 },
  use: { taskName: 'report', jobId: 'j-1' },
  ...fields,
});
const job = (fields: object = {}): JobStatus =>
  jobStatus.parse({
    ...{ ...run(), userInput: '' },
    chart: {
      nodes: [
        { id: 0, hint: ['CondNode', 0], label: 'tests pass?', arrows: [{ to: 1, loopBack: false }] },
        { id: 1, hint: ['TaskNode', 1], label: 'report' },
      ],
    },
    steps: [
      { step: '0#0', workId: 0, taskName: 'tests pass?', status: 'Failed', startedAt: NOW - 5_000, endedAt: NOW - 3_000 },
      {
        ...{ step: '1#0', workId: 1, taskName: 'report', status: 'Executing', startedAt: NOW - 3_000 },
        task: { model: 'm', decisions: [], sessions: [{ sessionId: 's', status: 'Running' }] },
      },
    ],
    ...fields,
  });
const tree = (fields: Partial<JobsInput>) => jobsTree({ runs: [run()], sessions: [], jobs: new Map(), now: NOW, ...fields });
const drawn = (nodes: readonly JobsNode[], depth = 0): string[] =>
  nodes.flatMap(({ label, description, icon, context, children = [] }) => [
    `${'  '.repeat(depth)}${icon.id} ${label}${description === undefined ? '' : ` | ${description}`}${context === '' ? '' : ` (${context})`}`,
    ...drawn(children, depth + 1),
  ]);

describe('the rows of “Jobs”', () => {
  it('have the newest run first, with what can be done with each', () => {
    const runs = [
      run({ jobId: 'a', status: 'Succeeded', endedAt: NOW - 1_000 }),
      run({ jobId: 'b', status: 'Failed', endedAt: NOW - 120_000, startedAt: NOW - 132_000, reason: 'A step failed.' }),
      run({ jobId: 'c', status: 'Failed', endedAt: NOW, loopCap: 3 }),
      run({ jobId: 'd', status: 'Stopped', endedAt: NOW, attempt: 2 }),
      run({ jobId: 'e', startedAt: NOW - 600_000 }),
    ];
    const rows = tree({ runs });
    assert.deepEqual(drawn(rows.map(({ children: _steps, ...row }) => row)), [
      'loading~spin Fix a failing test | Running · 10 min (run pause stop)',
      'circle-slash Fix a failing test | Stopped · 5 s · now · attempt 2 (run continue ended)',
      'error Fix a failing test | Failed · 5 s · now (run ended)',
      'error Fix a failing test | Failed · 12 s · 2m (run continue ended)',
      'pass Fix a failing test | Succeeded · 4 s · now (run ended)',
    ]);
    assert.match(rows[3]?.tooltip ?? '', /A step failed\.\nIn \/w/);
    assert.equal(rows[3]?.spoken, 'Job Fix a failing test, Failed · 12 s · 2m, A step failed.');
    assert.equal(new Set(rows.map(({ id }) => id)).size, 5);
  });

  it('say which run and which step of it wait for the user', () => {
    const rows = tree({ sessions: [session()], jobs: new Map([['j-1', job()]]) });
    assert.deepEqual(drawn(rows), [
      'question Fix a failing test | Waits for you (run pause stop)',
      '  dash tests pass? | Answered: false · 2 s · now (step)',
      '  question report | Waits for you (step)',
    ]);
    assert.equal(rows[0]?.isOpen, true);
    assert.equal(rows[0]?.children?.[0]?.spoken, 'tests pass?, Answered: false · 2 s · now, condition');
  });

  it('are the same while only seconds pass', () => {
    const input = { jobs: new Map([['j-1', job()]]) };
    assert.deepEqual(tree({ ...input, now: NOW + 4_000 }), tree(input));
  });

  it('have “Loading…” until the steps are known, and say why nothing newer is', () => {
    assert.deepEqual(drawn(tree({ problem: 'The portal cannot be reached.' })), [
      'warning The portal cannot be reached.',
      'loading~spin Fix a failing test | Running (run pause stop)',
      '  loading~spin Loading…',
    ]);
  });

  it('are bounded, and each on one line, whatever the portal says', () => {
    const nodes = Array.from({ length: 5_000 }, (_, id) => ({ id, hint: ['TaskNode', id] as const, label: `step\n${id}` }));
    const runs = Array.from({ length: 1_000 }, (_, at) => run({ jobId: String(at), jobName: 'x\n\u202ey' }));
    const [first, ...rest] = tree({
      runs: jobRuns.parse({ runs }).runs,
      jobs: new Map([['999', job({ jobId: '999', chart: { nodes }, steps: [] })]]),
    });
    assert.equal(rest.length, 50);
    assert.equal(rest.at(-1)?.label, '950 earlier runs are not listed.');
    assert.equal(first?.children?.length, 201);
    assert.match(first?.children?.at(-1)?.label ?? '', /4[,.]?800 more steps/);
    for (const { label } of [...rest, ...(first?.children ?? [])]) assert.doesNotMatch(label, /[\n\u202e]/);
  });
});

describe('the summary of “Jobs”', () => {
  it('counts what runs, what waits for the user, and what has failed since they have looked', () => {
    const runs = [
      run(),
      run({ jobId: 'b', status: 'Failed', endedAt: NOW }),
      run({ jobId: 'c', status: 'Interrupted', endedAt: NOW - 9_000 }),
    ];
    assert.deepEqual(jobsSummary({ runs, sessions: [session(), session({ sessionId: 't' })] }, NOW - 1_000), {
      text: '1 running',
      needsYou: 2,
    });
    assert.deepEqual(jobsSummary({ runs: runs.slice(1), sessions: [session({ use: { taskName: 'alone' } })] }, NOW), {
      text: '2 runs',
      needsYou: 0,
    });
    assert.equal(jobsSummary({ runs: [], sessions: [] }, NOW).text, 'no runs yet');
    const queued = run({ jobId: 'q', queuedFor: 'waits until 2026-11-28 06:00' });
    assert.equal(jobsSummary({ runs: [run(), queued], sessions: [] }, NOW).text, '1 running, 1 queued');
    assert.equal(jobsSummary({ runs: [queued], sessions: [] }, NOW).text, '1 queued');
  });
});
