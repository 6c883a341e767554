/**
 * The library `tapline/ahp`: the client of the Agent Host Protocol for Node, and the reducers. The models (`client.session`, `client.chat`)
 * and `client.command` work at every host, also at those of AHP v1, in the words of the newest.
 */
import { AgentHostClient as Core, type AgentHostClientOptions as CoreOptions } from './client/agentHostClient.ts';
import { connectNodeTransport } from './client/nodeTransport.ts';

export type AgentHostClientOptions = Omit<CoreOptions, 'transport'> & Partial<Pick<CoreOptions, 'transport'>>;

/** The client with Node's WebSocket as the transport that is used when none is given. */
export class AgentHostClient extends Core {
  static override connect(options: AgentHostClientOptions): Promise<AgentHostClient> {
    return super.connect({ transport: connectNodeTransport(), ...options });
  }
  static override create(options: AgentHostClientOptions): AgentHostClient {
    return super.create({ transport: connectNodeTransport(), ...options });
  }
}

export type { DialectName, ResourceKind } from './dialects/dialect.ts';
export type { Approval, CallRef, ChatModel, Denial, Said } from './client/model/chatModel.ts';
export type { ClientAction, ResourceModel } from './client/model/resourceModel.ts';
export type { SessionModel } from './client/model/sessionModel.ts';
export { whenLive } from './client/resources/whenLive.ts';
export { connectNodeTransport } from './client/nodeTransport.ts';
export {
  ConnectionError,
  type ConnectionFailure,
  type ConnectionFailureKind,
  type ConnectionState,
} from './client/connection/connectionState.ts';
export { type Transport, TransportError, type TransportErrorKind, type TransportFactory } from './client/transport.ts';
export type { PendingAction } from './client/resources/pending.ts';
export type { Dispatched, Settlement, SubscriptionChange, SubscriptionStatus } from './client/resources/subscription.ts';
export type { SessionList, SessionListError, SessionListState } from './client/sessionList.ts';
export type { HostRequestHandler } from './client/connection/hostConnection.ts';
export { RpcError } from '../base/jsonRpc.ts';
export { TimeoutError } from '../base/errors.ts';
export type { Event } from '../base/event.ts';
export type { Phrase, Words } from '../base/text/phrase.ts';
export type { Disposable } from '../base/lifecycle.ts';
export type { Logger } from '../base/log.ts';

export type * as channels from './channels/index.ts';
export { channelReducers } from './channels/channelReducers.ts';
export { reduceAll } from './common/reducers/reduceAll.ts';
export type { ProtocolNotification } from './v1/notifications.ts';
export type { ReceivedSpan } from './telemetry/receivedSpans.ts';
