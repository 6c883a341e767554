import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { findHostFiles } from '../../../pages/attaching/findHostFiles.ts';
import { type LocalFile, missingAt, missingProblem } from './hostFiles.ts';

type Client = Pick<AgentHostClient, 'command'>;

describe('a file for a host that may be on another computer', () => {
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-files-')));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'a.txt'), 'äö\n');
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0, 1]));
  });
  after(() => rmSync(folder, { recursive: true }));

  function local(name: string): LocalFile {
    const path = join(folder, name);
    const isFolder = statSync(path).isDirectory();
    return {
      uri: pathToFileURL(path).href,
      size: statSync(path).size,
      read: async () => (isFolder ? readdirSync(path) : readFileSync(path)),
    };
  }
  /** A host with these files, which sends only text or also bytes. */
  function host(files: Record<string, Buffer | string[]>, onlyText = false): Client {
    const find = (uri: string) => {
      const found = files[uri];
      if (found === undefined) throw new RpcError(-32008, 'not found');
      return found;
    };
    const answer = (method: string, { uri }: { uri: string }): unknown => {
      const found = find(uri);
      if (method === 'resourceList')
        return {
          entries: (found as string[]).map((name) => ({ name: name.replace(/\/$/, ''), type: name.endsWith('/') ? 'directory' : 'file' })),
        };
      return onlyText ? { data: String(found), encoding: 'utf-8' } : { data: (found as Buffer).toString('base64'), encoding: 'base64' };
    };
    return { command: async (method: string, params: unknown) => answer(method, params as { uri: string }) } as unknown as Client;
  }
  const uri = (name: string) => pathToFileURL(join(folder, name)).href;
  const problemWith = async (client: Client, files: LocalFile[]) => {
    const missing = await missingAt(client, files);
    return missing.length === 0 ? undefined : missingProblem('build-box', missing);
  };
  const problem = (client: Client, ...names: string[]) => problemWith(client, names.map(local));

  it('can be attached when the host has the same', async () => {
    for (const onlyText of [false, true]) {
      const same = host(
        { [uri('src/a.txt')]: Buffer.from('äö\n'), [uri('bytes')]: Buffer.from([0xff, 0, 1]), [uri('src')]: ['a.txt'] },
        onlyText,
      );
      assert.equal(await problem(same, 'src/a.txt', 'bytes', 'src'), undefined);
    }
  });

  it('cannot when the host has none, or another one under that name', async () => {
    for (const other of [{}, { [uri('src/a.txt')]: Buffer.from('other'), [uri('src')]: ['a.txt', 'b.txt'] }])
      for (const name of ['src/a.txt', 'src'])
        assert.match(
          (await problem(host(other), name)) ?? '',
          /^build-box does not have (a\.txt|src) as on this computer.*Type # to attach a file of build-box/,
        );
    assert.match((await problem(host({ [uri('src')]: ['a.txt'] }), 'src', 'src/a.txt', 'bytes')) ?? '', /not have a\.txt, bytes as/);
  });

  it('is not read when it is large', async () => {
    const large = { uri: 'file:///large.iso', size: 5_000_000, read: () => assert.fail('read') };
    assert.match((await problemWith(host({}), [large])) ?? '', /^large\.iso: larger than 4 MB, so it was not checked/);
  });

  it('fails with the reason when the host does not answer', async () => {
    const away = { command: () => Promise.reject(new Error('There is no connection to build-box')) } as Client;
    await assert.rejects(problem(away, 'src/a.txt'), /no connection/);
  });

  describe('is suggested', () => {
    const work = 'file:///home/ada/web%20app';
    const files = host({
      [work]: ['README.md', 'src/', 'the src.txt', 'a/b', '..'],
      [`${work}/src`]: ['main.ts', 'a main.ts'],
    });
    const found = async (query: string, root: string | undefined = work) =>
      (await findHostFiles(files, root, query)).map(({ displayKind, uri, label }) => [displayKind, uri.slice(work.length), label]);

    it('from the folder of the session on that host, what begins with the name first', async () => {
      assert.deepEqual(await found('SRC'), [
        ['directory', '/src', 'src'],
        ['file', '/the%20src.txt', 'the src.txt'],
      ]);
      assert.deepEqual(await found('src/main'), [
        ['file', '/src/main.ts', 'src/main.ts'],
        ['file', '/src/a%20main.ts', 'src/a main.ts'],
      ]);
    });

    it('only from there', async () => {
      for (const query of ['../x', 'src/../x', '/etc/x', 'src//x', './x', 'src/..\\..\\/x'])
        assert.deepEqual(await found(query), [], query);
      assert.deepEqual(await findHostFiles(files, undefined, 'src'), []);
    });
  });
});
