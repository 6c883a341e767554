/** The fake host, speaking AHP 1.0. */
import type { StateAction as ChannelAction } from '../../src/ahp/channels/actions.ts';
import { channelReducers, type ChannelState } from '../../src/ahp/channels/channelReducers.ts';
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import { ROOT_CHANNEL } from '../../src/ahp/channels/root.ts';
import type { SessionState } from '../../src/ahp/channels/session/state.ts';
import type { SessionSummary } from '../../src/ahp/channels/shapes/summaries.ts';
import type { Reducer } from '../../src/ahp/common/reducers/reducer.ts';
import type { ActionEnvelope, StateAction } from '../../src/ahp/v1/actions.ts';
import type { ResourceState } from '../../src/ahp/v1/commands.ts';
import { kindOfState } from '../support/channelState.ts';
import { FakeHost } from './fakeHost.ts';

export class FakeChannelHost extends FakeHost {
  constructor(private readonly version = '0.9.0') {
    super();
    this.states.clear();
    this.put(ROOT_CHANNEL, { agents: [] });
  }

  put(uri: string, state: ChannelState): void {
    this.states.set(uri, state as unknown as ResourceState);
  }

  stateOf(uri: string): ChannelState {
    return this.states.get(uri) as unknown as ChannelState;
  }

  /** As the host's own. */
  act(channel: string, action: ChannelAction): void {
    this.emit(action as StateAction, undefined, undefined, channel);
  }

  tell(method: string, params: object): void {
    this.connection.peer.notify(method, { channel: ROOT_CHANNEL, ...params });
  }

  protected override get protocolVersion(): string {
    return this.version;
  }
  protected override namedIn({ channel }: { channel: string }): string {
    return channel;
  }
  protected override resourceOf(envelope: ActionEnvelope): string | undefined {
    return (envelope as unknown as { channel?: string }).channel;
  }
  protected override reduced(_uri: string, state: ResourceState, action: StateAction): ResourceState {
    const known = state as unknown as ChannelState;
    const reducer = channelReducers[kindOfState(known)] as unknown as Reducer<ChannelState>;
    return reducer(known, action, 0) as unknown as ResourceState;
  }
}

export function channelSummary(resource: string, title = 'a session'): SessionSummary {
  return { resource, provider: 'demo', title, status: 1, createdAt: '2026-01-01T00:00:00Z', modifiedAt: '2026-01-01T00:00:00Z' };
}
export function channelSession(chat: string, title = 'a session'): SessionState {
  const summary = { resource: chat, title, status: 1, modifiedAt: '2026-01-01T00:00:00Z' };
  return { provider: 'demo', title, status: 1, lifecycle: 'ready', activeClients: [], chats: [summary], defaultChat: chat };
}
export function channelChat(resource: string): ChatState {
  return { resource, title: 'a chat', status: 1, modifiedAt: '2026-01-01T00:00:00Z', turns: [] };
}
