import assert from 'node:assert/strict';
import type { RootState } from '../../ahp/channels/root.ts';
import { openChat, said } from '../../../test/fakes/models.ts';
import { chatOffersOf } from './chatOffers.ts';

const summary = (resource: string) => ({ resource, title: '', status: 1, modifiedAt: '2026-11-23T09:00:00Z' });
const root = (multipleChats?: object): RootState => ({
  agents: [
    { provider: 'copilot', displayName: '', description: '', models: [], ...(multipleChats && { capabilities: { multipleChats } }) },
  ],
});

describe('what the palette offers of chats', () => {
  it('is what can be done', () => {
    const one = openChat();
    assert.deepEqual(chatOffersOf(one, root(), { renames: true }), []);
    assert.deepEqual(
      chatOffersOf(one, root({ fork: true }), { renames: true }),
      ['newChat'],
      'there is no turn to fork from, and the name is the session’s',
    );
    const resource = 'ahp-chat://main/1';
    const chats = [summary(resource), summary('ahp-chat://side/1')];
    const error = { kind: 'error' as const, error: { errorType: 'x', message: 'No' }, resumable: true };
    const turns = [{ id: 't', message: said('Go'), responseParts: [error], state: 'error' as const }];
    const full = openChat({ resource, turns, turnsNextCursor: 'older' }, { chats, defaultChat: resource });
    const can = { fork: true, sideChat: true };
    assert.deepEqual(chatOffersOf(full, root(can), { renames: true }), [
      ...['newChat', 'chooseChat', 'renameChat', 'deleteChat', 'forkChat', 'askAside', 'resumeTurn'],
      ...['goBack', 'editMessage', 'retryTurn', 'loadOlderTurns'],
    ]);
    const away = chatOffersOf(full, root(), { away: true });
    assert.deepEqual([away.includes('goBack'), away.includes('editMessage'), away.includes('retryTurn')], [false, false, false]);
    assert.deepEqual(chatOffersOf(full, root(can), { renames: true, readOnly: true }), ['chooseChat']);
    assert.equal(chatOffersOf(full, root(can), {}).includes('renameChat'), false, 'the host cannot');
  });
});
