/** The files of a real host as a file system, and what is refused of a host that answers wrongly. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ErrorCode } from '../../../src/ahp/common/errors.ts';
import { RpcError } from '../../../src/base/jsonRpc.ts';
import { RemoteFileError, type RemoteFileProblem, RemoteFiles } from '../../../src/extension/hostFiles/remoteFiles.ts';
import type { AgentHostClient } from '../../../src/ahp/client/agentHostClient.ts';
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
    await host.session(await host.start());
    client = await host.client();
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
    const other = await host.client();
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

  it('are refused where the host has lost what is not text, and asked for as bytes', async () => {
    const asked: unknown[] = [];
    const sending = (answer: { data: string; encoding: string }) =>
      new RemoteFiles({ command: async (_method: string, params: unknown) => (asked.push(params), answer as never) }, 'box');
    await fails(sending({ data: 'a\ufffdb', encoding: 'utf-8' }).read('/w'), 'refused', /box cannot send \/w as it is/);
    assert.equal(Buffer.from(await sending({ data: 'é', encoding: 'utf-8' }).read('/w')).toString(), 'é');
    const base64 = Buffer.from('a\ufffdb').toString('base64');
    assert.equal(Buffer.from(await sending({ data: base64, encoding: 'base64' }).read('/w')).toString(), 'a\ufffdb');
    assert.deepEqual(asked[0], { uri: 'file:///w', encoding: 'base64' });
  });
});

describe('the files of a host that does not say when they were changed', () => {
  const text = (data: string) => ({ data, encoding: 'utf-8' });
  let now = 1_000;
  /** Answers each method with what is there for it; others are unknown. */
  const hostOf = (answers: Record<string, unknown>) => {
    const host = { command: async (method: string) => (answers[method] ?? refuseMethod()) as never };
    return { answers, files: new RemoteFiles(host, 'box', () => ++now) };
  };

  it('have the time at which their etag was first seen', async () => {
    const { answers, files } = hostOf({ resourceResolve: { type: 'file', size: 3, etag: 'a' } });
    const first = await files.stat('/w');
    assert.ok(first.modified > 0);
    assert.deepEqual(await files.stat('/w'), first);
    answers['resourceResolve'] = { type: 'file', size: 4, etag: 'b' };
    const second = await files.stat('/w');
    assert.ok(second.modified > first.modified && second.size === 4);
  });

  it('have the time and the size of their content without an etag, or without a size', async () => {
    for (const known of [{ size: 3 }, { etag: 'a' }, {}, { mtime: 'soon', size: 3 }]) {
      const { answers, files } = hostOf({ resourceResolve: { type: 'file', ...known }, resourceRead: text('one') });
      const first = await files.stat('/w');
      assert.ok(first.modified > 0 && first.size === 3);
      assert.deepEqual(await files.stat('/w'), first);
      answers['resourceRead'] = text('three');
      const second = await files.stat('/w');
      assert.ok(second.modified > first.modified && second.size === 5);
    }
  });

  it('are not read for what the host does say; nor are folders', async () => {
    const mtime = '2026-11-26T12:00:00.000Z';
    const file = await hostOf({ resourceResolve: { type: 'file', size: 3, mtime } }).files.stat('/w');
    assert.deepEqual(file, { isFolder: false, size: 3, modified: Date.parse(mtime) });
    assert.deepEqual(await hostOf({ resourceResolve: { type: 'directory' } }).files.stat('/w'), { isFolder: true, size: 0, modified: 0 });
  });
});
