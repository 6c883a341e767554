import assert from 'node:assert/strict';
import { cleanQuestion } from './cleanQuestion.ts';

const BAD = 'a\u001b[31m\u202eb';
const CLEAN = 'a[31mb';

describe('a question of a provider', () => {
  const formOf = (properties: Record<string, unknown>) => {
    const question = cleanQuestion({ message: 'Who?', requestedSchema: { type: 'object', properties } });
    return question && 'requestedSchema' in question ? question.requestedSchema.properties : undefined;
  };

  it('loses what cannot be seen, in all texts that are only shown', () => {
    assert.deepEqual(cleanQuestion({ message: BAD, url: 'https://a.example/' }), { message: CLEAN, url: 'https://a.example/' });
    assert.deepEqual(
      formOf({
        title: { type: 'string', title: BAD, description: BAD, default: BAD },
        named: { type: 'string', enum: ['r', 'g'], enumNames: [BAD, 'Green'] },
        one: { type: 'string', oneOf: [{ const: 'r', title: BAD }] },
        many: { type: 'array', items: { anyOf: [{ const: 'r', title: BAD }] }, default: [BAD], minItems: 1 },
      }),
      {
        title: { type: 'string', title: CLEAN, description: CLEAN, default: CLEAN },
        named: { type: 'string', enum: ['r', 'g'], enumNames: [CLEAN, 'Green'] },
        one: { type: 'string', oneOf: [{ const: 'r', title: CLEAN }] },
        many: { type: 'array', items: { anyOf: [{ const: 'r', title: CLEAN }] }, default: [CLEAN], minItems: 1 },
      },
    );
    const form = formOf({ f: { title: 'x'.repeat(5_000), description: 'x'.repeat(5_000) } }) as { f: Record<string, string> };
    const { title, description } = form.f;
    assert.deepEqual([title?.length, description?.length], [200, 2_000]);
  });

  it('keeps what is sent back, which is not asked for where it could not be seen', () => {
    const value = `größe ${'x'.repeat(3_000)}`;
    const field = { type: 'string', enum: [value], oneOf: [{ const: value }], pattern: '^\\d+$' };
    assert.deepEqual(formOf({ [value]: field }), { [value]: field });
    assert.equal(formOf({ [BAD]: { type: 'string' } }), undefined);
    for (const hidden of [{ enum: [BAD] }, { oneOf: [{ const: BAD }] }, { type: BAD }, { title: { title: { const: BAD } } }])
      assert.equal(formOf({ f: hidden }), undefined, JSON.stringify(hidden));
  });

  it('is none without a message', () => {
    assert.equal(cleanQuestion({ message: '\u001b\u202e \n', url: 'https://a.example/' }), undefined);
  });
});
