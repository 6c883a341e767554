/** A portal whose scripted agent changes files as its prompts say, for what runs bring about. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lineCounts } from '../../../src/base/text/lineChanges.ts';
import type { AgentChatHost } from '../../../src/host/agents/agent.ts';
import type { RunResult } from '../../../src/portal/result/runResult.ts';
import { until } from '../../support/until.ts';
import { callTools, type Json, TestPortal, type TestPortalOptions } from './portalHarness.ts';

/** A line of a prompt: `write NAME TEXT`, where `\n` is a line break, `delete NAME`, `fail`, or `report PATH`, which reports a document, where `FOLDER` is the session's. */
async function perform(line: string, host: AgentChatHost): Promise<void> {
  const [, what, name = '', rest = ''] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? [];
  if (what !== 'write' && what !== 'delete') return;
  const path = join(host.workingDirectory, name);
  const before = readIfThere(path);
  const after = what === 'write' ? rest.replaceAll('\\n', '\n') : undefined;
  if (after === undefined) rmSync(path);
  else writeFileSync(path, after);
  const side = (text: string | undefined) =>
    text === undefined ? undefined : { uri: pathToFileURL(path).href, content: host.storeContent(text, 'text/plain') };
  const [old, fresh, diff] = [side(before), side(after), lineCounts(before ?? '', after ?? '')];
  await host.recordEdits([{ ...(old && { before: old }), ...(fresh && { after: fresh }), ...(diff && { diff }) }]);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** `prompts`: of the tasks of the job `Work`, which runs them one after the other. `job`: what else the entry says of it. */
export async function startResultPortal(
  prompts: Record<string, string[]>,
  { job, ...options }: TestPortalOptions & { job?: Json } = {},
): Promise<TestPortal> {
  const test = await TestPortal.start(options);
  test.agent.onTurn = async (turn, host) => {
    for (const line of turn.message.text.split('\n')) {
      if (line === 'fail') throw new Error('it cannot go on');
      await perform(line, host);
      const [, document] = /^report (.*)$/.exec(line) ?? [];
      if (document !== undefined)
        await callTools(turn, host.lenders[0]?.clientId, [`job_prepare_document ${document.replace('FOLDER', host.workingDirectory)}`]);
    }
    turn.markdown('Done.');
  };
  const works = Object.keys(prompts).map((taskId) => ({ kind: 'Ref', taskId }));
  const entry = {
    ...{ models: { driving: 'one' }, promptVariables: {} },
    tasks: Object.fromEntries(
      Object.entries(prompts).map(([name, prompt]) => [name, { model: { category: 'driving' }, prompt, requireUserInput: false }]),
    ),
    jobs: { Work: { work: { kind: 'Seq', works }, ...job } },
    grid: [{ keyword: 'All', jobs: [{ name: 'Work', jobName: 'Work' }] }],
  };
  assert.deepEqual(await test.install(entry), { result: 'OK' });
  return test;
}

/** The id of a run of the job that has ended, once the host lists what its sessions have changed. */
export async function ranWork(test: TestPortal, folder: string): Promise<string> {
  const { jobId, ...rest } = await test.call('copilot/job/start/Work', folder);
  assert.deepEqual(rest, {});
  await test.follow(`job/${String(jobId)}`);
  const { definition, steps = [] } = test.portal.runs.jobState(String(jobId)) ?? {};
  for (const { taskName, task } of steps) {
    if (!definition?.tasks[taskName]?.prompt.some((line) => /^(?:write|delete) /m.test(line))) continue;
    for (const { sessionId } of task?.sessions ?? []) await listsChanges(test, sessionId);
  }
  return String(jobId);
}

async function listsChanges(test: TestPortal, sessionId: string): Promise<void> {
  const session = test.client.session(test.portal.sessions.uriOf(sessionId));
  try {
    await until('the changes of the session', session.onDidChange, () =>
      session.state?.changesets?.some(({ changeKind }) => changeKind === 'session'),
    );
  } finally {
    session.dispose();
  }
}

export async function resultOf(test: TestPortal, jobId: string): Promise<RunResult> {
  return (await test.call(`copilot/job/${jobId}/result`)) as unknown as RunResult;
}

/** The answer of a route about the result of the run. */
export async function ask(test: TestPortal, jobId: string, what: string, body: object): Promise<Json> {
  const headers = { ...test.authorized, 'Content-Type': 'application/json' };
  const response = await test.fetch(`/api/copilot/job/${jobId}/result/${what}`, JSON.stringify(body), headers);
  return (await response.json()) as Json;
}
