/**
 * Messages, calls, parts and turns of channels in the words of AHP v1, made once for each object, so that an appended text costs one part.
 * What AHP v1 has no words for is left out, or told as near as it can.
 */
import type { ActiveTurn, ErrorResponsePart, InputRequestResponsePart, ResponsePart, Turn } from '../../../ahp/channels/chat/state.ts';
import type { ModelSelection } from '../../../ahp/channels/shapes/basic.ts';
import type { Message, MessageAttachment, PendingMessage } from '../../../ahp/channels/shapes/message.ts';
import type { ToolCallBase, ToolCallContributor, ToolCallState, ToolInput } from '../../../ahp/channels/shapes/toolCall.ts';
import { ASKED } from '../../../ahp/common/callQuestion.ts';
import type { InputRequest } from '../../../ahp/common/inputRequest.ts';
import { isAbsent, omitAbsent } from '../../../ahp/common/reducers/reducer.ts';
import { isCallPart } from '../../../ahp/common/reducers/turns.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { isSubagent } from '../../../ahp/subagentUri.ts';
import type * as V1Common from '../../../ahp/v1/common.ts';
import { waitsForPerson } from '../../../ahp/v1/reducers/toolCallReducer.ts';
import type * as V1 from '../../../ahp/v1/session.ts';
import type { ToolCallState as V1ToolCallState } from '../../../ahp/v1/toolCall.ts';
import { remembered, rememberedList } from '../../../ahp/common/remembered.ts';
import { chatUri } from '../../state/chatUris.ts';
import { terminalChannel, v1Session, v1Terminal } from './names.ts';

/** Makes the list of what is made of the items, once for each list, without those of which nothing is made. */
export function rememberedSome<A, B>(make: (item: A) => B | undefined): (list: readonly A[]) => B[] {
  const known = new WeakMap<readonly A[], B[]>();
  return (list) => {
    let made = known.get(list);
    if (made === undefined) {
      made = list.map(make).filter((item) => item !== undefined);
      known.set(list, made);
    }
    return made;
  };
}

// ---- Messages

/** Without the values that are no text. */
export const v1Model = remembered(({ id, config }: ModelSelection): V1Common.ModelSelection => {
  const texts = Object.entries(config ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { id, ...(config && { config: Object.fromEntries(texts) }) };
});

const attachmentTypes: ReadonlySet<string> = new Set(['file', 'directory', 'selection']);

const v1Attachments = rememberedSome((attachment: MessageAttachment): V1Common.MessageAttachment | undefined => {
  if (attachment.type !== 'resource') return undefined;
  const { uri, label, displayKind = 'file' } = attachment;
  const type = attachmentTypes.has(displayKind) ? displayKind : 'file';
  return { type: type as V1Common.MessageAttachment['type'], uri, ...(label !== uri && { displayName: label }) };
});

export const v1Message = remembered(({ text, attachments }: Message): V1Common.UserMessage => {
  const files = attachments && v1Attachments(attachments);
  return { text, ...(files && (files.length > 0 || attachments.length === 0) && { attachments: files }) };
});

export const v1Pending = remembered(({ id, message }: PendingMessage): V1.PendingMessage => ({ id, userMessage: v1Message(message) }));
export const v1Queue = rememberedList(v1Pending);

// ---- Tool calls

/** The session of a subagent is a chat. */
export const v1Content = rememberedList(
  remembered((content: ToolResultContent): ToolResultContent => {
    if (content.type === 'subagent') return { ...content, resource: v1Session(content.resource) };
    return content.type === 'terminal' ? { ...content, resource: v1Terminal(content.resource) } : content;
  }),
);
/** The other way round. */
export function contentOf(content: readonly ToolResultContent[]): ToolResultContent[] {
  return content.map((item) => {
    if (item.type === 'subagent') return isSubagent(item.resource) ? { ...item, resource: chatUri(item.resource) } : item;
    return item.type === 'terminal' ? { ...item, resource: terminalChannel(item.resource) } : item;
  });
}

export function toolClientOf(contributor: ToolCallContributor | undefined): string | undefined {
  return contributor?.kind === 'client' ? contributor.clientId : undefined;
}

export function inlineInput(input: ToolInput | undefined): string | undefined {
  return typeof input === 'string' ? input : undefined;
}

interface AnyCall extends ToolCallBase {
  status: string;
  toolInput?: ToolInput;
  content?: ToolResultContent[];
  userSuggestion?: Message;
  riskAssessment?: unknown;
  auth?: unknown;
  startedAt?: string;
  duration?: number;
}

/** A call that waits for a sign-in is running. */
const v1Call = remembered((call: ToolCallState): V1ToolCallState => {
  const { intention: _intention, riskAssessment: _risk, auth: _auth, contributor, ...others } = call as AnyCall;
  const { startedAt: _startedAt, duration: _duration, ...rest } = others;
  const { status, toolInput, content, userSuggestion, _meta } = rest;
  return omitAbsent({
    ...rest,
    status: status === 'auth-required' ? 'running' : status,
    toolClientId: toolClientOf(contributor),
    toolInput: inlineInput(toolInput),
    content: content && v1Content(content),
    userSuggestion: userSuggestion && v1Message(userSuggestion),
    _meta: withoutDigest(_meta),
  }) as unknown as V1ToolCallState;
});

/** What an approval was for belongs to that action. In AHP v1 no action changes the `_meta` of a call. */
function withoutDigest(meta: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  if (!meta || !(ASKED in meta)) return meta;
  const { [ASKED]: _digest, ...rest } = meta;
  return Object.keys(rest).length > 0 ? rest : undefined;
}

// ---- Parts and turns

const v1CallPart = remembered((part: Extract<ResponsePart, { kind: 'toolCall' }>): V1.ResponsePart => ({
  ...part,
  toolCall: v1Call(part.toolCall),
}));

const foreignKinds: ReadonlySet<string> = new Set(['inputRequest', 'error', 'systemNotification']);

/** Undefined where AHP v1 has no such part. */
export function v1Part(part: ResponsePart): V1.ResponsePart | undefined {
  if (isCallPart(part)) return v1CallPart(part);
  return foreignKinds.has(part.kind) ? undefined : (part as V1.ResponsePart);
}
const v1Parts = rememberedSome(v1Part);

/** The questions of a turn that nobody has answered. */
export const openRequests = rememberedSome((part: ResponsePart): InputRequest | undefined => {
  if (part.kind !== 'inputRequest') return undefined;
  const { request, response } = part as InputRequestResponsePart;
  return isAbsent(response) ? request : undefined;
});

/** The turn waits for nothing but a sign-in, of which AHP v1 knows nothing. */
export function waitsOnlyForSignIn({ responseParts }: ActiveTurn): boolean {
  const calls = responseParts.filter(isCallPart);
  if (!calls.some(({ toolCall }) => toolCall.status === 'auth-required')) return false;
  return openRequests(responseParts).length === 0 && !calls.some(({ toolCall }) => waitsForPerson(v1Call(toolCall)));
}

export const v1ActiveTurn = remembered(({ id, message, responseParts, usage }: ActiveTurn): V1.ActiveTurn => ({
  ...{ id, userMessage: v1Message(message), responseParts: v1Parts(responseParts) },
  ...(usage && { usage }),
}));

export const v1Turns = rememberedList(
  remembered((turn: Turn): V1.Turn => {
    const last = turn.responseParts.at(-1);
    // That of a turn that went on stays among its parts.
    const error = turn.state === 'error' && last?.kind === 'error' ? (last as ErrorResponsePart).error : undefined;
    return { ...v1ActiveTurn(turn), state: turn.state, ...(error && { error }) };
  }),
);
