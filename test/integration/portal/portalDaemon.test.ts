/** The portal as the extension starts it: a process of its own, found again by any window. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../../../src/ahp/index.ts';
import { nullLogger } from '../../../src/base/log.ts';
import { callPortal, readPortal } from '../../../src/extension/portal/callPortal.ts';
import { PortalDaemon } from '../../../src/extension/portal/portalDaemon.ts';
import { portalHosts } from '../../../src/extension/portal/hostsForPortal.ts';
import { jobOffer, jobStatus } from '../../../src/views/portal/jobData.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { OtherHost } from './otherHost.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
const demo = join(import.meta.dirname, '../../../examples/portal/demo.json');

describe('the portal of the extension', function () {
  this.timeout(60_000);
  let folder: string;
  let portal: PortalDaemon;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-portal-')));
    portal = new PortalDaemon(script, folder, nullLogger, () => true);
  });
  afterEach(async () => {
    await endDaemons(join(folder, 'sessions', 'lock.json'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it('is started once, found by every window, and told to stop', async () => {
    assert.equal(await portal.find(), undefined);
    const address = await portal.start({ agent: 'demo', entryFile: demo });
    assert.deepEqual(Object.keys((await readPortal(address, 'copilot/job', jobOffer)).jobs), ['Answer', 'Look around']);
    const other = new PortalDaemon(script, folder, nullLogger, () => true);
    const hosts: (string | undefined)[] = [];
    other.onDidChange((found) => hosts.push(found?.host.url));
    assert.deepEqual(await other.find(), address);
    const client = await AgentHostClient.connect(address.host);
    client.close();
    assert.deepEqual(await other.start({ agent: 'copilot' }), address, 'it runs already');
    assert.equal(statSync(join(folder, 'portal.json')).mode & 0o777, 0o600);
    assert.ok(address.token);
    assert.ok(!readFileSync(portal.logFile, 'utf8').includes(address.token), 'its log has no token');
    await callPortal(address, 'stop');
    while (await other.find()) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(hosts, [address.host.url, undefined], 'each is told once');
    // Its process may still be ending, and hang up.
    await assert.rejects(callPortal(address, 'config'), /cannot be reached|has not answered/);
  });

  it('gets the agent hosts of the user, and their tokens where nobody else reads them', async () => {
    const far = await OtherHost.start('far');
    try {
      const warnings: string[] = [];
      const logger = { ...nullLogger, warn: (text: string) => void warnings.push(text) };
      const { url, token } = far;
      const listed = [
        { name: 'far', url },
        ...['x', 'x', ' y', 'z'].map((name, at) => ({ name, url: at === 3 ? `${url}?tkn=${token}` : url })),
      ];
      const hosts = await portalHosts(listed, async () => token, logger);
      assert.deepEqual(hosts, [{ name: 'far', url, token, sendToken: true }]);
      assert.deepEqual([warnings.length, warnings.join().includes(token)], [4, false]);
      const entryFile = join(folder, 'entry.json');
      const go = { model: { category: 'driving' }, prompt: ['help'], requireUserInput: false, host: 'far' };
      const jobs = { go: { work: { kind: 'Ref', taskId: 'go' } } };
      const entry = { models: { driving: 'demo-fast' }, promptVariables: {}, tasks: { go }, jobs, grid: [], hosts: { far: {} } };
      writeFileSync(entryFile, JSON.stringify(entry));
      const address = await portal.start({ agent: 'demo', entryFile, hosts });
      const { pid } = JSON.parse(readFileSync(join(folder, 'sessions', 'lock.json'), 'utf8')) as { pid: number };
      if (process.platform === 'linux') assert.ok(!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(token), 'no argument has it');
      assert.ok(!readdirSync(folder).some((name) => name.startsWith('hosts-')), 'nobody needs the file any more');
      const { jobId } = (await callPortal(address, 'copilot/job/start/go', far.folder)) as { jobId: string };
      const read = () => readPortal(address, `copilot/job/${jobId}/status`, jobStatus);
      let job = await read();
      for (; job.status === 'Executing'; job = await read()) await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual([job.status, job.steps[0]?.task?.host], ['Succeeded', 'far']);
      assert.ok(!readFileSync(portal.logFile, 'utf8').includes(token), 'its log has no token');
    } finally {
      await far.close();
    }
  });

  it('answers errors in words', async () => {
    const address = await portal.start({ agent: 'demo' });
    await assert.rejects(callPortal(address, 'copilot/job/x/stop'), /does not have this job any more/);
    await assert.rejects(callPortal({ ...address, token: 'wrong' }, 'config'), /send its token/);
    await assert.rejects(readPortal(address, 'config', jobOffer), /has another version/);
  });

  it('runs no entry that is a program, and says where the fault of another one is', async () => {
    const program = join(folder, 'entry.ts');
    const ran = join(folder, 'ran');
    writeFileSync(program, `require('fs').writeFileSync(${JSON.stringify(ran)}, '')`);
    await assert.rejects(portal.start({ agent: 'demo', entryFile: program }), /must be a JSON file/);
    assert.ok(!existsSync(ran));
    writeFileSync(join(folder, 'wrong.json'), '{}');
    await assert.rejects(portal.start({ agent: 'demo', entryFile: join(folder, 'wrong.json') }), /did not start.*portal\.log/);
    assert.match(readFileSync(portal.logFile, 'utf8'), /wrong\.json: entry\.models/);
  });

  it('is not what another process has written, or an old one has left', async () => {
    const address = await portal.start({ agent: 'demo' });
    const file = join(folder, 'portal.json');
    const written = JSON.parse(readFileSync(file, 'utf8'));
    for (const wrong of [
      { ...written, host: { token: 'x' } },
      { ...written, url: 'http://example.com' },
      { ...written, page: 'file:///x' },
    ]) {
      writeFileSync(file, JSON.stringify(wrong));
      assert.equal(await portal.find(), undefined);
    }
    writeFileSync(file, JSON.stringify(written));
    assert.deepEqual(await portal.find(), address);
  });
});
