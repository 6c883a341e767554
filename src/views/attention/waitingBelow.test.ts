import assert from 'node:assert/strict';
import type { ChatState } from '../../ahp/channels/chat/state.ts';
import { sessionState } from '../../../test/fakes/models.ts';
import { isSubagentOf } from '../../ahp/subagentUri.ts';
import { chatsBelow, waitingIn } from './waitingBelow.ts';

const uri = 'demo:/1';
const call = (id: string) => ({ toolCallId: id, toolName: 't', displayName: 'T', invocationMessage: 'x' });
const waits = (id: string) => ({ kind: 'toolCall' as const, toolCall: { ...call(id), status: 'pending-confirmation' as const } });
const starts = (id: string, resource: string) => ({
  kind: 'toolCall' as const,
  toolCall: {
    ...call(id),
    status: 'running' as const,
    confirmed: 'not-needed' as const,
    content: [{ type: 'subagent' as const, resource, title: 'S' }],
  },
});
const session = (resource: string, ...responseParts: object[]) =>
  ({
    resource,
    title: '',
    status: 1,
    modifiedAt: '',
    turns: [],
    activeTurn: { id: 't', message: { text: '' }, responseParts },
  }) as unknown as ChatState;

describe('what waits in a chat and below it', () => {
  const known = (chat: ChatState, others: Record<string, ChatState>) =>
    chatsBelow(uri, chat, { holds: (one) => isSubagentOf(one, uri), chatOf: (one) => others[one] });
  const below = (chat: ChatState, others: Record<string, ChatState> = {}) =>
    waitingIn(known(chat, others), uri, { session: sessionState(), chat }).map(({ uri: where, waiting }) => [
      where,
      waiting.kind === 'question' ? '?' : waiting.call.toolCallId,
    ]);

  it('is what waits in the session and in its subagents, however deep', () => {
    const [a, b] = [`${uri}/subagent/a`, `${uri}/subagent/a/subagent/b`];
    const others = { [a]: session(a, waits('in a'), starts('b', b)), [b]: session(b, waits('in b')) };
    assert.deepEqual(below(session(uri, starts('a', a), waits('own')), others), [
      [uri, 'own'],
      [a, 'in a'],
      [b, 'in b'],
    ]);
  });

  it('counts a subagent once, and none that is not its own or not known', () => {
    const [a, foreign] = [`${uri}/subagent/a`, 'demo:/2'];
    const others = { [a]: session(a, waits('in a')), [foreign]: session(foreign, waits('foreign')), [uri]: session(uri, waits('own')) };
    const state = session(
      uri,
      starts('a', a),
      starts('again', a),
      starts('f', foreign),
      starts('self', uri),
      starts('u', `${uri}/subagent/u`),
    );
    assert.deepEqual(below(state, others), [[a, 'in a']]);
  });
});
