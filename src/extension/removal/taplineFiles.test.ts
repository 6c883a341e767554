import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { taplineHome } from '../../base/node/taplineHome.ts';
import * as gatewayPaths from '../../tap/owner/gatewayPaths.ts';
import { findTaplineFiles, removeTaplineFiles, type TaplineFolders } from './taplineFiles.ts';

describe('the files of Tapline', () => {
  let root: string;
  let folders: TaplineFolders;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tapline-removal-'));
    folders = { home: join(root, 'home'), copilotHome: join(root, 'copilot') };
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function write(path: string, text = 'some text'): void {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const labels = async () => (await findTaplineFiles(folders)).map(({ label }) => label);

  it('are none where Tapline has never run', async () => {
    assert.deepEqual(await findTaplineFiles(folders), []);
    await removeTaplineFiles([], folders);
    assert.deepEqual(readdirSync(root), []);
  });

  it('are found by name, with their size, also in folders', async () => {
    write('home/sessions/one/log.jsonl', '12345');
    write('home/portal/runs/run.jsonl', '123');
    write('home/host.log', '1');
    const found = await findTaplineFiles(folders);
    assert.deepEqual(
      found.map(({ label, paths, bytes }) => [label, paths, bytes]),
      [
        ['Sessions, tasks and jobs', [join(folders.home, 'portal'), join(folders.home, 'sessions')], 8],
        ['What the processes of Tapline keep', [join(folders.home, 'host.log')], 1],
      ],
    );
  });

  it('go, and the folders with them', async () => {
    for (const name of [
      'sessions/a',
      'engine/node_modules/b',
      'copilot/c',
      'windows/d',
      'host.lock.json',
      'gateway.id-key',
      'gateway.tokens.json',
      'mcp-web.log',
      'gateway.sessions/e.jsonl',
      'records.db',
      'records.db-wal',
      'records.db.holder',
      'records.db.lock/f',
      'records.db.damaged-2026-11-27T10-00-00-000Z-wal',
    ])
      write(`home/${name}`);
    write('copilot/extensions/tap/.provider-token');
    mkdirSync(join(root, 'copilot/providers/browser'), { recursive: true });
    await removeTaplineFiles(await findTaplineFiles(folders), folders);
    assert.deepEqual(readdirSync(root), ['copilot']);
    assert.deepEqual(readdirSync(folders.copilotHome), []);
  });

  it('include every file of the gateway', async () => {
    const home = taplineHome();
    const paths = Object.values(gatewayPaths).flatMap((path) => (typeof path === 'function' ? [path()] : []));
    const names = paths.filter((path) => dirname(path) === home).map((path) => basename(path));
    assert.ok(names.length >= 6, names.join());
    for (const name of names) write(`home/${name}`);
    await removeTaplineFiles(await findTaplineFiles(folders), folders);
    assert.ok(!existsSync(folders.home), existsSync(folders.home) ? readdirSync(folders.home).join() : '');
  });

  it('go only as far as they were chosen', async () => {
    write('home/sessions/one/log.jsonl');
    write('home/engine/package.json');
    const engine = (await findTaplineFiles(folders)).filter(({ label }) => label === 'The Copilot engine');
    await removeTaplineFiles(engine, folders);
    assert.deepEqual(readdirSync(folders.home), ['sessions']);
  });

  it('are not what somebody else has put there', async () => {
    write('home/notes.txt');
    write('home/sessions.bak/notes.txt');
    write('home/my-records.db');
    write('copilot/config.json');
    write('copilot/extensions/other/extension.js');
    write('copilot/providers/notes/kept.txt');
    assert.deepEqual(await labels(), []);
    await removeTaplineFiles(await findTaplineFiles(folders), folders);
    for (const path of [
      'home/notes.txt',
      'home/sessions.bak/notes.txt',
      'home/my-records.db',
      'copilot/extensions/other/extension.js',
      'copilot/providers/notes/kept.txt',
    ])
      assert.ok(existsSync(join(root, path)), path);
  });

  it('are not followed through links', async () => {
    write('elsewhere/kept.txt');
    mkdirSync(folders.home);
    symlinkSync(join(root, 'elsewhere'), join(folders.home, 'sessions'));
    await removeTaplineFiles(await findTaplineFiles(folders), folders);
    assert.ok(existsSync(join(root, 'elsewhere/kept.txt')));
    assert.ok(!existsSync(folders.home));
  });

  it('leave a folder of a provider that is not empty any more', async () => {
    mkdirSync(join(root, 'copilot/providers/notes'), { recursive: true });
    const found = await findTaplineFiles(folders);
    write('copilot/providers/notes/kept.txt');
    await removeTaplineFiles(found, folders);
    assert.ok(existsSync(join(root, 'copilot/providers/notes/kept.txt')));
  });
});
