import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProvider } from './findProvider.ts';
import { shownProvider } from './shownProvider.ts';

describe('A context provider', () => {
  let root: string;
  let folder: string;
  const find = (uri: string, isUsers: boolean, settings = {}) => findProvider(folder, [folder], { uri, settings, isUsers });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tapline-provider-'));
    folder = join(root, 'project');
    mkdirSync(folder);
    writeFileSync(join(folder, 'inside.mjs'), 'export default {}');
    writeFileSync(join(root, 'outside.mjs'), 'export default {}');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('needs the user’s word where a workspace names it, and where it is a program of one', async () => {
    const outside = join(root, 'outside.mjs');
    symlinkSync(join(folder, 'inside.mjs'), join(root, 'link.mjs'));
    for (const [uri, isUsers, needsConsent] of [
      ['https://example.com/', true, false],
      ['https://example.com/', false, true],
      [outside, true, false],
      [pathToFileURL(outside).href, true, false],
      [outside, false, true],
      ['../outside.mjs', true, true],
      ['./inside.mjs', true, true],
      [join(folder, 'inside.mjs'), true, true],
      [join(root, 'link.mjs'), true, true],
    ] as const)
      assert.equal((await find(uri, isUsers)).needsConsent, needsConsent, `${uri} ${isUsers}`);
  });

  it('is another one with other settings, another file, another address, or another folder', async () => {
    const digest = async (uri: string, settings = {}) => (await find(uri, false, settings)).digest;
    const before = await digest('./inside.mjs');
    assert.equal(await digest('./inside.mjs'), before);
    assert.notEqual(await digest('./inside.mjs', { a: 1 }), before);
    assert.notEqual(await digest('https://a/'), await digest('https://b/'));
    assert.notEqual((await findProvider(root, [root], { uri: './outside.mjs', settings: {}, isUsers: false })).digest, before);
    writeFileSync(join(folder, 'inside.mjs'), 'export default { }');
    assert.notEqual(await digest('./inside.mjs'), before);
  });

  it('is an error where there is no such file', async () => {
    await assert.rejects(find('./missing.mjs', true), /There is no file .*missing\.mjs/);
    mkdirSync(join(folder, 'folder.mjs'));
    await assert.rejects(find('./folder.mjs', true), /There is no file/);
    await assert.rejects(find('./inside.txt', true), /no JavaScript file/);
  });

  it('is shown with all that runs or is sent, and hides nothing', async () => {
    const text = shownProvider(await find('https://example.com/a\u202eb', false, { token: '${secret:GITHUB}', list: ['\u200b'] }));
    for (const shown of [
      'server "https://example.com/a%E2%80%AEb"',
      'named as "https://example.com/a\\u{202e}b"',
      'setting "token" = "${secret:GITHUB}"',
      'setting "list" as JSON "[\\"\\u{200b}\\"]"',
      'your secret "GITHUB"',
    ])
      assert.ok(text.includes(shown), `${shown}\n${text}`);
    const program = await find('./inside.mjs', false);
    assert.match(shownProvider(program), /program ".*inside\.mjs"\n(.*\n)? {4}SHA-256 [0-9a-f]{64}\n/);
    assert.match(shownProvider(program), /no settings/);
  });
});
