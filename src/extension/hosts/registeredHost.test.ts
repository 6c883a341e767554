import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { atRest, eventually } from '../../../test/fakes/eventually.ts';
import { FakeHost, sessionSummary } from '../../../test/fakes/fakeHost.ts';
import { memoryTransport } from '../../../test/fakes/memoryTransport.ts';
import { RegisteredHost } from './registeredHost.ts';

describe('A registered host', () => {
  let folder: string;
  const hosts: RegisteredHost[] = [];
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-registered-')));
    writeFileSync(join(folder, 'notes.txt'), 'Buy milk');
  });
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => {
    for (const host of hosts.splice(0)) host.dispose();
  });

  async function connected() {
    const fake = new FakeHost();
    fake.summaries = [sessionSummary('demo:/1', 'First'), sessionSummary('demo:/2', 'Second')];
    const options = { url: 'ws://host:1', clientId: 'window-1', transport: memoryTransport(fake).transport };
    const host = new RegisteredHost({ id: 'ws://host:1', label: 'build-box', kind: 'configured' }, options);
    hosts.push(host);
    await eventually(() => host.client.sessions.state === 'ready', 'its sessions');
    await atRest();
    const ask = (method: string, uri: string) => fake.connection.peer.request(method, { channel: 'ahp-root://', uri }, 5_000);
    return { fake, host, ask };
  }

  it('reads what is lent to it over its own connection, and nothing else', async () => {
    const [one, other] = [await connected(), await connected()];
    const { uri } = await one.host.lent.lend(join(folder, 'notes.txt'), 'demo:/1');
    assert.deepEqual(await one.ask('resourceRead', uri), { data: 'Buy milk', encoding: 'utf-8' });
    await assert.rejects(other.ask('resourceRead', uri), { code: -32008 });
    for (const method of ['resourceRead', 'resourceList'])
      await assert.rejects(one.ask(method, pathToFileURL(join(folder, 'notes.txt')).href), { code: -32008 });
    for (const method of ['resourceWrite', 'resourceDelete', 'resourceMkdir', 'createResourceWatch'])
      await assert.rejects(one.ask(method, uri), { code: -32601 }, method);
  });

  it('cannot read it any more after its session was removed, and tells its window of each change', async () => {
    const { fake, host, ask } = await connected();
    let changes = 0;
    host.onDidChange(() => changes++);
    const first = await host.lent.lend(join(folder, 'notes.txt'), 'demo:/1');
    const second = await host.lent.lend(join(folder, 'notes.txt'), 'demo:/2');
    assert.equal(changes, 2);
    fake.notify({ type: 'notify/sessionRemoved', session: 'demo:/1' });
    await atRest();
    await assert.rejects(ask('resourceRead', first.uri), { code: -32008 });
    assert.deepEqual(await ask('resourceRead', second.uri), { data: 'Buy milk', encoding: 'utf-8' });
    host.lent.takeBack(second.uri);
    await assert.rejects(ask('resourceRead', second.uri), { code: -32008 });
  });
});
