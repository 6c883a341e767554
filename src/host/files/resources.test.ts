import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { confined, openConfined } from './confinedPath.ts';
import { ContentStore } from './contentStore.ts';
import { Resources } from './resources.ts';

describe('Resources', () => {
  let base: string;
  let root: string;
  let outside: string;
  let contents: ContentStore;
  let resources: Resources;

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-resources-')));
    root = join(base, 'root');
    outside = join(base, 'root-but-not');
    mkdirSync(root);
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret.txt'), 'secret');
    writeFileSync(join(root, 'a.txt'), 'grüße\n');
    contents = new ContentStore();
    resources = new Resources({ roots: () => [root], contents, maxSize: 1000 });
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const uri = (...names: string[]) => pathToFileURL(join(root, ...names)).href;
  const outsideUri = (...names: string[]) => pathToFileURL(join(outside, ...names)).href;
  const refuses = (promise: Promise<unknown>, code: ErrorCode) =>
    assert.rejects(promise, (error) => {
      assert.ok(error instanceof RpcError, String(error));
      assert.equal(error.code, code, error.message);
      return true;
    });
  const text = (...names: string[]) => readFileSync(join(root, ...names), 'utf8');

  describe('read', () => {
    it('gives text as text and bytes as base64, and honours the encoding as far as it can', async () => {
      const bytes = Buffer.from('89504e470d0a1a0a00ff', 'hex');
      writeFileSync(join(root, 'picture'), bytes);
      const base64 = bytes.toString('base64');
      assert.deepEqual(await resources.read({ uri: uri('a.txt') }), { data: 'grüße\n', encoding: 'utf-8', contentType: 'text/plain' });
      assert.deepEqual(await resources.read({ uri: uri('a.txt'), encoding: 'base64' }), {
        data: Buffer.from('grüße\n').toString('base64'),
        encoding: 'base64',
        contentType: 'text/plain',
      });
      const expected = { data: base64, encoding: 'base64', contentType: 'image/png' };
      assert.deepEqual(await resources.read({ uri: uri('picture') }), expected);
      assert.deepEqual(await resources.read({ uri: uri('picture'), encoding: 'utf-8' }), expected);
      await refuses(resources.read({ uri: uri('a.txt'), encoding: 'latin1' as never }), ErrorCode.InvalidParams);
    });

    it('knows types by name and by content, and keeps a byte order mark', async () => {
      writeFileSync(join(root, 'x.json'), '{}');
      writeFileSync(join(root, 'bom'), '\ufeffa');
      writeFileSync(join(root, 'noise'), Buffer.of(0xff, 0xfe, 0x00));
      assert.equal((await resources.read({ uri: uri('x.json') })).contentType, 'application/json');
      assert.equal((await resources.read({ uri: uri('noise') })).contentType, 'application/octet-stream');
      assert.deepEqual(await resources.read({ uri: uri('bom') }), { data: '\ufeffa', encoding: 'utf-8', contentType: 'text/plain' });
    });

    it('reads stored contents by their URI', async () => {
      const { uri: stored } = contents.put('demo:/1', 'x', 'text/markdown');
      assert.deepEqual(await resources.read({ uri: stored }), { data: 'x', encoding: 'utf-8', contentType: 'text/markdown' });
      await refuses(resources.read({ uri: `${stored}0` }), ErrorCode.NotFound);
      await refuses(resources.write({ uri: stored, data: 'x', encoding: 'utf-8' }), ErrorCode.InvalidParams);
    });

    it('refuses what is not there, no file, too large, or no file URI', async () => {
      mkdirSync(join(root, 'dir'));
      execFileSync('mkfifo', [join(root, 'pipe')]);
      writeFileSync(join(root, 'large'), 'x'.repeat(1001));
      writeFileSync(join(root, 'fits'), 'x'.repeat(1000));
      await refuses(resources.read({ uri: uri('nope') }), ErrorCode.NotFound);
      await refuses(resources.read({ uri: uri('a.txt', 'below') }), ErrorCode.NotFound);
      await refuses(resources.read({ uri: uri('dir') }), ErrorCode.NotFound);
      await refuses(resources.read({ uri: uri('pipe') }), ErrorCode.NotFound);
      await refuses(resources.read({ uri: uri('large') }), ErrorCode.InvalidParams);
      assert.equal((await resources.read({ uri: uri('fits') })).data.length, 1000);
      for (const bad of ['http://localhost/x', 'a.txt', '', 'file://elsewhere/a', `${uri('a.txt')}%00`, `${uri()}%2Fa.txt`, 5, undefined])
        await refuses(resources.read({ uri: bad as string }), ErrorCode.InvalidParams);
    });

    it('reads below the roots only, wherever dots and links lead', async () => {
      symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
      symlinkSync(outside, join(root, 'dirlink'));
      symlinkSync(join(root, 'a.txt'), join(root, 'inner'));
      symlinkSync('loop', join(root, 'loop'));
      await refuses(resources.read({ uri: outsideUri('secret.txt') }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: outsideUri('nope.txt') }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: `${uri()}/../root-but-not/secret.txt` }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: `${uri()}/%2e%2e/root-but-not/secret.txt` }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: uri('link') }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: uri('dirlink', 'secret.txt') }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: uri('dirlink', 'nope') }), ErrorCode.PermissionDenied);
      await refuses(resources.read({ uri: uri('loop') }), ErrorCode.PermissionDenied);
      assert.equal((await resources.read({ uri: uri('inner') })).data, 'grüße\n');
      assert.equal((await resources.read({ uri: `${uri()}/x/../a.txt` })).data, 'grüße\n');
    });

    it('takes a root that is a link, and forgets one that is gone', async () => {
      symlinkSync(root, join(base, 'alias'));
      const aliased = new Resources({ roots: () => [join(base, 'gone'), join(base, 'alias')], contents });
      assert.equal((await aliased.read({ uri: uri('a.txt') })).data, 'grüße\n');
      assert.equal((await aliased.read({ uri: pathToFileURL(join(base, 'alias', 'a.txt')).href })).data, 'grüße\n');
      await refuses(new Resources({ roots: () => [], contents }).read({ uri: uri('a.txt') }), ErrorCode.PermissionDenied);
    });
  });

  describe('write', () => {
    it('creates with parents, overwrites whole, and writes bytes', async () => {
      assert.deepEqual(await resources.write({ uri: uri('new', 'deep', 'f.txt'), data: 'one two', encoding: 'utf-8' }), {});
      assert.equal(text('new', 'deep', 'f.txt'), 'one two');
      await resources.write({ uri: uri('new', 'deep', 'f.txt'), data: '1', encoding: 'utf-8' });
      assert.equal(text('new', 'deep', 'f.txt'), '1');
      await resources.write({ uri: uri('b'), data: '/wA=', encoding: 'base64' });
      assert.deepEqual(readFileSync(join(root, 'b')), Buffer.of(0xff, 0));
    });

    it('refuses what exists with createOnly, folders, bad data and too much of it', async () => {
      await refuses(resources.write({ uri: uri('a.txt'), data: 'x', encoding: 'utf-8', createOnly: true }), ErrorCode.AlreadyExists);
      assert.equal(text('a.txt'), 'grüße\n');
      await resources.write({ uri: uri('c'), data: 'x', encoding: 'utf-8', createOnly: true });
      assert.equal(text('c'), 'x');
      await refuses(resources.write({ uri: uri(), data: 'x', encoding: 'utf-8' }), ErrorCode.NotFound);
      await refuses(resources.write({ uri: uri('d'), data: '%%', encoding: 'base64' }), ErrorCode.InvalidParams);
      await refuses(resources.write({ uri: uri('d'), data: 'x', encoding: 'utf-16' as never }), ErrorCode.InvalidParams);
      await refuses(resources.write({ uri: uri('d'), data: 5 as never, encoding: 'utf-8' }), ErrorCode.InvalidParams);
      await refuses(resources.write({ uri: uri('d'), data: 'x'.repeat(1001), encoding: 'utf-8' }), ErrorCode.InvalidParams);
      await refuses(resources.write({ uri: uri('a.txt', 'below'), data: 'x', encoding: 'utf-8' }), ErrorCode.NotFound);
      assert.ok(!existsSync(join(root, 'd')));
    });

    it('never writes outside, not through links, dangling ones and folders that do not exist yet either', async () => {
      symlinkSync(join(outside, 'made.txt'), join(root, 'dangling'));
      symlinkSync(outside, join(root, 'dirlink'));
      symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
      for (const target of [
        uri('dangling'),
        uri('dirlink', 'f'),
        uri('dirlink', 'a', 'b'),
        uri('link'),
        outsideUri('f'),
        outsideUri('x', 'y'),
      ])
        await refuses(resources.write({ uri: target, data: 'x', encoding: 'utf-8' }), ErrorCode.PermissionDenied);
      assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret');
      assert.ok(!existsSync(join(outside, 'made.txt')) && !existsSync(join(outside, 'f')) && !existsSync(join(outside, 'x')));
    });

    it('notices a folder that was replaced by a link between the check and the opening', async () => {
      mkdirSync(join(root, 'dir'));
      writeFileSync(join(root, 'dir', 'secret.txt'), 'mine');
      const checked = await confined(join(root, 'dir', 'secret.txt'), [root]);
      const positive = await openConfined(checked, constants.O_RDWR);
      await positive.close();
      renameSync(join(root, 'dir'), join(root, 'moved'));
      symlinkSync(outside, join(root, 'dir'));
      await refuses(openConfined(checked, constants.O_RDWR), ErrorCode.PermissionDenied);
    });
  });

  describe('list', () => {
    it('lists by name with types', async () => {
      mkdirSync(join(root, 'sub'));
      mkdirSync(join(root, 'B'));
      symlinkSync(join(root, 'sub'), join(root, 'to-sub'));
      symlinkSync(outside, join(root, 'to-outside'));
      symlinkSync(join(root, 'nowhere'), join(root, 'to-nowhere'));
      assert.deepEqual(await resources.list({ uri: uri() }), {
        entries: [
          { name: 'B', type: 'directory' },
          { name: 'a.txt', type: 'file' },
          { name: 'sub', type: 'directory' },
          { name: 'to-nowhere', type: 'file' },
          { name: 'to-outside', type: 'file' },
          { name: 'to-sub', type: 'directory' },
        ],
      });
      assert.deepEqual(await resources.list({ uri: `${uri('to-sub')}/` }), { entries: [] });
    });

    it('refuses what is no folder or outside', async () => {
      symlinkSync(outside, join(root, 'to-outside'));
      await refuses(resources.list({ uri: uri('a.txt') }), ErrorCode.NotFound);
      await refuses(resources.list({ uri: uri('nope') }), ErrorCode.NotFound);
      await refuses(resources.list({ uri: uri('to-outside') }), ErrorCode.PermissionDenied);
      await refuses(resources.list({ uri: pathToFileURL(base).href }), ErrorCode.PermissionDenied);
    });
  });

  describe('copy and move', () => {
    for (const kind of ['copy', 'move'] as const) {
      it(`${kind}: files and folders, over what is there unless it must not`, async () => {
        const transfer = (from: string, to: string, failIfExists?: boolean) =>
          resources[kind]({ source: uri(from), destination: uri(to), failIfExists });
        await transfer('a.txt', 'new/b.txt', true);
        assert.equal(text('new', 'b.txt'), 'grüße\n');
        assert.equal(existsSync(join(root, 'a.txt')), kind === 'copy');
        writeFileSync(join(root, 'c.txt'), 'c');
        await refuses(transfer('c.txt', 'new/b.txt', true), ErrorCode.AlreadyExists);
        assert.equal(text('new', 'b.txt'), 'grüße\n');
        await transfer('c.txt', 'new/b.txt');
        assert.equal(text('new', 'b.txt'), 'c');
        symlinkSync(outside, join(root, 'new', 'link'));
        await transfer('new', 'other', true);
        assert.equal(text('other', 'b.txt'), 'c');
        assert.ok(lstatSync(join(root, 'other', 'link')).isSymbolicLink(), 'a link in a folder stays one');
        assert.equal(existsSync(join(root, 'new')), kind === 'copy');
        mkdirSync(join(root, 'third'));
        await refuses(transfer('third', 'other', true), ErrorCode.AlreadyExists);
        await refuses(transfer('third', 'other/b.txt'), ErrorCode.AlreadyExists);
        await refuses(transfer('other/b.txt', 'third'), ErrorCode.AlreadyExists);
        await refuses(transfer('other', 'other/inside'), ErrorCode.InvalidParams);
        await refuses(transfer('other', 'other'), ErrorCode.InvalidParams);
        await refuses(transfer('nope', 'x'), ErrorCode.NotFound);
      });

      it(`${kind}: neither from outside nor to it`, async () => {
        symlinkSync(outside, join(root, 'dirlink'));
        await refuses(resources[kind]({ source: outsideUri('secret.txt'), destination: uri('x') }), ErrorCode.PermissionDenied);
        await refuses(resources[kind]({ source: uri('dirlink', 'secret.txt'), destination: uri('x') }), ErrorCode.PermissionDenied);
        await refuses(resources[kind]({ source: uri('a.txt'), destination: outsideUri('x') }), ErrorCode.PermissionDenied);
        await refuses(resources[kind]({ source: uri('a.txt'), destination: uri('dirlink', 'x') }), ErrorCode.PermissionDenied);
        await refuses(resources[kind]({ source: 'http://x', destination: uri('x') }), ErrorCode.InvalidParams);
        assert.equal(text('a.txt'), 'grüße\n');
        assert.ok(!existsSync(join(outside, 'x')) && existsSync(join(outside, 'secret.txt')));
      });
    }

    it('copies bytes and mode, also between two names of one file without losing it', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
      writeFileSync(join(root, 'tool'), bytes, { mode: 0o755 });
      await resources.copy({ source: uri('tool'), destination: uri('tool2') });
      assert.deepEqual(readFileSync(join(root, 'tool2')), bytes);
      assert.equal(lstatSync(join(root, 'tool2')).mode & 0o777, 0o755);
      linkSync(join(root, 'tool'), join(root, 'same'));
      await resources.copy({ source: uri('tool'), destination: uri('same') });
      assert.deepEqual(readFileSync(join(root, 'same')), bytes);
    });

    it('takes neither pipes nor sockets', async () => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      await refuses(resources.copy({ source: uri('pipe'), destination: uri('copy') }), ErrorCode.NotFound);
      await refuses(resources.move({ source: uri('pipe'), destination: uri('copy') }), ErrorCode.NotFound);
    });

    it('copies the links of a folder as they are, so that those within it stay within the copy', async () => {
      mkdirSync(join(root, 'linked'));
      writeFileSync(join(root, 'linked/real'), 'x');
      symlinkSync('real', join(root, 'linked/name'));
      await resources.copy({ source: uri('linked'), destination: uri('copied') });
      assert.equal(readlinkSync(join(root, 'copied/name')), 'real');
    });

    it('moves a link as a link and never a root', async () => {
      symlinkSync(join(outside, 'secret.txt'), join(root, 'link'));
      await resources.move({ source: uri('link'), destination: uri('moved') });
      assert.ok(lstatSync(join(root, 'moved')).isSymbolicLink());
      await refuses(resources.copy({ source: uri('moved'), destination: uri('copied') }), ErrorCode.PermissionDenied);
      const nested = new Resources({ roots: () => [base, root], contents });
      await refuses(nested.move({ source: uri(), destination: pathToFileURL(join(base, 'elsewhere')).href }), ErrorCode.PermissionDenied);
    });
  });

  describe('delete', () => {
    it('deletes files, empty folders, and full ones only when told', async () => {
      mkdirSync(join(root, 'empty'));
      mkdirSync(join(root, 'full', 'deep'), { recursive: true });
      await resources.delete({ uri: uri('a.txt') });
      await resources.delete({ uri: uri('empty') });
      await refuses(resources.delete({ uri: uri('full') }), ErrorCode.InvalidParams);
      assert.ok(existsSync(join(root, 'full', 'deep')));
      await resources.delete({ uri: uri('full'), recursive: true });
      assert.deepEqual(await resources.list({ uri: uri() }), { entries: [] });
      await refuses(resources.delete({ uri: uri('a.txt') }), ErrorCode.NotFound);
    });

    it('deletes a link and not what it leads to; nothing outside, and no root', async () => {
      symlinkSync(outside, join(root, 'dirlink'));
      await refuses(resources.delete({ uri: uri('dirlink', 'secret.txt') }), ErrorCode.PermissionDenied);
      await refuses(resources.delete({ uri: outsideUri('secret.txt') }), ErrorCode.PermissionDenied);
      await refuses(resources.delete({ uri: uri(), recursive: true }), ErrorCode.PermissionDenied);
      await resources.delete({ uri: uri('dirlink'), recursive: true });
      assert.ok(!existsSync(join(root, 'dirlink')));
      assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'secret');
    });
  });
});
