import { type ChannelKind, type ChannelState, kindOfState as kindOf } from '../../src/ahp/channels/channelReducers.ts';

export function kindOfState(state: ChannelState): ChannelKind {
  const kind = kindOf(state);
  if (kind === undefined) throw new Error(`a state of no known kind: ${Object.keys(state).join(', ')}`);
  return kind;
}
