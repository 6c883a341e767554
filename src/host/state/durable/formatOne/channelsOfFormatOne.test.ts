/** What the folders of the corpus do not have. */
import assert from 'node:assert/strict';
import { SessionStatus } from '../../../../ahp/common/status.ts';
import { subagentUri } from '../../../../ahp/subagentUri.ts';
import type { ResponsePart, SessionState, SessionSummary } from '../../../../ahp/v1/session.ts';
import { chatUri } from '../../chatUris.ts';
import { listedChannels, stateIn } from '../listedChannels.ts';
import { channelsOfFormatOne, factsSince } from './channelsOfFormatOne.ts';

const uri = 't:/1';
const newState = (resource: string, more: Partial<SessionState> = {}, summary: Partial<SessionSummary> = {}): SessionState => ({
  summary: { resource, provider: 'p', title: 'T', status: 1, createdAt: 1, modifiedAt: 2, ...summary },
  lifecycle: 'ready',
  turns: [],
  ...more,
});
const call = (toolCallId: string, content: { type: 'subagent' | 'terminal'; resource: string }, more = {}): ResponsePart => ({
  kind: 'toolCall',
  toolCall: {
    ...{ status: 'running', toolCallId, toolName: 'n', displayName: 'N', invocationMessage: 'm', confirmed: 'not-needed' },
    content: [{ ...content, title: 'C' }],
    ...more,
  },
});
const turnOf = (...responseParts: ResponsePart[]): SessionState['turns'] => [
  { id: 't1', userMessage: { text: 'hi' }, responseParts, state: 'complete' },
];
const chatOf = (name: string, ...states: [SessionState, ...SessionState[]]) =>
  stateIn(channelsOfFormatOne(uri, states), chatUri(name), 'chat');
const contentsOf = (state: SessionState) =>
  chatOf(uri, state)?.turns[0]?.responseParts.flatMap((part) =>
    'toolCall' in part && 'content' in part.toolCall ? (part.toolCall.content ?? []) : [],
  );

describe('channelsOfFormatOne', () => {
  it('keeps what is in _meta, with the messages that nobody has heard as messages of today', () => {
    const _meta = { 'tapline.grants': [{ kind: 'command', text: 'ls' }], 'tapline.unheard': [{ id: 'm', userMessage: { text: 'wait' } }] };
    assert.deepEqual(stateIn(channelsOfFormatOne(uri, [newState(uri, { _meta })]), uri, 'session')?._meta, {
      ..._meta,
      'tapline.unheard': [{ id: 'm', message: { text: 'wait', origin: { kind: 'user' } } }],
    });
  });

  it('names subagents as chats, and terminals as their clients do', () => {
    const named = 'agenthost-terminal:/ahp-terminal:/one';
    const state = newState(uri, {
      turns: turnOf(
        call('a', { type: 'subagent', resource: subagentUri(uri, 'a') }),
        call('b', { type: 'terminal', resource: named }),
        call('c', { type: 'terminal', resource: 'agenthost-terminal:/two' }),
      ),
    });
    assert.deepEqual(contentsOf(state), [
      { type: 'subagent', resource: chatUri(subagentUri(uri, 'a')), title: 'C' },
      { type: 'terminal', resource: 'ahp-terminal:/one', title: 'C' },
      { type: 'terminal', resource: 'agenthost-terminal:/two', title: 'C' },
    ]);
  });

  it('knows the call of a subagent, also where its id was used before, and of one below another', () => {
    const second = `${subagentUri(uri, 'a')}-4ee6f2a8`;
    const below = subagentUri(second, 'b');
    const state = newState(uri, { turns: turnOf(call('a', { type: 'subagent', resource: second })) });
    const states = [newState(second), newState(below)] as const;
    assert.deepEqual(chatOf(second, state, ...states)?.origin, { kind: 'tool', chat: chatUri(uri), toolCallId: 'a' });
    assert.deepEqual(chatOf(below, state, ...states)?.origin, { kind: 'tool', chat: chatUri(second), toolCallId: 'b' });
  });

  it('leaves the archive to the session, and lists the oldest subagent first', () => {
    const archived = SessionStatus.Error | SessionStatus.IsRead | SessionStatus.IsArchived;
    const state = newState(uri, {}, { status: archived });
    const [late, early] = ['late', 'early'].map((id) => subagentUri(uri, id)) as [string, string];
    const channels = channelsOfFormatOne(uri, [state, newState(late, {}, { createdAt: 9 }), newState(early, {}, { createdAt: 3 })]);
    assert.equal(stateIn(channels, chatUri(uri), 'chat')?.status, SessionStatus.Error | SessionStatus.IsRead);
    const facts = factsSince({ facts: { uri, workingDirectory: '/w', worktree: { path: '/w', branch: 'b' } as never }, state });
    assert.deepEqual(facts, { uri, workingDirectory: '/w', createdAt: 1, worktree: { path: '/w', branch: 'b' } });
    const { summary, chats } = listedChannels(facts, channels);
    assert.equal(summary.status, archived);
    assert.deepEqual(
      chats.map(({ resource }) => resource),
      [uri, early, late].map(chatUri),
    );
  });

  it('shows a call of a client, and a question of a subagent, in their chats', () => {
    const subagent = subagentUri(uri, 'a');
    const asks = newState(subagent, {
      activeTurn: {
        id: 't1',
        userMessage: { text: 'go' },
        responseParts: [call('x', { type: 'terminal', resource: 'y' }, { toolClientId: 'c' })],
      },
      inputRequests: [{ id: 'q', message: 'Really?' }],
    });
    const chat = chatOf(subagent, newState(uri), asks);
    const [part, question] = chat?.activeTurn?.responseParts ?? [];
    assert.deepEqual(part && 'toolCall' in part && part.toolCall.contributor, { kind: 'client', clientId: 'c' });
    assert.deepEqual(question, { kind: 'inputRequest', request: { id: 'q', message: 'Really?' } });
    assert.equal(chat?.activeTurn?.message.origin.kind, 'tool');
  });
});
