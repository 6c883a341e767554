import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../fakes/eventually.ts';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import type { Notice } from '../../../src/portal/notices/notice.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
const WAIT_MS = 20_000;
const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
const ref = (taskId: string) => ({ work: { kind: 'Ref', taskId } });
const entry = {
  models: { driving: 'demo-fast' },
  promptVariables: {},
  tasks: {
    quick: task('help'),
    asks: task('run echo hello'),
    unmet: { ...task('help'), criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes: 0 } } },
  },
  jobs: { quick: ref('quick'), asks: ref('asks'), unmet: ref('unmet') },
  grid: [],
};

describe('notices of the portal as a process', function () {
  this.timeout(60_000);
  let folder: string;
  let hook: Server;
  let portal: PrintingProcess<{ url: string; token: string }>;
  let path: string | undefined;
  const posted: Notice[] = [];
  const file = (name: string) => join(folder, name);
  const linesIn = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').split('\n').slice(0, -1) : []);
  const node = (code: string) => `"${process.execPath}" -e "${code}"`;
  /** Appends what it gets on its standard input. */
  const keepIn = (name: string) => node(`process.stdin.pipe(require('fs').createWriteStream('${file(name)}', { flags: 'a' }))`);
  const startJob = (name: string) =>
    fetch(`${portal.said.url}/api/copilot/job/start/${name}`, {
      ...{ method: 'POST', body: folder, headers: { Authorization: `Bearer ${portal.said.token}` } },
    });

  before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-notices-')));
    writeFileSync(file('entry.json'), JSON.stringify(entry));
    hook = createServer(async (request, response) => {
      path = request.url;
      let body = '';
      for await (const chunk of request) body += String(chunk);
      posted.push(JSON.parse(body) as Notice);
      // One that refuses holds nothing up.
      response.writeHead(posted.length === 1 ? 500 : 204).end();
    });
    await once(hook.listen(0, '127.0.0.1'), 'listening');
    portal = await startPrintingProcess(
      'portal',
      script,
      [
        ...['--port', '0', '--agent', 'demo', '--data', file('data'), '--entry', file('entry.json')],
        ...['--on', 'done', keepIn('done'), '--on', 'failed', keepIn('failed'), '--on', 'needs-you', keepIn('needsYou')],
        ...['--on', 'done', node('process.exit(3)')],
      ],
      { TAPLINE_WEBHOOK: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook-secret` },
    );
  });
  after(async () => {
    await portal?.stop('SIGKILL');
    hook?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('go to the commands of what happened and to the web hook, and one that fails is said in the log without its secret', async () => {
    await startJob('quick');
    await eventually(() => posted.length === 1 && linesIn('done').length === 1, 'the end of the job', WAIT_MS);
    assert.deepEqual([posted[0]?.on, posted[0]?.job, posted[0]?.retries], ['done', 'quick', 0]);
    assert.deepEqual(JSON.parse(linesIn('done')[0] ?? ''), posted[0]);
    assert.equal(path, '/hook-secret');
    await eventually(() => /the command of --on done did not take .*code 3/.test(portal.stderr()), 'the failed command', WAIT_MS);
    await eventually(() => /the web hook at 127\.0\.0\.1:\d+ did not take .*status 500/.test(portal.stderr()), 'the failed hook', WAIT_MS);
    assert.doesNotMatch(portal.stderr(), /hook-secret/);
  });

  it('tell of a job that has failed, and of a call that waits, without what it runs', async () => {
    await startJob('unmet');
    await eventually(() => linesIn('failed').length === 1, 'the failure', WAIT_MS);
    const failed = JSON.parse(linesIn('failed')[0] ?? '') as Notice;
    assert.deepEqual([failed.on, failed.job, failed.failedTasks], ['failed', 'unmet', ['unmet']]);
    await startJob('asks');
    await eventually(() => linesIn('needsYou').length === 1, 'the question', WAIT_MS);
    const asks = JSON.parse(linesIn('needsYou')[0] ?? '') as Notice;
    assert.deepEqual([asks.job, asks.task, asks.waiting], ['asks', 'asks', ['call']]);
    assert.doesNotMatch(linesIn('needsYou').join(), /echo/);
    await eventually(() => posted.length === 3, 'the same at the web hook', WAIT_MS);
  });

  for (const args of [['--on'], ['--on', 'later', 'x'], ['--on', 'done']])
    it(`are refused as ${args.join(' ')}`, () =>
      assert.rejects(
        startPrintingProcess('portal', script, ['--data', file('other'), ...args]),
        /--on must be followed by needs-you, failed, done/,
      ));

  it('are refused where the web hook has a password, without saying it', () =>
    assert.rejects(
      startPrintingProcess('portal', script, ['--data', file('other')], { TAPLINE_WEBHOOK: 'https://me:hook-secret@chat.example/' }),
      (error: Error) => /TAPLINE_WEBHOOK must not have a name or a password/.test(error.message) && !/hook-secret/.test(error.message),
    ));

  it('are refused where the address of the web hook could be read on the way, without saying it', () =>
    assert.rejects(
      startPrintingProcess('portal', script, ['--data', file('other')], { TAPLINE_WEBHOOK: 'http://chat.example/hook-secret' }),
      (error: Error) =>
        /TAPLINE_WEBHOOK must be an address that begins with https/.test(error.message) && !/hook-secret/.test(error.message),
    ));
});
