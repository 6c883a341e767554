import assert from 'node:assert/strict';
import type { OfferedTool } from '../../tap/wire/ownerMessages.ts';
import { OutputSchemas } from './outputSchemas.ts';

const offered: OfferedTool = { name: 'x', description: 'd', parameters: {}, provider: 'p', trust: 'project', timeoutMs: 1 };
const checkOf = (outputSchema?: Record<string, unknown>) =>
  new OutputSchemas().checkOf({ ...offered, ...(outputSchema && { outputSchema }) });

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
    const schemas = new OutputSchemas();
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
});
