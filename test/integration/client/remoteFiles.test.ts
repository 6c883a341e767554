/** The files of a real host as a file system, and what is refused of a host that answers wrongly. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
import { ErrorCode } from '../../../src/ahp/common/errors.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { RemoteFileError, type RemoteFileProblem, RemoteFiles } from '../../../src/extension/hostFiles/remoteFiles.ts';
import { DemoHost } from '../host/demoHarness.ts';

const fails = (what: Promise<unknown>, problem: RemoteFileProblem, message = /box/) =>
  assert.rejects(what, (error) => error instanceof RemoteFileError && error.problem === problem && message.test(error.message));

describe('the files of a real host', () => {
  let host: DemoHost;
  let client: AgentHostClient;
  let files: RemoteFiles;
  let at: (name: string) => string;

  before(async () => {
    host = new DemoHost();
    client = await host.start();
    await host.session(client);
    at = (name) => join(host.directory, name);
    mkdirSync(at('src'));
    writeFileSync(at('src/a b#%.txt'), 'text');
    writeFileSync(at('bytes'), Buffer.from([0xff, 0, 0x80]));
    writeFileSync(join(host.base, 'outside.txt'), 'not for clients');
    files = new RemoteFiles(client, 'box');
  });
  after(() => host.stop());

  it('are listed and read, as text and as bytes', async () => {
    assert.deepEqual(await files.list(host.directory), [
      { name: 'bytes', isFolder: false },
      { name: 'src', isFolder: true },
    ]);
    assert.equal(Buffer.from(await files.read(at('src/a b#%.txt'))).toString(), 'text');
    assert.deepEqual([...(await files.read(at('bytes')))], [0xff, 0, 0x80]);
  });

  it('have a kind, a size and a time that changes with the content', async () => {
    assert.equal((await files.stat(at('src'))).isFolder, true);
    const before = await files.stat(at('bytes'));
    assert.deepEqual([before.isFolder, before.size], [false, 3]);
    assert.deepEqual(await files.stat(at('bytes')), before);
    writeFileSync(at('bytes'), 'abcd');
    assert.equal((await files.stat(at('bytes'))).size, 4);
  });

  it('are written, moved and removed; what exists is overwritten only where that is meant', async () => {
    const made = at('made.txt');
    await fails(files.write(made, Buffer.from('x'), { create: false, overwrite: true }), 'notFound');
    await files.write(made, Buffer.from('one'), { create: true, overwrite: false });
    await fails(files.write(made, Buffer.from('two'), { create: true, overwrite: false }), 'exists');
    await files.write(made, Buffer.from('three'), { create: false, overwrite: true });
    assert.equal(readFileSync(made, 'utf8'), 'three');
    await fails(files.move(made, at('bytes'), false), 'exists');
    await files.move(made, at('moved.txt'), false);
    await files.remove(at('moved.txt'), false);
    assert.equal(existsSync(at('moved.txt')), false);
  });

  it('never are settings of a workspace, by which a trusted window would run what the host says', async () => {
    for (const folder of ['.vscode', 'src/.VSCode']) {
      mkdirSync(at(folder), { recursive: true });
      writeFileSync(join(at(folder), 'tasks.json'), '{}');
    }
    writeFileSync(at('all.Code-Workspace'), '{}');
    writeFileSync(at('.vscodeignore'), 'served');
    for (const path of ['.vscode', '.vscode/tasks.json', 'src/.VSCode/tasks.json', 'all.Code-Workspace', 'src\\.vscode\\tasks.json'].map(
      at,
    )) {
      await fails(files.stat(path), 'notFound', /settings of a workspace/);
      await fails(files.read(path), 'notFound');
      await fails(files.list(path), 'notFound');
      await fails(files.write(path, Buffer.from('{}'), { create: true, overwrite: true }), 'noPermission', /settings of a workspace/);
      await fails(files.makeFolder(path), 'noPermission');
      await fails(files.remove(path, true), 'noPermission');
      await fails(files.move(at('bytes'), path, true), 'noPermission');
      await fails(files.move(path, at('free'), true), 'noPermission');
    }
    const names = async (path: string) => (await files.list(path)).map(({ name }) => name);
    assert.deepEqual((await names(host.directory)).toSorted(), ['.vscodeignore', 'bytes', 'src']);
    assert.deepEqual(await names(at('src')), ['a b#%.txt']);
    assert.equal(Buffer.from(await files.read(at('.vscodeignore'))).toString(), 'served');
  });

  it('outside of the folders of sessions stay closed', async () => {
    await fails(files.read(join(host.base, 'outside.txt')), 'noPermission');
    await fails(files.read(at('nowhere')), 'notFound');
  });

  it('are unavailable without a connection', async () => {
    const other = await host.connect();
    other.close();
    await fails(new RemoteFiles(other, 'box').stat(at('bytes')), 'unavailable');
  });
});

function refuseMethod(): never {
  throw new RpcError(ErrorCode.MethodNotFound, 'unknown');
}

describe('the files of a host that answers wrongly', () => {
  const answering = (result: unknown) => new RemoteFiles({ command: async () => result as never }, 'box');

  it('are refused by name, number, size and kind, with the reason', async () => {
    for (const name of ['..', '.', '', 'a/b', 'a\0', 'x'.repeat(1_001), 7, undefined])
      await fails(answering({ entries: [{ name, type: 'file' }] }).list('/w'), 'refused', /box sent an entry whose name/);
    await fails(answering({ entries: Array(10_001).fill({ name: 'a', type: 'file' }) }).list('/w'), 'refused', /10,001 entries/);
    await fails(answering({}).list('/w'), 'refused');
    const older = { command: async (method: string) => (method === 'resourceList' ? { entries: [{ name: '..' }] } : refuseMethod()) };
    await fails(new RemoteFiles(older as never, 'box').stat('/w'), 'refused', /box sent an entry whose name/);
    for (const size of [-1, 0.5, 1e300, '7']) await fails(answering({ type: 'file', size }).stat('/w'), 'refused', /size/);
    await fails(answering({ data: 7, encoding: 'utf-8' }).read('/w'), 'refused');
    await fails(answering({ data: 'x', encoding: 'rot13' }).read('/w'), 'refused');
    await fails(answering({ data: 'x'.repeat(33 * 1024 * 1024), encoding: 'utf-8' }).read('/w'), 'refused', /32 MB/);
    assert.deepEqual(await answering({ entries: [{ name: 'a', type: 'new kind' }] }).list('/w'), [{ name: 'a', isFolder: false }]);
  });
});
