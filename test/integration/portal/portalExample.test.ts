/** The entry of “Let it work overnight”, with the real Copilot engine, whose model follows a script, and the real process. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { whenLive } from '../../../src/ahp/index.ts';
import type { RunResult } from '../../../src/views/portal/answers/resultAnswers.ts';
import type { SessionState } from '../../../src/ahp/v1/session.ts';
import { type ModelMessage, ModelServer, type ReplyPiece } from '../../fixtures/modelServer.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { childrenOf, untilGone } from '../../support/processes.ts';
import { launchChromium } from '../../support/chromium.ts';
import { until } from '../../support/until.ts';
import { V1Client, type V1Resource } from '../../support/v1Client.ts';
import { codeBlocksOf, FreshHome } from '../docs/documented.ts';
import { AnswerCheck } from './answerCheck.ts';
import type { Json } from './portalHarness.ts';

const root = join(import.meta.dirname, '../../..');
const entryText = readFileSync(join(root, 'examples/portal/overnight.tapline-portal.json'), 'utf8');
/** Where the agents work, and without the name by which such a file is known. */
const ENTRY = 'jobs.json';
const [model] = JSON.parse(readFileSync(join(root, 'examples/portal/models.json'), 'utf8')) as { id: string; baseUrl: string }[];

interface JobStatus {
  status: string;
  reason?: string;
  steps: { taskName: string; status: string; task: { decisions: { reason: string }[] } }[];
}

describe('the entry for a night', function () {
  this.timeout(120_000);
  let folder: string;
  let server: ModelServer;
  let portal: PrintingProcess<{ url: string; token: string; page: string; host: { url: string; token: string } }>;
  const answers = new AnswerCheck(false);
  const put = (name: string, text: string) => (writeFileSync(join(folder, name), text), join(folder, name));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const call = async (path: string, body?: string): Promise<Json> => {
    const headers = { Authorization: `Bearer ${portal.said.token}` };
    const response = await fetch(`${portal.said.url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
    await answers.check(body === undefined ? 'GET' : 'POST', `/api/${path}`, response);
    return (await response.json()) as Json;
  };
  const start = async (name: string) => String((await call(`copilot/job/start/${encodeURIComponent(name)}`, folder))['jobId']);
  const ended = async (jobId: string) => {
    while ((await call(`copilot/job/${jobId}/live`))['error'] !== 'JobsClosed') continue;
    return (await call(`copilot/job/${jobId}/status`)) as unknown as JobStatus;
  };
  const decisions = ({ steps }: JobStatus) => steps.flatMap(({ task }) => task.decisions.map(({ reason }) => reason)).join('\n');

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-night-')));
    server = await ModelServer.start();
    put('package.json', JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }));
    put('sum.js', 'export const sum = (a, b) => a - b;\n');
    put('sum.test.js', "import assert from 'node:assert';\nimport { sum } from './sum.js';\nassert.equal(sum(2, 2), 4);\n");
    put('changes.diff', '- const sum = (a, b) => a + b;\n+ const sum = (a, b) => a - b;\n');
    put('commits.txt', 'abc1234 Add a sum\n');
    const models = put('models.json', JSON.stringify([{ ...model, baseUrl: server.baseUrl }]));
    portal = await startPrintingProcess(
      'portal',
      join(root, 'dist/portal.cjs'),
      ['--port', '0', '--entry', put(ENTRY, entryText), '--models', models, '--data', join(folder, 'data')],
      { TAPLINE_HOME: join(folder, 'home') },
    );
  });
  afterEach(async () => {
    // The engine writes for a moment after the portal has ended.
    const engine = childrenOf(portal.pid);
    await portal.stop();
    await untilGone(...engine);
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  /** What a model would do: look at the last prompt, and at what its tools said since. */
  function script(messages: readonly ModelMessage[]): readonly ReplyPiece[] {
    const from = messages.findLastIndex(({ role }) => role === 'user');
    const prompt = JSON.stringify(messages[from]?.content);
    const results = messages.slice(from + 1).filter(({ role }) => role === 'tool');
    const said = JSON.stringify(results);
    const report = (name: string, argument: string): ReplyPiece[] => [{ tool: name, args: { argument } }];
    const shell: ReplyPiece[] = [{ tool: 'bash', args: { command: 'npm test', description: 'Run the tests' } }];
    const file = (name: string, text: string): ReplyPiece[] => [{ tool: 'create', args: { path: join(folder, name), file_text: text } }];
    const steps: Record<string, readonly (readonly ReplyPiece[])[]> = {
      'TESTS:': [shell, /fail 0/.test(said) ? report('job_boolean_true', 'all pass') : report('job_boolean_false', 'sum.test.js fails')],
      'CHECK FIX:': [report('job_boolean_true', 'the sign was wrong')],
      'FIX:': [shell, [{ tool: 'edit', args: { path: join(folder, 'sum.js'), old_str: 'a - b', new_str: 'a + b' } }]],
      'REVIEW:': [file('REVIEW.md', 'sum.js:1: it subtracts\n'), report('job_prepare_document', 'REVIEW.md')],
      'CHECK NOTES:': [
        /There is/.test(existsSync(join(folder, 'RELEASE-NOTES.md')) ? read('RELEASE-NOTES.md') : '')
          ? report('job_boolean_true', 'complete')
          : report('job_boolean_false', 'it does not say what the sum is for'),
      ],
      'NOTES:': [
        /not good enough/.test(prompt)
          ? [{ tool: 'edit', args: { path: join(folder, 'RELEASE-NOTES.md'), old_str: 'New', new_str: 'There is a' } }]
          : file('RELEASE-NOTES.md', 'New sum\n'),
        report('job_prepare_document', 'RELEASE-NOTES.md'),
      ],
    };
    const [, todo = []] = Object.entries(steps).find(([name]) => prompt.includes(name)) ?? [];
    return todo[results.length] ?? [{ text: 'Done.' }];
  }

  it('mends the test, reviews and writes, with nobody there, and says what it did without asking', async () => {
    server.script = ({ messages }) => script(messages);
    const status = await ended(await start('Overnight'));
    assert.equal(status.status, 'Succeeded', `${status.reason} ${decisions(status)}`);
    assert.deepEqual(
      status.steps.slice(0, 3).map(({ taskName, status: how }) => [taskName, how]),
      [
        ['tests pass', 'Failed'],
        ['fix a test', 'Succeeded'],
        ['tests pass', 'Succeeded'],
      ],
    );
    assert.match(read('sum.js'), /a \+ b/);
    assert.match(read('REVIEW.md'), /it subtracts/);
    assert.equal(read('RELEASE-NOTES.md'), 'There is a sum\n');
    const said = decisions(status);
    assert.match(said, /approve \["everything"\] of the entry: bash ran without a question, with ".*npm test/);
    assert.match(said, /approve \["job-tools","edits"\] of the entry: create ran without a question/);
    assert.match(said, /approve \["job-tools","edits"\] of the entry: job_prepare_document ran/);
    assert.match(said, /does not say what the sum is for[^]*Retry 1 of 2/);
  });

  it('is started in a terminal as docs/portal.md says, and in the morning its result names what was changed and written', async () => {
    const { text } = codeBlocksOf('docs/portal.md').find(({ name }) => name.startsWith('sh: npm run -s tapline -- job Overnight')) ?? {
      text: '',
    };
    assert.ok(text.includes('/path/to/the/project'));
    server.script = ({ messages }) => script(messages);
    const home = new FreshHome();
    const { url, token } = portal.said;
    const typed = home.run(
      `export TAPLINE_PORTAL_URL=${url} TAPLINE_PORTAL_TOKEN=${token}; ${text.replace('/path/to/the/project', folder)}`,
    );
    const jobId = await typed.says(/([0-9a-f-]{36})/);
    await typed.says(/Overnight/);
    assert.equal(await typed.ended(), 0);
    await home.dispose();
    assert.equal((await ended(jobId)).status, 'Succeeded');
    const { steps } = (await call(`copilot/job/${jobId}/result`)) as unknown as RunResult;
    const changed = steps.map(({ taskName, changes, documents }) => [
      taskName,
      [...new Set(changes.flatMap(({ files }) => files.map(({ path }) => basename(path))))],
      documents,
    ]);
    assert.deepEqual(changed.sort(), [
      ['fix a test', ['sum.js'], []],
      ['review', ['REVIEW.md'], ['REVIEW.md']],
      ['write release notes', ['RELEASE-NOTES.md'], ['RELEASE-NOTES.md']],
    ]);
    await showsTheMorning(jobId);
  });

  /** The page of the run begins with its result, and tells its steps. */
  async function showsTheMorning(jobId: string): Promise<void> {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
      page.setDefaultTimeout(20_000);
      await page.goto(`${portal.said.page}#/runs`);
      await page.getByRole('link', { name: /^Overnight/ }).click();
      await page.waitForURL(new RegExp(`#/run/${jobId}`));
      const result = page.getByRole('region', { name: 'Result', exact: true });
      await result.getByRole('button', { name: 'changed sum.js' }).click();
      await result.locator('.diff-added', { hasText: 'a + b' }).waitFor();
      for (const name of ['REVIEW.md', 'RELEASE-NOTES.md']) await result.getByRole('button', { name: `document ${name}` }).waitFor();
      const step = page.locator('.steps .step-head').filter({ hasText: 'write release notes' });
      // The step that matters most may be open.
      if ((await step.getAttribute('aria-expanded')) === 'false') await step.click();
      await page.getByText(/Retry 1 of 2/).waitFor();
    } finally {
      await browser.close();
    }
  }

  const notEdits: [string, () => ReplyPiece][] = [
    ['a command', () => ({ tool: 'bash', args: { command: `touch ${join(folder, 'ran')}`, description: 'Touch' } })],
    [
      'a change of the entry itself',
      () => ({ tool: 'edit', args: { path: join(folder, ENTRY), old_str: 'once, and change nothing', new_str: 'and again' } }),
    ],
  ];
  for (const [what, piece] of notEdits) {
    it(`asks about ${what} where only edits are approved`, async () => {
      server.script = ({ messages }) => {
        const results = messages.filter(({ role }) => role === 'tool');
        if (results.length === 0) return [piece()];
        return results.length === 1 ? [{ tool: 'job_prepare_document', args: { argument: 'REVIEW.md' } }] : [{ text: 'Done.' }];
      };
      const jobId = await start('Review a diff');
      const user = await V1Client.connect({ url: portal.said.host.url, token: portal.said.host.token });
      const { taskId } = await call(`copilot/job/${jobId}/live`);
      let told: Json = {};
      while (told['callback'] !== 'taskSessionStarted') told = await call(`copilot/task/${taskId}/live`);
      const uri = `copilot:/${String(told['sessionId'])}`;
      const session = user.subscribeSession(uri);
      await whenLive(session);
      const { turnId, toolCallId } = await waitingCall(session);
      const denial = { approved: false, reason: 'denied' } as const;
      await user.dispatch(uri, { type: 'session/toolCallConfirmed', session: uri, turnId, toolCallId, ...denial }).settled;
      const status = await ended(jobId);
      user.close();
      assert.equal(status.status, 'Succeeded', decisions(status));
      assert.ok(!existsSync(join(folder, 'ran')));
      assert.equal(read(ENTRY), entryText);
      assert.doesNotMatch(decisions(status), /(bash|edit) ran/);
    });
  }
});

async function waitingCall(session: V1Resource<SessionState>): Promise<{ turnId: string; toolCallId: string }> {
  return until('a call that waits', session.onDidChange, () => {
    const { activeTurn } = session.state ?? {};
    const part = activeTurn?.responseParts.find((one) => one.kind === 'toolCall' && one.toolCall.status === 'pending-confirmation');
    return activeTurn && part && { turnId: activeTurn.id, toolCallId: (part as { toolCall: { toolCallId: string } }).toolCall.toolCallId };
  });
}
