import assert from 'node:assert/strict';
import type { InputAnswer, InputAnswerValue, InputQuestion } from '../../ahp/common/inputRequest.ts';
import { acceptProblem, answerProblem, finalAnswers } from './inputAnswers.ts';

const base = { id: 'q', message: '?' };
const options = ['x', 'y', 'z'].map((id) => ({ id, label: id }));
const submitted = (value: InputAnswerValue): InputAnswer => ({ state: 'submitted', value });
const selected = (value: string, freeformValues?: string[]) =>
  submitted({ kind: 'selected', value, ...(freeformValues && { freeformValues }) });
const many = (value: string[], freeformValues?: string[]) =>
  submitted({ kind: 'selected-many', value, ...(freeformValues && { freeformValues }) });
const text = (value: string) => submitted({ kind: 'text', value });
const number = (value: number) => submitted({ kind: 'number', value });

const cases: [InputQuestion, good: InputAnswer[], bad: [InputAnswer, RegExp][]][] = [
  [
    { ...base, kind: 'text', min: 2, max: 3 },
    [text('ab'), text('abc'), text('👩‍🚀'.slice(0, 2) + 'a')],
    [
      [text('a'), /characters .* at least 2/],
      [text('abcd'), /characters .* at most 3/],
      [number(2), /kind "text"/],
    ],
  ],
  [{ ...base, kind: 'text', required: true }, [text('a')], [[text(''), /not be empty/]]],
  [
    { ...base, kind: 'number', min: 0, max: 1 },
    [number(0), number(0.5), number(1)],
    [
      [number(-0.1), /at least 0/],
      [number(1.1), /at most 1/],
    ],
  ],
  [{ ...base, kind: 'integer' }, [number(-3)], [[number(0.5), /whole number/]]],
  [{ ...base, kind: 'boolean' }, [submitted({ kind: 'boolean', value: false })], [[text('false'), /kind "boolean"/]]],
  [
    { ...base, kind: 'single-select', options },
    [selected('x')],
    [
      [selected('w'), /not an option/],
      [selected('x', ['own']), /one of the options/],
      [many(['x']), /kind "selected"/],
    ],
  ],
  [
    { ...base, kind: 'single-select', options, allowFreeformInput: true },
    [selected('x'), selected('', ['own'])],
    [
      [selected(''), /not an option/],
      [selected('', [' ']), /empty text/],
      [selected('w', ['own']), /not an option/],
    ],
  ],
  [
    { ...base, kind: 'multi-select', options, min: 1, max: 2, allowFreeformInput: true },
    [many(['x']), many(['x', 'y']), many(['x'], ['own']), many([], ['own'])],
    [
      [many([]), /at least 1/],
      [many(['x', 'y', 'z']), /at most 2/],
      [many(['x', 'y'], ['own']), /at most 2/],
      [many(['x', 'x']), /twice/],
      [many(['w']), /not an option/],
    ],
  ],
  [
    { ...base, kind: 'multi-select', options, required: true },
    [many(['x'])],
    [
      [many([]), /choose something/],
      [many(['x'], ['own']), /one of the options/],
    ],
  ],
  [
    { ...base, kind: 'later kind' } as unknown as InputQuestion,
    [text('x'), number(1), selected('x'), many(['x'])],
    [[{ state: 'later state' } as unknown as InputAnswer, /unknown state/]],
  ],
];

describe('answers to input requests', () => {
  for (const [question, good, bad] of cases) {
    it(`${question.kind} ${JSON.stringify({ ...question, options: undefined, id: undefined, message: undefined, kind: undefined })}`, () => {
      for (const answer of good) assert.equal(answerProblem(question, answer), undefined, JSON.stringify(answer));
      for (const [answer, problem] of bad) assert.match(answerProblem(question, answer) ?? 'taken', problem);
    });
  }

  it('a draft need only be of the right kind', () => {
    const question: InputQuestion = { ...base, kind: 'integer', max: 3 };
    assert.equal(answerProblem(question, { state: 'draft', value: { kind: 'number', value: 4.5 } }), undefined);
    assert.match(answerProblem(question, { state: 'draft', value: { kind: 'text', value: '4' } }) ?? '', /kind "number"/);
  });

  it('skipping is an answer to what is not required', () => {
    const skipped: InputAnswer = { state: 'skipped' };
    const request = (required: boolean) => ({ id: 'r', questions: [{ ...base, kind: 'text' as const, required }] });
    assert.equal(acceptProblem(request(false), { q: skipped }), undefined);
    assert.match(acceptProblem(request(true), { q: skipped }) ?? '', /no submitted answer/);
  });

  it('answers to no question are refused, and a request without questions accepts none', () => {
    assert.equal(acceptProblem({ id: 'r' }, {}), undefined);
    assert.match(acceptProblem({ id: 'r' }, { z: text('x') }) ?? '', /no question "z"/);
  });

  it('later ones replace earlier ones', () => {
    assert.deepEqual(finalAnswers({ id: 'r', answers: { q: text('old') as never, p: text('kept') as never } }, { q: text('new') }), {
      q: text('new'),
      p: text('kept'),
    });
  });
});
