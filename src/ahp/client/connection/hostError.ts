import { messageOf } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';

/** Why the host refused, for the user: the code of its answer, and the first line of its message. Some hosts send whole stack traces. */
export function describeHostError(error: unknown): { code?: number; message: string } {
  const [message = ''] = messageOf(error).split('\n');
  return error instanceof RpcError ? { code: error.code, message } : { message };
}

/** Rejects with the answer of the host as it came, except that it has no stack trace. */
export function rejectWithoutTrace(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  const [message = ''] = error.message.split(/\n\s+at /);
  throw new RpcError(error.code, message, error.data);
}
