import assert from 'node:assert/strict';
import { chatState, said, sessionState } from '../../../../test/fakes/models.ts';
import { ASKED, askedDigest } from '../../../ahp/common/callQuestion.ts';
import type { ToolCallPendingConfirmationState } from '../../../ahp/channels/shapes/toolCall.ts';
import {
  choicesFor,
  confirm,
  confirmationChoices,
  isOutdated,
  looseQuestions,
  namesOnly,
  questionKey,
  type Waiting,
  waitingKey,
  waitingOf,
} from './waiting.ts';

const call: ToolCallPendingConfirmationState = {
  status: 'pending-confirmation',
  toolCallId: 'c',
  toolName: 'bash',
  displayName: 'Bash',
  invocationMessage: 'Running ls',
  toolInput: 'ls',
};

describe('waitingKey', () => {
  const asking = (fields: Partial<ToolCallPendingConfirmationState> = {}): Waiting => ({
    kind: 'call',
    turnId: 't',
    call: { ...call, ...fields },
  });
  const side = (name: string, content = name) => ({ uri: `file:///w/${name}`, content: { uri: `x:${content}` } });
  const edit = { before: side('a'), after: side('a', 'b') };

  it('is another one for a call that asks for something else under the same id', () => {
    const asked = [
      {},
      { toolInput: 'rm' },
      { toolInput: undefined },
      { confirmationTitle: 'Read /a?' },
      { confirmationTitle: { markdown: 'Read /b?' } },
      { invocationMessage: 'Following a link' },
      { edits: { items: [edit] } },
      { edits: { items: [{ after: edit.after }] } },
      { edits: { items: [{ before: edit.after }] } },
      { edits: { items: [{ ...edit, after: side('a', 'c') }] } },
      { edits: { items: [edit, edit] } },
    ];
    assert.equal(new Set(asked.map((fields) => waitingKey(asking(fields)))).size, asked.length);
    assert.notEqual(waitingKey(asking()), waitingKey({ ...asking(), turnId: 'u' } as Waiting));
    assert.notEqual(waitingKey(asking()), waitingKey(asking({ toolCallId: 'd' })));
  });

  it('stays while the same thing waits, whatever becomes known of it', () => {
    const known = {
      ...edit,
      diff: { added: 3 },
      after: { ...edit.after, content: { uri: 'x:b', sizeHint: 7, contentType: 'text/plain' } },
    };
    assert.equal(waitingKey(asking({ edits: { items: [edit] } })), waitingKey(asking({ edits: { items: [known] } })));
    assert.equal(waitingKey(asking()), waitingKey(asking({ _meta: { a: 1 }, displayName: 'Shell', edits: { items: [] } })));
  });

  it('of a result and a question is that of the call and of the request', () => {
    const result = (success: boolean): Waiting => ({
      kind: 'result',
      turnId: 't',
      call: { ...call, status: 'pending-result-confirmation', confirmed: 'setting', success, pastTenseMessage: '' },
    });
    assert.equal(waitingKey(result(true)), waitingKey(result(false)));
    assert.equal(waitingKey({ kind: 'question', request: { id: 'q' } }), 'q');
  });
});

describe('waitingOf', () => {
  it('lists calls, results and open questions of the active turn, in its order', () => {
    const state = chatState({
      status: 24,
      activeTurn: {
        id: 't',
        message: said(''),
        responseParts: [
          { kind: 'markdown', id: 'm', content: '' },
          { kind: 'toolCall', toolCall: call },
          { kind: 'inputRequest', request: { id: 'answered' }, response: 'accept' },
          { kind: 'inputRequest', request: { id: 'q' } },
          {
            kind: 'toolCall',
            toolCall: {
              ...call,
              toolCallId: 'd',
              status: 'pending-result-confirmation',
              confirmed: 'setting',
              success: true,
              pastTenseMessage: '',
            },
          },
          { kind: 'toolCall', toolCall: { ...call, toolCallId: 'e', status: 'running', confirmed: 'setting' } },
        ],
      },
    });
    assert.deepEqual(
      waitingOf(state).map((item) => (item.kind === 'question' ? item.request.id : `${item.kind} ${item.call.toolCallId}`)),
      ['call c', 'q', 'result d'],
    );
    assert.deepEqual(waitingOf(chatState({ turns: [{ ...state.activeTurn!, state: 'complete' }] })), []);
  });

  it('knows the questions of a chat in which no turn runs from its session', () => {
    const request = { id: 'q' };
    const asks = (chat: string) => sessionState({ inputNeeded: [{ kind: 'chatInput', id: 'n', chat, request }] });
    const idle = chatState();
    assert.deepEqual(looseQuestions(asks(idle.resource), idle.resource, idle), [request]);
    assert.deepEqual(looseQuestions(asks('another:/chat'), idle.resource, idle), []);
    const running = chatState({ activeTurn: { id: 't', message: said(''), responseParts: [] } });
    assert.deepEqual(looseQuestions(asks(running.resource), running.resource, running), []);
  });
});

describe('namesOnly', () => {
  const side = (uri: string) => ({ uri, content: { uri } });
  const edits = [{ after: side('file:///home/ada/web-app/src/a.ts') }, { before: side('file:///home/ada/b.ts') }];
  const says = (message: string) => namesOnly(message, edits);

  it('is true for a verb and the files of the change, in any form', () => {
    for (const message of ['Editing `a.ts`', 'Edit src/a.ts', 'Editing /home/ada/web-app/src/a.ts, b.ts…', 'Editing'])
      assert.equal(says(message), true, message);
  });
  it('is false for anything more, and without a change', () => {
    for (const message of ['Editing a.ts and running it', 'Editing c.ts', 'Editing .ts']) assert.equal(says(message), false, message);
    assert.equal(namesOnly('Editing', []), false);
  });
});

describe('confirmationChoices', () => {
  it('keeps the host’s order, and makes the first that approves stand out', () => {
    const choices = confirmationChoices([
      { id: 'n', label: 'No', kind: 'deny', group: 1 },
      { id: 'y', label: 'Yes', kind: 'approve', group: 2 },
      { id: 'a', label: 'Always', kind: 'approve', group: 2 },
    ]);
    assert.deepEqual(
      choices.map(({ optionId, primary }) => [optionId, primary]),
      [
        ['n', false],
        ['y', true],
        ['a', false],
      ],
    );
  });
  it('is plain approve and deny without options, and always has a no', () => {
    assert.deepEqual(
      confirmationChoices(undefined).map((choice) => choice.label),
      ['Approve', 'Deny'],
    );
    assert.deepEqual(
      confirmationChoices([{ id: 'y', label: 'Yes', kind: 'approve' }]).map((choice) => choice.label),
      ['Yes', 'Deny'],
    );
  });
  it('leaves out what it cannot explain', () => {
    assert.deepEqual(
      confirmationChoices([{ id: 'x', label: 'Beam', kind: 'transport' as never }]).map((choice) => choice.label),
      ['Approve', 'Deny'],
    );
  });
});

describe('choicesFor', () => {
  it('lets nobody approve what is not shown', () => {
    const hidden = { ...call, toolInput: { uri: 'x:1' } };
    const options = [{ id: 'y', label: 'Yes', kind: 'approve' as const }];
    for (const one of [hidden, { ...hidden, options }])
      assert.deepEqual(
        choicesFor(one).map(({ label }) => label),
        ['Deny'],
      );
    assert.equal(choicesFor(call).length, 2);
  });
});

describe('confirm', () => {
  it('sends an edited input only when it differs', () => {
    assert.ok(!('editedToolInput' in confirm('t', call, { approve: true }, { editedInput: 'ls' })));
    assert.deepEqual(confirm('t', call, { approve: true, optionId: 'o' }, { editedInput: 'ls -l' }), {
      type: 'chat/toolCallConfirmed',
      turnId: 't',
      toolCallId: 'c',
      _meta: { [ASKED]: askedDigest(call) },
      selectedOptionId: 'o',
      approved: true,
      confirmed: 'user-action',
      editedToolInput: 'ls -l',
    });
  });
  it('denies with what the user said, or nothing', () => {
    assert.deepEqual(confirm('t', call, { approve: false }, { reason: ' no ', suggestion: '' }), {
      type: 'chat/toolCallConfirmed',
      turnId: 't',
      toolCallId: 'c',
      _meta: { [ASKED]: askedDigest(call) },
      approved: false,
      reason: 'denied',
      reasonMessage: 'no',
    });
  });
});

describe('isOutdated', () => {
  it('is true for an answer to what the call asked before', () => {
    const answer = confirm('t', call, { approve: true });
    const asks = (fields: object): Waiting[] => [{ kind: 'call', turnId: 't', call: { ...call, ...fields } }];
    assert.equal(isOutdated(asks({}), answer, undefined), false);
    assert.equal(isOutdated(asks({ toolInput: 'rm -rf /' }), answer, undefined), true);
    assert.equal(isOutdated(asks({ toolInput: 'rm -rf /' }), confirm('t', call, { approve: false }), undefined), true);
    assert.equal(isOutdated(asks({ toolCallId: 'd', toolInput: 'rm -rf /' }), answer, undefined), false, 'another call');
    assert.equal(isOutdated(asks({}), { ...answer, _meta: {} }, undefined), true, 'it does not say what was asked');
  });

  it('is true for answers to what a question asked before, not for drafts of others', () => {
    const answer = { type: 'chat/inputCompleted' as const, requestId: 'q', response: 'accept' as const };
    const request = { id: 'q', message: 'Deploy to staging?' };
    const asks = (fields: object): Waiting[] => [{ kind: 'question', request: { ...request, ...fields } }];
    const asked = questionKey(request);
    assert.equal(isOutdated(asks({}), answer, asked), false);
    assert.equal(isOutdated(asks({ answers: { a: { state: 'skipped' } } }), answer, asked), false);
    assert.equal(isOutdated(asks({ id: 'r' }), answer, asked), false, 'another question');
    assert.equal(isOutdated(asks({ message: 'Deploy to production?' }), answer, asked), true);
    assert.equal(isOutdated(asks({}), answer, undefined), true, 'it does not say what was asked');
  });
});
