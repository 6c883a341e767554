import assert from 'node:assert/strict';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { endedSession, unfinishedMessages } from './ended.ts';
import { headerView } from './header.ts';
import { waitingOf } from '../waiting/waiting.ts';

const idle: SessionState = {
  summary: { resource: 'copilot:/1', provider: 'copilot', title: 'T', status: 1, createdAt: 0, modifiedAt: 5 },
  lifecycle: 'ready',
  turns: [],
};
const asks = { toolCallId: 'c', toolName: 'bash', displayName: 'Bash', invocationMessage: 'Run', status: 'pending-confirmation' } as const;
const working: SessionState = {
  ...idle,
  activeTurn: {
    id: 't',
    userMessage: { text: 'Fix it' },
    responseParts: [
      { kind: 'markdown', id: 'm', content: 'I begin' },
      { kind: 'toolCall', toolCall: asks },
    ],
  },
  steeringMessage: { id: 's', userMessage: { text: 'Faster' } },
  queuedMessages: [{ id: 'q', userMessage: { text: 'Then this' } }],
};

describe('a session that was removed', () => {
  it('does not work any more and needs nobody; what was said stays', () => {
    assert.equal(headerView(working, undefined, 'Here').state.kind, 'needsYou');
    const ended = endedSession(working);
    assert.equal(ended.activeTurn, undefined);
    assert.deepEqual(waitingOf(ended), []);
    const [turn] = ended.turns;
    assert.equal(turn?.error?.message, 'The session was removed while this turn was running.');
    assert.equal(turn?.responseParts.length, 2);
    assert.equal(ended.summary.modifiedAt, 5);
    assert.equal(endedSession(idle), idle);
    assert.deepEqual(waitingOf(endedSession({ ...idle, inputRequests: [{ id: 'q', message: 'Which?' }] })), []);
  });

  it('gives back what no turn has finished, in the order in which it was written', () => {
    const prompt = { type: 'session/turnStarted', session: 'copilot:/1', turnId: 'u', userMessage: { text: 'And that' } } as const;
    const title = { type: 'session/titleChanged', session: 'copilot:/1', title: 'x' } as const;
    assert.deepEqual(
      unfinishedMessages(working, [title, prompt]).map(({ text }) => text),
      ['Fix it', 'Faster', 'Then this', 'And that'],
    );
    assert.deepEqual(unfinishedMessages(idle, []), []);
  });
});
