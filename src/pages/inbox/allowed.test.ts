import assert from 'node:assert/strict';
import { ASKED, askedDigest } from '../../ahp/common/callQuestion.ts';
import type { ToolCallPendingConfirmationState, ToolCallPendingResultConfirmationState } from '../../ahp/channels/shapes/toolCall.ts';
import type { InputRequest } from '../../ahp/common/inputRequest.ts';
import { questionKey } from '../../views/session/waiting/waiting.ts';
import type { AttentionItem } from '../../views/attention/attentionItems.ts';
import type { Waiting } from '../../views/session/waiting/waiting.ts';
import type { SessionMessage } from '../../webviews/session/protocol.ts';
import { isAllowed } from './allowed.ts';

const session = 'demo:/1';
const item = (waiting: Waiting, uri = session): AttentionItem => ({
  id: 'i',
  hostId: 'embedded',
  hostLabel: 'This computer',
  kind: waiting.kind,
  uri,
  chat: uri,
  title: 'Fix it',
  what: 'x',
  since: 0,
  waiting,
});
const edit = { before: { uri: 'file:///w/a', content: { uri: 'c:before' } }, after: { uri: 'file:///w/a', content: { uri: 'c:after' } } };
const call: ToolCallPendingConfirmationState = {
  status: 'pending-confirmation',
  toolCallId: 'c',
  toolName: 'bash',
  displayName: 'Run',
  invocationMessage: '',
  toolInput: 'ls',
  edits: { items: [edit] },
  options: [
    { id: 'yes', label: 'Yes', kind: 'approve' },
    { id: 'no', label: 'No', kind: 'deny' },
  ],
};
const result: ToolCallPendingResultConfirmationState = {
  ...call,
  toolCallId: 'r',
  status: 'pending-result-confirmation',
  confirmed: 'setting',
  success: true,
  pastTenseMessage: '',
  content: [{ type: 'terminal', resource: 'agenthost-terminal:/1', title: '' }],
};
const request: InputRequest = { id: 'q', questions: [{ kind: 'text', id: 'name', message: '' }] };
const waitingCall = item({ kind: 'call', turnId: 't', call });
const waitingResult = item({ kind: 'result', turnId: 't', call: result });
const waitingQuestion = item({ kind: 'question', request });
const all = [waitingCall, waitingResult, waitingQuestion];

type Gesture = Extract<SessionMessage, { type: 'dispatch' }>['action'];
const act = (action: Gesture, uri = session): SessionMessage => ({ type: 'dispatch', uri, action });
const answered = { type: 'chat/toolCallConfirmed' as const, turnId: 't', toolCallId: 'c' };
const asked = (one: ToolCallPendingConfirmationState) => ({ _meta: { [ASKED]: askedDigest(one) } });
const approve = (changes: object = {}, uri = session) =>
  act({ ...answered, ...asked(call), approved: true, confirmed: 'user-action', ...changes }, uri);
const deny = (changes: object = {}) => act({ ...answered, ...asked(call), approved: false, reason: 'denied', ...changes });
const decline = (changes: object = {}) => ({
  ...act({ type: 'chat/inputCompleted', requestId: 'q', response: 'decline', ...changes }),
  asked: questionKey(request),
});
const share = (changes: object = {}) =>
  act({ type: 'chat/toolCallResultConfirmed', turnId: 't', toolCallId: 'r', approved: true, ...changes });

describe('isAllowed', () => {
  it('takes each answer for what waits', () => {
    const answers = [
      approve(),
      approve({ selectedOptionId: 'yes' }),
      deny({ selectedOptionId: 'no', reasonMessage: 'no' }),
      share(),
      share({ approved: false }),
      decline(),
      act({ type: 'chat/inputAnswerChanged', requestId: 'q', questionId: 'name' }),
    ];
    for (const answer of answers) assert.equal(isAllowed(answer, all), true, JSON.stringify(answer));
  });

  it('takes no answer for anything else', () => {
    const others = [
      approve({}, 'demo:/2'),
      approve(asked({ ...call, toolInput: 'ls -l' })),
      approve({ _meta: {} }),
      deny({ _meta: undefined }),
      approve({ turnId: 'u' }),
      approve({ toolCallId: 'r' }),
      approve({ selectedOptionId: 'no' }),
      approve({ selectedOptionId: 'other' }),
      deny({ selectedOptionId: 'yes' }),
      approve({ editedToolInput: 'rm' }),
      share({ toolCallId: 'c' }),
      share({ turnId: 'u' }),
      decline({ requestId: 'p' }),
      { ...decline(), asked: questionKey({ ...request, message: 'Which other name?' }) },
      { ...decline(), asked: undefined },
      act({ type: 'chat/inputAnswerChanged', requestId: 'q', questionId: 'other' }),
    ];
    for (const answer of others) assert.equal(isAllowed(answer, all), false, JSON.stringify(answer));
    assert.equal(isAllowed(approve(), []), false);
    const hidden = { ...call, toolInput: { uri: 'x:1' } };
    const unseen = [item({ kind: 'call', turnId: 't', call: hidden })];
    assert.equal(isAllowed(approve(asked(hidden)), unseen), false, 'an input that nobody sees');
    assert.equal(isAllowed(deny(asked(hidden)), unseen), true);
    assert.equal(isAllowed(approve(), [item({ kind: 'call', turnId: 't', call }, 'demo:/1/subagent/c')]), false);
    assert.equal(
      isAllowed(approve({ editedToolInput: 'ls -l' }), [item({ kind: 'call', turnId: 't', call: { ...call, editable: true } })]),
      true,
    );
  });

  it('takes none of the other actions of a session', () => {
    const actions: Gesture[] = [
      { type: 'chat/turnStarted', turnId: 't', startedAt: '', message: { text: 'hi', origin: { kind: 'user' } } },
      { type: 'chat/turnCancelled', turnId: 't', duration: 0 },
      { type: 'session/titleChanged', title: 'x' },
      { type: 'session/configChanged', config: { approvals: 'all' } },
    ];
    for (const action of actions) assert.equal(isAllowed(act(action), all), false, action.type);
    const messages: SessionMessage[] = [
      { type: 'runCommand', command: 'newSession' },
      { type: 'request', id: 1, method: 'pickAttachments', params: {} },
      { type: 'openSession', uri: session },
      { type: 'draft', draft: { text: '', attachments: [] } },
    ];
    for (const message of messages) assert.equal(isAllowed(message, all), false, message.type);
  });

  it('reads only what a card shows', () => {
    const read = (uri: string): SessionMessage => ({ type: 'request', id: 1, method: 'readResource', params: { uri } });
    assert.equal(isAllowed(read('c:before'), all), true);
    assert.equal(isAllowed(read('file:///etc/passwd'), all), false);
    assert.equal(isAllowed(read('c:before'), [waitingQuestion]), false);
    assert.equal(isAllowed({ type: 'watch', kind: 'terminal', uri: 'agenthost-terminal:/1' }, all), true);
    assert.equal(isAllowed({ type: 'watch', kind: 'chat', uri: 'agenthost-terminal:/1' }, all), false);
    assert.equal(isAllowed({ type: 'watch', kind: 'terminal', uri: 'agenthost-terminal:/2' }, all), false);
    assert.equal(isAllowed({ type: 'watch', kind: 'chat', uri: session }, all), false);
    assert.equal(isAllowed({ type: 'openDiff', edit }, all), true);
    assert.equal(isAllowed({ type: 'openDiff', edit: { after: edit.after } }, all), false);
  });
});
