/** Names of calls, as keys. */
import { remembered } from '../../../ahp/common/remembered.ts';
import { callKey } from '../../../views/session/toolCall/callProvider.ts';
import type { HostedCall } from './hostedSession.ts';

export type CallNames = Pick<HostedCall, 'chat' | 'turnId' | 'callId'>;

/** One for each call of a session. Several ask for it with each state. */
export const keyOf = remembered(({ chat, turnId, callId }: CallNames) => callKey(turnId, callId, chat));
