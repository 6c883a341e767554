/** The portal as a process with a list of other agent hosts: whom it connects to, with which token, and what it leaves behind. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PrintingProcess, startPrintingProcess } from '../../support/printingProcess.ts';
import { until } from '../../support/until.ts';
import { OtherHost } from './otherHost.ts';
import type { Json } from './portalHarness.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');

interface Said {
  url: string;
  token: string;
}

describe('the list of agent hosts of the portal', function () {
  this.timeout(90_000);
  let folder: string;
  let far: OtherHost;
  const running: PrintingProcess<Said>[] = [];

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
    far = await OtherHost.start('far');
  });
  afterEach(async () => {
    for (const portal of running.splice(0)) await portal.stop('SIGKILL');
    await far.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  const put = (name: string, value: unknown, mode = 0o600) => {
    const path = join(folder, name);
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
    chmodSync(path, mode);
    return path;
  };
  const putEntry = (prompt: string) =>
    put('entry.json', {
      ...{ models: { driving: 'demo-fast' }, promptVariables: {}, grid: [], hosts: { far: { folder: far.folder } } },
      tasks: { go: { model: { category: 'driving' }, prompt: [prompt], requireUserInput: false, host: 'far', approve: ['everything'] } },
      jobs: { go: { work: { kind: 'Ref', taskId: 'go' } } },
    });
  async function start(hosts: string) {
    const args = [
      '--port',
      '0',
      '--agent',
      'demo',
      '--data',
      join(folder, 'data'),
      '--entry',
      join(folder, 'entry.json'),
      '--hosts',
      hosts,
    ];
    const portal = await startPrintingProcess<Said>('portal', script, [...args, '--verbose']);
    running.push(portal);
    const call = async (path: string, body?: string) => {
      const headers = { Authorization: `Bearer ${portal.said.token}` };
      const response = await fetch(`${portal.said.url}/api/${path}`, { ...(body !== undefined && { method: 'POST', body }), headers });
      return (await response.json()) as Json;
    };
    const ended = async (jobId: unknown) => {
      while ((await call(`copilot/job/${jobId}/live`))['error'] !== 'JobsClosed') continue;
      return (await call(`copilot/job/${jobId}/status`))['status'];
    };
    return { ...portal, call, ended };
  }

  it('has a token for each, which is in no log, and is read again for a host that has another one', async () => {
    putEntry('run touch made.txt');
    put('far.token', `${far.token}\n`);
    const portal = await start(put('hosts.json', [{ name: 'far', url: far.url, tokenFile: 'far.token' }], 0o644));
    const run = async () => portal.ended((await portal.call('copilot/job/start/go', folder))['jobId']);
    assert.equal(await run(), 'Succeeded');
    assert.ok(existsSync(join(far.folder, 'made.txt')));
    const tokens = [far.token];
    rmSync(join(far.folder, 'made.txt'));
    await far.kill();
    await far.startAgain();
    tokens.push(put('far.token', far.token) && far.token);
    assert.equal(await run(), 'Succeeded');
    assert.ok(existsSync(join(far.folder, 'made.txt')));
    for (const token of tokens) assert.ok(!`${portal.stdout()}${portal.stderr()}`.includes(token), 'no log has a token');
    assert.match(portal.stderr(), /agent host “far”: connected/);
  });

  it('sends a token only to a host that it says so of', async () => {
    putEntry('run touch made.txt');
    const portal = await start(put('hosts.json', [{ name: 'far', url: far.url, token: far.token, sendToken: true }]));
    assert.equal(await portal.ended((await portal.call('copilot/job/start/go', folder))['jobId']), 'Succeeded');
    assert.ok(!portal.stderr().includes(far.token));
  });

  it('is refused where it makes no sense, or others could read its tokens', async () => {
    putEntry('help');
    const ok = { name: 'far', url: far.url };
    const refused = async (hosts: unknown, why: RegExp, mode?: number) => {
      const args = [script, '--port', '0', '--data', join(folder, 'data'), '--hosts', put('hosts.json', hosts, mode)];
      const error = await promisify(execFile)(process.execPath, args, { timeout: 30_000 }).then(
        () => assert.fail('it was taken'),
        (reason: Error & { stderr: string }) => reason.stderr,
      );
      assert.match(error, why);
      assert.ok(!error.includes('secret'), error);
    };
    await refused('[secret', /hosts\.json: it is no JSON/);
    await refused({}, /hosts\.json: hosts: /);
    await refused([ok, ok], /hosts: names a host twice/);
    await refused([{ ...ok, url: 'http://127.0.0.1:1' }], /hosts\.0\.url: must begin with ws/);
    await refused([{ ...ok, url: `${far.url}?tkn=secret` }], /hosts\.0\.url: .* have no token/);
    await refused([{ ...ok, name: 'a\nb' }], /hosts\.0\.name: /);
    await refused([{ ...ok, password: 'x' }], /hosts\.0/);
    await refused([{ ...ok, token: 'secret', tokenFile: 'x' }], /hosts\.0: has a token and a tokenFile/);
    await refused([{ ...ok, tokenFile: 'none' }], /ENOENT/);
    for (const mode of [0o644, 0o640, 0o660]) await refused([{ ...ok, token: 'secret' }], /only you may be able to read/, mode);
    put('open.token', 'secret', 0o644);
    await refused([{ ...ok, tokenFile: 'open.token' }], /open\.token is not used: .*only you/);
    put('wrong.token', 'secret secret');
    await refused([{ ...ok, tokenFile: 'wrong.token' }], /wrong\.token: it must hold a token/);
  });

  it('ends what works elsewhere when the portal was killed and starts again', async () => {
    putEntry('wait 3000');
    const hosts = put('hosts.json', [{ name: 'far', url: far.url, token: far.token }]);
    const first = await start(hosts);
    const { jobId } = await first.call('copilot/job/start/go', folder);
    const { session, chat } = await far.working('wait 3000');
    assert.equal(session.confirmed?.config?.values['approvals'], 'auto');
    await first.stop('SIGKILL');
    assert.ok(chat.confirmed?.activeTurn, 'the host does not end with the portal');
    const again = await start(hosts);
    await until('the end of the turn', session.onDidChange, () => {
      return !chat.confirmed?.activeTurn && session.confirmed?.config?.values['approvals'] === 'ask';
    });
    assert.equal(chat.confirmed?.turns[0]?.state, 'cancelled');
    assert.equal((await again.call(`copilot/job/${jobId}/status`))['status'], 'Interrupted');
    const kept = () => readFileSync(join(folder, 'data', 'elsewhere.json'), 'utf8');
    while (kept() !== '[]') await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(await again.stop('SIGTERM'), 0);
  });
});
