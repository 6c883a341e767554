import assert from 'node:assert/strict';
import { engineSessionId } from './conversation.ts';

describe('The engine’s session of a chat', () => {
  const uuid = '01234567-89ab-cdef-0123-456789abcdef';
  const session = `copilot:/${uuid}`;

  it('is for the first chat the one that its session has always had', () => {
    assert.equal(engineSessionId({ session, chat: 'ahp-chat:1', isDefault: true }), uuid);
    const odd = engineSessionId({ session: 'copilot:/../x', chat: 'ahp-chat:1', isDefault: true });
    assert.equal(odd, 'tapline-ecf8946db2f5abb7a613f612023dd05f');
  });

  it('is another one for every other chat, whatever clients call it', () => {
    const chats = ['ahp-chat:1', 'ahp-chat:2', `ahp-chat:/${uuid}`, `ahp-chat:/../${uuid}`];
    const ids = chats.map((chat) => engineSessionId({ session, chat, isDefault: false }));
    assert.equal(new Set([...ids, uuid]).size, chats.length + 1);
    for (const id of ids) assert.match(id, /^tapline-[0-9a-f]{32}$/);
    const elsewhere = engineSessionId({ session: 'copilot:/other', chat: 'ahp-chat:1', isDefault: false });
    assert.equal(elsewhere, ids[0], 'it goes with the chat');
  });
});
