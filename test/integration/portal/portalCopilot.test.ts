/** A job with the real Copilot engine, whose model follows a script, in the real process. */
import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelServer } from '../../fixtures/modelServer.ts';
import { startPrintingProcess } from '../../support/printingProcess.ts';
import { childrenOf, untilGone } from '../../support/processes.ts';
import { AnswerCheck } from './answerCheck.ts';
import type { RunSummary } from '../../../src/portal/runs/runSummary.ts';
import type { Json } from './portalHarness.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
const model = { category: 'driving' };
const entry = {
  models: { driving: 'scripted' },
  promptVariables: {},
  tasks: {
    write: {
      ...{ model, prompt: ['WRITE the notes about $user-input'], requireUserInput: true },
      criteria: {
        toolExecuted: ['job_prepare_document'],
        condition: ['CHECK $reported-document and answer with job_boolean_true or job_boolean_false'],
        runConditionInSameSession: false,
        failureAction: { retryTimes: 1, additionalPrompt: ['AGAIN, because: $reported-false-reason'] },
      },
    },
    repeat: { model, prompt: ['REPEAT it'], requireUserInput: false, limits: { toolCalls: 20 } },
  },
  jobs: { notes: { work: { kind: 'Ref', taskId: 'write' } }, repeat: { work: { kind: 'Ref', taskId: 'repeat' } } },
  grid: [],
};

describe('a job with the Copilot engine', function () {
  this.timeout(60_000);

  type Call = (path: string, body?: string) => Promise<Json>;

  async function withPortal(answer: ModelServer['script'], work: (call: Call, folder: string, server: ModelServer) => Promise<void>) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
    const server = await ModelServer.start();
    const put = (name: string, value: unknown) => (writeFileSync(join(folder, name), JSON.stringify(value)), join(folder, name));
    const answers = new AnswerCheck(false);
    server.script = answer;
    const files = [
      '--entry',
      put('entry.json', entry),
      '--models',
      put('models.json', [{ id: 'scripted', name: 'Scripted', baseUrl: server.baseUrl }]),
    ];
    const args = ['--port', '0', '--agent', 'copilot', '--allow-job-tools', '--data', join(folder, 'data'), ...files];
    const portal = await startPrintingProcess<{ url: string; token: string }>('portal', script, args, {
      TAPLINE_HOME: join(folder, 'home'),
    });
    try {
      const { url, token } = portal.said;
      const call: Call = async (path, body) => {
        const headers = { Authorization: `Bearer ${token}` };
        const response = await fetch(`${url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
        await answers.check(body === undefined ? 'GET' : 'POST', `/api/${path}`, response);
        return (await response.json()) as Json;
      };
      await work(call, folder, server);
    } finally {
      // The engine writes for a moment after the portal has ended.
      const engine = childrenOf(portal.pid);
      await portal.stop();
      await untilGone(...engine);
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  }

  it('calls the job tools, is checked in another session, tried again, and succeeds', async () => {
    let checks = 0;
    const answer: ModelServer['script'] = ({ messages }) => {
      const last = messages.at(-1);
      const text = JSON.stringify(last?.content);
      if (last?.role === 'tool') return [{ text: 'Done.' }];
      if (text.includes('CHECK')) {
        const isGood = ++checks > 1;
        return [{ tool: isGood ? 'job_boolean_true' : 'job_boolean_false', args: { argument: isGood ? 'fine' : 'too short' } }];
      }
      if (text.includes('WRITE')) return [{ tool: 'job_prepare_document', args: { argument: 'notes.md\nmore' } }];
      return [{ text: 'What?' }];
    };
    await withPortal(answer, async (call, folder, server) => {
      assert.deepEqual(await call('copilot/models'), { models: [{ id: 'scripted', name: 'Scripted', multiplier: 0 }] });
      const { jobId } = await call('copilot/job/start/notes', `${folder}\nthe release`);
      while ((await call(`copilot/job/${jobId}/live`))['error'] !== 'JobsClosed') continue;
      const status = await call(`copilot/job/${jobId}/status`);
      const [step] = status['steps'] as { task: { decisions: { reason: string }[]; sessions: { isDriving: boolean }[] } }[];
      const decisions = step?.task.decisions.map(({ reason }) => reason).join('\n') ?? '';
      assert.equal(status['status'], 'Succeeded', decisions);
      assert.match(decisions, /too short[^]*Retry 1 of 1[^]*fine[^]*TASK SUCCEEDED/);
      assert.deepEqual(
        step?.task.sessions.map(({ isDriving }) => isDriving),
        [false, true, false, true],
      );
      const asked = JSON.stringify(server.requests.map(({ messages }) => messages.at(-1)?.content));
      assert.match(asked, /WRITE the notes about the release/);
      assert.match(asked, /CHECK notes\.md and answer/);
      assert.match(asked, /AGAIN, because: too short/);
    });
  });

  it('is stopped when its model repeats one call, and what it has used is known', async () => {
    const answer: ModelServer['script'] = () => [{ tool: 'job_boolean_true', args: { argument: 'again' } }];
    await withPortal(answer, async (call, folder, server) => {
      const { jobId } = await call('copilot/job/start/repeat', folder);
      while ((await call(`copilot/job/${jobId}/live`))['error'] !== 'JobsClosed') continue;
      const { status, failedStep, used } = (await call(`copilot/job/${jobId}/status`)) as unknown as RunSummary;
      assert.equal(status, 'Failed');
      assert.match(failedStep?.reason ?? '', /^limits\.toolCalls 20 is reached: the turn was stopped after 2\d tool calls/);
      assert.ok(used && used.modelCalls >= 19 && used.modelCalls <= used.toolCalls, JSON.stringify(used));
      assert.ok(used.inputTokens >= 100 * used.modelCalls - 100, JSON.stringify(used));
      assert.ok(server.requests.length < 40, `${server.requests.length} requests`);
    });
  });
});
