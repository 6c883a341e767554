/** What is shipped of others, named with its licence in the file that the build makes. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledPackages, thirdPartyNotices } from '../../scripts/thirdPartyNotices.mjs';
import { copyForPackage } from '../../scripts/package.mjs';

const root = join(import.meta.dirname, '../..');
const noticesIn = (folder: string) => readFileSync(join(folder, 'dist/ThirdPartyNotices.txt'), 'utf8');

describe('The notices of third parties', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-notices-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const put = (name: string, files: Record<string, string>) => {
    const path = join(folder, 'node_modules', name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
    return path;
  };

  it('name each package of a bundle once, and none that it only looked at', () => {
    const inputs = (...paths: [string, number][]) => Object.fromEntries(paths.map(([path, bytesInOutput]) => [path, { bytesInOutput }]));
    const outputs = {
      'a.js': {
        inputs: inputs(
          ['src/a.ts', 5],
          ['node_modules/@x/y/lib/z.js', 7],
          ['node_modules/a/node_modules/b/i.js', 1],
          ['node_modules/c/i.js', 0],
        ),
      },
    };
    assert.deepEqual(bundledPackages('/r', { outputs }), ['/r/node_modules/@x/y', '/r/node_modules/a/node_modules/b']);
    const one = put('one', { LICENSE: 'Do as you like.\r\n' });
    assert.equal(thirdPartyNotices([one, one]).match(/one 1\.2\.3 \(MIT\)[\s-]*Do as you like\.\n/g)?.length, 1);
  });

  it('have the licence of a readme, and that of the whole for a part for one platform', () => {
    const readme = put('readme', { 'README.md': '# x\n\n## License\n\nPermission is granted\n\nto all.\n' });
    put('whole', { 'LICENSE.md': 'Of the whole' });
    const text = thirdPartyNotices([readme, put('whole-linux-x64', {})]);
    assert.match(text, /Permission is granted\n\nto all\./);
    assert.match(text, /whole-linux-x64 1\.2\.3 \(MIT\)[\s-]*Of the whole/);
  });

  it('do not let a package without a licence be shipped', () => {
    const none = put('none', { 'README.md': '## License\n\nMIT\n' });
    assert.throws(() => thirdPartyNotices([none]), /none has no licence text/);
  });

  it('are in the extension, with the texts of what it has: bundles, fonts, icons and the native module', () => {
    const copy = copyForPackage();
    try {
      const text = noticesIn(copy);
      assert.equal(text, noticesIn(root));
      for (const name of [
        'ws',
        'zod',
        'preact',
        '@xterm/xterm',
        '@vscode/codicons',
        '@lydell/node-pty',
        'pg-types',
        '@modelcontextprotocol/sdk',
      ]) {
        const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string };
        assert.ok(text.includes(`\n${name} ${version} (`), name);
      }
      const [, ofIcons = ''] = text.split('\n@vscode/codicons ');
      assert.match(ofIcons.slice(0, 20_000), /Creative Commons Attribution 4\.0/i);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
