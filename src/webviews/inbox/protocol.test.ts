import assert from 'node:assert/strict';
import { parseInboxMessage } from './protocol.ts';

describe('parseInboxMessage', () => {
  const session = { hostId: 'embedded', uri: 'demo:/1' };
  const approve = {
    type: 'dispatch',
    uri: 'demo:/1',
    action: {
      type: 'chat/toolCallConfirmed',
      turnId: 't',
      toolCallId: 'c',
      _meta: { 'tapline.asked': 'd1' },
      approved: true,
      confirmed: 'user-action',
    },
  };

  it('takes what cards and rows do, without members that it does not know', () => {
    const messages = [
      { type: 'ready' },
      { type: 'focus', place: 'card' },
      { type: 'inSession', session, message: approve },
      { type: 'open', id: 'i' },
      { type: 'markRead', id: 'i' },
      { type: 'signIn', id: 'i' },
      { type: 'copy', text: 'x' },
      { type: 'openExternal', url: 'https://example.com' },
    ];
    for (const message of messages) assert.deepEqual(parseInboxMessage({ ...message, more: 1 }), message);
  });

  it('takes nothing else', () => {
    const others = [
      undefined,
      [],
      { type: 'open' },
      { type: 'runCommand', command: 'newSession' },
      { type: 'denyPairing', pairingId: 'x' },
      { type: 'openExternal', url: 'command:x' },
      { type: 'inSession', message: approve },
      { type: 'inSession', session: { hostId: 'embedded' }, message: approve },
      { type: 'inSession', session, message: { type: 'dispatch', action: { ...approve.action, confirmed: 'setting' } } },
      { type: 'inSession', session, message: { type: 'dispatch', action: { type: 'session/delta' } } },
    ];
    for (const message of others) assert.equal(parseInboxMessage(message), undefined, JSON.stringify(message));
  });
});
