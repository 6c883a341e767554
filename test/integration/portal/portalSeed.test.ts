/** What the portal's specification says of answers, to the letter. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolResultContent } from '../../../src/ahp/common/tools.ts';
import type { AgentTurn, SubagentTurn } from '../../../src/host/agents/agent.ts';
import { eventually } from '../../fakes/eventually.ts';
import { until } from '../../support/until.ts';
import { callTools, type Json, TestPortal } from './portalHarness.ts';

const task = (prompt: string, more: Json = {}) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, ...more });
const ref = (taskId: string) => ({ work: { kind: 'Ref', taskId } });
const strict = { criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } } };
const entry = {
  models: { driving: 'one', careful: 'two' },
  promptVariables: {},
  tasks: {
    says: task('say $user-input', { requireUserInput: true }),
    checked: task('job_boolean_true', strict),
    never: task('nothing', strict),
  },
  jobs: {
    ...{ says: ref('says'), checked: ref('checked'), never: ref('never') },
    models: {
      work: {
        kind: 'Alt',
        condition: { kind: 'Ref', taskId: 'checked', modelOverride: { id: 'two' } },
        trueWork: { kind: 'Ref', taskId: 'never', modelOverride: { category: 'careful' } },
      },
    },
  },
  grid: [],
};

describe('what the portal answers, by its specification', function () {
  this.timeout(30_000);
  let test: TestPortal;
  afterEach(() => test.close());
  const start = async (given: Parameters<typeof TestPortal.start>[0] = {}) => {
    test = await TestPortal.start(given);
  };

  it('has a model’s multiplier as the host says it', async () => {
    await start();
    const meta = [{ multiplierNumeric: 0.33 }, { multiplierNumeric: 0 }, { multiplierNumeric: -1 }, { multiplierNumeric: 'x' }, undefined];
    const models = meta.map((_meta, at) => ({ id: `m${at}`, provider: 'scripted', name: `M${at}`, ...(_meta && { _meta }) }));
    test.agent.setInfo({ models });
    // It is told over a socket.
    await eventually(() => test.portal.sessions.models().length === models.length, 'the models');
    const { models: listed } = (await test.call('copilot/models')) as { models: { multiplier: number }[] };
    assert.deepEqual(
      listed.map(({ multiplier }) => multiplier),
      [0.33, 0, 1, 1, 1],
    );
  });

  it('has the arguments of every tool as a JSON object, and what a result has beside its text', async () => {
    await start();
    test.agent.onTurn = async (turn) => {
      const inputs = [
        ['{"a":1}', {}],
        ['rm -r "x"', { toolKind: 'terminal' }],
        ['[1]', {}],
        [undefined, {}],
      ] as const;
      for (const [toolInput, _meta] of inputs) {
        const call = turn.toolCall({ toolName: 'tool', displayName: 'Tool', _meta });
        call.run({ invocationMessage: 'Running', ...(toolInput !== undefined && { toolInput }) }, 'not-needed');
        call.complete({ success: true, pastTenseMessage: 'Ran', content: [{ type: 'text', text: 'done' }] });
      }
      const edit = turn.toolCall({ toolName: 'edit', displayName: 'Edit' });
      edit.run({ invocationMessage: 'Editing', toolInput: '{}' }, 'not-needed');
      const side = { uri: 'file:///w/a.ts', content: { uri: 'file:///w/a.ts' } };
      edit.complete({
        ...{ success: true, pastTenseMessage: 'Edited', structuredContent: { lines: 3 } },
        content: [
          { type: 'text', text: 'edited' },
          { type: 'fileEdit', before: side, after: side, diff: { added: 2, removed: 1 } },
        ],
      });
    };
    const sessionId = await test.startSession();
    await test.call(`copilot/session/${sessionId}/query`, 'go');
    const told = await test.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
    const started = told.filter(({ callback }) => callback === 'onStartToolExecution').map(({ toolArguments }) => toolArguments);
    assert.deepEqual(started, ['{"a":1}', '{"command":"rm -r \\"x\\""}', '{"input":"[1]"}', '{}', '{}']);
    const results = told.filter(({ callback }) => callback === 'onEndToolExecution').map(({ result }) => result);
    assert.deepEqual(results[0], { content: 'done' });
    assert.deepEqual(results[4], { content: 'edited', detailedContent: 'file:///w/a.ts (+2 −1)\n{"lines":3}' });
  });

  for (const dialect of ['v1', 'channels'] as const)
    it(`has the calls of subagents with the call that has started each, over ${dialect}`, async () => {
      await start({ dialects: [dialect] });
      const run = (turn: AgentTurn | SubagentTurn, toolCallId: string) => {
        const call = turn.toolCall({ toolCallId, toolName: 'tool', displayName: 'Tool' });
        call.run({ invocationMessage: 'Running', toolInput: '{}' }, 'not-needed');
        return call;
      };
      const done = { success: true, pastTenseMessage: 'Done' };
      test.agent.onTurn = async (turn, host) => {
        const outer = run(turn, 'outer');
        const subagent = host.startSubagent({ toolCallId: outer.id, title: 'Below', prompt: 'x' });
        const link: ToolResultContent = { type: 'subagent', resource: subagent.chat, title: 'Below' };
        outer.setContent([link]);
        run(subagent, 'inner').complete(done);
        subagent.complete();
        outer.complete({ ...done, content: [link] });
      };
      const sessionId = await test.startSession();
      await test.call(`copilot/session/${sessionId}/query`, 'go');
      // The subagent has a chat of its own, which may be read after the end of the turn.
      const ends = new Set(['onIdle', 'inner']);
      const told = await test.follow(`session/${sessionId}`, ({ callback, toolCallId }) => {
        if (callback === 'onIdle') ends.delete('onIdle');
        if (callback === 'onEndToolExecution') ends.delete(String(toolCallId));
        return ends.size === 0;
      });
      const started = told.filter(({ callback }) => callback === 'onStartToolExecution');
      assert.deepEqual(
        started.map(({ toolCallId, parentToolCallId }) => [toolCallId, parentToolCallId]),
        [
          ['outer', undefined],
          ['inner', 'outer'],
        ],
      );
    });

  for (const dialect of ['v1', 'channels'] as const)
    it(`ends the calls of a session that is deleted, and of its subagents, over ${dialect}`, async () => {
      await start({ dialects: [dialect] });
      test.agent.onTurn = async (turn, host) => {
        const outer = turn.toolCall({ toolCallId: 'outer', toolName: 'tool', displayName: 'Tool' });
        outer.run({ invocationMessage: 'Running', toolInput: '{}' }, 'not-needed');
        const subagent = host.startSubagent({ toolCallId: outer.id, title: 'Below', prompt: 'x' });
        outer.setContent([{ type: 'subagent', resource: subagent.chat, title: 'Below' }]);
        const inner = subagent.toolCall({ toolCallId: 'inner', toolName: 'tool', displayName: 'Tool' });
        inner.run({ invocationMessage: 'Running', toolInput: '{}' }, 'not-needed');
        await new Promise<void>(() => undefined);
      };
      const sessionId = await test.startSession();
      await test.call(`copilot/session/${sessionId}/query`, 'go');
      await test.follow(
        `session/${sessionId}`,
        ({ callback, toolCallId }) => callback === 'onStartToolExecution' && toolCallId === 'inner',
      );
      // The end of its turn does not come.
      await test.client.command('disposeSession', { channel: test.portal.sessions.uriOf(sessionId) });
      const told = await test.follow(`session/${sessionId}`);
      const ended = told.filter(({ callback }) => callback === 'onEndToolExecution').map(({ toolCallId }) => toolCallId);
      assert.deepEqual(ended.sort(), ['inner', 'outer']);
    });

  it('says an error of a reader with a token at the top too, and no error of a tool', async () => {
    await start();
    test.agent.onTurn = async (turn) => {
      const call = turn.toolCall({ toolName: 'tool', displayName: 'Tool' });
      call.run({ invocationMessage: 'Running', toolInput: '{}' }, 'not-needed');
      call.complete({ success: false, pastTenseMessage: 'Failed', error: { message: 'no' } });
    };
    const notFound = { error: 'JobNotFound', responses: [{ error: 'JobNotFound' }] };
    const { token } = (await test.call('token')) as { token: string };
    assert.deepEqual(await test.call(`copilot/job/x/live/${token}`), notFound);
    // Older ones take an error at the top for the end.
    const commandLine = { ...test.authorized, 'User-Agent': 'tapline' };
    const { responses: only } = notFound;
    assert.deepEqual(await (await test.fetch(`/api/copilot/job/x/live/${token}`, '', commandLine)).json(), { responses: only });
    const sessionId = await test.startSession();
    const live = `copilot/session/${sessionId}/live`;
    assert.deepEqual(await test.call(`${live}/x`), { error: 'TokenNotFound', responses: [{ error: 'TokenNotFound' }] });
    await test.call(`copilot/session/${sessionId}/query`, 'go');
    await test.follow(`session/${sessionId}`, ({ callback }) => callback === 'onIdle');
    const { error, responses } = (await test.call(`${live}/${token}`)) as { error?: string; responses: Json[] };
    assert.ok(error === undefined && responses.some((one) => one['error'] !== undefined));
    await test.call(`copilot/session/${sessionId}/stop`);
    assert.deepEqual(await test.call(`${live}/${token}`), { error: 'SessionClosed', responses: [{ error: 'SessionClosed' }] });
  });

  it('starts nothing that requires input without any', async () => {
    await start();
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    const sessionId = await test.startSession();
    const required = { error: 'UserInputRequired' };
    for (const input of ['', ' \n\t']) {
      assert.deepEqual(await test.call('copilot/job/start/says', `${test.folder}\n${input}`), required);
      assert.deepEqual(await test.call(`copilot/task/start/says/session/${sessionId}`, input), required);
    }
    assert.deepEqual((await test.call('copilot/job/runs'))['runs'], []);
    assert.ok('taskId' in (await test.call(`copilot/task/start/says/session/${sessionId}`, 'x')));
    assert.ok('jobId' in (await test.call('copilot/job/start/says', `${test.folder}\nx`)));
  });

  it('says of each check whether it succeeded or failed, and names models in the chart', async () => {
    await start();
    test.agent.onTurn = async (turn, host) => {
      const { text } = turn.message;
      await callTools(turn, host.lenders[0]?.clientId, text.startsWith('job_boolean_true') ? ['job_boolean_true because'] : []);
    };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    for (const [name, word] of [
      ['checked', 'succeeded'],
      ['never', 'failed'],
    ] as const) {
      const { jobId } = await test.call(`copilot/job/start/${name}`, test.folder);
      const [started] = await test.follow(`job/${String(jobId)}`, ({ callback }) => callback === 'workStarted');
      const told = await test.follow(`task/${String(started?.['taskId'])}`);
      const check = told.find(({ reason }) => /^\[CRITERIA\]/.test(String(reason)))?.['reason'];
      assert.match(String(check), new RegExp(`criteria\\.toolExecuted \\["job_boolean_true"\\] ${word}: `));
    }
    const { chart } = (await test.call('copilot/job')) as { chart: Record<string, { nodes: { label?: string }[] }> };
    assert.deepEqual(
      chart['models']?.nodes.flatMap(({ label }) => label ?? []),
      ['checked (two)', 'never (careful)'],
    );
  });

  it('has a demo whose “confirm” can succeed on its retry', async () => {
    await start({ provider: 'demo' });
    const demo = JSON.parse(readFileSync(join(import.meta.dirname, '../../../examples/portal/demo.json'), 'utf8')) as Json;
    const { $schema: _schema, ...rest } = demo;
    assert.deepEqual(await test.install({ ...rest, jobs: { confirm: ref('confirm') }, grid: [] }), { result: 'OK' });
    const { jobId } = await test.call('copilot/job/start/confirm', test.folder);
    const answer = async (decision: string) => {
      const { id, revision } = await until('the call', test.portal.attention.onDidChange, () =>
        test.portal.attention.list().items.find(({ decisions }) => (decisions as readonly string[]).includes(decision)),
      );
      const body = JSON.stringify({ revision, decision });
      const headers = { ...test.authorized, 'Content-Type': 'application/json' };
      assert.deepEqual(await (await test.fetch(`/api/attention/${id}`, body, headers)).json(), { result: 'Answered' });
      await until('the answer', test.portal.attention.onDidChange, () => !test.portal.attention.list().items.some((one) => one.id === id));
    };
    await answer('deny');
    await answer('approve');
    await test.follow(`job/${String(jobId)}`);
    assert.equal((await test.call(`copilot/job/${String(jobId)}/status`))['status'], 'Succeeded');
  });
});
