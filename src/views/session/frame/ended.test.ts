import assert from 'node:assert/strict';
import { chatState, openChat, said, sessionState } from '../../../../test/fakes/models.ts';
import { failureOf } from '../transcript/transcript.ts';
import { looseQuestions, waitingOf } from '../waiting/waiting.ts';
import { endedChat, endedSession, unfinishedMessages } from './ended.ts';
import { headerView } from './header.ts';

const idle = chatState();
const asks = { toolCallId: 'c', toolName: 'bash', displayName: 'Bash', invocationMessage: 'Run', status: 'pending-confirmation' } as const;
const working = chatState({
  activeTurn: {
    id: 't',
    message: said('Fix it'),
    responseParts: [
      { kind: 'markdown', id: 'm', content: 'I begin' },
      { kind: 'toolCall', toolCall: asks },
    ],
  },
  steeringMessage: { id: 's', message: said('Faster') },
  queuedMessages: [{ id: 'q', message: said('Then this') }],
});

describe('a session that was removed', () => {
  it('does not work any more and needs nobody; what was said stays', () => {
    assert.equal(headerView(openChat(working), undefined, 'Here').state.kind, 'needsYou');
    const ended = endedChat(working);
    assert.equal(ended.activeTurn, undefined);
    assert.deepEqual(waitingOf(ended), []);
    const [turn] = ended.turns;
    assert.ok(turn);
    assert.equal(failureOf(turn)?.error.message, 'The session was removed while this turn was running.');
    assert.equal(turn.responseParts.length, 3);
    assert.equal(endedChat(idle), idle);
    const request = { id: 'q', message: 'Which?' };
    const asked = sessionState({ inputNeeded: [{ kind: 'chatInput', id: 'n', chat: idle.resource, request }] });
    assert.equal(looseQuestions(asked, idle.resource, idle).length, 1);
    assert.deepEqual(looseQuestions(endedSession(asked), idle.resource, idle), []);
  });

  it('gives back what no turn has finished, in the order in which it was written', () => {
    const prompt = { type: 'chat/turnStarted', turnId: 'u', startedAt: '', message: said('And that') } as const;
    const title = { type: 'session/titleChanged', title: 'x' } as const;
    assert.deepEqual(
      unfinishedMessages(working, [title, prompt]).map(({ text }) => text),
      ['Fix it', 'Faster', 'Then this', 'And that'],
    );
    assert.deepEqual(unfinishedMessages(idle, []), []);
  });
});
