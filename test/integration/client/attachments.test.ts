/** Which files of this computer can be attached to a session of a real host. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { missingAt, missingProblem } from '../../../src/extension/sessionView/attachments/hostFiles.ts';
import { findHostFiles } from '../../../src/pages/attaching/findHostFiles.ts';
import { DemoHost } from '../host/demoHarness.ts';

describe('a file of this computer and a real host', () => {
  let host: DemoHost;
  let client: AgentHostClient;

  before(async () => {
    host = new DemoHost();
    await host.session(await host.start());
    client = await host.client();
    mkdirSync(join(host.directory, 'src'));
    writeFileSync(join(host.directory, 'src', 'a b.txt'), 'text');
    writeFileSync(join(host.directory, 'src', 'bytes'), Buffer.from([0xff, 0, 0x80]));
    writeFileSync(join(host.base, 'outside.txt'), 'not for clients');
  });
  after(() => host.stop());

  const problem = async (path: string) => {
    const isFolder = statSync(path).isDirectory();
    const read = async () => (isFolder ? readdirSync(path) : readFileSync(path));
    const missing = await missingAt(client, [{ uri: pathToFileURL(path).href, size: statSync(path).size, read }]);
    return missing.length === 0 ? undefined : missingProblem('box', missing);
  };

  it('can be attached where the host has it too', async () => {
    for (const name of ['src/a b.txt', 'src/bytes', 'src']) assert.equal(await problem(join(host.directory, name)), undefined, name);
  });

  it('cannot where the host does not give it out', async () => {
    assert.match((await problem(join(host.base, 'outside.txt'))) ?? '', /^box does not have outside\.txt/);
  });

  it('is found by the host’s own list', async () => {
    const found = await findHostFiles(client, pathToFileURL(host.directory).href, 'src/a');
    assert.deepEqual(found, [
      { type: 'resource', uri: pathToFileURL(join(host.directory, 'src', 'a b.txt')).href, label: 'src/a b.txt', displayKind: 'file' },
    ]);
  });
});
