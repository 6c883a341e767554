import assert from 'node:assert/strict';
import { slowPattern, slowText } from '../../test/fakes/slowPattern.ts';
import { compileArguments, SchemaTime } from './toolSchema.ts';

const compile = (parameters: object) => compileArguments('t', parameters as Record<string, unknown>, new SchemaTime());
/** As it comes from the wire: `__proto__` is a key like any other. */
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('schemas of tool parameters', function () {
  this.timeout(20_000);

  it('of one provider have no say in those of another, whatever they are called', () => {
    compile({ $id: 'http://json-schema.org/draft-07/schema#', type: 'string' });
    compile({ $id: 'x', type: 'string', $defs: { inner: { $id: 'inner', type: 'string' } } });
    assert.match(
      compile({ $id: 'x', type: 'object', properties: { a: { $id: 'inner', type: 'number' } } })({ a: 'x' }) ?? '',
      /a must be number/,
    );
    assert.equal(compile({ type: 'object', title: 'after the others' })({}), undefined);
  });

  it('may name the draft that they are written in', () => {
    const number = { type: 'object', properties: { n: { type: 'number' } } };
    for (const draft of [
      'http://json-schema.org/draft-07/schema#',
      'http://json-schema.org/draft-06/schema#',
      'https://json-schema.org/draft/2019-09/schema',
      'https://json-schema.org/draft/2020-12/schema',
    ]) {
      const check = compile({ $schema: draft, ...number });
      assert.deepEqual([check({ n: 1 }), check({ n: 'x' })], [undefined, 'n must be number'], draft);
    }
    const tuple = { type: 'object', properties: { pair: { type: 'array', prefixItems: [{ type: 'number' }], items: false } } };
    assert.ok(compile({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...tuple })({ pair: [1, 2] }));
    assert.throws(() => compile({ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'nonsense' }), /type must be/);
  });

  it('may name parameters like members of Object, which are there only when they were given', () => {
    const check = compile({ type: 'object', properties: { constructor: { type: 'string' } }, required: ['toString'] });
    assert.match(check({}) ?? '', /required property 'toString'/);
    assert.equal(check({ toString: 1 }), undefined);
    assert.match(check({ toString: 1, constructor: 1 }) ?? '', /constructor must be string/);
    const proto = compile(json('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'));
    assert.match(proto({}) ?? '', /required property '__proto__'/);
    assert.equal(proto(json('{"__proto__":"x"}')), undefined);
    assert.equal(({} as { type?: unknown }).type, undefined);
  });

  it('are kept while they are not too much: the oldest go', () => {
    const schema = (at: number) => ({ type: 'object', description: `${at} ${'x'.repeat(1_000_000)}` });
    const first = compile(schema(0));
    assert.equal(compile(schema(0)), first);
    for (let at = 1; at < 10; at++) compile(schema(at));
    assert.notEqual(compile(schema(0)), first);
  });

  it('have together a time in which they must be compiled', () => {
    const wide = (at: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 300 }, (_, n) => [`p${at}_${n}`, { type: 'string', enum: ['a', 'b'], minLength: 1 }]),
      ),
    });
    const time = new SchemaTime(300);
    assert.throws(() => {
      for (let at = 0; at < 100; at++) compileArguments('wide', wide(at), time);
    }, /tool "wide": parameters: .*time/);
    assert.equal(compile({ type: 'object', title: 'the next one' })({}), undefined);
  });

  it('have patterns that can be stopped, and work afterwards', () => {
    const check = compile({ type: 'object', properties: { a: { type: 'string', pattern: slowPattern } } });
    assert.match(check({ a: slowText.repeat(4) }) ?? '', /could not be checked/);
    assert.equal(check({ a: `${'a'.repeat(300)}c` }), undefined);
    assert.match(check({ a: 'no' }) ?? '', /must match pattern/);
  });
});
