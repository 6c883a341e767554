/** What people answer is part of the record of a run, and tells it from others. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentTurn } from '../../../src/host/agents/agent.ts';
import type { AttentionEntry } from '../../../src/portal/attention/portalAttention.ts';
import type { PersonAnswer } from '../../../src/portal/runs/personAnswer.ts';
import type { RunSummary } from '../../../src/portal/runs/runSummary.ts';
import { until } from '../../support/until.ts';
import { callbacks, type Json, TestPortal, type TestPortalOptions } from './portalHarness.ts';

const options = [
  { id: 'once', label: 'Run once', kind: 'approve' as const },
  { id: 'always', label: 'Always', kind: 'approve' as const },
  { id: 'no', label: 'Deny', kind: 'deny' as const },
];
const task = (prompt: string, more: object = {}) => ({
  ...{ model: { category: 'driving' }, prompt: [prompt], requireUserInput: prompt.includes('$user-input'), ...more },
});
const criteria = { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } };
const entry = {
  ...{ models: { driving: 'one' }, promptVariables: {}, grid: [] },
  tasks: {
    call: task('call ls -l $user-input'),
    report: task('report', { criteria }),
    result: task('result'),
    ask: task('ask'),
    below: task('below'),
  },
  jobs: Object.fromEntries(['call', 'report', 'result', 'ask', 'below'].map((name) => [name, { work: { kind: 'Ref', taskId: name } }])),
};

interface Status extends RunSummary {
  steps: { task: { reason?: string; denied?: number; decisions: { reason: string; answer?: PersonAnswer }[] } }[];
}

async function confirmed(turn: Pick<AgentTurn, 'toolCall'>, toolInput: string): Promise<void> {
  const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command', _meta: { toolKind: 'terminal' } });
  const decision = await call.confirm({ invocationMessage: 'Running', confirmationTitle: 'Run this?', toolInput, options });
  if (decision.approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
}

for (const dialect of ['v1', 'channels'] as const)
  describe(`the record of a run, over ${dialect}`, function () {
    this.timeout(60_000);
    let test: TestPortal;
    let runsFolder: string;

    async function start(more: TestPortalOptions = {}): Promise<void> {
      test = await TestPortal.start({ dialects: [dialect], runsFolder, ...more });
      test.agent.onTurn = async (turn, host) => {
        const [, what = '', rest = ''] = /^(\w+) ?([^]*)$/.exec(turn.message.text) ?? [];
        if (what === 'call') return confirmed(turn, rest);
        if (what === 'ask') return void (await turn.ask({ message: 'Which one?', questions: [] }));
        if (what === 'report') {
          const call = turn.toolCall({
            ...{ toolName: 'job_boolean_true', displayName: 'Report' },
            toolClientId: host.lenders[0]?.clientId,
          });
          const decision = await call.confirm({
            invocationMessage: 'Reporting',
            confirmationTitle: 'Report?',
            toolInput: '{"argument":"done"}',
            options,
          });
          if (decision.approved) await call.waitForClient();
        } else if (what === 'result') {
          const call = turn.toolCall({ toolName: 'read', displayName: 'Read' });
          const ready = { invocationMessage: 'Reading', toolInput: '{"path":"a"}' };
          await call.check(ready);
          call.run(ready, 'not-needed');
          const content = [{ type: 'text' as const, text: 'secret' }];
          await call.completeWithResultConfirmation({ success: true, pastTenseMessage: 'Read', content });
        } else if (what === 'below') {
          const call = turn.toolCall({ toolName: 'agent', displayName: 'Agent' });
          const ready = { invocationMessage: 'Working', toolInput: 'x' };
          await call.check(ready);
          call.run(ready, 'not-needed');
          const subagent = host.startSubagent({ toolCallId: call.id, title: 'Below', prompt: 'x' });
          call.setContent([{ type: 'subagent', resource: subagent.chat, title: 'Below' }]);
          await confirmed(subagent, 'rm b');
          subagent.complete();
          call.complete({ success: true, pastTenseMessage: 'Worked' });
        }
        return undefined;
      };
      assert.deepEqual(await test.install(entry), { result: 'OK' });
    }
    beforeEach(() => (runsFolder = mkdtempSync(join(tmpdir(), 'tapline-record-'))));
    afterEach(async () => {
      await test.close();
      rmSync(runsFolder, { recursive: true, force: true });
    });

    const startJob = async (name: string, input = '') =>
      String((await test.call(`copilot/job/start/${name}`, `${test.folder}\n${input}`))['jobId']);
    /** Once it is known what it is: until then it has another id. */
    const waiting = () =>
      until('something that waits', test.portal.attention.onDidChange, () =>
        test.portal.attention.list().items.find(({ decisions }) => decisions.length > 0),
      );
    const status = async (jobId: string) => (await test.call(`copilot/job/${jobId}/status`)) as unknown as Status;
    const rows = async (filter?: object) =>
      (await test.call('copilot/job/runs', filter && JSON.stringify(filter)))['runs'] as unknown as RunSummary[];
    const ended = (jobId: string) => test.follow(`job/${jobId}`);
    async function answer({ id, revision }: AttentionEntry, decision: Json, headers: Record<string, string> = {}): Promise<void> {
      const given = { ...test.authorized, 'Content-Type': 'application/json', ...headers };
      const response = await test.fetch(`/api/attention/${id}`, JSON.stringify({ revision, ...decision }), given);
      assert.deepEqual(await response.json(), { result: 'Answered' });
    }
    const answers = ({ steps }: Status) => steps.flatMap((one) => one.task.decisions).flatMap((one) => one.answer ?? []);

    it('has a refusal with its reason and who gave it, and is marked by it, also for the next portal', async () => {
      await start();
      const jobId = await startJob('call', 'x'.repeat(300));
      const item = await waiting();
      const [row] = await rows();
      assert.deepEqual([row?.waiting, row?.status, row?.input], [1, 'Executing', `${'x'.repeat(200)}…`]);
      await answer(item, { decision: 'deny', reason: 'Not on this machine.' });
      const [{ taskId } = {} as Json] = await ended(jobId);
      const said = (await test.follow(`task/${taskId}`)).map(({ reason }) => String(reason));
      const given = await status(jobId);
      const [given0] = answers(given);
      assert.deepEqual(
        { ...given0, input: given0?.input?.slice(0, 8) },
        {
          ...{ about: 'call', answer: 'denied', by: 'a program over HTTP', tool: 'bash', input: 'ls -l xx' },
          ...{ reason: 'Not on this machine.', option: 'Deny' },
        },
      );
      const words = given.steps[0]?.task.decisions.find((one) => one.answer)?.reason ?? '';
      assert.match(
        words,
        /^\[OPERATION\] a program over HTTP denied a call \("Deny"\): bash did not run, with "ls -l x+"\. The reason given: "Not on this machine\."\.$/,
      );
      assert.ok(said.includes(words), 'the live interface');
      assert.deepEqual([given.status, given.denied, given.waiting, given.steps[0]?.task.denied], ['Succeeded', 1, 0, 1]);

      const kept = given.steps;
      const folder = runsFolder;
      await test.close();
      await start({ runsFolder: folder });
      assert.deepEqual((await status(jobId)).steps, kept);
    });

    it('says who has approved, as far as it is known', async () => {
      await start();
      const jobs: string[] = [];
      const run = async (decide: (item: AttentionEntry) => Promise<void>) => {
        const jobId = await startJob('call', '.');
        jobs.push(jobId);
        await decide(await waiting());
        await ended(jobId);
        return answers(await status(jobId)).map(({ answer: how, by, option }) => [how, by, option]);
      };
      assert.deepEqual(await run((item) => answer(item, { decision: 'approve', option: 'always' }, { 'User-Agent': 'tapline' })), [
        ['approved', 'the command line', 'Always'],
      ]);
      assert.deepEqual(await run((item) => answer(item, { decision: 'approve' }, { 'Sec-Fetch-Site': 'same-origin' })), [
        ['approved', 'the portal’s page', 'Run once'],
      ]);
      const other = await test.connect([dialect]);
      const confirm = async (client: typeof other, { session = '' }: AttentionEntry) => {
        const chat = client.chat(test.portal.attention.items[0]?.chat ?? session);
        const call = await until('the call', chat.onDidChange, () =>
          chat.state?.activeTurn?.responseParts
            .flatMap((part) => (part.kind === 'toolCall' ? (part as { toolCall: { toolCallId: string } }).toolCall : []))
            .at(-1),
        );
        const turnId = chat.state?.activeTurn?.id ?? '';
        const action = { type: 'chat/toolCallConfirmed' as const, turnId, toolCallId: call.toolCallId };
        const { settled } = chat.perform({ ...action, approved: true, confirmed: 'user-action', selectedOptionId: 'once' });
        assert.deepEqual(await settled, { kind: 'confirmed' });
        chat.dispose();
      };
      assert.deepEqual(await run((item) => confirm(other, item)), [['approved', 'another client of the agent host', 'Run once']]);
      assert.deepEqual(await run((item) => confirm(test.client, item)), [['approved', 'the portal’s page', 'Run once']]);
      other.close();
      assert.deepEqual(await rows({ denied: true }), []);
    });

    it('says that a tool was refused, and not that it was not called, and why a run failed', async () => {
      await start();
      const jobId = await startJob('report');
      await answer(await waiting(), { decision: 'deny' });
      const told = await ended(jobId);
      assert.deepEqual(callbacks(told).slice(-2), ['jobFailed', 'JobsClosed']);
      const reason =
        'criteria.toolExecuted ["job_boolean_true"] failed: job_boolean_true was refused by a program over HTTP in the last round.';
      const given = await status(jobId);
      assert.ok(given.steps[0]?.task.decisions.some((one) => one.reason === `[TASK FAILED] ${reason}`));
      assert.deepEqual(given.steps[0]?.task.reason, reason);
      const expected = { step: '0#0', workId: 0, taskName: 'report', reason };
      assert.deepEqual([given.failedStep, (await rows())[0]?.failedStep], [expected, expected]);
    });

    it('has answers to results, questions and subagents', async () => {
      await start();
      const result = await startJob('result');
      await answer(await waiting(), { decision: 'deny' });
      await ended(result);
      assert.deepEqual(
        answers(await status(result)).map(({ about, answer: how, tool }) => [about, how, tool]),
        [['result', 'denied', 'read']],
      );
      const below = await startJob('below');
      const item = await waiting();
      assert.equal((await rows({ waits: true }))[0]?.jobId, below);
      await answer(item, { decision: 'deny' });
      await ended(below);
      assert.deepEqual(
        answers(await status(below)).map(({ answer: how, input }) => [how, input]),
        [['denied', 'rm b']],
      );
      const asked = await startJob('ask');
      await answer(await waiting(), { decision: 'accept', answers: {} });
      await ended(asked);
      const given = answers(await status(asked)).map(({ about, answer: how, by, input }) => [about, how, by, input]);
      // In AHP v1 a question that is answered is gone from the state.
      assert.deepEqual(given, dialect === 'v1' ? [] : [['question', 'accepted', 'a program over HTTP', 'Which one?']]);
    });

    it('is found, told in order of time, and deleted', async () => {
      await start();
      const first = await startJob('call', 'the Lemon tree');
      const item = await waiting();
      assert.deepEqual(await test.call(`copilot/job/${first}/delete`, ''), { error: 'JobNotEnded' });
      await answer(item, { decision: 'deny', reason: '*no*' });
      await ended(first);
      const second = await startJob('report');
      await answer(await waiting(), { decision: 'deny' });
      await ended(second);
      const found = async (filter: object) => (await rows(filter)).map(({ jobId }) => jobId);
      assert.deepEqual(await found({}), [first, second]);
      assert.deepEqual(await found({ text: 'lemon' }), [first]);
      assert.deepEqual(await found({ text: 'REFUSED by' }), [second]);
      assert.deepEqual(await found({ status: ['Failed'] }), [second]);
      assert.deepEqual(await found({ status: ['Executing'] }), []);
      assert.deepEqual(await found({ waits: true }), []);
      assert.equal((await test.fetch('/api/copilot/job/runs', '{"state":1}')).status, 400);

      const { entries, jobName } = await test.call(`copilot/job/${first}/timeline`);
      const told = (entries as { at: number; kind: string; text: string }[]).map(({ kind, text }) => `${kind} ${text}`);
      assert.equal(jobName, 'call');
      assert.match(told[0] ?? '', /^run The job "call" began in \//);
      assert.ok(told.some((one) => /^answer \[OPERATION\] a program over HTTP denied/.test(one)));
      assert.match(told.at(-2) ?? '', /^step The step succeeded, and one call was denied\.$/);
      assert.equal(told.at(-1), 'run The job succeeded.');
      const { markdown, fileName } = await test.call(`copilot/job/${first}/timeline/markdown`);
      assert.match(String(fileName), /^call-[0-9a-f]{8}\.md$/);
      assert.match(String(markdown), /^# call\n\n- Run: /);
      assert.match(String(markdown), /- Input: the Lemon tree\n/);
      assert.ok(String(markdown).includes(String.raw`\*no\*`), 'a reason is no Markdown');

      assert.deepEqual(await test.call(`copilot/job/${first}/delete`, ''), { result: 'Deleted' });
      assert.deepEqual(await test.call(`copilot/job/${first}/delete`, ''), { error: 'JobNotFound' });
      assert.deepEqual(await test.call(`copilot/job/${first}/timeline`), { error: 'JobNotFound' });
      assert.deepEqual(await found({}), [second]);
      assert.deepEqual(readdirSync(runsFolder), [`${second}.run.jsonl`]);
    });
  });
