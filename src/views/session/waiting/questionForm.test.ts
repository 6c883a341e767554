import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { InputQuestion, InputRequest } from '../../../ahp/common/inputRequest.ts';
import { draftOf, emptyField, fieldOf, initialFields, problemOf, submission, valueOf, type Field } from './questionForm.ts';

const options = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
];
const field = (fields: Partial<Field>): Field => ({ ...emptyField, ...fields });

const anyQuestion: fc.Arbitrary<InputQuestion> = fc
  .record({
    kind: fc.constantFrom('text', 'number', 'integer', 'boolean', 'single-select', 'multi-select', 'later-kind'),
    required: fc.boolean(),
    min: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
    max: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    allowFreeformInput: fc.boolean(),
  })
  .map((fields) => ({ id: 'q', message: 'm', options, ...fields }) as unknown as InputQuestion);

const anyField: fc.Arbitrary<Field> = fc.record({
  text: fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.constantFrom('', '-', '1e', ' 3 ', '0x10')),
  checked: fc.option(fc.boolean(), { nil: undefined }),
  selected: fc.subarray(['a', 'b']),
  freeform: fc.oneof(fc.constant(''), fc.string()),
});

describe('questions', () => {
  const cases: [string, InputQuestion, Partial<Field>, string | undefined][] = [
    ['an empty required text', { kind: 'text', id: 'q', message: '', required: true }, {}, 'This needs an answer.'],
    ['an empty optional text of at least 3', { kind: 'text', id: 'q', message: '', min: 3 }, {}, undefined],
    ['a short text', { kind: 'text', id: 'q', message: '', min: 3 }, { text: 'ab' }, 'Enter at least 3 characters.'],
    ['a text counted in characters, not code units', { kind: 'text', id: 'q', message: '', max: 2 }, { text: '👍👍' }, undefined],
    ['a long text', { kind: 'text', id: 'q', message: '', max: 1 }, { text: 'ab' }, 'Enter at most 1 character.'],
    ['no email', { kind: 'text', id: 'q', message: '', format: 'email' }, { text: 'ada' }, 'Enter an email address.'],
    [
      'no url',
      { kind: 'text', id: 'q', message: '', format: 'uri' },
      { text: 'example' },
      'Enter a full URL, such as https://example.com.',
    ],
    ['no date', { kind: 'text', id: 'q', message: '', format: 'date' }, { text: 'soon' }, 'Enter a date, such as 2026-01-31.'],
    ['words with a number in them as a date', { kind: 'text', id: 'q', message: '', format: 'date' }, { text: 'in May 1' }, 'Enter a date, such as 2026-01-31.'], // prettier-ignore
    ['a day that no month has', { kind: 'text', id: 'q', message: '', format: 'date' }, { text: '2026-02-31' }, 'Enter a date, such as 2026-01-31.'], // prettier-ignore
    ['a date', { kind: 'text', id: 'q', message: '', format: 'date' }, { text: '2026-02-28' }, undefined],
    ['a date alone as date and time', { kind: 'text', id: 'q', message: '', format: 'date-time' }, { text: '2026-02-28' }, 'Enter a date and time, such as 2026-01-31T09:00Z.'], // prettier-ignore
    ['a date and time', { kind: 'text', id: 'q', message: '', format: 'date-time' }, { text: '2026-02-28t09:30:00.5+01:00' }, undefined],
    ['an hour that no day has', { kind: 'text', id: 'q', message: '', format: 'date-time' }, { text: '2026-02-28T25:00Z' }, 'Enter a date and time, such as 2026-01-31T09:00Z.'], // prettier-ignore
    ['an unknown format', { kind: 'text', id: 'q', message: '', format: 'haiku' }, { text: 'x' }, undefined],
    ['no number', { kind: 'number', id: 'q', message: '' }, { text: 'ten' }, 'Enter a number.'],
    ['infinity', { kind: 'number', id: 'q', message: '' }, { text: 'Infinity' }, 'Enter a number.'],
    ['half an integer', { kind: 'integer', id: 'q', message: '' }, { text: '1.5' }, 'Enter a whole number.'],
    ['a small number', { kind: 'number', id: 'q', message: '', min: 0.5 }, { text: '0.4' }, 'Enter 0.5 or more.'],
    ['a large number', { kind: 'integer', id: 'q', message: '', max: 3 }, { text: '4' }, 'Enter 3 or less.'],
    ['a boolean that was never chosen', { kind: 'boolean', id: 'q', message: '', required: true }, {}, 'This needs an answer.'],
    ['a boolean that is false', { kind: 'boolean', id: 'q', message: '', required: true }, { checked: false }, undefined],
    [
      'own words in place of an option',
      { kind: 'single-select', id: 'q', message: '', required: true, options },
      { freeform: 'c' },
      undefined,
    ],
    ['too few options', { kind: 'multi-select', id: 'q', message: '', min: 2, options }, { selected: ['a'] }, 'Choose at least 2.'],
    [
      'own words that count as one more',
      { kind: 'multi-select', id: 'q', message: '', min: 2, options },
      { selected: ['a'], freeform: 'c' },
      undefined,
    ],
    ['too many options', { kind: 'multi-select', id: 'q', message: '', max: 1, options }, { selected: ['a', 'b'] }, 'Choose at most 1.'],
  ];
  for (const [what, question, fields, problem] of cases) {
    it(`${problem === undefined ? 'takes' : 'refuses'} ${what}`, () => assert.equal(problemOf(question, field(fields)), problem));
  }

  it('begins with earlier answers, then defaults', () => {
    const request: InputRequest = {
      id: 'r',
      questions: [
        { kind: 'text', id: 'given', message: '', defaultValue: 'default' },
        { kind: 'text', id: 'default', message: '', defaultValue: 'default' },
        { kind: 'integer', id: 'zero', message: '', defaultValue: 0 },
        { kind: 'boolean', id: 'no', message: '', defaultValue: false },
        { kind: 'single-select', id: 'constructor', message: '', options },
      ],
      answers: { given: { state: 'draft', value: { kind: 'text', value: 'mine' } } },
    };
    const fields = initialFields(request);
    assert.equal(fields.given?.text, 'mine');
    assert.equal(fields.default?.text, 'default');
    assert.equal(fields.zero?.text, '0');
    assert.equal(fields.no?.checked, false);
    assert.deepEqual(fields.constructor, emptyField);
  });

  it('submits all answers, the empty ones as skipped, or says what to correct', () => {
    const request: InputRequest = {
      id: 'r',
      questions: [
        { kind: 'text', id: 'a', message: '', required: true },
        { kind: 'number', id: 'b', message: '' },
        { kind: 'later' as never, id: 'c', message: '' },
      ],
    };
    assert.deepEqual(submission(request, {}), { kind: 'problems', problems: new Map([['a', 'This needs an answer.']]) });
    assert.deepEqual(submission(request, { a: field({ text: 'x' }) }), {
      kind: 'answers',
      answers: { a: { state: 'submitted', value: { kind: 'text', value: 'x' } }, b: { state: 'skipped' }, c: { state: 'skipped' } },
    });
  });

  it('skips an optional question with a reason, and shows that again', () => {
    const question: InputQuestion = { kind: 'text', id: 'a', message: '' };
    const request: InputRequest = { id: 'r', questions: [question] };
    const skipped = field({ text: 'x', skipped: ' no idea ' });
    const answer = { state: 'skipped' as const, freeformValues: ['no idea'] };
    assert.deepEqual(submission(request, { a: skipped }), { kind: 'answers', answers: { a: answer } });
    assert.deepEqual(draftOf(question, skipped), answer);
    assert.equal(draftOf(question, field({ skipped: '' })), undefined);
    assert.deepEqual(fieldOf(answer), field({ skipped: 'no idea' }));
    assert.deepEqual(submission({ id: 'r', questions: [{ ...question, required: true }] }, { a: skipped }).kind, 'problems');
  });

  it('never lets a required question of an unknown kind be accepted', () => {
    const request: InputRequest = { id: 'r', questions: [{ kind: 'later' as never, id: 'c', message: '', required: true }] };
    assert.equal(submission(request, {}).kind, 'problems');
  });

  it('gives a value for everything without a problem, and shows it again as it was', () => {
    fc.assert(
      fc.property(anyQuestion, anyField, (question, typed) => {
        const value = valueOf(question, typed);
        if (problemOf(question, typed) === undefined && question.required) assert.notEqual(value, undefined);
        if (value === undefined) return;
        if (value.kind === 'number') assert.ok(Number.isFinite(value.value));
        const again = draftOf(question, fieldOf({ state: 'draft', value }));
        assert.deepEqual(again, { state: 'draft', value });
      }),
    );
  });
});
