import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import type { PermissionRequest } from '@github/copilot-sdk';
import type { CopilotSettings } from '../copilotOptions.ts';
import { writeTitle } from './permissionRequests.ts';
import type { Grant } from '../../../../ahp/grants.ts';
import { accessOf, allowedByGrant, allowedBySettings, grantOptions, type Access } from './permissions.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-permissions-')));
const work = join(base, 'work');
const home = join(base, 'home');
const accessTo = (request: PermissionRequest) =>
  accessOf(
    request,
    { workingDirectory: work, home, own: [join(base, 'own-link')], moduleFolders: [], made: new Set() },
    () => undefined,
    () => undefined,
  );
const read = (path: string) => accessTo({ kind: 'read', path, intention: '' });
const write = (fileName: string, before = fileName, after = fileName) =>
  accessTo({ kind: 'write', fileName, diff: `\ndiff --git a${before} b${after}\n`, intention: '', canOfferSessionApproval: false });
const asWrite = (access: Access) => {
  assert.ok(access.kind === 'write');
  return access;
};
const inWork = (file: string) => join(work, file);

describe('permissions of the Copilot agent', () => {
  before(() => {
    mkdirSync(join(work, 'src'), { recursive: true });
    mkdirSync(join(base, 'work-other'));
    writeFileSync(join(work, 'src/a.txt'), '');
    writeFileSync(join(base, 'secret'), '');
    symlinkSync(join(base, 'secret'), join(work, 'out'));
    symlinkSync(join(work, 'src'), join(work, 'in'));
    symlinkSync(join(base, 'nowhere'), join(work, 'dangling'));
    mkdirSync(join(work, 'src/deeper'));
    symlinkSync(join(work, 'src/deeper'), join(work, 'deep'));
    writeFileSync(join(work, 'b.txt'), '');
    for (const args of [
      ['init', '--quiet'],
      ['add', 'src/a.txt', 'b.txt'],
    ])
      execFileSync('git', ['-C', work, ...args]);
    mkdirSync(join(work, '.git/hooks'), { recursive: true });
    symlinkSync(join(work, '.git'), join(work, 'settings'));
    symlinkSync(join(work, '.git/hooks/new'), join(work, 'src/hook'));
    writeFileSync(join(work, '.git/hooks/new'), '');
    symlinkSync(join(work, 'src/a.txt'), join(work, '.envrc'));
    mkdirSync(join(base, 'own'));
    symlinkSync(join(base, 'own'), join(base, 'own-link'));
    mkdirSync(home);
  });
  after(() => rmSync(base, { recursive: true }));

  const ask: CopilotSettings = { approvals: 'ask', autoApproveReads: true, mode: 'interactive' };

  const reads: [string, boolean][] = [
    ['src/a.txt', true],
    ['new.txt', true],
    ['.', true],
    ['src/../src/a.txt', false],
    ['../work/src/a.txt', false],
    ['../secret', false],
    ['../work-other/x', false],
    ['out', false],
    ['in/a.txt', false],
    ['dangling', false],
    ['/etc/passwd', false],
    ['~/x', true],
  ];
  for (const [path, allowed] of reads) {
    it(`${allowed ? 'reads' : 'asks before it reads'} ${path}`, async () => {
      assert.equal(allowedBySettings(await read(path), ask), allowed);
      assert.equal(allowedBySettings(await read(path), { ...ask, approvals: 'all' }), allowed);
      // A folder cannot be written.
      assert.equal(allowedBySettings(await write(path), { ...ask, approvals: 'edits' }), allowed && path !== '.');
      assert.equal(allowedBySettings(await write(path), ask), false);
      assert.equal(allowedBySettings(await read(path), { ...ask, autoApproveReads: false }), false);
    });
  }

  it('asks for everything but reads, and for what it does not know in any case', () => {
    const accesses: Access[] = [
      { kind: 'command', text: 'ls' },
      { kind: 'url', url: 'https://a.example/' },
      { kind: 'tool', name: 't' },
    ];
    for (const access of accesses) {
      assert.equal(allowedBySettings(access, { ...ask, approvals: 'edits' }), false);
      assert.equal(allowedBySettings(access, { ...ask, approvals: 'all' }), true);
    }
    assert.equal(allowedBySettings({ kind: 'other', what: 'later' }, { ...ask, approvals: 'all' }), false);
  });

  it('says that a write may change other files, where its diff does not tell', async () => {
    assert.equal(writeTitle(asWrite(await write('src/a.txt')), true, work), 'Change `src/a.txt`?');
    const unknown = asWrite(await write('src/a.txt', 'one', 'another'));
    assert.equal(writeTitle(unknown, true, work), 'Change `src/a.txt`, a path that may lead elsewhere, and perhaps other files?');
  });

  it('takes a kind of a later engine as something else', async () => {
    const access = await accessTo({ kind: 'teleport' } as unknown as PermissionRequest);
    assert.deepEqual(access, { kind: 'other', what: 'teleport' });
    assert.deepEqual(grantOptions(access, work), []);
  });

  it('grants exactly what an option says', async () => {
    const grant = (access: Access, id: string) => {
      const option = grantOptions(access, work).find(({ option: { id: own } }) => own === id);
      assert.ok(option, id);
      return [option.grant];
    };
    const command: Access = { kind: 'command', text: 'npm test' };
    assert.ok(allowedByGrant(command, grant(command, 'session')));
    assert.ok(!allowedByGrant({ kind: 'command', text: 'npm test; rm x' }, grant(command, 'session')));
    const outside = await read('../secret');
    assert.ok(allowedByGrant(await read('out'), grant(outside, 'session')), 'the same file by another way');
    assert.ok(!allowedByGrant(await read('../secret2'), grant(outside, 'session')));
    assert.ok(!allowedByGrant(await write('../secret'), grant(outside, 'session')));
    assert.ok(allowedByGrant(await read('../work-other/x'), grant(outside, 'folder')));
    const inside = await write('src/a.txt');
    assert.ok(allowedByGrant(await write('b.txt'), grant(inside, 'session')));
    assert.ok(!allowedByGrant(await write('b.txt'), grant(inside, 'folder')));
    assert.ok(!allowedByGrant(await write('out'), grant(inside, 'session')), 'a link that leads out');
    const page: Access = { kind: 'url', url: 'https://a.example/x' };
    assert.ok(allowedByGrant({ kind: 'url', url: 'https://a.example/y' }, grant(page, 'session')));
    assert.ok(!allowedByGrant({ kind: 'url', url: 'https://a.example.org/y' }, grant(page, 'session')));
    const tool: Access = { kind: 'tool', name: 'shop/order' };
    assert.ok(allowedByGrant(tool, grant(tool, 'session')));
    assert.ok(!allowedByGrant({ kind: 'tool', name: 'shop/orders' }, grant(tool, 'session')));
  });

  it('asks each time where it is not known what a path leads to, whatever was allowed', async () => {
    const all: Grant[] = (['read', 'write'] as const).flatMap((kind) => [
      { kind, root: work },
      { kind, root: join(work, 'dangling') },
    ]);
    // A link that leads nowhere is written through; `..` behind a link is one place for the system, and another for who reads the text.
    for (const path of ['dangling', 'dangling/x', 'dangling/../../secret', `${work}/dangling/../../secret`, 'deep/../../secret'])
      for (const access of [await read(path), await write(path)]) {
        assert.ok(!allowedByGrant(access, all), path);
        assert.deepEqual(grantOptions(access, work), [], path);
      }
    assert.ok(allowedByGrant(await write('src/../b.txt'), all));
  });

  it('asks each time before it changes what other programs take as orders, whatever was allowed', async () => {
    const everything: Grant[] = [{ kind: 'write', root: parse(work).root }];
    const later = [
      ...['.git/config', '.Git/hooks/pre-commit', '.vscode/tasks.json', 'package.json', '.github/workflows/ci.yml', 'tap.config.json'],
      // By other ways: a link to the folder, a link to the file, a link of that name, and a folder that is not there yet.
      ...['settings/config', 'src/hook', '.envrc', 'new/.vscode/settings.json', 'src/../.git/config'],
      ...[join(base, 'own/mcp-config.json'), join(home, '.bashrc')],
    ];
    for (const path of later) {
      for (const access of [await write(path), await write(path, path, '/dev/null')]) {
        assert.ok(access.kind === 'write' && access.reasonToAsk, path);
        for (const approvals of ['edits', 'all'] as const) assert.ok(!allowedBySettings(access, { ...ask, approvals }), path);
        assert.ok(!allowedByGrant(access, everything), path);
        assert.deepEqual(grantOptions(access, work), [], path);
      }
      assert.ok(allowedByGrant(await read(path), [{ kind: 'read', root: parse(work).root }]), 'reading is something else');
    }
    for (const path of ['src/a.txt', 'new/folder/a.txt', 'gitignore']) {
      assert.ok(allowedBySettings(await write(path), { ...ask, approvals: 'edits' }), path);
      assert.ok(allowedByGrant(await write(path), everything), path);
    }
  });

  it('asks for a move as for both of its ends', async () => {
    const move = (from: string, to: string) => write(to, from, to);
    const edits: CopilotSettings = { ...ask, approvals: 'edits' };
    const inside: Grant[] = [{ kind: 'write', root: work }];
    const within = await move(inWork('src/a.txt'), inWork('b.txt'));
    assert.ok(allowedBySettings(within, edits) && allowedByGrant(within, inside));
    assert.ok(!allowedBySettings(within, ask));
    for (const from of [join(base, 'secret'), inWork('out'), inWork('.git/config'), inWork('dangling')]) {
      const access = await move(from, inWork('b.txt'));
      assert.ok(!allowedBySettings(access, edits) && !allowedByGrant(access, inside), from);
    }
    assert.ok(!allowedBySettings(await move(inWork('src/a.txt'), inWork('.vscode/tasks.json')), edits));
    assert.deepEqual(grantOptions(within, work), []);
  });

  it('asks each time where the engine does not say what a write touches', async () => {
    const access = await accessTo({ kind: 'write', fileName: inWork('b.txt'), diff: '', intention: '', canOfferSessionApproval: false });
    assert.ok(!allowedBySettings(access, { ...ask, approvals: 'all' }));
    assert.ok(!allowedByGrant(access, [{ kind: 'write', root: work }]));
    assert.deepEqual(grantOptions(access, work), []);
  });

  it('never offers more than the working directory for what is in it', async () => {
    for (const path of ['.', 'b.txt']) {
      const ids = grantOptions(await read(path), work).map(({ option }) => option.id);
      assert.deepEqual(ids, ['session']);
    }
  });
});
