import assert from 'node:assert/strict';
import type { InputQuestion } from '../../ahp/common/inputRequest.ts';
import { answerAction } from '../attention/answerAction.ts';
import type { AttentionItem } from '../attention/attentionItems.ts';
import { toListedItem } from '../attention/listedItem.ts';
import { emptyField, type Field, submission } from '../session/waiting/questions.ts';
import { choicesOf, programAnswers, requestOf } from './attentionData.ts';

const options = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
];
const questions: InputQuestion[] = [
  { kind: 'text', id: 'text', message: '?' },
  { kind: 'integer', id: 'count', message: '?' },
  { kind: 'boolean', id: 'sure', message: '?' },
  { kind: 'single-select', id: 'one', message: '?', options, allowFreeformInput: true },
  { kind: 'multi-select', id: 'many', message: '?', options, allowFreeformInput: true },
  { kind: 'text', id: 'constructor', message: '?' },
];
const request = { id: 'r', message: 'Tell me', questions };
const item = {
  kind: 'question',
  uri: 's:/1',
  title: '',
  what: '',
  since: 0,
  waiting: { kind: 'question', request },
} as unknown as AttentionItem;
const shown = requestOf({ id: 'r', revision: 'x', ...toListedItem(item, 10_000) }) ?? assert.fail();
const accepted = (fields: Record<string, Field>) => {
  const submitted = submission(shown, fields);
  return submitted.kind === 'answers' ? programAnswers(shown, submitted.answers) : assert.fail();
};

describe('what the page of the portal answers', () => {
  it('does what the session view does with the same form', () => {
    const forms: Record<string, Field>[] = [
      {},
      {
        text: { ...emptyField, text: ' a\nb ' },
        count: { ...emptyField, text: '7' },
        sure: { ...emptyField, checked: false },
        one: { ...emptyField, selected: ['b'] },
        many: { ...emptyField, selected: ['a', 'b'] },
      },
      { one: { ...emptyField, freeform: ' else ' }, many: { ...emptyField, selected: ['b'], freeform: 'more' } },
      { constructor: { ...emptyField, text: 'x' } } as never,
    ];
    for (const fields of forms) {
      const made = accepted(fields);
      const direct = submission(request, fields);
      assert.ok('answer' in made && direct.kind === 'answers');
      const expected = { type: 'chat/inputCompleted', requestId: 'r', response: 'accept', answers: direct.answers };
      assert.deepEqual(answerAction(item, made.answer), { uri: 's:/1', action: expected }, JSON.stringify(fields));
    }
  });

  it('takes no text for an option that has it as its id', () => {
    for (const id of ['one', 'many']) {
      const made = accepted({ [id]: { ...emptyField, freeform: 'a' } });
      assert.ok('problems' in made);
      assert.deepEqual([...made.problems.keys()], [id]);
    }
  });

  it('offers what can be decided here, and a denial in any case', () => {
    const both = [
      { decision: 'approve' as const, option: 'x', label: 'Always' },
      { decision: 'approve' as const, option: 'y', label: 'Once' },
    ];
    assert.deepEqual(
      choicesOf({ options: both, decisions: ['approve', 'deny'] }).map(({ label, primary }) => [label, primary]),
      [
        ['Always', true],
        ['Once', false],
        ['Deny', false],
      ],
    );
    assert.deepEqual(
      choicesOf({ options: both, decisions: ['deny'] }).map(({ label }) => label),
      ['Deny'],
    );
    assert.deepEqual(choicesOf({ decisions: [] }), []);
  });
});
