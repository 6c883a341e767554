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
    const emitter = { name: 'e', command: 'x' };
    for (const one of [
      emitter,
      { ...emitter, runInterval: ['1m', '5m'], eventFilter: [{ match: 'x', outcome: 'drop' }], autoStart: false },
      { ...emitter, every: '5m', channel: 'c', managedBy: 'user' },
      { name: 'e', prompt: 'x', runInterval: 'idle' },
      { command: 'x' },
      { ...emitter, evry: '5m' },
      { ...emitter, lifespan: 'temporary' },
      { ...emitter, eventFilter: [{ match: 'x', outcome: 'shout' }] },
      { ...emitter, maxRuns: 0 },
    ]) {
      const file = { emitters: [one], streams: [] };
      assert.equal(isValid(file), isRead(file), JSON.stringify(one));
    }
    for (const stream of [{ name: 'e', sessionInjector: false }, { name: 'e', sessionInjector: 1 }, { name: 'e', x: 1 }, {}]) {
      const file = { emitters: [emitter], streams: [stream] };
      assert.equal(isValid(file), isRead(file), JSON.stringify(stream));
    }
    for (const file of [{}, [], { providers: good }, { emitters: {} }, { streams: 1 }])
      assert.equal(isValid(file), isRead(file), JSON.stringify(file));
  });

  it('describes every field', () => {
    const { providers, emitters, streams } = (tapConfigSchema() as Described).properties ?? {};
    const fields = Object.entries(providers?.items?.properties ?? {});
    assert.deepEqual(fields.map(([name]) => name).sort(), ['args', 'command', 'cwd', 'env', 'name']);
    const lists = Object.entries({ providers, emitters, streams });
    for (const [list, field] of lists) {
      assert.ok(field?.description, list);
      for (const [name, { description }] of Object.entries(field.items?.properties ?? {})) assert.ok(description, `${list} ${name}`);
    }
    assert.ok(Object.keys(emitters?.items?.properties ?? {}).includes('every'));
  });
});
