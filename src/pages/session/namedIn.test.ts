import assert from 'node:assert/strict';
import { isBelow, isNamedIn } from './namedIn.ts';

describe('what a session names', () => {
  const state = {
    chats: [{ resource: 'ahp-chat:/1' }],
    turns: [{ parts: [{ content: 'file:///said' }, { before: { content: { uri: 'x:before' } } }] }],
  };

  it('is where its state says that something is, and not what a text says', () => {
    for (const uri of ['ahp-chat:/1', 'x:before']) assert.equal(isNamedIn([undefined, state], uri), true, uri);
    for (const uri of ['ahp-chat:/2', 'file:///said', '']) assert.equal(isNamedIn([state], uri), false, uri);
    assert.equal(isNamedIn([], 'x:before'), false);
  });

  it('is found however deep it is', () => {
    let deep: object = { uri: 'x:deep' };
    for (let at = 0; at < 20_000; at++) deep = [deep];
    assert.equal(isNamedIn([deep], 'x:deep'), true);
  });
});

describe('what is in a folder', () => {
  it('has no other way of writing', () => {
    for (const uri of ['file:///w/a.ts', 'file:///w/b/../a.ts', 'file:///w/a%20b']) assert.equal(isBelow('file:///w', uri), true, uri);
    const others = ['file:///w', 'file:///wide/a', 'file:///w/../x', 'file:///w/%2e%2e/x', 'file:///w/..%2fx', 'file:///w/%252e%252e/x'];
    for (const uri of [...others, 'file:///w/..\\x', 'file://other/w/a', 'x:/w/a', 'w/a'])
      assert.equal(isBelow('file:///w/', uri), false, uri);
  });
});
