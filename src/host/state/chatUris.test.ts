import assert from 'node:assert/strict';
import { subagentUri } from '../../ahp/subagentUri.ts';
import { changesetUri, changesUri, chatUri, namedSession, namedChangeset, nameOfChat, subagentChatUri } from './chatUris.ts';

const names = ['demo:/1', 'copilotcli:/a-b_c', 'demo:/ü 😀?x#y', 'demo:/1/subagent/c', 'x:'];

describe('URIs of chats', () => {
  it('are made of a name and give it back', () => {
    for (const name of names) {
      assert.equal(nameOfChat(chatUri(name)), name);
      assert.doesNotThrow(() => new URL(chatUri(name)));
    }
    assert.equal(new Set(names.map(chatUri)).size, names.length);
  });

  it('have no name where a client has chosen them, however close they are', () => {
    const own = chatUri('demo:/1');
    for (const other of [
      'ahp-chat://mine/1',
      'demo:/1',
      '',
      `${own}=`,
      `${own}/x`,
      `${own}?`,
      'ahp-chat://default/a+b/',
      'ahp-chat://default/!',
    ])
      assert.equal(nameOfChat(other), undefined, other);
  });

  it('of subagents are below that of the chat that they work for, at any depth', () => {
    const first = subagentChatUri(chatUri('demo:/1'), 'call 1');
    assert.equal(nameOfChat(first), subagentUri('demo:/1', 'call 1'));
    const second = subagentChatUri(first, 'c');
    assert.equal(nameOfChat(second), subagentUri(subagentUri('demo:/1', 'call 1'), 'c'));
    const named = subagentChatUri('ahp-chat://mine/1', 'c');
    assert.equal(nameOfChat(named), subagentUri('ahp-chat://mine/1', 'c'));
    assert.equal(new Set([first, second, named, subagentChatUri(chatUri('demo:/1'), 'call 2')]).size, 4);
  });

  it('of the changes of a session are its own', () => {
    const uris = names.map(changesUri);
    assert.equal(new Set([...uris, ...names.map(chatUri)]).size, 2 * names.length);
    for (const uri of uris) assert.match(uri, /^ahp-changeset:\/\/session\/[\w-]+$/);
    for (const name of names) assert.equal(namedSession(changesUri(name)), name);
  });

  it('of changesets say what they show, of which session, and of which turn', () => {
    for (const session of names)
      for (const name of [
        { kind: 'uncommitted', session },
        { kind: 'turn', session, turnId: 'a/b %?#' },
      ]) {
        const uri = changesetUri(name);
        assert.deepEqual(namedChangeset(uri), name);
        assert.equal(namedSession(uri), session);
      }
    const { length } = changesUri('demo:/1');
    for (const other of [
      'ahp-changeset:/x',
      `${changesUri('demo:/1')}/%`,
      `${changesUri('demo:/1')}/a/b`,
      `${changesUri('demo:/1')}=`,
      changesUri('demo:/1').slice(0, length - 1),
    ])
      assert.equal(namedChangeset(other), undefined, other);
  });
});
