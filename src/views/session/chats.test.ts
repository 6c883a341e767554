import assert from 'node:assert/strict';
import { sessionState } from '../../../test/fakes/models.ts';
import { chatTitle, deletableChats, shownChat } from './chats.ts';

const summary = (resource: string, fields: object = {}) => ({
  resource,
  title: '',
  status: 1,
  modifiedAt: '2026-11-23T09:00:00Z',
  ...fields,
});
const MAIN = 'ahp-chat://main/1';
const SIDE = 'ahp-chat://side/1';

describe('The chats of a session', () => {
  it('show the session’s own, until one is chosen or shown', () => {
    const chats = [summary(MAIN), summary(SIDE)];
    assert.equal(shownChat(sessionState({ chats, defaultChat: SIDE })), SIDE);
    assert.equal(shownChat(sessionState({ chats, defaultChat: SIDE }), MAIN), MAIN);
    assert.equal(shownChat(sessionState({ chats: [summary(SIDE)], defaultChat: SIDE }), MAIN), SIDE);
    const { defaultChat: _, ...without } = sessionState({ chats });
    assert.equal(shownChat(without), MAIN);
    assert.equal(shownChat({ ...without, chats: [] }), undefined);
  });

  it('are deleted one by one, but for the session’s own and those of subagents', () => {
    const helper = summary('ahp-chat://helper/1', { origin: { kind: 'tool', chat: MAIN, toolCallId: 'c' } });
    const chats = [summary(MAIN), helper, summary(SIDE), summary('ahp-chat://hidden/1', { interactivity: 'hidden' })];
    assert.deepEqual(deletableChats(sessionState({ chats, defaultChat: MAIN })), [SIDE]);
    assert.deepEqual(deletableChats(sessionState()), [], 'of AHP v1');
  });

  it('have titles, also without one', () => {
    const helper = summary('ahp-chat://helper/1', { origin: { kind: 'tool', chat: MAIN, toolCallId: 'c' } });
    const session = sessionState({ chats: [summary(MAIN), helper, summary(SIDE)], defaultChat: MAIN });
    assert.equal(chatTitle(session, MAIN), 'Main chat');
    assert.equal(chatTitle(session, SIDE), 'Chat 2', 'the chats of subagents are not counted');
    assert.equal(chatTitle(sessionState({ chats: [summary(SIDE, { title: 'A\nB' })] }), SIDE), 'A B');
  });
});
