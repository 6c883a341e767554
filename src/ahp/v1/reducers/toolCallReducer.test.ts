import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { ConfirmationOption, SessionToolCallStartAction, ToolCallState } from '../toolCall.ts';
import type { ToolCallAction } from '../session.ts';
import { reduceToolCall, startedToolCall, toolCallAtTurnEnd, waitsForPerson } from './toolCallReducer.ts';

type Step = Exclude<ToolCallAction, SessionToolCallStartAction>;
type Short<A> = A extends unknown ? Omit<A, 'session' | 'turnId' | 'toolCallId'> : never;

const address = { session: 's', turnId: 't', toolCallId: 'c' };
const identity = { toolCallId: 'c', toolName: 'bash', displayName: 'Run' };
const known = { ...identity, invocationMessage: 'Running', toolInput: 'ls' };
const options: ConfirmationOption[] = [{ id: 'once', label: 'Once', kind: 'approve' }];
const result = { success: true, pastTenseMessage: 'Ran', content: [{ type: 'text' as const, text: 'ok' }] };

const streaming: ToolCallState = { ...identity, status: 'streaming' };
const pending: ToolCallState = { ...known, status: 'pending-confirmation', options };
const running: ToolCallState = { ...known, status: 'running', confirmed: 'setting', selectedOption: options[0] };
const pendingResult: ToolCallState = { ...known, ...result, status: 'pending-result-confirmation', confirmed: 'setting' };
const completed: ToolCallState = { ...known, ...result, status: 'completed', confirmed: 'setting' };
const cancelled: ToolCallState = { ...known, status: 'cancelled', reason: 'denied' };
const unknown = { ...identity, status: 'paused' } as unknown as ToolCallState;
const all = deepFreeze({ streaming, pending, running, pendingResult, completed, cancelled, unknown });

function after(call: ToolCallState, action: Short<Step>): ToolCallState {
  return reduceToolCall(call, deepFreeze({ ...address, ...action } as Step));
}
function assertOnlyFrom(names: (keyof typeof all)[], action: Short<Step>): void {
  for (const [name, call] of Object.entries(all)) {
    assert.equal(after(call, action) !== call, names.includes(name as keyof typeof all), `${action.type} from ${name}`);
  }
}

describe('tool calls', () => {
  it('start streaming, with what the start says about them', () => {
    const start = {
      ...address,
      type: 'session/toolCallStart' as const,
      toolName: 'bash',
      displayName: 'Run',
      toolClientId: 'me',
      _meta: { a: 1 },
    };
    assert.deepEqual(startedToolCall(start), { ...identity, status: 'streaming', toolClientId: 'me', _meta: { a: 1 } });
  });

  it('collect their input while they stream', () => {
    const action: Short<Step> = { type: 'session/toolCallDelta', content: '{"a"' };
    assertOnlyFrom(['streaming'], action);
    const first = after(streaming, { ...action, invocationMessage: 'Thinking' });
    assert.deepEqual(after(first, { ...action, content: ':1}' }), { ...streaming, partialInput: '{"a":1}', invocationMessage: 'Thinking' });
  });

  it('become ready: running when confirmed, else waiting with all that the user needs to decide', () => {
    const action = {
      type: 'session/toolCallReady' as const,
      invocationMessage: 'Run it',
      toolInput: 'rm',
      confirmed: 'not-needed' as const,
    };
    assertOnlyFrom(['streaming', 'running'], action);
    assert.deepEqual(after({ ...streaming, partialInput: 'r' } as ToolCallState, action), {
      ...identity,
      status: 'running',
      invocationMessage: 'Run it',
      toolInput: 'rm',
      confirmed: 'not-needed',
    });
    const asked = { confirmationTitle: 'Run?', edits: { items: [] }, editable: true, options };
    assert.deepEqual(after(running, { type: 'session/toolCallReady', invocationMessage: 'Run it', ...asked }), {
      ...identity,
      status: 'pending-confirmation',
      invocationMessage: 'Run it',
      ...asked,
    });
  });

  it('run once approved, with the edited input and the chosen option', () => {
    const approve: Short<Step> = { type: 'session/toolCallConfirmed', approved: true, confirmed: 'user-action', selectedOptionId: 'once' };
    assertOnlyFrom(['pending'], approve);
    const expected = { ...known, status: 'running', confirmed: 'user-action', selectedOption: options[0] };
    assert.deepEqual(after(pending, approve), expected);
    assert.deepEqual(after(pending, { ...approve, editedToolInput: '' }), { ...expected, toolInput: '' });
    assert.equal('selectedOption' in after(pending, { ...approve, selectedOptionId: '__proto__' }), false);
  });

  it('are cancelled once denied, with reason, message, suggestion and option', () => {
    const why = { reason: 'denied' as const, reasonMessage: 'No', userSuggestion: { text: 'Ask first' } };
    assert.deepEqual(after(pending, { type: 'session/toolCallConfirmed', approved: false, ...why, selectedOptionId: 'once' }), {
      ...known,
      status: 'cancelled',
      ...why,
      selectedOption: options[0],
    });
  });

  it('complete from running, or from waiting as not needed, and wait again when their result needs a confirmation', () => {
    const action: Short<Step> = { type: 'session/toolCallComplete', result };
    assertOnlyFrom(['running', 'pending'], action);
    assert.deepEqual(after(running, action), {
      ...known,
      ...result,
      status: 'completed',
      confirmed: 'setting',
      selectedOption: options[0],
    });
    assert.deepEqual(after(pending, action), { ...known, ...result, status: 'completed', confirmed: 'not-needed' });
    assert.equal(after(running, { ...action, requiresResultConfirmation: true }).status, 'pending-result-confirmation');
  });

  it('take only the fields of a result from a result', () => {
    const forged = { ...result, status: 'running', toolCallId: 'other', confirmed: 'setting' };
    assert.deepEqual(after(pending, { type: 'session/toolCallComplete', result: forged }), {
      ...known,
      ...result,
      status: 'completed',
      confirmed: 'not-needed',
    });
  });

  it('complete or are cancelled once their result was confirmed or denied', () => {
    assertOnlyFrom(['pendingResult'], { type: 'session/toolCallResultConfirmed', approved: true });
    assert.deepEqual(after(pendingResult, { type: 'session/toolCallResultConfirmed', approved: true }), completed);
    assert.deepEqual(after(pendingResult, { type: 'session/toolCallResultConfirmed', approved: false }), {
      ...known,
      status: 'cancelled',
      reason: 'result-denied',
    });
  });

  it('show content while they run', () => {
    const content = [{ type: 'hologram' } as never];
    assertOnlyFrom(['running'], { type: 'session/toolCallContentChanged', content });
    assert.deepEqual(after(running, { type: 'session/toolCallContentChanged', content }), { ...running, content });
  });

  it('are skipped at the end of the turn unless they are finished, or have an unknown status', () => {
    const skipped = { status: 'cancelled', reason: 'skipped' };
    assert.deepEqual(toolCallAtTurnEnd(streaming), { ...identity, ...skipped, invocationMessage: '' });
    assert.deepEqual(toolCallAtTurnEnd(pending), { ...known, ...skipped });
    assert.deepEqual(toolCallAtTurnEnd(running), { ...known, ...skipped, selectedOption: options[0] });
    assert.deepEqual(toolCallAtTurnEnd(pendingResult), { ...known, ...skipped });
    for (const call of [completed, cancelled, unknown]) assert.equal(toolCallAtTurnEnd(call), call);
  });

  it('wait for the user before they run and before the model gets their result', () => {
    assert.deepEqual(
      Object.entries(all)
        .filter(([, call]) => waitsForPerson(call))
        .map(([name]) => name),
      ['pending', 'pendingResult'],
    );
  });
});
