/** Shapes of AHP 1.0 as those of AHP v1. Undefined where AHP v1 has no words for what the model would get. */
import type { TerminalClaim } from '../../channels/shapes/basic.ts';
import type { SessionActiveClient } from '../../channels/session/state.ts';
import type { Message, MessageAttachment } from '../../channels/shapes/message.ts';
import { listOf, omitAbsent } from '../../common/reducers/reducer.ts';
import type * as V1 from '../../v1/common.ts';
import type { SessionActiveClient as V1ActiveClient } from '../../v1/toolCall.ts';

export function v1ModelSelection({ id, config }: NonNullable<Message['model']>): V1.ModelSelection | undefined {
  const values = Object.values(config ?? {});
  if (values.some((value) => typeof value !== 'string')) return undefined;
  return { id, ...(config && { config: config as Record<string, string> }) };
}

const attachmentTypes = new Set(['file', 'directory', 'selection']);

/** Whoever sends it sees to the model, which is the session's in AHP v1. */
export function userMessageOf({ text, attachments, agent }: Message): V1.UserMessage | undefined {
  const files = attachments?.map(attachmentOf);
  if (agent || files?.includes(undefined)) return undefined;
  return { text, ...(files && { attachments: files as V1.MessageAttachment[] }) };
}

function attachmentOf(attachment: MessageAttachment): V1.MessageAttachment | undefined {
  if (attachment.type !== 'resource' || attachment.selection) return undefined;
  const { uri, label, displayKind = 'file' } = attachment;
  return attachmentTypes.has(displayKind)
    ? { type: displayKind as V1.MessageAttachment['type'], uri, displayName: label }
    : { type: 'file', uri, displayName: label };
}

export function activeClientOf({ clientId, displayName, tools, customizations }: SessionActiveClient): V1ActiveClient {
  const plugins = listOf(customizations).map(({ uri, name, icons, nonce }) =>
    omitAbsent<V1.CustomizationRef>({ uri, displayName: name, icons, nonce }),
  );
  return omitAbsent<V1ActiveClient>({ clientId, displayName, tools, customizations: customizations && plugins });
}

export function claimOf(claim: TerminalClaim): V1.TerminalClaim {
  if (claim.kind !== 'session') return claim;
  const { session, turnId, toolCallId } = claim;
  return omitAbsent<V1.TerminalClaim>({ kind: 'session', session, turnId, toolCallId });
}
