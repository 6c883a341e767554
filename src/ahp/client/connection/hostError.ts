import { messageOf } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';

/** Why the host did not do something, to be shown: its code if it answered, and the first line of what it said (hosts send whole stacks). */
export function describeHostError(error: unknown): { code?: number; message: string } {
  const [message = ''] = messageOf(error).split('\n');
  return error instanceof RpcError ? { code: error.code, message } : { message };
}
