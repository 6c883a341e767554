import { messageOf } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { firstLine } from '../../../base/text/ends.ts';

/** Why the host refused, for the user: the code of its answer, and the first line of its message. Some hosts send whole stack traces. */
export function describeHostError(error: unknown): { code?: number; message: string } {
  const message = firstLine(messageOf(error));
  return error instanceof RpcError ? { code: error.code, message } : { message };
}

/** Rejects with the answer of the host as it came, except that it has no stack trace. */
export function rejectWithoutTrace(error: unknown): never {
  if (!(error instanceof RpcError)) throw error;
  throw new RpcError(error.code, withoutTrace(error.message), error.data);
}

/** A trace begins with the first indented line that says “at”. */
function withoutTrace(message: string): string {
  const lines = message.split('\n');
  const trace = lines.findIndex((line, index) => index > 0 && /^\s+at /.test(line));
  return trace < 0 ? message : lines.slice(0, trace).join('\n').trimEnd();
}
