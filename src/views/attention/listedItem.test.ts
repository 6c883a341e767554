import assert from 'node:assert/strict';
import type { InputQuestion } from '../../ahp/common/inputRequest.ts';
import type { ToolCallPendingConfirmationState } from '../../ahp/channels/shapes/toolCall.ts';
import type { ToolResultContent } from '../../ahp/common/tools.ts';
import type { Waiting } from '../session/waiting/waiting.ts';
import { answerAction, type AnswerValue } from './answerAction.ts';
import type { AttentionItem } from './attentionItems.ts';
import { toListedItem } from './listedItem.ts';

const session = 'demo:/1';
const item = (waiting?: Waiting, kind: AttentionItem['kind'] = waiting?.kind ?? 'unknown'): AttentionItem => ({
  ...{ id: 'i', hostId: 'h', hostLabel: 'Host', kind, uri: session, title: 'Fix it', what: 'x', since: 0 },
  ...(waiting && { waiting }),
});
const call = (fields: Partial<ToolCallPendingConfirmationState> = {}): AttentionItem => {
  const base = { status: 'pending-confirmation' as const, toolCallId: 'c', toolName: 'bash', displayName: 'Run' };
  return item({ kind: 'call', turnId: 't', call: { ...base, invocationMessage: { markdown: '**Runs** it' }, toolInput: 'ls', ...fields } });
};
const result = (...content: ToolResultContent[]): AttentionItem => {
  const base = { status: 'pending-result-confirmation' as const, toolCallId: 'c', toolName: 'read', displayName: 'Read' };
  const outcome = { confirmed: 'setting' as const, success: true, pastTenseMessage: '', content };
  return item({ kind: 'result', turnId: 't', call: { ...base, invocationMessage: '', ...outcome } });
};
const edit = { after: { uri: 'file:///w/a', content: { uri: 'c:1' } } };

describe('what is listed of an item', () => {
  it('can be allowed only where all of it is listed', () => {
    const decisions = (one: AttentionItem, maxLength = 10_000) => {
      const listed = toListedItem(one, maxLength);
      return [listed.decisions, listed.isPartial];
    };
    assert.deepEqual(decisions(call()), [['approve', 'deny'], undefined]);
    assert.deepEqual(decisions(call({ edits: { items: [edit] } })), [['approve', 'deny'], undefined]);
    assert.deepEqual(decisions(call({ edits: { items: [edit] }, toolInput: undefined })), [['deny'], true]);
    assert.deepEqual(decisions(call({ toolInput: 'x'.repeat(20_000) })), [['deny'], true]);
    assert.deepEqual(decisions(call({ toolInput: { uri: 'x:1' } })), [['deny'], true]);
    assert.deepEqual(decisions(call({ options: [{ id: 'no', label: 'No', kind: 'deny' }] })), [['deny'], undefined]);
    assert.deepEqual(decisions(result({ type: 'text', text: 'x' })), [['approve', 'deny'], undefined]);
    assert.deepEqual(decisions(result({ type: 'terminal', resource: 'agenthost-terminal:/1', title: '' })), [['deny'], true]);
    assert.deepEqual(decisions(item(undefined, 'failed')), [['markRead'], undefined]);
    assert.deepEqual(decisions(item()), [[], undefined]);
  });

  it('has none of its details when it is too long', () => {
    const { call: details, options } = toListedItem(call({ toolInput: 'x'.repeat(20_000) }), 10_000);
    assert.deepEqual([details, options], [undefined, undefined]);
  });

  it('has the input as it is, and the texts of the agent without markup', () => {
    const { input, message, files } =
      toListedItem(call({ toolInput: '\u202els ', edits: { items: [edit] } }), 10_000).call ?? assert.fail();
    assert.deepEqual([input, message, files], ['\u202els ', 'Runs it', [{ after: 'file:///w/a' }]]);
  });
});

describe('the answer to a question', () => {
  const problemOf = (question: Partial<InputQuestion>, value: AnswerValue) => {
    const questions = [{ id: 'q', message: '', ...question } as InputQuestion];
    const made = answerAction(item({ kind: 'question', request: { id: 'r', questions } }), { decision: 'accept', answers: { q: value } });
    assert.notEqual(made, 'impossible');
    if (typeof made === 'object' && 'problems' in made) return made.problems['q'];
    const { answers } = (made as { action: unknown }).action as { answers: Record<string, { value: unknown }> };
    return answers['q']?.value;
  };
  const options = ['a', 'b'].map((id) => ({ id, label: id }));

  it('is checked by the kind of the question', () => {
    assert.deepEqual(problemOf({ kind: 'text' }, 'x'), { kind: 'text', value: 'x' });
    assert.equal(problemOf({ kind: 'text' }, 1), 'Give a text.');
    assert.deepEqual(problemOf({ kind: 'integer' }, 2), { kind: 'number', value: 2 });
    assert.equal(problemOf({ kind: 'integer' }, 2.5), 'Enter a whole number.');
    assert.equal(problemOf({ kind: 'number' }, '2'), 'Give a number.');
    assert.deepEqual(problemOf({ kind: 'boolean' }, false), { kind: 'boolean', value: false });
    assert.equal(problemOf({ kind: 'boolean' }, 'true'), 'Give true or false.');
    assert.deepEqual(problemOf({ kind: 'single-select', options }, 'a'), { kind: 'selected', value: 'a' });
    assert.equal(problemOf({ kind: 'single-select', options }, 'c'), 'There is no such option.');
    assert.deepEqual(problemOf({ kind: 'single-select', options, allowFreeformInput: true }, 'c'), {
      ...{ kind: 'selected', value: '', freeformValues: ['c'] },
    });
    assert.deepEqual(problemOf({ kind: 'multi-select', options }, ['b', 'a']), { kind: 'selected-many', value: ['a', 'b'] });
    assert.equal(problemOf({ kind: 'multi-select', options }, ['c']), 'There is no such option.');
    assert.equal(problemOf({ kind: 'multi-select', options }, 'a'), 'Give a list of ids of options.');
    assert.match(String(problemOf({ kind: 'of a later version' } as never, 'x')), /does not know/);
  });
});
