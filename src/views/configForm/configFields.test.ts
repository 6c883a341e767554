import assert from 'node:assert/strict';
import type { SessionConfigPropertySchema, SessionConfigSchema } from '../../ahp/channels/shapes/config.ts';
import { wellFormedAnswer } from '../../ahp/wellFormed/answers.ts';
import { type ConfigField, configFields, MAX_OPTIONS } from './configFields.ts';
import { emptyValue, entryOf, firstProblem, isTyped, readEntry } from './typedValues.ts';

type Properties = Record<string, SessionConfigPropertySchema | Record<string, unknown>>;
const schemaOf = (properties: Properties, required?: string[]) =>
  ({ type: 'object', properties, ...(required && { required }) }) as SessionConfigSchema;
const field = (property: Record<string, unknown>, value?: unknown, required = false): ConfigField =>
  configFields(schemaOf({ it: { title: 'It', ...property } }, required ? ['it'] : []), value === undefined ? {} : { it: value })[0]!;
const valueOf = (of: ConfigField, entry: Parameters<typeof readEntry>[1]) => readEntry(of, entry);

describe('configFields', () => {
  it('has a field of its kind for every type, with its value or else the default', () => {
    const properties = {
      text: { type: 'string', title: 'Text', default: 'x' },
      secret: { type: 'string', title: 'Token', sensitive: true },
      one: { type: 'string', title: 'One', enum: ['a', 'b'], enumLabels: ['A', 'B'], enumDescriptions: ['first', ''], default: 'a' },
      branch: { type: 'string', title: 'Branch', enumDynamic: true, default: 'main' },
      size: { type: 'number', title: 'Size', enum: [1, 2] },
      ratio: { type: 'number', title: 'Ratio' },
      count: { type: 'integer', title: 'Count' },
      flag: { type: 'boolean', title: 'Flag' },
      names: { type: 'array', title: 'Names', items: { type: 'string', title: '' } },
      some: { type: 'array', title: 'Some', items: { type: 'string', title: '', enum: ['a', 'b'] } },
      rules: { type: 'object', title: 'Rules' },
      deep: { type: 'array', title: 'Deep', items: { type: 'object', title: '' } },
    };
    const values = { one: 'b', ratio: 0.5, count: 3, flag: true, names: ['n'], some: ['b'], rules: { a: 1 } };
    const kinds = configFields(schemaOf(properties), values).map(({ id, kind, value }) => [id, kind, value]);
    assert.deepEqual(kinds, [
      ['text', 'text', 'x'],
      ['secret', 'secret', ''],
      ['one', 'choice', 'b'],
      ['branch', 'choice', 'main'],
      ['size', 'choice', ''],
      ['ratio', 'number', '0.5'],
      ['count', 'integer', '3'],
      ['flag', 'switch', true],
      ['names', 'list', ['n']],
      ['some', 'list', ['b']],
      ['rules', 'json', '{\n "a": 1\n}'],
      ['deep', 'json', ''],
    ]);
  });

  it('says what is required, what cannot be changed and what may change later', () => {
    const properties = { a: { type: 'string', title: '', readOnly: true }, b: { type: 'string', title: 'B', sessionMutable: true } };
    const flags = configFields(schemaOf(properties, ['b'])).map(({ title, isRequired, isReadOnly, isMutable }) => [
      ...[title, isRequired, isReadOnly, isMutable],
    ]);
    assert.deepEqual(flags, [
      ['a', false, true, false],
      ['B', true, false, true],
    ]);
  });

  it('takes no value that does not fit, and keeps one that is not offered any more', () => {
    assert.equal(field({ type: 'string', default: 3 }, 5).value, '');
    assert.equal(field({ type: 'boolean' }, 'yes').value, false);
    const gone = field({ type: 'string', enum: ['a'] }, 'gone');
    assert.deepEqual(gone.kind === 'choice' && gone.options.map(({ value }) => value), ['gone', 'a']);
    assert.equal(configFields(schemaOf({ constructor: { type: 'string', title: '' } }))[0]?.value, '');
    assert.deepEqual(configFields(schemaOf({ new: { type: 'later', title: '' } })), []);
  });

  it('keeps forms, lists and texts of a host short', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'string', title: 'a\nb'.repeat(9_999) }]),
    );
    const fields = configFields(schemaOf(many));
    assert.equal(fields.length, 60);
    assert.equal(
      fields.every(({ title }) => title.length <= 301 && !title.includes('\n')),
      true,
    );
    const long = field({ type: 'string', enum: Array.from({ length: 5_000 }, (_, index) => `v${index}`) });
    assert.equal(long.kind === 'choice' && long.options.length, MAX_OPTIONS);
    assert.equal(field({ type: 'string' }, 'x'.repeat(1_000_000)).value, '');
  });

  it('reads what a host sends of any shape', () => {
    const config = wellFormedAnswer('resolveSessionConfig', {
      schema: { properties: { a: { type: 'number', title: 1, enum: [1, {}] }, b: 5, c: { type: 'array', items: 'x' } }, required: 'a' },
      values: { a: 2 },
    });
    assert.deepEqual(
      configFields(config.schema, config.values).map(({ id, kind, value }) => [id, kind, value]),
      [
        ['a', 'number', '2'],
        ['c', 'json', ''],
      ],
    );
    const numbers = wellFormedAnswer('resolveSessionConfig', {
      schema: { properties: { a: { type: 'number', enum: [1, 2] } } },
      values: {},
    });
    assert.equal(configFields(numbers.schema)[0]?.kind, 'choice');
  });
});

describe('readEntry', () => {
  it('gives values of the type that the host wants', () => {
    assert.deepEqual(valueOf(field({ type: 'string' }), ' x '), { value: ' x ' });
    assert.deepEqual(valueOf(field({ type: 'number' }), '0.5'), { value: 0.5 });
    assert.deepEqual(valueOf(field({ type: 'integer' }), '7'), { value: 7 });
    assert.deepEqual(valueOf(field({ type: 'number', enum: [1, 2] }), '2'), { value: 2 });
    assert.deepEqual(valueOf(field({ type: 'boolean' }), true), { value: true });
    assert.deepEqual(valueOf(field({ type: 'array', items: { type: 'string' } }), 'a\n\n b \n'), { value: ['a', 'b'] });
    assert.deepEqual(valueOf(field({ type: 'array', items: { type: 'number' } }), '1\n2'), { value: [1, 2] });
    assert.deepEqual(valueOf(field({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }), ['b']), { value: ['b'] });
    assert.deepEqual(valueOf(field({ type: 'object' }), '{"a": 1}'), { value: { a: 1 } });
  });

  it('leaves out what is empty, unless it is needed', () => {
    assert.deepEqual(valueOf(field({ type: 'string' }), '  '), {});
    assert.deepEqual(valueOf(field({ type: 'string' }, undefined, true), ''), { problem: 'A value is needed here.' });
    assert.deepEqual(valueOf(field({ type: 'array', items: { type: 'string' } }), ''), {});
    assert.deepEqual(valueOf(field({ type: 'array', items: { type: 'string' } }, undefined, true), ''), {
      problem: 'Enter at least 1 value.',
    });
  });

  it('says what is wrong with what was entered', () => {
    const problem = (of: ConfigField, entry: Parameters<typeof readEntry>[1]) => {
      const read = readEntry(of, entry);
      return 'problem' in read ? read.problem : undefined;
    };
    assert.match(problem(field({ type: 'integer' }), '1.5')!, /whole number/);
    assert.match(problem(field({ type: 'number' }), 'many')!, /Enter a number/);
    assert.match(problem(field({ type: 'object' }), '[]')!, /JSON object/);
    assert.match(problem(field({ type: 'array' }), '{')!, /JSON list/);
    assert.match(problem(field({ type: 'array', items: { type: 'number' } }), '1\nx')!, /one number in each line/);
    assert.match(problem(field({ type: 'array', items: { type: 'string' }, maxItems: 1 }), 'a\nb')!, /at most 1 value/);
    assert.match(problem(field({ type: 'string' }), 'x'.repeat(20_001))!, /20,000/);
  });
});

describe('emptyValue', () => {
  it('is there for texts and lists that may be empty', () => {
    const list = { type: 'array', items: { type: 'string' } };
    assert.equal(emptyValue(field({ type: 'string' })), '');
    assert.deepEqual(emptyValue(field(list)), []);
    assert.equal(emptyValue(field(list, undefined, true)), undefined);
    assert.equal(emptyValue(field({ ...list, minItems: 1 })), undefined);
    for (const other of [{ type: 'number' }, { type: 'string', enum: ['a'] }, { type: 'object' }])
      assert.equal(emptyValue(field(other)), undefined);
  });
});

describe('isTyped', () => {
  it('is said of texts, and of no choice', () => {
    assert.equal(isTyped(field({ type: 'string' }), 'x'), true);
    assert.equal(isTyped(field({ type: 'array', items: { type: 'string' } }), 'x\ny'), true);
    assert.equal(isTyped(field({ type: 'string', enumDynamic: true }), 'x'), true);
    assert.equal(isTyped(field({ type: 'string', enum: ['x'] }), 'x'), false);
    assert.equal(isTyped(field({ type: 'boolean' }), true), false);
    assert.equal(isTyped(field({ type: 'array', items: { type: 'string', enum: ['x'] } }), ['x']), false);
  });
});

describe('firstProblem', () => {
  const fields = configFields(
    schemaOf(
      { a: { type: 'string', title: 'A' }, locked: { type: 'string', title: 'L', readOnly: true }, b: { type: 'integer', title: 'B' } },
      ['a', 'locked'],
    ),
    { a: 'x' },
  );

  it('finds what was not understood, and what is needed, but not what the user cannot change', () => {
    assert.equal(firstProblem(fields, {}), undefined);
    assert.equal(firstProblem(fields, { b: 'x' })?.field.id, 'b');
    assert.equal(firstProblem(fields, { a: '' })?.field.id, 'a');
  });

  it('shows what was entered before the value', () => {
    assert.deepEqual([entryOf(fields[0]!, {}), entryOf(fields[0]!, { a: 'new' })], ['x', 'new']);
  });
});
