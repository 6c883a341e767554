/** What a person does to a run in the middle: pause, go on, skip, steer, and go on with other input or another prompt. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobState } from '../../../src/portal/runs/jobState.ts';
import type { TimelineEntry } from '../../../src/portal/runs/runTimeline.ts';
import { shownChat } from '../../../src/views/session/chats.ts';
import { until } from '../../support/until.ts';
import { callbacks, type Json, TestPortal } from './portalHarness.ts';

const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } };
const task = (prompt: string, more: Json = {}) => ({
  model: { category: 'driving' },
  prompt: [prompt],
  requireUserInput: prompt.includes('$user-input'),
  ...more,
});
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const entry = {
  ...{ models: { driving: 'one' }, promptVariables: {}, grid: [] },
  tasks: { ask: task('ask'), wait: task('wait $user-input'), after: task('after'), fails: task('say $user-input', { criteria }) },
  jobs: {
    asks: { work: { kind: 'Seq', works: [ref('ask'), ref('after')] } },
    waits: { work: { kind: 'Seq', works: [ref('wait'), ref('after')] } },
    fails: { work: { kind: 'Seq', works: [ref('after'), ref('fails'), ref('after')] } },
  },
};
const HTTP = 'a program over HTTP';

type Status = JobState & { runningWorkIds: number[] };

for (const dialect of ['v1', 'channels'] as const)
  describe(`in the middle of a run, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let runsFolder: string;
    let prompts: string[];

    async function start(): Promise<void> {
      test = await TestPortal.start({ dialects: [dialect], runsFolder });
      test.agent.onTurn = async (turn) => {
        const { text } = turn.message;
        prompts.push(text);
        if (text === 'ask') return void (await turn.ask({ message: 'Which one?', questions: [] }));
        if (!text.startsWith('wait')) return undefined;
        // Until somebody says something.
        const said = await until('a steering message', turn.onDidReceiveSteering, () => turn.takeSteeringMessage());
        said.heard();
        turn.markdown(`heard ${said.message.text}`);
      };
      assert.deepEqual(await test.install(entry), { result: 'OK' });
    }
    beforeEach(async () => {
      prompts = [];
      runsFolder = mkdtempSync(join(tmpdir(), 'tapline-middle-'));
      await start();
    });
    afterEach(async () => {
      await test.close();
      rmSync(runsFolder, { recursive: true, force: true });
    });

    const begin = async (name: string, input = 'in') =>
      String((await test.call(`copilot/job/start/${name}`, `${runsFolder}\n${input}`))['jobId']);
    const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as unknown as Status;
    const change = (jobId: string, what: string, body?: Json) => test.call(`copilot/job/${jobId}/${what}`, body && JSON.stringify(body));
    const ended = (jobId: string) => test.follow(`job/${jobId}`);
    /** Once the agent has its prompt, and the portal knows of the turn. */
    async function working(jobId: string): Promise<void> {
      const { onDidPublish } = test.portal.runs;
      const running = () => test.portal.runs.jobState(jobId)?.steps.at(-1)?.task?.sessions.at(-1)?.sessionId;
      const id = await until('a session', onDidPublish, running);
      await test.follow(`session/${id}`, ({ callback }) => callback === 'onAgentStart');
    }
    const deeds = async (jobId: string) =>
      ((await test.call(`copilot/job/${jobId}/timeline`))['entries'] as TimelineEntry[]).flatMap(({ kind, text }) =>
        kind === 'answer' ? [text] : [],
      );

    it('pauses after what runs, steers that to its end, is paused in the next portal too, and goes on', async () => {
      const jobId = await begin('waits');
      await working(jobId);
      assert.deepEqual(await change(jobId, 'pause'), { result: 'Pausing' });
      const pausing = await status(jobId);
      assert.deepEqual([pausing.status, pausing.pausing?.by], ['Executing', HTTP]);
      assert.deepEqual(await change(jobId, 'steer', { step: '0#0', text: 'enough' }), { result: 'Steered' });
      assert.deepEqual(callbacks(await ended(jobId)), ['workStarted', 'workStopped', 'JobsClosed']);
      const paused = await status(jobId);
      assert.deepEqual([paused.status, paused.runningWorkIds, paused.steps.map((step) => step.status)], ['Paused', [], ['Succeeded']]);
      const [decision] = paused.steps[0]?.task?.decisions.filter(({ answer }) => answer) ?? [];
      assert.deepEqual(decision?.answer, { about: 'turn', answer: 'steered', by: HTTP, input: 'enough' });
      assert.deepEqual(await change(jobId, 'pause'), { error: 'JobNotRunning' });
      assert.deepEqual(await change(jobId, 'steer', { step: '0#0', text: 'x' }), { error: 'StepNotRunning' });

      await test.close();
      await start();
      const kept = await status(jobId);
      assert.deepEqual({ ...kept, steps: [] }, { ...paused, steps: [] });
      const { runs } = (await test.call('copilot/job/runs')) as { runs: { status: string }[] };
      assert.deepEqual(
        runs.map((run) => run.status),
        ['Paused'],
      );
      assert.deepEqual(await change(jobId, 'continue'), { jobId });
      await ended(jobId);
      assert.equal((await status(jobId)).status, 'Succeeded');
      assert.deepEqual(prompts, ['wait in', 'after']);
      assert.deepEqual(await deeds(jobId), [
        `The job is to pause after the steps that run, by ${HTTP}.`,
        `[OPERATION] ${HTTP} steered the running turn, with "enough".`,
        `The job went on from the steps that had no answer or had failed, by ${HTTP}.`,
      ]);
    });

    it('has what somebody told the agent in the page of its session, once', async () => {
      const jobId = await begin('waits');
      await working(jobId);
      const other = await test.connect([dialect]);
      const { uri } = ((await test.call('copilot/session'))['sessions'] as { uri: string }[])[0]!;
      const session = other.session(uri);
      const chatUri = await until('its chat', session.onDidChange, () => session.confirmed && shownChat(session.confirmed));
      const chat = other.chat(chatUri);
      await until('its turn', chat.onDidChange, () => chat.confirmed?.activeTurn);
      assert.deepEqual(await chat.steer('enough').settled, { kind: 'confirmed' });
      await ended(jobId);
      other.close();
      const { steps } = await status(jobId);
      assert.deepEqual(
        steps.flatMap(({ task: { decisions = [] } = {} }) => decisions).flatMap(({ answer }) => answer ?? []),
        [{ about: 'turn', answer: 'steered', by: 'somebody', input: 'enough' }],
      );
      assert.deepEqual(await deeds(jobId), ['[OPERATION] somebody steered the running turn, with "enough".']);
    });

    it('goes on without a pause that is withdrawn', async () => {
      const jobId = await begin('waits');
      await working(jobId);
      await change(jobId, 'pause');
      assert.deepEqual(await change(jobId, 'continue'), { jobId });
      await change(jobId, 'steer', { step: '0#0', text: 'enough' });
      await ended(jobId);
      const { status: end, attempt } = await status(jobId);
      assert.deepEqual([end, attempt], ['Succeeded', 1]);
    });

    it('skips a step that runs, and ends its session', async () => {
      const jobId = await begin('waits');
      await working(jobId);
      assert.deepEqual(await change(jobId, 'skip', { step: '0#0' }), { jobId });
      assert.deepEqual(callbacks(await ended(jobId)), [
        'workStarted',
        'workStopped',
        'workStarted',
        'workStopped',
        'jobSucceeded',
        'JobsClosed',
      ]);
      const [step] = (await status(jobId)).steps;
      assert.deepEqual(
        [step?.status, step?.skipped?.by, step?.skipped?.was, step?.task?.status],
        ['Succeeded', HTTP, 'Executing', 'Stopped'],
      );
      assert.deepEqual(await deeds(jobId), [`The step was skipped and counts as done, by ${HTTP}.`]);
      assert.deepEqual(await change(jobId, 'skip', { step: '0#0' }), { error: 'StepCannotSkip' });
      assert.deepEqual(await change(jobId, 'skip', { step: '9#0' }), { error: 'StepNotFound' });
    });

    it('skips a step that waits for a person, and what waited is gone', async () => {
      const jobId = await begin('asks');
      const { attention } = test.portal;
      await until('a question', attention.onDidChange, () => attention.list().items.some(({ kind }) => kind === 'question'));
      assert.deepEqual(await change(jobId, 'skip', { step: '0#0' }), { jobId });
      await ended(jobId);
      await until('nothing that waits', attention.onDidChange, () => attention.list().items.length === 0);
      const { status: end, steps } = await status(jobId);
      assert.deepEqual([end, steps.map((one) => one.skipped?.by)], ['Succeeded', [HTTP, undefined]]);
    });

    it('skips a step that has failed, and goes on after it', async () => {
      const jobId = await begin('fails');
      await ended(jobId);
      assert.equal((await status(jobId)).status, 'Failed');
      assert.deepEqual(await change(jobId, 'skip', { step: '1#0' }), { jobId });
      await ended(jobId);
      const { status: end, steps } = await status(jobId);
      assert.deepEqual(
        [end, steps.map(({ step, status: is }) => `${step} ${is}`)],
        ['Succeeded', ['0#0 Succeeded', '1#0 Succeeded', '2#0 Succeeded']],
      );
      assert.equal(steps[1]?.skipped?.was, 'Failed');
      assert.deepEqual(prompts, ['after', 'say in', 'after']);
    });

    it('goes on from any step with other input or another prompt, and shows what a step gets', async () => {
      const jobId = await begin('fails', 'one');
      await ended(jobId);
      const gets = () => test.call(`copilot/job/${jobId}/step/1`);
      assert.deepEqual(await gets(), { workId: 1, taskName: 'fails', userInput: 'one', prompt: 'say $user-input' });
      const edit = { step: '1#0', userInput: 'two' };
      assert.deepEqual(await change(jobId, 'retry', { from: '1#0', edit }), { jobId });
      await ended(jobId);
      assert.deepEqual(await change(jobId, 'retry', { from: '0#0', edit: { step: '1#0', prompt: 'tell $user-input' } }), { jobId });
      await ended(jobId);
      assert.deepEqual(prompts, ['after', 'say one', 'say two', 'after', 'tell two']);
      assert.deepEqual(await gets(), { workId: 1, taskName: 'fails', userInput: 'two', prompt: 'tell $user-input' });
      assert.deepEqual(
        (await deeds(jobId)).filter((text) => /input|prompt/.test(text)),
        [
          `The input of the step is "two" from now on, by ${HTTP}.`,
          `The prompt of the step is "tell $user-input" from now on, by ${HTTP}.`,
        ],
      );
      for (const wrong of [{}, { from: '1#0', edit: { step: '1#0', prompt: ' ' } }, { from: 'x' }])
        assert.equal((await test.request(`/api/copilot/job/${jobId}/retry`, { method: 'POST', body: JSON.stringify(wrong) })).status, 400);
      assert.deepEqual(await change(jobId, 'retry', { from: '9#0' }), { error: 'StepNotFound' });
      assert.deepEqual(await change(jobId, 'retry', { from: '1#0', edit: { step: '9#0', prompt: 'x' } }), { error: 'StepNotFound' });
    });
  });
