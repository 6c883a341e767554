/** What waits for the user, for programs: with the exact texts that the user decides about, and without cards. */
import * as z from 'zod/mini';
import type { ToolCallBase, ToolInput } from '../../ahp/channels/shapes/toolCall.ts';
import type { InputOption } from '../../ahp/common/inputRequest.ts';
import { inputRef } from '../session/toolCall/toolCallView.ts';
import { plainText } from '../text/inlineText.ts';
import { clientOf } from '../session/toolCall/callProvider.ts';
import { choicesFor, type Waiting } from '../session/waiting/waiting.ts';
import type { AttentionItem } from './attentionItems.ts';

export const decisionNames = ['approve', 'deny', 'accept', 'decline', 'cancel', 'markRead'] as const;

const call = z.object({
  toolName: z.string(),
  displayName: z.string(),
  /** `terminal`: the input is a command line; `typing`: it is typed into a program. */
  toolKind: z.optional(z.string()),
  /** The tool is run by a client of the host, not by the host. */
  clientId: z.optional(z.string()),
  /** What the agent asks, and what it says that the call does: texts of the agent, which need not be true. */
  title: z.optional(z.string()),
  message: z.string(),
  /** Exactly what the tool gets: a command line, or mostly JSON. */
  input: z.optional(z.string()),
  /** URIs of the files that it would change. */
  files: z.array(z.object({ before: z.optional(z.string()), after: z.optional(z.string()) })),
});
const result = z.object({
  success: z.boolean(),
  /** Each text that the model would get. What is no text is its JSON. */
  content: z.array(z.string()),
  structuredContent: z.optional(z.string()),
  error: z.optional(z.string()),
});
const question = z.object({
  message: z.optional(z.string()),
  /** A page to open. Untrusted. */
  url: z.optional(z.string()),
  questions: z.array(
    z.object({
      id: z.string(),
      /** `text`, `number`, `integer`, `boolean`, `single-select` or `multi-select`. */
      kind: z.string(),
      title: z.optional(z.string()),
      message: z.string(),
      required: z.boolean(),
      /** Of a number, or the length of a text, or how many options are chosen. */
      min: z.optional(z.number()),
      max: z.optional(z.number()),
      format: z.optional(z.string()),
      options: z.optional(z.array(z.object({ id: z.string(), label: z.string(), description: z.optional(z.string()) }))),
      allowFreeformInput: z.optional(z.boolean()),
    }),
  ),
});

export const listedItem = z.object({
  kind: z.enum(['call', 'result', 'question', 'unknown', 'failed', 'signIn']),
  /** The name of the agent host, where it is not that of the portal. */
  host: z.optional(z.string()),
  /** The session in which it waits, which may be that of a subagent. Absent for a sign-in. */
  session: z.optional(z.string()),
  /** The session that the user started, where `session` is that of a subagent. */
  topSession: z.optional(z.string()),
  /** The chat of the session, where a session has several. */
  chat: z.optional(z.string()),
  title: z.string(),
  /** On one line. */
  what: z.string(),
  /** In ms since the epoch. */
  since: z.number(),
  /** The working directory, as a URI. */
  folder: z.optional(z.string()),
  /** Of a call or a result. */
  call: z.optional(call),
  result: z.optional(result),
  question: z.optional(question),
  /** How the call can be answered. Without an `option` an answer takes the first of its decision. */
  options: z.optional(z.array(z.object({ decision: z.enum(['approve', 'deny']), option: z.optional(z.string()), label: z.string() }))),
  /** What can be decided about it here. Empty: only in Tapline. */
  decisions: z.array(z.enum(decisionNames)),
  /** Not all of it is here, because it is too long or no text. It can be refused here, and allowed in Tapline only. */
  isPartial: z.optional(z.literal(true)),
});
export type ListedItem = z.infer<typeof listedItem>;

/** The decisions that let something happen. */
const ALLOWING: ReadonlySet<string> = new Set(['approve', 'accept']);

/** `maxLength`: characters of all its texts together. An item that is longer is listed without its details. */
export function toListedItem(item: AttentionItem, maxLength: number): ListedItem {
  const { kind, uri, topSession, chat, title, what, since, folder, waiting } = item;
  const head = {
    kind,
    ...(uri !== undefined && { session: uri }),
    ...(topSession !== undefined && { topSession }),
    ...(chat !== undefined && chat !== uri && { chat }),
    title,
    what,
    since,
    ...(folder !== undefined && { folder }),
  };
  const { isPartial, ...details } = detailsOf(item, waiting);
  const whole = { ...head, ...details };
  if (!isPartial && JSON.stringify(whole).length <= maxLength) return whole;
  const decisions = details.decisions.filter((decision) => !ALLOWING.has(decision));
  const fits = JSON.stringify(whole).length <= maxLength;
  return { ...(fits ? whole : head), decisions, isPartial: true };
}

function detailsOf({ kind }: AttentionItem, waiting: Waiting | undefined): Pick<ListedItem, 'decisions'> & Partial<ListedItem> {
  switch (waiting?.kind) {
    case 'call': {
      const { confirmationTitle, edits } = waiting.call;
      const choices = choicesFor(waiting.call);
      const files = (edits?.items ?? []).map(({ before, after }) => ({
        ...(before && { before: before.uri }),
        ...(after && { after: after.uri }),
      }));
      return {
        call: {
          ...callOf(waiting.call),
          ...(confirmationTitle !== undefined && { title: plainText(confirmationTitle) }),
          files,
        },
        options: choices.map(({ approve, optionId, label }) => ({
          decision: approve ? ('approve' as const) : ('deny' as const),
          ...(optionId !== undefined && { option: optionId }),
          label,
        })),
        decisions: choices.some(({ approve }) => approve) ? ['approve', 'deny'] : ['deny'],
        // What it would do to the files is not said in words.
        ...(((files.length > 0 && !waiting.call.toolInput) || inputRef(waiting.call)) && { isPartial: true as const }),
      };
    }
    case 'result': {
      const { success, content = [], structuredContent, error } = waiting.call;
      return {
        call: { ...callOf(waiting.call), files: [] },
        result: {
          success,
          content: content.map((one) => (one.type === 'text' ? one.text : JSON.stringify(one))),
          ...(structuredContent && { structuredContent: JSON.stringify(structuredContent) }),
          ...(error && { error: error.message }),
        },
        decisions: ['approve', 'deny'],
        // A terminal, a file or a picture is only named here.
        ...(content.some(({ type }) => type !== 'text') && { isPartial: true as const }),
      };
    }
    case 'question': {
      const { message, url, questions = [] } = waiting.request;
      return {
        question: {
          ...(message !== undefined && { message }),
          ...(url !== undefined && { url }),
          questions: questions.map((one) => {
            const { id, kind: of, title, message: text, required = false } = one;
            const { min, max, format, options, allowFreeformInput } = one as QuestionDetails;
            const rest = { title, min, max, format, options: optionsOf(options), allowFreeformInput };
            return { id, kind: of, message: text, required, ...withoutUndefined(rest) };
          }),
        },
        decisions: ['accept', 'decline', 'cancel'],
      };
    }
    // The portal has no account of the user.
    case 'signIn':
      return { call: { ...callOf(waiting.call), files: [] }, decisions: [] };
    case undefined:
      return { decisions: kind === 'failed' ? ['markRead'] : [] };
  }
}

/** Of all kinds of questions. */
interface QuestionDetails {
  min?: number;
  max?: number;
  format?: string;
  options?: InputOption[];
  allowFreeformInput?: boolean;
}
type CallTexts = ToolCallBase & { invocationMessage: Parameters<typeof plainText>[0]; toolInput?: ToolInput };

function callOf({ toolName, displayName, contributor, invocationMessage, toolInput, _meta }: CallTexts) {
  const clientId = clientOf({ contributor });
  const toolKind = _meta?.['toolKind'];
  return {
    toolName,
    displayName,
    ...(typeof toolKind === 'string' && { toolKind }),
    ...(clientId !== undefined && { clientId }),
    message: plainText(invocationMessage),
    ...(typeof toolInput === 'string' && { input: toolInput }),
  };
}

function optionsOf(options: readonly InputOption[] | undefined) {
  return options?.map(({ id, label, description }) => ({ id, label, ...(description !== undefined && { description }) }));
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}
