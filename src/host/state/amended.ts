import type { ChannelState } from '../../ahp/channels/channelReducers.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import { activityOf, SessionStatus, withActivity } from '../../ahp/common/status.ts';
import type { StoredChannel } from './stateStore.ts';

/**
 * The state of a channel that nobody reads, with what no action changes: the title of a chat, which its session knows, and that a session no
 * longer waits. The same object where it is so already.
 */
export function amended({ channel, kind, state }: StoredChannel, session: SessionState): ChannelState {
  if (kind === 'chat') {
    const title = session.chats.find(({ resource }) => resource === channel)?.title;
    return title === undefined || title === state.title ? state : { ...state, title };
  }
  if (kind !== 'session' || [SessionStatus.InputNeeded, SessionStatus.Idle].includes(activityOf(state.status))) return state;
  return { ...state, status: withActivity(state.status, SessionStatus.Idle) };
}
