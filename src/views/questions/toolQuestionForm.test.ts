import assert from 'node:assert/strict';
import { type QuestionField, questionForm, type Read } from './toolQuestionForm.ts';

describe('the form of a tool’s question', () => {
  const fieldOf = (schema: object, isRequired = true): QuestionField => {
    const fields = questionForm({ type: 'object', properties: { f: schema }, ...(isRequired && { required: ['f'] }) });
    assert.ok(fields?.[0], JSON.stringify(schema));
    return fields[0];
  };
  const read = (schema: object, text: string, isRequired = true): Read => {
    const field = fieldOf(schema, isRequired);
    assert.ok(field.kind === 'text');
    return field.read(text);
  };
  const takes = (schema: object, text: string) => !('problem' in read(schema, text));

  it('takes texts of the right length, counted in characters, and format', () => {
    const short = { type: 'string', minLength: 2, maxLength: 3 };
    assert.deepEqual(
      ['a', 'ab', '👍👍👍', 'abcd'].map((text) => takes(short, text)),
      [false, true, true, false],
    );
    const formats: [string, string, string][] = [
      ['email', 'ada@example.com', 'ada@'],
      ['uri', 'https://example.com/x', 'example'],
      ['date', '2025-02-28', '2025-02-30'],
      ['date-time', '2025-02-28T10:00:00+01:00', '2025-02-28'],
    ];
    for (const [format, good, bad] of formats)
      assert.deepEqual([takes({ type: 'string', format }, good), takes({ type: 'string', format }, bad)], [true, false], format);
    assert.ok(takes({ type: 'string', format: 'constructor' }, 'anything'));
    assert.ok(!takes({ type: 'string' }, 'x'.repeat(2_001)));
  });

  it('takes numbers in their range, whole where they must be', () => {
    assert.deepEqual(read({ type: 'integer', minimum: 1, maximum: 3 }, ' 2 '), { value: 2 });
    for (const text of ['0', '4', '1.5', 'two', ' ', 'Infinity', '1e400'])
      assert.ok(!takes({ type: 'integer', minimum: 1, maximum: 3 }, text), text);
    assert.deepEqual(read({ type: 'number' }, '1.5'), { value: 1.5 });
    assert.ok(!takes({ type: 'integer' }, '12345678901234567890'), 'another number would be sent');
  });

  it('begins with the defaults that fit, and leaves out what is optional and empty', () => {
    const initial = (schema: object) => {
      const { kind, ...field } = fieldOf(schema);
      return [kind, 'initial' in field ? field.initial : undefined];
    };
    assert.deepEqual(initial({ type: 'string', default: 'Ada' }), ['text', 'Ada']);
    assert.deepEqual(initial({ type: 'integer', default: 0 }), ['text', '0']);
    assert.deepEqual(initial({ type: 'integer', default: '1' }), ['text', '']);
    assert.deepEqual(initial({ type: 'boolean', default: false }), ['one', false]);
    assert.deepEqual(initial({ type: 'string', enum: ['a'], default: 'b' }), ['one', undefined]);
    assert.deepEqual(initial({ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['b', 'c'] }), ['many', ['b']]);
    assert.deepEqual(read({ type: 'integer' }, '', false), {});
    assert.ok(!takes({ type: 'string' }, ''));
  });

  it('has the choices of all kinds, with their titles', () => {
    const choices = (schema: object) => {
      const field = fieldOf(schema);
      return 'choices' in field && field.choices.map(({ label, value }) => `${label}=${value}`).join();
    };
    assert.equal(choices({ type: 'boolean' }), 'Yes=true,No=false');
    assert.equal(choices({ type: 'string', enum: ['r', 'g'] }), 'r=r,g=g');
    assert.equal(choices({ type: 'string', enum: ['r', 'g'], enumNames: ['Red'] }), 'Red=r,g=g');
    assert.equal(choices({ type: 'string', oneOf: [{ const: 'r', title: 'Red\n$(x)' }] }), 'Red $(x)=r');
    assert.equal(choices({ type: 'array', items: { anyOf: [{ const: 'r', title: 'Red' }] } }), 'Red=r');
    const some = fieldOf({ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 });
    assert.ok(some.kind === 'many');
    assert.deepEqual(
      [[], ['a'], ['a', 'b', 'c']].map((chosen) => 'problem' in some.read(chosen)),
      [true, false, true],
    );
  });

  it('is none where it cannot be shown as a whole', () => {
    const forms = [
      { type: 'array' },
      { type: 'object', properties: { f: { type: 'object' } } },
      { type: 'object', properties: { f: true } },
      { type: 'object', properties: { f: { type: 'array', items: { type: 'string' } } } },
      { type: 'object', properties: { f: { type: 'string', enum: ['a', 1] } } },
      { type: 'object', properties: { f: { type: 'string', oneOf: [] } } },
      { type: 'object', properties: {}, required: ['f'] },
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }])) },
    ];
    for (const form of forms) assert.equal(questionForm(form), undefined, JSON.stringify(form));
    assert.deepEqual(questionForm({ type: 'object', properties: {} }), []);
  });
});
