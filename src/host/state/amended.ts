import type { ChannelState } from '../../ahp/channels/channelReducers.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { activityOf, SessionStatus, withActivity } from '../../ahp/common/status.ts';
import { sameJson } from '../../base/sameJson.ts';
import type { StoredChannel } from './stateStore.ts';

/**
 * The state of a channel that nobody reads, with what no action changes: the title of a chat, which its session knows, that a session no
 * longer waits, and how many annotations it has. The same object where it is so already.
 */
export function amended(
  { channel, kind, state }: StoredChannel,
  session: SessionState,
  { annotations }: Pick<SessionSummary, 'annotations'> = {},
): ChannelState {
  if (kind === 'chat') {
    const title = session.chats.find(({ resource }) => resource === channel)?.title;
    return title === undefined || title === state.title ? state : { ...state, title };
  }
  if (kind !== 'session') return state;
  const waits = activityOf(state.status) === SessionStatus.InputNeeded;
  const now = {
    ...state,
    ...(annotations && { annotations }),
    status: waits ? state.status : withActivity(state.status, SessionStatus.Idle),
  };
  return sameJson([now.status, now.annotations], [state.status, state.annotations]) ? state : now;
}
