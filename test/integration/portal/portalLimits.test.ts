/** A task and a job use no more than their entry says, over HTTP, and what they have used is known. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelCallsMeta } from '../../../src/ahp/common/modelCalls.ts';
import type { AgentTurn } from '../../../src/host/agents/agent.ts';
import type { JobState } from '../../../src/portal/runs/jobState.ts';
import type { RunSummary } from '../../../src/portal/runs/runSummary.ts';
import { eventually } from '../../fakes/eventually.ts';
import { gate } from '../host/hostHarness.ts';
import { callbacks, callTools, TestPortal } from './portalHarness.ts';

type Status = RunSummary & Pick<JobState, 'steps'>;

const task = (prompt: string, more: object = {}) => ({
  model: { category: 'driving' },
  prompt: [prompt],
  requireUserInput: false,
  ...more,
});
const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 1, additionalPrompt: ['Only report.'] } };
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const entry = {
  ...{ models: { driving: 'one' }, promptVariables: {}, grid: [] },
  tasks: {
    repeat: task('repeat'),
    second: task('repeat at first', { limits: { toolCalls: 3 }, criteria }),
    below: task('below', { limits: { toolCalls: 2 } }),
    quiet: task('quiet', { limits: { quietMinutes: 0.001 } }),
    spend: task('spend'),
  },
  jobs: {
    ...Object.fromEntries(['repeat', 'second', 'below', 'quiet'].map((name) => [name, { work: ref(name) }])),
    spend: { budget: { tokens: 250 }, work: { kind: 'Seq', works: [ref('spend'), ref('spend'), ref('spend')] } },
  },
};

/** One call after another, as a model does that has lost its way, until the turn is stopped. */
async function repeatCalls(turn: Pick<AgentTurn, 'toolCall'>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const call = turn.toolCall({ toolName: 'look', displayName: 'Look' });
    const ready = { invocationMessage: 'Looking', toolInput: '{"path":"a"}' };
    await call.check(ready);
    call.run(ready, 'not-needed');
    call.complete({ success: true, pastTenseMessage: 'Looked' });
    await new Promise(setImmediate);
  }
}

for (const dialect of ['v1', 'channels'] as const)
  describe(`what tasks and jobs may use, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let runsFolder: string;
    /** It stays when the portal is started again. */
    let workFolder: string;
    const quiet = gate();
    const cancelled: string[] = [];

    async function start(): Promise<void> {
      test = await TestPortal.start({ dialects: [dialect], runsFolder, allowJobTools: true });
      test.agent.onTurn = async (turn, host) => {
        const { text } = turn.message;
        turn.signal.addEventListener('abort', () => cancelled.push(text));
        if (text.startsWith('repeat') && !text.endsWith('Only report.')) return repeatCalls(turn, () => turn.signal.aborted);
        if (text.startsWith('repeat')) return callTools(turn, host.lenders[0]?.clientId, ['job_boolean_true done']);
        if (text === 'quiet') {
          turn.markdown('I think.');
          await quiet.promise;
          turn.markdown(' Done.');
        } else if (text === 'below') {
          const call = turn.toolCall({ toolName: 'agent', displayName: 'Agent' });
          const ready = { invocationMessage: 'Working', toolInput: 'x' };
          await call.check(ready);
          call.run(ready, 'not-needed');
          const subagent = host.startSubagent({ toolCallId: call.id, title: 'Below', prompt: 'x' });
          call.setContent([{ type: 'subagent', resource: subagent.chat, title: 'Below' }]);
          await repeatCalls(subagent, () => turn.signal.aborted);
        } else if (text === 'spend') {
          turn.usage({ inputTokens: 60, outputTokens: 10, _meta: modelCallsMeta(1) });
          turn.usage({ inputTokens: 90, outputTokens: 20, _meta: modelCallsMeta(2) });
          turn.markdown('Spent.');
        }
        return undefined;
      };
      assert.deepEqual(await test.install(entry), { result: 'OK' });
    }
    before(async () => {
      runsFolder = mkdtempSync(join(tmpdir(), 'tapline-limits-'));
      workFolder = mkdtempSync(join(tmpdir(), 'tapline-limits-work-'));
      await start();
    });
    after(async () => {
      await test.close();
      for (const folder of [runsFolder, workFolder]) rmSync(folder, { recursive: true, force: true });
    });
    afterEach(() => void cancelled.splice(0));

    const startJob = async (name: string) => String((await test.call(`copilot/job/start/${name}`, workFolder))['jobId']);
    const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as unknown as Status;
    const decisions = ({ steps }: Status) => steps.flatMap((step) => step.task?.decisions ?? []).map(({ reason }) => reason);

    it('end a model that repeats one call', async () => {
      const jobId = await startJob('repeat');
      assert.deepEqual(callbacks(await test.follow(`job/${jobId}`)).slice(-2), ['jobFailed', 'JobsClosed']);
      const job = await status(jobId);
      const reason =
        /^limits\.toolCalls 500 is reached, which is the default: the turn was stopped after \d+ tool calls, and this round has failed\.$/;
      assert.match(job.failedStep?.reason ?? '', reason);
      assert.ok((job.used?.toolCalls ?? 0) > 500);
      await eventually(() => cancelled.length > 0, 'the end of the turn');
      assert.deepEqual(cancelled, ['repeat']);
    });

    it('fail a round, after which the task is tried again', async () => {
      const jobId = await startJob('second');
      await test.follow(`job/${jobId}`);
      const job = await status(jobId);
      assert.equal(job.status, 'Succeeded', decisions(job).join('\n'));
      assert.match(decisions(job)[0] ?? '', /^\[DECISION\] limits\.toolCalls 3 is reached: /);
      assert.equal(decisions(job)[1], '[OPERATION] Retry 1 of 1.');
      assert.equal(job.steps[0]?.task?.sessions.length, 1);
    });

    it('count what subagents do', async () => {
      const jobId = await startJob('below');
      await test.follow(`job/${jobId}`);
      assert.match((await status(jobId)).failedStep?.reason ?? '', /^limits\.toolCalls 2 is reached/);
    });

    it('say that a step stalls, and when it goes on', async () => {
      const jobId = await startJob('quiet');
      // What the agent says last may come after the first stall, which is over with it.
      let row: RunSummary | undefined;
      const isShown = async () => {
        [row] = ((await test.call('copilot/job/runs', '{"status":["Executing"]}')) as unknown as { runs: RunSummary[] }).runs;
        return row?.stalled && (await status(jobId)).stalled;
      };
      await eventually(isShown, 'the stall');
      assert.deepEqual([row?.jobId, row?.stalled?.taskName, row?.stalled?.step], [jobId, 'quiet', '0#0']);
      quiet.open();
      await test.follow(`job/${jobId}`);
      const job = await status(jobId);
      assert.deepEqual([job.status, job.stalled], ['Succeeded', undefined]);
      assert.ok(decisions(job).some((reason) => /^\[OPERATION\] Nothing has happened in the session for 0\.001 minutes\./.test(reason)));
      assert.equal(job.used?.modelCalls, 1);
    });

    it('stop a run with its budget, keep what it has used, and give it as much again', async () => {
      const jobId = await startJob('spend');
      const told = await test.follow(`job/${jobId}`);
      const reason = 'its budget of 250 tokens is used up, after 330 tokens; when it is continued, it has as much again';
      assert.ok(told.some(({ jobError }) => jobError === reason));
      const job = await status(jobId);
      assert.deepEqual([job.status, job.reason, job.failedStep], ['Stopped', reason, undefined]);
      const { ms: _ms, ...used } = job.used ?? assert.fail();
      assert.deepEqual(used, { modelCalls: 6, toolCalls: 0, inputTokens: 270, outputTokens: 60 });
      assert.deepEqual(
        job.steps.map((step) => step.task?.used?.modelCalls),
        [2, 2, 2],
      );

      await test.close();
      await start();
      assert.deepEqual((await status(jobId)).used, job.used);
      assert.deepEqual(await test.call(`copilot/job/${jobId}/continue`, ''), { jobId });
      await test.follow(`job/${jobId}`);
      const again = await status(jobId);
      assert.deepEqual([again.status, again.reason, again.used?.inputTokens], ['Succeeded', undefined, 360]);
      const listed = (await test.call('copilot/job'))['jobs'] as Record<string, { budget?: object }>;
      assert.deepEqual(listed['spend']?.budget, { tokens: 250 });
    });
  });
