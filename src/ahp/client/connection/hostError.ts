import { englishOf, wordsOf } from '../../../base/errors.ts';
import { RpcError } from '../../../base/jsonRpc.ts';
import { firstLine } from '../../../base/text/ends.ts';
import { said, type Words } from '../../../base/text/phrase.ts';

/** Why a host gives something not. `words`: `message` for people of any language. Absent where it is the host's own. */
export interface HostProblem {
  readonly code?: number;
  readonly message: string;
  readonly words?: Words;
}

/** The code of the host's answer, and the first line of its message. Some hosts send whole stack traces. */
export function describeHostError(error: unknown): HostProblem {
  const message = firstLine(englishOf(error));
  if (error instanceof RpcError) return { code: error.code, message };
  const words = wordsOf(error);
  return { message, ...(typeof words === 'object' && { words }) };
}

/** For people. */
export function problemText({ message, words }: HostProblem): string {
  return said(words ?? message);
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
