/** Tells whether a call as a host shows it is what somebody decided about. */
import { digest } from '../base/digest.ts';
import { isRecord } from '../base/isRecord.ts';

/**
 * Of a call after a decision, in any later status. Made only of what no later step of the call changes, unless the call asks again. The title and
 * the edits that were asked about are not in the state any more then.
 */
export function decidedDigest(call: object): string {
  const { invocationMessage, toolInput, selectedOption } = call as Record<string, unknown>;
  const message = isRecord(invocationMessage) ? invocationMessage['markdown'] : invocationMessage;
  const option = isRecord(selectedOption) ? selectedOption['id'] : undefined;
  // Where the input is not in the state, the place where it can be read stands for it.
  const input = isRecord(toolInput) ? toolInput['uri'] : toolInput;
  return digest([message, input, option].map((value) => (typeof value === 'string' ? value : '')));
}
