import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type FormField, readJsonObject, toolForm } from './toolForm.ts';

const fieldsOf = (parameters: Record<string, unknown>): readonly FormField[] => {
  const form = toolForm(parameters);
  assert.equal(form.kind, 'fields');
  return form.kind === 'fields' ? form.fields : [];
};
const field = (schema: unknown, required = true): FormField => {
  const [only] = fieldsOf({ type: 'object', properties: { x: schema }, ...(required && { required: ['x'] }) });
  assert.ok(only);
  return only;
};
const problem = (schema: unknown, text: string) => {
  const result = field(schema).read(text);
  return 'problem' in result ? result.problem : undefined;
};
const value = (schema: unknown, text: string) => {
  const result = field(schema).read(text);
  return 'problem' in result ? assert.fail(result.problem) : result.value;
};

describe('the form of a tool', () => {
  it('has a field for each parameter, with what it is for and what it takes', () => {
    const [name, count] = fieldsOf({
      properties: {
        name: { type: 'string', title: 'Name', description: 'Who is\ngreeted' },
        count: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
      },
      required: ['name'],
    });
    assert.deepEqual([name?.label, name?.prompt, name?.isRequired, name?.initial], ['Name (name)', 'Who is greeted Text.', true, '']);
    assert.deepEqual(
      [count?.label, count?.prompt, count?.isRequired, count?.initial],
      ['count', 'A whole number from 1 to 9. Optional: leave it empty to leave it out.', false, '3'],
    );
    assert.deepEqual(fieldsOf({}), []);
  });

  it('reads text as it is, numbers, and JSON for what has no simple form', () => {
    assert.equal(value({ type: 'string' }, ' 12 '), ' 12 ');
    assert.equal(value({ type: 'string' }, ''), '');
    assert.equal(value({ type: 'number' }, '1.5'), 1.5);
    assert.deepEqual(value({ type: 'array', items: { type: 'string' } }, '["a"]'), ['a']);
    assert.deepEqual(value({}, 'null'), null);
    assert.deepEqual(value(true, '{"a": 1}'), { a: 1 });
  });

  it('says at once what is wrong with a value', () => {
    for (const [schema, text, said] of [
      [{ type: 'integer', minimum: 1 }, '0', 'Enter a number that is at least 1.'],
      [{ type: 'integer' }, '1.5', 'A whole number is needed here.'],
      [{ type: 'number', maximum: 2 }, '3', 'Enter a number that is at most 2.'],
      [{ type: 'number', exclusiveMinimum: 2 }, '2', 'Enter a number above 2.'],
      [{ type: 'number', exclusiveMaximum: 2 }, '2', 'Enter a number below 2.'],
      [{ type: 'number', multipleOf: 3 }, '4', 'Enter a multiple of 3.'],
      [{ type: 'number' }, 'three', 'This is not a number.'],
      [{ type: 'number' }, '', 'A value is needed here.'],
      [{ type: 'string', minLength: 2 }, 'a', 'Enter at least 2 characters.'],
      [{ type: 'string', maxLength: 2 }, 'abc', 'Enter at most 2 characters.'],
      [{ type: 'array' }, '{}', 'This takes JSON of the type array.'],
      [{ type: ['string', 'null'] }, '1', 'The tool does not take this.'],
    ] as const) {
      assert.equal(problem(schema, text), said, JSON.stringify([schema, text]));
    }
    assert.match(problem({ type: 'object' }, '[1') ?? '', /^This is not JSON: /);
    // The gateway measures patterns before it uses them; here they would be free.
    assert.equal(problem({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`), undefined);
  });

  it('offers the values of an enum and of a boolean to choose from', () => {
    assert.deepEqual(
      field({ enum: ['a', 1, null] }).choices?.map(({ label, value: chosen }) => [label, chosen]),
      [
        ['a', 'a'],
        ['1', 1],
        ['null', null],
      ],
    );
    assert.deepEqual(
      field({ type: 'boolean' }).choices?.map(({ value: chosen }) => chosen),
      [true, false],
    );
  });

  it('takes all arguments as JSON where fields could not say them', () => {
    for (const parameters of [
      { anyOf: [{ required: ['a'] }] },
      { $ref: '#/definitions/x' },
      { properties: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, {}])) },
      { properties: {}, required: ['x'] },
      { properties: 'x' },
      { additionalProperties: { type: 'string' } },
    ]) {
      assert.deepEqual(toolForm(parameters), { kind: 'json' }, JSON.stringify(parameters));
    }
    assert.deepEqual(readJsonObject('{"a":1}'), { value: { a: 1 } });
    for (const text of ['[1]', '1', '{', '']) assert.ok('problem' in readJsonObject(text), text);
  });

  it('is made of any schema that a provider may send, and never throws', () => {
    const schema = fc.dictionary(
      fc.constantFrom('type', 'enum', 'minimum', 'maxLength', 'default', 'title', 'description', 'multipleOf'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), schema), fc.jsonValue(), fc.string(), (properties, required, typed) => {
        const form = toolForm({ properties, required });
        if (form.kind === 'fields') for (const { read } of form.fields) read(typed);
      }),
    );
  });
});
