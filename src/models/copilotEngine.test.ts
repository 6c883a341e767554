import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { english } from '../base/text/phrase.ts';
import { ENGINE_LICENSE, ENGINE_PACKAGE, findEngine, noEngineHere } from './copilotEngine.ts';

describe('the Copilot engine', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-engine-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const put = (name: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'package.json'), '{}');
  };

  it('is there only with the part for the platform', () => {
    const find = (platform: string, arch: string) => findEngine([join(folder, 'nowhere'), folder], platform, arch);
    put(ENGINE_PACKAGE);
    assert.equal(find('linux', 'x64'), undefined);
    put(`${ENGINE_PACKAGE}-linux-x64`);
    assert.equal(find('linux', 'x64'), join(folder, ENGINE_PACKAGE));
    assert.equal(find('linux', 'arm64'), undefined);
    assert.equal(find('darwin', 'x64'), undefined);
    put(`${ENGINE_PACKAGE}-linuxmusl-arm64`);
    assert.equal(find('linux', 'arm64'), join(folder, ENGINE_PACKAGE));
  });

  it('has the license that the user is told, with all of its parts', () => {
    const lock = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { license?: string }> };
    const parts = Object.entries(packages).filter(([path]) => path.startsWith(`node_modules/${ENGINE_PACKAGE}`));
    // Where the registry has told it.
    const licenses = parts.flatMap(([, { license }]) => license ?? []);
    assert.ok(licenses.length > 1);
    assert.deepEqual([...new Set(licenses)], [ENGINE_LICENSE]);
  });

  it('cannot be had everywhere, and that is said', () => {
    assert.equal(noEngineHere('win32', 'arm64'), undefined);
    assert.match(english(noEngineHere('freebsd', 'x64') ?? ''), /freebsd-x64/);
    assert.match(english(noEngineHere('linux', 'riscv64') ?? ''), /linux-riscv64/);
  });
});
