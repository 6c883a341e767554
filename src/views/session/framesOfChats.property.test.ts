/** What a page remembers of a chat is what it would make of it anew, whatever has happened to the chat. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chatReducer } from '../../ahp/channels/chat/chatReducer.ts';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import type { ActionLike } from '../../ahp/common/reducers/reducer.ts';
import { chatState, said } from '../../../test/fakes/models.ts';
import { todoList } from './todos/todoList.ts';
import { lastTurnViews, turnViews } from './transcript/transcript.ts';
import { runs } from '../../../test/support/runs.ts';

const turnId = fc.constantFrom('t1', 't2', 't3');
const toolCallId = fc.constantFrom('a', 'b');
const steps = fc.array(fc.record({ content: fc.constantFrom('x', 'y'), status: fc.constantFrom('pending', 'completed') }), {
  maxLength: 3,
});
const action: fc.Arbitrary<object> = fc.oneof(
  fc.record({ type: fc.constant('chat/turnStarted'), turnId, message: fc.constant(said('Go')), startedAt: fc.constant('') }),
  fc.record({ type: fc.constantFrom('chat/turnComplete', 'chat/turnCancelled'), turnId, duration: fc.nat(9) }),
  fc.record({ type: fc.constantFrom('chat/delta', 'chat/reasoning'), turnId, partId: toolCallId, content: fc.constant('x') }),
  fc.record({
    type: fc.constant('chat/responsePart'),
    turnId,
    part: fc.record({ kind: fc.constantFrom('markdown', 'reasoning'), id: toolCallId, content: fc.constant('x') }),
  }),
  fc.record({
    ...{ type: fc.constant('chat/toolCallStart'), turnId, toolCallId },
    ...{ toolName: fc.constantFrom('TodoWrite', 'bash'), displayName: fc.constant('') },
  }),
  fc.record({
    ...{ type: fc.constant('chat/toolCallReady'), turnId, toolCallId, invocationMessage: fc.constant('') },
    ...{ confirmed: fc.constant('not-needed'), toolInput: steps.map((todos) => JSON.stringify({ todos })) },
  }),
  fc.record({
    ...{ type: fc.constant('chat/toolCallComplete'), turnId, toolCallId },
    result: fc.record({ success: fc.boolean(), pastTenseMessage: fc.constant('') }),
  }),
  fc.record({ type: fc.constant('chat/turnResume'), turnId }),
  fc.record({ type: fc.constant('chat/truncated'), turnId: fc.option(turnId, { nil: undefined }) }),
  fc.record({
    type: fc.constant('chat/turnsLoaded'),
    turns: fc.array(
      fc.record({ id: turnId, message: fc.constant(said('')), responseParts: fc.constant([]), state: fc.constant('complete') }),
      {
        maxLength: 2,
      },
    ),
  }),
);

describe('Frames of a chat', () => {
  it('are those of the same chat that nobody has seen before', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60, size: 'max' }), (actions) => {
        let chat: ChatState = chatState();
        for (const one of actions) {
          chat = chatReducer(chat, one as ActionLike, 1);
          const unseen = structuredClone(chat);
          assert.deepEqual(turnViews(chat), turnViews(unseen));
          assert.deepEqual(todoList(chat), todoList(unseen));
          for (const count of [0, 1, 2, 9])
            assert.deepEqual(lastTurnViews(chat, count), count === 0 ? [] : turnViews(unseen).slice(-count));
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('keep the views of turns that have not changed', () => {
    const turns = [1, 2, 3].map((id) => ({ id: `${id}`, message: said(''), responseParts: [], state: 'complete' as const }));
    const chat = chatState({ turns, activeTurn: { id: '4', message: said(''), responseParts: [] } });
    const next = chatReducer(chat, { type: 'chat/turnComplete', turnId: '4', duration: 1 }, 1);
    assert.deepEqual(
      lastTurnViews(next, 3).map((view) => turnViews(chat).includes(view)),
      [true, true, false],
    );
  });
});
