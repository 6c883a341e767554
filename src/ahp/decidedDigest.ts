/** Tells whether a call as a host shows it is what somebody decided about. */
import { digest } from '../base/digest.ts';
import { isRecord } from '../base/isRecord.ts';
import type { ToolCallState } from './v1/toolCall.ts';

/**
 * Of a call after a decision, in any later status. Made only of what no later step of the call changes, unless the call asks again. The title and
 * the edits that were asked about are not in the state any more then.
 */
export function decidedDigest(call: ToolCallState): string {
  const { invocationMessage, toolInput, selectedOption } = call as unknown as Record<string, unknown>;
  const message = isRecord(invocationMessage) ? invocationMessage['markdown'] : invocationMessage;
  const option = isRecord(selectedOption) ? selectedOption['id'] : undefined;
  return digest([message, toolInput, option].map((value) => (typeof value === 'string' ? value : '')));
}
