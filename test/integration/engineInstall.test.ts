/** The installation of the Copilot engine, with the real npm and its registry. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutIntegrity } from '../../scripts/engineLock.mjs';
import { npmCi } from '../../src/extension/models/engine/npmCi.ts';
import { findEngine } from '../../src/models/copilotEngine.ts';

const built = join(import.meta.dirname, '../../dist/engine');
type Lock = Parameters<typeof withoutIntegrity>[0];
const lockIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lock;

describe('the installation of the Copilot engine', function () {
  this.timeout(180_000);
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-engine-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const never = new AbortController().signal;

  it('has exactly what the lock file names, none of it newer', async () => {
    const into = join(folder, 'engine');
    const { code, output } = await npmCi(into, built, never);
    assert.equal(code, 0, output);
    assert.ok(findEngine([join(into, 'node_modules')]));
    const installed = (JSON.parse(readFileSync(join(into, 'node_modules/.package-lock.json'), 'utf8')) as Lock).packages;
    const locked = lockIn(built).packages;
    for (const [path, { version, integrity }] of Object.entries(installed)) {
      assert.equal(version, locked[path]?.version, path);
      assert.ok(integrity, path);
      assert.equal(integrity, locked[path]?.integrity, path);
    }
  });

  it('fails where the registry has other content, and installs nothing of it', async () => {
    const changed = join(folder, 'changed');
    cpSync(built, changed, { recursive: true });
    const lock = lockIn(changed);
    const rpc = lock.packages['node_modules/vscode-jsonrpc'];
    assert.ok(rpc?.integrity);
    rpc.integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
    writeFileSync(join(changed, 'package-lock.json'), JSON.stringify(lock));
    const { code, output } = await npmCi(join(folder, 'engine'), changed, never);
    assert.notEqual(code, 0);
    assert.match(output, /EINTEGRITY/);
    assert.equal(findEngine([join(folder, 'engine/node_modules')]), undefined);
  });

  it('ends when it is cancelled', async () => {
    const stop = new AbortController();
    const installing = npmCi(join(folder, 'engine'), built, stop.signal);
    stop.abort();
    assert.equal((await installing).code, undefined);
  });

  it('knows the content of all packages, except of parts for other platforms that the registry of this repository lacks', () => {
    const unknown = withoutIntegrity(lockIn(built));
    assert.deepEqual(
      unknown.filter((path) => !/^node_modules\/@github\/copilot-sdk-(darwin|win32|linux|linuxmusl)-(x64|arm64)$/.test(path)),
      [],
    );
    assert.ok(!unknown.includes(`node_modules/@github/copilot-sdk-${process.platform}-${process.arch}`));
  });
});
