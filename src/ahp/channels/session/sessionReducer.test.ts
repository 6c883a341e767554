/** What the shared cases of the session channel do not have, and the additions of 1.0.0. */
import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { Customization } from '../shapes/customizations.ts';
import type { SessionAction } from './actions.ts';
import { sessionReducer } from './sessionReducer.ts';
import type { SessionState } from './state.ts';

const chat = (resource: string) => ({ resource, title: resource, status: 1, modifiedAt: '' });
const empty: SessionState = { provider: 'p', title: 'T', status: 1, lifecycle: 'ready', activeClients: [], chats: [] };
const after = (state: SessionState, ...actions: SessionAction[]): SessionState =>
  actions.reduce<SessionState>((current, action) => sessionReducer(current, deepFreeze(action), 0), deepFreeze(state));

const server = { type: 'mcpServer' as const, id: 's', uri: 'x:/s', name: 'Search', state: { kind: 'starting' as const, blocking: true } };
const skill = { type: 'skill' as const, id: 'k', uri: 'x:/k', name: 'Lint' };
const plugin: Customization = { type: 'plugin', id: 'p', uri: 'x:/p', name: 'Plugin', children: [skill, { ...server, id: 'child' }] };
const equipped: SessionState = { ...empty, customizations: [plugin, server] };

describe('sessionReducer', () => {
  it('orders the chats as told, by an exact permutation only', () => {
    const three = { ...empty, chats: [chat('a'), chat('b'), chat('c')] };
    const reorder = (...chats: string[]): SessionAction => ({ type: 'session/chatsReordered', chats });
    assert.deepEqual(
      after(three, reorder('c', 'a', 'b')).chats.map(({ resource }) => resource),
      ['c', 'a', 'b'],
    );
    for (const order of [
      ['a', 'b'],
      ['a', 'b', 'b'],
      ['a', 'b', 'x'],
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c'],
    ]) {
      assert.equal(after(three, reorder(...order)), deepFreeze(three), order.join());
    }
  });

  it('forgets the default chat when that is removed', () => {
    const two = { ...empty, chats: [chat('a'), chat('b')], defaultChat: 'a' };
    assert.deepEqual(after(two, { type: 'session/chatRemoved', chat: 'a' }), { ...empty, chats: [chat('b')] });
    assert.equal(after(two, { type: 'session/chatRemoved', chat: 'b' }).defaultChat, 'a');
  });

  it('never changes which chat a summary is of', () => {
    const one = { ...empty, chats: [chat('a')] };
    const changes = { resource: 'b', title: 'New', movable: true, changes: { files: 1 } };
    assert.deepEqual(after(one, { type: 'session/chatUpdated', chat: 'a', changes }).chats, [
      { ...chat('a'), title: 'New', movable: true, changes: { files: 1 } },
    ]);
  });

  it('replaces a working directory without a duplicate, and leaves the first at its place', () => {
    const replaced = (directory: string, replacement: string): unknown =>
      after(
        { ...empty, workingDirectories: ['x:/a', 'x:/b', 'x:/c'] },
        { type: 'session/workingDirectoryReplaced', directory, replacement },
      ).workingDirectories;
    assert.deepEqual(replaced('x:/b', 'x:/d'), ['x:/a', 'x:/d', 'x:/c']);
    assert.deepEqual(replaced('x:/c', 'x:/a'), ['x:/a', 'x:/b']);
    assert.deepEqual(replaced('x:/b', 'x:/c'), ['x:/a', 'x:/c']);
    assert.deepEqual(replaced('x:/x', 'x:/d'), ['x:/a', 'x:/b', 'x:/c']);
  });

  it('replaces all decisions about a customization', () => {
    const toggle = (id: string, ...enablement: { kind: 'global' | 'session'; enabled: boolean }[]): SessionAction => ({
      type: 'session/customizationToggled',
      id,
      enablement,
    });
    const off = { kind: 'session' as const, enabled: false };
    const on = { kind: 'global' as const, enabled: true };
    const decided = after(equipped, toggle('p', off, on), toggle('p', on));
    assert.deepEqual(decided.customizations, [{ ...plugin, enablement: [on] }, server]);
    assert.deepEqual(after(decided, toggle('p')), equipped, 'no decision');
    assert.deepEqual(after(equipped, toggle('k', off)).customizations, [
      {
        ...plugin,
        children: [
          { ...skill, enabled: false },
          { ...server, id: 'child' },
        ],
      },
      server,
    ]);
    assert.deepEqual(after(equipped, toggle('child', off)).customizations, [
      { ...plugin, children: [skill, { ...server, id: 'child', enablement: [off] }] },
      server,
    ]);
    assert.equal(after(equipped, toggle('x', off)), deepFreeze(equipped));
  });

  it('stops waiting for a server that starts, at the top and in a plugin', () => {
    const background = (id: string): SessionAction => ({ type: 'session/mcpServerBackgroundRequested', id });
    const state = { kind: 'starting', blocking: false };
    assert.deepEqual(after(equipped, background('s')).customizations, [plugin, { ...server, state }]);
    assert.deepEqual(after(equipped, background('child')).customizations, [
      { ...plugin, children: [skill, { ...server, id: 'child', state }] },
      server,
    ]);
    const ready = { ...empty, customizations: [{ ...server, state: { kind: 'ready' as const } }] };
    assert.equal(after(ready, background('s')), deepFreeze(ready));
    const hidden: SessionState = {
      ...empty,
      customizations: [
        { ...plugin, id: 's' },
        { ...plugin, children: [server] },
      ],
    };
    assert.equal(after(hidden, background('s')), deepFreeze(hidden), 'what is found at the top ends the search');
  });

  it('keeps the state of a session that failed to start', () => {
    const error = { errorType: 'x', message: 'no' };
    assert.deepEqual(after({ ...empty, lifecycle: 'creating' }, { type: 'session/creationFailed', error }), {
      ...empty,
      lifecycle: 'failed',
      creationError: error,
    });
  });
});
