import assert from 'node:assert/strict';
import type { OfferedTool } from '../../tap/wire/owner/ownerMessages.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { OutputSchemas, type OutputSchemasOptions } from './outputSchemas.ts';

const offered: OfferedTool = { name: 'x', description: 'd', parameters: {}, provider: 'p', trust: 'project', timeoutMs: 1 };
const schemasOf = (options: Partial<OutputSchemasOptions> = {}) =>
  new OutputSchemas({ clock: new FakeClock(), onLeftOut: () => undefined, ...options });
const checkOf = (outputSchema?: Record<string, unknown>) => schemasOf().checkOf({ ...offered, ...(outputSchema && { outputSchema }) });

describe('the promise of a tool about its result', () => {
  it('is kept by a result that fits, and it is said what is wrong with any other', () => {
    const check = checkOf({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] });
    assert.equal(check?.({ sum: 3 }), undefined);
    assert.equal(check?.({ sum: 'three' }), 'data/sum must be number');
    assert.equal(check?.({}), "data must have required property 'sum'");
  });

  it('is none where a client could not check it, because one such schema would cost it the whole list', () => {
    for (const schema of [
      undefined,
      {},
      { type: 'array' },
      { type: 'object', $async: true },
      { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
      { type: 'object', properties: { a: { type: 'strnig' } } },
      { type: 'object', properties: { a: { pattern: '(' } } },
      { type: 'object', properties: { a: true } },
    ])
      assert.equal(checkOf(schema), undefined, JSON.stringify(schema));
  });

  it('is kept apart from that of another tool with the same $id', () => {
    const schemas = schemasOf();
    const of = (type: string) =>
      schemas.checkOf({ ...offered, outputSchema: { $id: 'same', type: 'object', properties: { a: { type } } } });
    assert.equal(of('string')?.({ a: 'text' }), undefined);
    assert.equal(of('number')?.({ a: 1 }), undefined);
    assert.equal(of('string')?.({ a: 1 }), 'data/a must be string');
  });

  it('is written to no log, whatever stands in it', () => {
    const written: unknown[] = [];
    const { warn, error } = console;
    Object.assign(console, { warn: (...words: unknown[]) => written.push(words), error: (...words: unknown[]) => written.push(words) });
    try {
      assert.ok(checkOf({ type: 'object', properties: { a: { type: 'string', format: '\u001b]0;x\u0007' } } }));
    } finally {
      Object.assign(console, { warn, error });
    }
    assert.deepEqual(written, []);
  });

  it('takes no longer to check than it may', () => {
    const check = checkOf({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    assert.match(check?.({ a: `${'a'.repeat(40)}!` }) ?? '', /^it could not be checked: .*timed out/);
    assert.equal(check?.({ a: 'aaa' }), undefined);
  });

  describe('where it is left out', () => {
    let clock: FakeClock;
    let said: string[];
    let again: number;
    const begin = (options: Partial<OutputSchemasOptions>) => {
      const schemas = schemasOf({ clock, onLeftOut: ({ name }, why) => said.push(`${name}: ${why}`), ...options });
      schemas.onDidGetTime(() => again++);
      return (name: string, outputSchema: Record<string, unknown>) => schemas.checkOf({ ...offered, name, outputSchema });
    };
    const objectOf = (type: string) => ({ type: 'object', properties: { a: { type } } });
    beforeEach(() => {
      clock = new FakeClock();
      [said, again] = [[], 0];
    });

    it('for lack of time is logged once, and clients list again once there is time', () => {
      const of = begin({ budgetMs: 0.001 });
      assert.ok(of('first', objectOf('string')));
      for (let times = 0; times < 2; times++) assert.equal(of('second', objectOf('number')), undefined);
      assert.deepEqual(said, ['second: there is no time to read it now, so it is listed later']);
      clock.advance(9_999);
      assert.equal(again, 0);
      clock.advance(1);
      assert.equal(again, 1);
      assert.ok(of('second', objectOf('number')));
      clock.advance(60_000);
      assert.deepEqual([again, said.length, clock.pending], [1, 1, 0]);
    });

    it('because it takes too long is tried three times', () => {
      const of = begin({ compileMs: 1 });
      const long = {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, { type: 'string', minLength: at }])),
      };
      for (let times = 0; times < 5; times++) {
        assert.equal(of('long', long), undefined);
        clock.advance(10_000);
      }
      assert.equal(again, 2);
      assert.deepEqual(said, ['long: there is no time to read it now, so it is listed later', 'long: it takes too long to be read']);
    });

    it('because no client could check it is logged once', () => {
      const of = begin({});
      for (let times = 0; times < 2; times++) of('wrong', { type: 'object', properties: { a: true } });
      assert.deepEqual(said, ['wrong: clients could not check its results']);
      clock.advance(60_000);
      assert.equal(again, 0);
    });
  });
});
