import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../base/errors.ts';
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
    assert.deepEqual(parseTapConfig(JSON.stringify({ providers: [{ name: 'ci', command: 'node' }], other: 1 }), 'x'), {
      providers: [{ name: 'ci', command: 'node', args: [], env: {} }],
      emitters: [],
    });
    assert.deepEqual(parseTapConfig('{}', 'x'), { providers: [], emitters: [] });
    const full = { name: 'ci', command: './run', args: ['--fast'], cwd: 'tools', env: { MODE: 'x' } };
    assert.deepEqual(parseTapConfig(JSON.stringify({ providers: [full] }), 'x').providers, [full]);
  });

  it('may hold comments and commas too many, and says where it is no JSON', () => {
    const text = '\ufeff// Of the team.\n{ "providers": [{ "name": "ci", "command": "node" /* ours */ },], }';
    assert.equal(parseTapConfig(text, 'x').providers[0]?.name, 'ci');
    assert.throws(() => parseTapConfig('{\n  "providers": [}\n', '/x/y'), /\/x\/y is not JSON: ValueExpected in line 2, column 17/);
    assert.throws(() => parseTapConfig('['.repeat(500_000), '/x/y'), UserError);
  });

  it('lists emitters, all of them persistent, also in the words of older files', () => {
    const emitters = (value: object) => parseTapConfig(JSON.stringify(value), 'x').emitters;
    const eventFilter = [{ match: 'FAIL', outcome: 'inject' }];
    assert.deepEqual(
      emitters({
        emitters: [
          { name: ' My Tests ', command: 'npm test', every: '5m', channel: 'CI', managedBy: 'model', eventFilter, lifespan: 'persistent' },
          { name: 'ask', prompt: 'Look', runInterval: 'idle', autoStart: false },
        ],
        streams: [{ name: 'ci', description: 'the tests', sessionInjector: { enabled: false }, ownership: 'userOwned' }],
      }),
      [
        {
          ...{ name: 'my-tests', command: 'npm test', eventFilter, runInterval: '5m', stream: 'ci', description: 'the tests' },
          ...{ ownership: 'modelOwned', injector: false, lifespan: 'persistent' },
        },
        { name: 'ask', prompt: 'Look', runInterval: 'idle', autoStart: false, lifespan: 'persistent' },
      ],
    );
    const [of] = emitters({ emitters: [{ name: 'e', command: 'x' }], streams: [{ name: 'e', managedBy: 'model', sessionInjector: true }] });
    assert.deepEqual(of, { name: 'e', command: 'x', ownership: 'modelOwned', lifespan: 'persistent' });
  });

  it('is refused with what is wrong with an emitter or a stream', () => {
    const good = { name: 'e', command: 'x' };
    const refused = (emitters: unknown, streams: unknown = []) => {
      try {
        parseTapConfig(JSON.stringify({ emitters, streams }), '/x/tap.config.json');
      } catch (error) {
        assert.ok(error instanceof UserError);
        return error.message;
      }
      return 'accepted';
    };
    for (const [emitters, expected, streams] of [
      [[good], /^accepted$/],
      [[{ ...good, evry: '5m' }], /^\/x\/tap\.config\.json: emitters\.0: .*"evry"/],
      [[{ name: 'e' }], /emitters\.0\.command: is missing/],
      [[{ ...good, every: '5x' }], /emitters\.0\.every: must be a number with s, m, h or d/],
      [[{ ...good, every: 'idle' }], /emitters\.0\.runInterval: "idle" is for a prompt/],
      [[{ ...good, every: '5m', maxRuns: 3 }], /^accepted$/],
      [[{ ...good, every: '5m', runInterval: '6m' }], /emitters\.0\.every: stands beside runInterval/],
      [[{ ...good, lifespan: 'temporary' }], /emitters\.0\.lifespan: /],
      [[{ ...good, injector: false }], /emitters\.0: .*"injector"/],
      [[good, { ...good, name: ' E' }], /emitters\.1\.name: "e" is named twice/],
      [Array.from({ length: 21 }, (_, at) => ({ ...good, name: `e${at}` })), /emitters: /],
      [[good], /streams\.0\.name: no emitter of this file fills "f"/, [{ name: 'f' }]],
      [[good], /streams\.0: .*"filter"/, [{ name: 'e', filter: [] }]],
      [[good], /streams\.1\.name: "e" is named twice/, [{ name: 'e' }, { name: 'e' }]],
    ] as const)
      assert.match(refused(emitters, streams), expected, JSON.stringify([emitters, streams]));
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
    assert.deepEqual(await readTapConfig(folder), { path: own, providers: [], emitters: [] });
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
