// A software bill of materials (CycloneDX) of what Tapline ships of others: made from what the build has really taken from packages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `lock`: `package-lock.json`, for the digests. The same packages give the same bill: it has neither a time nor a random number. */
export function billOfMaterials(folders, { name, version, license }, lock) {
  const components = [...new Set(folders)]
    .map((folder) => componentOf(folder, lock))
    .sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1));
  const own = { type: 'application', 'bom-ref': `pkg:npm/${name}@${version}`, name, version, licenses: licensesOf(license) };
  const metadata = { lifecycles: [{ phase: 'build' }], component: own };
  const unique = components.filter((component, at) => component['bom-ref'] !== components[at - 1]?.['bom-ref']);
  return { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components: unique };
}

function componentOf(folder, lock) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return component(name, version, license, lock);
}

/** `license`: as a manifest has it. */
export function component(name, version, license, { packages }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const locked = Object.entries(packages).find(([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version);
  const [, content] = /^sha512-(\S+)/.exec(locked?.[1].integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(license ? { licenses: licensesOf(license) } : {}),
    purl,
    ...(content ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }] } : {}),
  };
}

/** SPDX has ids and expressions. All else is only a name. */
function licensesOf(license) {
  if (/ (?:OR|AND|WITH) /.test(license)) return [{ expression: license }];
  return [{ license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }];
}
