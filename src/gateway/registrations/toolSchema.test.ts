import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import { Limit } from '../../tap/wire/limits.ts';
import { slowPattern, slowText } from '../../../test/fakes/slowPattern.ts';
import { CompileBudget } from '../limits/compileBudget.ts';
import { compileArguments } from './toolSchema.ts';

const named = (name: string, parameters: object) => ({ name, parameters: parameters as Record<string, unknown> });
const compile = (parameters: object) => compileArguments([named('t', parameters)], new CompileBudget(() => 0))[0]!.check;
/** Parsed as from the wire: `__proto__` is a key like any other. */
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('schemas of tool parameters', function () {
  this.timeout(20_000);

  it('of one provider do not affect those of another', () => {
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

  it('name all that is wrong with the arguments, each once', () => {
    const check = compile({
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 }, e: { enum: ['x', 'y'] }, list: { type: 'array', items: { type: 'string' } } },
      required: ['n', 'e', 'more'],
      additionalProperties: false,
    });
    assert.equal(
      check({ n: 0.5, e: 'z', list: ['a', 1, 2], other: 1 }),
      [
        "must have required property 'more'",
        'must NOT have additional properties: "other"',
        'n must be integer',
        'n must be >= 1',
        'e must be equal to one of the allowed values: ["x","y"]',
        'list.1 must be string',
        'list.2 must be string',
      ].join('; '),
    );
    assert.equal(check({ n: 1, e: 'x', more: 1 }), 'must NOT have additional properties: "more"');
    assert.equal(compile({ type: 'object', required: ['n'] })({}), "must have required property 'n'");
  });

  it('name only the first mistakes of many, and the first where looking for all would cost too much', () => {
    const check = compile({ type: 'object', properties: { list: { items: { type: 'string' } } }, required: ['n'] });
    const text = check({ list: Array.from({ length: 500 }, () => 1) }) ?? '';
    assert.equal(text.split('; ').length, 21);
    assert.match(text, /^must have required property 'n'; list\.0 must be string; .*; and 481 more$/);
    assert.match(check({ list: Array.from({ length: 100_000 }, () => 1) }) ?? '', /^must have required property 'n'; there may be more$/);
    const wide = compile({
      properties: Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { type: 'string' }])),
    });
    assert.equal(wide({ p1: 1, p2: 2 }), 'p1 must be string; there may be more');
    const widest = compile({ properties: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, { type: 'string' }])) });
    assert.match(widest({ p1: 1 }) ?? '', /^they could not be checked|^p1 must be string/, 'V8 cannot run what is nested so deeply');
  });

  it('are cached up to a limit; the oldest are dropped first', () => {
    const schema = (at: number) => ({ type: 'object', description: `${at} ${'x'.repeat(1_000_000)}` });
    const first = compile(schema(0));
    assert.equal(compile(schema(0)), first);
    for (let at = 1; at < 10; at++) compile(schema(at));
    assert.notEqual(compile(schema(0)), first);
  });

  it('are paid for together before any is compiled, except those in the cache', () => {
    const budget = new CompileBudget(() => 0);
    const wide = (at: number) =>
      named(`wide${at}`, {
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: 300 }, (_, n) => [`p${at}_${n}`, { type: 'string', enum: ['a', 'b'], minLength: 1 }]),
        ),
      });
    const [first] = compileArguments([wide(0)], budget);
    const fit = Math.floor(Limit.compileWork / first!.work);
    assert.ok(fit >= 2, `${fit}`);
    const all = Array.from({ length: fit }, (_, at) => wide(at));
    assert.throws(() => compileArguments([...all, wide(fit)], budget), { code: 'RATE_LIMITED' });
    assert.equal(compileArguments(all, budget)[0], first, 'nothing was taken for what was refused, and the first is known');
    assert.throws(() => compileArguments([wide(fit + 1)], budget), { code: 'RATE_LIMITED' });
    assert.equal(compileArguments(all, budget).length, fit);
    compileArguments([wide(fit + 1)], new CompileBudget(() => 0));
  });

  it('that are always too large are refused by name, before they are compiled', () => {
    const properties = (count: number, schema: object) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));
    for (const [what, parameters] of Object.entries({
      'very many properties': { properties: properties(20_000, { type: 'string' }) },
      'very many alternatives': { oneOf: Array.from({ length: 20_000 }, () => ({ type: 'string' })) },
      'very many patterns': { properties: properties(100, { pattern: 'x{900}' }) },
      'very many patterns of properties': {
        patternProperties: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}x{900}`, {}])),
      },
    }))
      assert.throws(() => compile(parameters), { code: 'PAYLOAD_TOO_LARGE', message: /^tool "t": parameters: / }, what);
    assert.throws(() => compile({ properties: { a: { pattern: '((x{100}){100}){100}' } } }), {
      code: 'INVALID_JSON',
      message: /^tool "t": parameters: the pattern is too large/,
    });
    assert.equal(compile({ type: 'object', title: 'the next one' })({}), undefined);
  });

  it('cost so little that a hundred ordinary tools fit into one message', () => {
    const ordinary = (at: number) =>
      named(`tool${at}`, {
        type: 'object',
        properties: Object.fromEntries(
          ['path', 'pattern', 'limit', 'mode', 'recursive', 'branch'].map((name) => [
            name,
            { type: 'string', description: `The ${name} that tool ${at} is to use, in a sentence or two.`, enum: ['one', 'two', 'three'] },
          ]),
        ),
        required: ['path', 'pattern'],
        additionalProperties: false,
      });
    const checks = compileArguments(
      Array.from({ length: Limit.tools }, (_, at) => ordinary(at)),
      new CompileBudget(() => 0),
    );
    assert.match(checks[7]!.check({ path: 'one' }) ?? '', /required property 'pattern'/);
    assert.equal(checks[7]!.check({ path: 'one', pattern: 'two' }), undefined);
  });

  it('have patterns that can be interrupted and work afterwards', () => {
    const check = compile({ type: 'object', properties: { a: { type: 'string', pattern: slowPattern } } });
    assert.match(check({ a: slowText.repeat(4) }) ?? '', /could not be checked/);
    assert.equal(check({ a: `${'a'.repeat(300)}c` }), undefined);
    assert.match(check({ a: 'no' }) ?? '', /must match pattern/);
  });

  it('are taken also where a busy machine needs long for the first one', async () => {
    const { validateSchema } = Ajv.prototype;
    let isFirst = true;
    Ajv.prototype.validateSchema = function (...given) {
      const end = Date.now() + (isFirst ? 1_200 : 0); // longer than a schema may take
      isFirst = false;
      while (Date.now() < end);
      return validateSchema.apply(this, given);
    };
    try {
      const anew = './toolSchema.ts?anew'; // which has compiled nothing yet
      const { compileArguments: first } = (await import(anew)) as { compileArguments: typeof compileArguments };
      assert.notEqual(first, compileArguments);
      const [schema] = first([named('t', { type: 'object', properties: { n: { type: 'number' } } })], new CompileBudget(() => 0));
      assert.equal(schema?.check({ n: 'x' }), 'n must be number');
    } finally {
      Ajv.prototype.validateSchema = validateSchema;
    }
  });
});
