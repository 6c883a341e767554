import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../base/errors.ts';
import { parseTapConfig, readTapConfig } from './tapConfig.ts';

const refusal = (provider: unknown) => {
  try {
    parseTapConfig(JSON.stringify({ providers: Array.isArray(provider) ? provider : [provider] }), '/x/tap.config.json');
  } catch (error) {
    assert.ok(error instanceof UserError);
    return error.message;
  }
  return undefined;
};

describe('tap.config.json', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-config-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('lists providers with their defaults, and ignores other settings in the file', () => {
    assert.deepEqual(parseTapConfig(JSON.stringify({ providers: [{ name: 'ci', command: 'node' }], emitters: 1 }), 'x'), [
      { name: 'ci', command: 'node', args: [], env: {} },
    ]);
    assert.deepEqual(parseTapConfig('{}', 'x'), []);
    const full = { name: 'ci', command: './run', args: ['--fast'], cwd: 'tools', env: { MODE: 'x' } };
    assert.deepEqual(parseTapConfig(JSON.stringify({ providers: [full] }), 'x'), [full]);
  });

  it('is refused with the name of the file and of the field', () => {
    const good = { name: 'ci', command: 'node' };
    assert.equal(refusal(good), undefined);
    for (const [provider, expected] of [
      [{ name: 'ci' }, /^\/x\/tap\.config\.json: providers\.0\.command: /],
      [{ ...good, name: 'a\nb' }, /providers\.0\.name: must not hold control characters/],
      [{ ...good, args: ['a', 1] }, /providers\.0\.args\.1: /],
      [{ ...good, args: ['a\0b'] }, /providers\.0\.args\.0: must not hold a NUL/],
      [{ ...good, arg: [] }, /providers\.0: .*"arg"/],
      [{ ...good, cwd: '' }, /providers\.0\.cwd: /],
      [{ ...good, env: { A: 1 } }, /providers\.0\.env\.A: /],
      [{ ...good, env: { TAP_PROVIDER_TOKEN: 'x' } }, /providers\.0\.env\.TAP_PROVIDER_TOKEN: is set by the gateway/],
      [{ ...good, env: { 'A=B': 'x' } }, /providers\.0\.env\.A=B: is no name of a variable/],
      [[good, good], /providers\.1\.name: "ci" is named twice/],
      [Array.from({ length: 21 }, (_, at) => ({ ...good, name: `p${at}` })), /providers: /],
    ] as const) {
      assert.match(refusal(provider) ?? 'accepted', expected, JSON.stringify(provider));
    }
    assert.throws(() => parseTapConfig('{', '/x/y'), /\/x\/y is not JSON/);
    assert.throws(() => parseTapConfig('[]', '/x/y'), UserError);
  });

  it('lies in the folder or in .github, in this order; a folder may have none', async () => {
    assert.equal(await readTapConfig(folder), undefined);
    mkdirSync(join(folder, '.github'));
    const inGithub = join(folder, '.github', 'tap.config.json');
    writeFileSync(inGithub, '{"providers":[{"name":"b","command":"x"}]}');
    assert.deepEqual((await readTapConfig(folder))?.path, inGithub);
    const own = join(folder, 'tap.config.json');
    writeFileSync(own, '{"providers":[]}');
    assert.deepEqual(await readTapConfig(folder), { path: own, providers: [] });
  });

  it('is read only as a regular file of limited size', async () => {
    const path = join(folder, 'tap.config.json');
    mkdirSync(path);
    await assert.rejects(readTapConfig(folder), /is not a file/);
    rmSync(path, { recursive: true });
    writeFileSync(path, ' '.repeat(1024 * 1024 + 1));
    await assert.rejects(readTapConfig(folder), /is larger than/);
  });
});
