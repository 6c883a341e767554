import assert from 'node:assert/strict';
import type { StateAction } from '../../../ahp/channels/actions.ts';
import { channelReducers, type ChannelState } from '../../../ahp/channels/channelReducers.ts';
import type { Reducer } from '../../../ahp/common/reducers/reducer.ts';
import type { StoredChannel } from '../stateStore.ts';
import { ChannelReplay } from './channelReplay.ts';

const summary = { resource: 'c', title: 'T', status: 1, modifiedAt: '' };
const channels: StoredChannel[] = [
  {
    channel: 's',
    kind: 'session',
    state: { provider: 'p', title: 'T', status: 1, lifecycle: 'ready', activeClients: [], chats: [summary] },
  },
  { channel: 'c', kind: 'chat', state: { ...summary, turns: [] } },
  {
    channel: 't',
    kind: 'terminal',
    state: { title: '', content: [], claim: { kind: 'client', clientId: 'a' }, lifecycle: { status: 'running' } },
  },
  { channel: 'f', kind: 'changeset', state: { status: 'computing', files: [] } },
];
const message = { text: 'hi', origin: { kind: 'user' as const } };
const inTurn = { turnId: 't1' };
const inCall = { ...inTurn, toolCallId: 'x' };
const actions: [string, StateAction][] = [
  ['c', { type: 'chat/turnStarted', turnId: 't1', startedAt: '2027-01-01T00:00:00.000Z', message }],
  ['s', { type: 'session/chatUpdated', chat: 'c', changes: { status: 8 } }],
  ['c', { type: 'chat/responsePart', ...inTurn, part: { kind: 'markdown', id: 'p', content: '' } }],
  ['c', { type: 'chat/delta', ...inTurn, partId: 'p', content: 'a' }],
  ['t', { type: 'terminal/data', data: 'one' }],
  ['c', { type: 'chat/delta', ...inTurn, partId: 'p', content: 'b' }],
  ['t', { type: 'terminal/data', data: 'two' }],
  ['c', { type: 'chat/toolCallStart', ...inCall, toolName: 'n', displayName: 'N' }],
  ['c', { type: 'chat/toolCallReady', ...inCall, invocationMessage: 'm' }],
  ['s', { type: 'session/inputNeededSet', request: { kind: 'later' as never, id: 'i', chat: 'c' } }],
  ['c', { type: 'chat/toolCallConfirmed', ...inCall, approved: true, confirmed: 'user-action' }],
  ['s', { type: 'session/inputNeededRemoved', id: 'i' }],
  ['c', { type: 'chat/toolCallComplete', ...inCall, result: { success: true, pastTenseMessage: 'done' } }],
  ['f', { type: 'changeset/fileSet', file: { id: '1', edit: {} } }],
  ['f', { type: 'changeset/statusChanged', status: 'ready' }],
  ['c', { type: 'chat/turnComplete', ...inTurn, duration: 5 }],
  ['t', { type: 'terminal/exited', exitCode: 0 }],
];

describe('channelReplay', () => {
  it('gives what the reducers give one by one, each at its own time', () => {
    const expected = new Map<string, ChannelState>(channels.map(({ channel, state }) => [channel, state]));
    const replay = new ChannelReplay(channels, 0);
    for (const [index, [channel, action]] of actions.entries()) {
      const { kind } = channels.find((stored) => stored.channel === channel) as StoredChannel;
      const reduce = channelReducers[kind] as Reducer<ChannelState, StateAction>;
      expected.set(channel, reduce(expected.get(channel) as ChannelState, action, 1000 * index));
      replay.dispatch(channel, action, index + 1, 1000 * index);
      if (index === 8) assert.deepEqual(statesOf(replay), [...expected.values()], 'also in between');
    }
    assert.deepEqual(statesOf(replay), [...expected.values()]);
    assert.notDeepEqual(
      statesOf(replay),
      channels.map(({ state }) => state),
    );
  });

  it('leaves out what the states include, and what was meant for a channel that is gone', () => {
    const replay = new ChannelReplay(channels, 5);
    const retitled = (title: string): StateAction => ({ type: 'session/titleChanged', title });
    replay.dispatch('s', retitled('old'), 5, 0);
    assert.deepEqual(replay.channels, channels);
    replay.remove('s');
    replay.dispatch('s', retitled('gone'), 6, 0);
    assert.equal(replay.channels.length, 3);
    replay.add(channels[0] as StoredChannel, 8);
    replay.dispatch('s', retitled('before'), 7, 0);
    assert.deepEqual(replay.channels.at(-1), channels[0]);
    replay.dispatch('s', retitled('after'), 9, 0);
    const last = replay.channels.at(-1);
    assert.equal(last?.kind === 'session' && last.state.title, 'after');
  });
});

function statesOf(replay: ChannelReplay): ChannelState[] {
  return replay.channels.map(({ state }) => state);
}
