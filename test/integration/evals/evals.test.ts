/** `npm run evals`: the cases tell good from bad, a real model is asked over HTTP, and the report says what to change. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCase } from '../../../evals/evalCase.ts';
import { judge } from '../../../evals/judge.ts';
import { changesAfter, type Report } from '../../../evals/report.ts';
import { tapTools } from '../../support/tapTools.ts';

const root = join(import.meta.dirname, '../../..');
const TIME_MS = 50_000;

interface ModelRequest {
  model: string;
  authorization: string | undefined;
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
}
type Answer = { content?: string; tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[] };
const called = (name: string, args: object): Answer => ({
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});

describe('npm run evals', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapline-evals-test-'));
  let server: Server | undefined;
  after(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    const running = server;
    server = undefined;
    running?.closeAllConnections();
    if (running) await new Promise((resolve) => running.close(resolve));
  });

  /** Its environment has no model but this one. */
  const evals = (args: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const all = { ...process.env, EVALS_BASE_URL: '', EVALS_MODEL: '', ...env };
      const command = ['--import=tsx', 'evals/run.ts', ...args, '--out', folder];
      execFile(process.execPath, command, { cwd: root, env: all, timeout: TIME_MS }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      );
    });
  const reported = () => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report;
  /** A model that answers so. */
  const model = async (answers: (asked: ModelRequest) => Answer): Promise<{ env: Record<string, string>; asked: ModelRequest[] }> => {
    const asked: ModelRequest[] = [];
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const one = { ...(JSON.parse(body) as ModelRequest), authorization: request.headers.authorization };
      asked.push(one);
      response.end(JSON.stringify({ choices: [{ message: answers(one) }] }));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return { asked, env: { EVALS_BASE_URL: url, EVALS_MODEL: 'small', EVALS_API_KEY: 'k3y' } };
  };

  it('plays the examples of all cases, each of which is judged as it says', async () => {
    const { code, output } = await evals(['--scripted']);
    assert.equal(code, 0, output);
    const { cases, model: by } = reported();
    assert.equal(by, 'scripted');
    assert.ok(cases.length >= 5);
    assert.deepEqual(
      cases.filter(({ passed }) => !passed),
      [],
    );
    assert.match(readFileSync(join(folder, 'report.md'), 'utf8'), new RegExp(`${cases.length} of ${cases.length} passed`));
  });

  it('asks a model, which gets the tools of the gateway, and lets it judge by the rubric', async () => {
    const { env, asked } = await model(({ messages, tools }) => {
      if (!tools) return { content: 'YES, it says so.' };
      return messages.length > 2 ? { content: 'Nothing is watched.' } : called('tap_list_emitters', {});
    });
    const { code, output } = await evals(['tools'], env);
    assert.equal(code, 0, output);
    assert.equal(asked.length, 3);
    assert.deepEqual([asked[0]?.model, asked[0]?.authorization], ['small', 'Bearer k3y']);
    assert.deepEqual(
      asked[0]?.tools?.map((tool) => tool.function.name),
      tapTools,
    );
    assert.match(asked[2]?.messages[0]?.content ?? '', /The answer says that nothing is watched/);
  });

  it('says what a model has done wrong, and ranks what to change', async () => {
    const { env } = await model(({ messages, tools }) => {
      if (!tools) return { content: 'NO, it has guessed.' };
      return messages.length > 2
        ? { content: 'All tests pass.' }
        : called('tap_start_emitter', { name: 'x', command: 'echo ok', runInterval: 'hourly' });
    });
    const { code } = await evals(['watch', 'tools'], env);
    assert.equal(code, 1);
    const kinds = reported().cases.map(({ findings }) => [...new Set(findings.map(({ kind }) => kind))].sort());
    assert.deepEqual(kinds, [
      ['assertion', 'prohibited', 'required', 'rubric'],
      ['assertion', 'required', 'rubric'],
    ]);
    const { code: done, output } = await evals(['optimize']);
    assert.equal(done, 0, output);
    assert.match(output, /## 1\. The .*tap_start_emitter\n\nIn 2 of the cases/);
    const [first] = JSON.parse(readFileSync(join(folder, 'changes.json'), 'utf8')) as { cases: string[] }[];
    assert.deepEqual(first?.cases, ['watch', 'tools']);
  });

  it('says what it needs: a model, cases that there are, a server that answers', async () => {
    const without = await evals([]);
    assert.deepEqual([without.code, /EVALS_BASE_URL and EVALS_MODEL/.test(without.output)], [2, true]);
    const unknown = await evals(['nothing', '--scripted']);
    assert.match(unknown.output, /There is no case nothing\. There are: claims, /);
    const { env } = await model(() => ({}));
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    const { code } = await evals(['tools'], env);
    assert.equal(code, 1);
    assert.match(reported().cases[0]?.problem ?? '', /fetch failed/);
  });
});

describe('an eval case', () => {
  const text = (more: string) => `
about: a
prompt: b
${more}
examples:
  pass: [{ answer: yes }]
  fail: [{ answer: no, because: required }]
`;
  it('names what is wrong with it', () => {
    assert.throws(() => parseCase('bad', text('requried: []')), /The case bad is not right: .*requried/s);
    assert.throws(() => parseCase('bad', text("prohibited: ['(']")), /Invalid regular expression/);
  });

  it('is judged by calls, claims and assertions', () => {
    const one = parseCase(
      'one',
      text(`required: [{ tool: look, args: here, result: found }]
prohibited: [all is well]
assertions: [{ firstTool: look }, { neverCalled: break }, { callsAtMost: 2 }, { answerMatches: done }, { noFailedCalls: true }]`),
    );
    const look = { tool: 'look', args: { at: 'here' }, result: 'found it', failed: false };
    assert.deepEqual(judge(one, { calls: [look], answer: 'Done.' }), []);
    assert.deepEqual(
      judge(one, { calls: [{ ...look, failed: true }], answer: 'Done.' }).map(({ kind }) => kind),
      ['required', 'assertion'],
    );
    assert.deepEqual(judge(one, { calls: [{ ...look, result: 'no' }], answer: 'Done.' }), [
      { kind: 'required', tool: 'look', text: 'look was called, but not with here, answered found' },
    ]);
    assert.deepEqual(
      judge(one, { calls: [{ ...look, tool: 'break' }, look, look], answer: 'All is well' }).map(({ text: what }) => what),
      [
        'the answer says “All is well”',
        'the first call is of break, not of look',
        'break was called',
        '3 calls, more than 2',
        'the answer has no done',
      ],
    );
  });

  it('that passes with a refused call still says which schema was not clear', () => {
    const transcript = { calls: [{ tool: 'look', args: {}, result: 'INVALID_ARGUMENTS: at', failed: true }], answer: 'Done.' };
    const report = { at: 'now', model: 'm', cases: [{ name: 'one', about: '', passed: true, findings: [], transcript }] };
    assert.deepEqual(changesAfter(report), [{ what: 'schema of look', cases: ['one'], findings: ['one: INVALID_ARGUMENTS: at'] }]);
  });
});
