import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { parseTapConfig } from './tapConfig.ts';
import { tapConfigSchema } from './tapConfigSchema.ts';

interface Described {
  description?: string;
  properties?: Record<string, Described>;
  items?: Described;
}

describe('The JSON schema of tap.config.json', () => {
  const isValid = new Ajv({ strict: false }).compile(tapConfigSchema());
  const isRead = (value: unknown) => {
    try {
      parseTapConfig(JSON.stringify(value), 'x');
      return true;
    } catch {
      return false;
    }
  };

  it('takes what the reader takes', () => {
    const good = { name: 'ci', command: 'node' };
    for (const provider of [
      good,
      { ...good, args: ['--fast'], cwd: 'tools', env: { MODE: 'x' } },
      { name: 'ci' },
      { ...good, name: 'a\nb' },
      { ...good, args: ['a', 1] },
      { ...good, args: ['a\0b'] },
      { ...good, arg: [] },
      { ...good, cwd: '' },
      { ...good, env: { A: 1 } },
      { ...good, env: { 'A=B': 'x' } },
    ]) {
      const file = { providers: [provider], other: 'settings' };
      assert.equal(isValid(file), isRead(file), JSON.stringify(provider));
    }
    for (const file of [{}, [], { providers: good }]) assert.equal(isValid(file), isRead(file), JSON.stringify(file));
  });

  it('describes every field', () => {
    const { providers } = (tapConfigSchema() as Described).properties ?? {};
    const fields = Object.entries(providers?.items?.properties ?? {});
    assert.deepEqual(fields.map(([name]) => name).sort(), ['args', 'command', 'cwd', 'env', 'name']);
    for (const [name, field] of [['providers', providers] as const, ...fields]) assert.ok(field?.description, name);
  });
});
