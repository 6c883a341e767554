import assert from 'node:assert/strict';
import { emptyTranscript, type TranscriptState, withOwnPrompt, withResponse } from './transcript.ts';

const after = (...responses: Record<string, unknown>[]): TranscriptState => responses.reduce(withResponse, emptyTranscript);

describe('the transcript of the portal', () => {
  it('grows with the pieces of a text, whose end has all of it', () => {
    const start = { callback: 'onStartMessage', messageId: 'm' };
    const piece = (delta: string) => ({ callback: 'onMessage', messageId: 'm', delta });
    assert.deepEqual(after(start, piece('a'), piece('b')).parts, [{ kind: 'message', id: 'm', text: 'ab' }]);
    const end = { callback: 'onEndMessage', messageId: 'm', completeContent: 'all' };
    assert.deepEqual(after(start, piece('a'), end).parts, [{ kind: 'message', id: 'm', text: 'all' }]);
    const reasoning = { callback: 'onStartReasoning', reasoningId: 'm' };
    assert.deepEqual(after(reasoning, { callback: 'onReasoning', reasoningId: 'm', delta: 'r' }).parts, [
      { kind: 'reasoning', id: 'm', text: 'r' },
    ]);
  });

  it('says which tools ran, with what, and how they ended', () => {
    const start = { callback: 'onStartToolExecution', toolCallId: 'c', toolName: 'ls', toolArguments: '{}' };
    const tool = (...rest: Record<string, unknown>[]) => after(start, ...rest).parts[0];
    assert.deepEqual(tool(), { kind: 'tool', id: 'c', name: 'ls', input: '{}', output: '', status: 'Running' });
    assert.deepEqual(tool({ callback: 'onEndToolExecution', toolCallId: 'c', result: { content: 'out' } }), {
      ...{ kind: 'tool', id: 'c', name: 'ls', input: '{}', output: 'out', status: 'Succeeded' },
    });
    assert.deepEqual(tool({ callback: 'onEndToolExecution', toolCallId: 'c', error: { message: 'no' } }), {
      ...{ kind: 'tool', id: 'c', name: 'ls', input: '{}', output: '', status: 'Failed', problem: 'no' },
    });
    const denied = after({ callback: 'onEndToolExecution', toolCallId: 'd', error: { message: 'denied', code: 'denied' } });
    assert.deepEqual(denied.parts, [{ kind: 'tool', id: 'd', name: 'A tool', input: '', output: '', status: 'Failed', problem: 'denied' }]);
  });

  it('has prompts, errors, and gaps', () => {
    const state = after(
      { callback: 'onGeneratedUserPrompt', prompt: 'do\u202e' },
      { sessionError: 'x' },
      { error: 'EventsDropped', dropped: 7 },
    );
    assert.deepEqual(withOwnPrompt(state, 'mine').parts, [
      { kind: 'prompt', id: '', text: 'doU+202E', isOwn: false },
      { kind: 'error', id: '', text: 'x' },
      { kind: 'error', id: '', text: '7 events are not kept any more.' },
      { kind: 'prompt', id: '', text: 'mine', isOwn: true },
    ]);
  });

  it('is not changed by what it does not know, nor by pieces of what it does not have', () => {
    const odd = [{}, { callback: 'onIdle' }, { error: 'SessionClosed' }, { callback: 'onMessage', messageId: 'm', delta: 'x' }];
    assert.deepEqual(after(...odd, { callback: 'onStartMessage' }, { callback: 'onMessage', delta: 5 }).parts, [
      { kind: 'message', id: '', text: '' },
    ]);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 400 }, (_, at) => ({ callback: 'onGeneratedUserPrompt', prompt: `${at}` }));
    const { parts, dropped } = after(...many);
    assert.deepEqual([parts.length, dropped], [300, 100]);
    const huge = after(
      { callback: 'onStartMessage', messageId: 'm' },
      { callback: 'onMessage', messageId: 'm', delta: 'x'.repeat(300_000) },
    );
    assert.equal((huge.parts[0] as { text: string }).text.length, 200_001);
  });
});
