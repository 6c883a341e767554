/** What a package for the Marketplace and Open VSX says of itself: the readme, the addresses, the bill of materials. Its files are in build.test.ts. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { billOfMaterials } from '../../scripts/billOfMaterials.mjs';
import { copyForPackage } from '../../scripts/package.mjs';
import { addressOf, isPlaceholder, packagedReadme } from '../../scripts/packagedReadme.mjs';
import { platformTargets } from '../../scripts/platformTargets.mjs';

const root = join(import.meta.dirname, '../..');
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = json(join(root, 'package.json'));
const lock = json(join(root, 'package-lock.json'));
const linksIn = (markdown: string) => [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

describe('The package for the Marketplace', () => {
  let folder: string;
  before(() => (folder = copyForPackage()));
  after(() => rmSync(folder, { recursive: true }));

  it('has a readme whose links and pictures are addresses of files in the repository', () => {
    const links = linksIn(readFileSync(join(folder, 'README.md'), 'utf8'));
    const begin = `${addressOf(manifest)}/`;
    assert.ok(links.length > 8);
    for (const link of links) {
      assert.equal(new URL(link).protocol, 'https:');
      const [, kind, path = ''] = /^(raw|blob)\/HEAD\/(.+)$/.exec(link.slice(begin.length)) ?? [];
      assert.ok(link.startsWith(begin) && statSync(join(root, path)).isFile(), link);
      assert.equal(kind, path.endsWith('.png') ? 'raw' : 'blob');
    }
    assert.ok(links.some((link) => link.includes('/raw/')));
  });

  it('leaves addresses and places on the page as they are', () => {
    const text = '[a](https://a.example/x) [b](#b) [c](../C.md#d) ![d](p/e.gif)';
    assert.equal(
      packagedReadme(text, 'docs/x.md', 'https://h.example/r'),
      '[a](https://a.example/x) [b](#b) [c](https://h.example/r/blob/HEAD/C.md#d) ![d](https://h.example/r/raw/HEAD/docs/p/e.gif)',
    );
  });

  it('has addresses that are all set or all placeholders', () => {
    const addresses = [addressOf(manifest), manifest.bugs.url, manifest.homepage];
    assert.equal(new Set(addresses.map(isPlaceholder)).size, 1);
    for (const address of addresses) assert.ok(address.startsWith(addressOf(manifest)));
  });

  it('has an icon of the size that the Marketplace wants', () => {
    const icon = readFileSync(join(root, manifest.icon));
    assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(20) >= 128);
  });

  it('is for the platforms that have a native part', () => {
    const { optionalDependencies } = lock.packages['node_modules/@lydell/node-pty'];
    assert.deepEqual(
      platformTargets(lock).sort(),
      Object.keys(optionalDependencies)
        .map((name) => name.replace('@lydell/node-pty-', ''))
        .sort(),
    );
  });

  it('has a bill of materials of the packages whose licences it has, with their digests', () => {
    const bill = json(join(folder, 'dist/sbom.cdx.json'));
    assert.deepEqual([bill.bomFormat, bill.specVersion], ['CycloneDX', '1.6']);
    assert.equal(bill.metadata.component.version, manifest.version);
    const notices = readFileSync(join(folder, 'dist/ThirdPartyNotices.txt'), 'utf8');
    const titles = [...notices.matchAll(/^-{80}\n(\S+) (\S+) \(.*\)\n-{80}$/gm)].map(([, name, version]) => `${name} ${version}`);
    assert.deepEqual(bill.components.map(({ name, version }: Record<string, string>) => `${name} ${version}`).sort(), titles.sort());
    for (const { name, hashes, purl } of bill.components) {
      assert.match(purl, /^pkg:npm\/(?:%40[^/@]+\/)?[^/@]+@\d/, name);
      assert.match(hashes?.[0].content ?? '', /^[0-9a-f]{128}$/, name);
    }
  });
});

describe('A bill of materials', () => {
  it('names a package once, with a licence of SPDX, an expression or a name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tapline-bill-'));
    try {
      const put = (name: string, license: string) => {
        const path = resolve(folder, 'node_modules', name);
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
        return path;
      };
      const one = put('@x/one', 'MIT');
      const folders = [one, put('two', '(MIT OR Apache-2.0)'), put('three', 'SEE LICENSE IN LICENSE'), one];
      const bill = billOfMaterials(folders, { name: 'own', version: '3.0.0', license: 'MIT' }, { packages: {} });
      assert.deepEqual(
        bill.components.map(({ purl, licenses }) => [purl, ...(licenses ?? [])]),
        [
          ['pkg:npm/%40x/one@1.0.0', { license: { id: 'MIT' } }],
          ['pkg:npm/three@1.0.0', { license: { name: 'SEE LICENSE IN LICENSE' } }],
          ['pkg:npm/two@1.0.0', { expression: '(MIT OR Apache-2.0)' }],
        ],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
