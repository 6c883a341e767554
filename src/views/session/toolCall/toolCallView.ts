/** How a tool call is shown: a summary on one line, and its details. */
import * as l10n from '../../../base/l10n.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import type { ContentRef, StringOrMarkdown } from '../../../ahp/common/shapes.ts';
import type { ToolResultContent } from '../../../ahp/common/tools.ts';
import { durationText } from '../../text/time/duration.ts';
import { oneLine } from '../../text/oneLine.ts';
import { exitCode } from './exitCode.ts';
import { inlineText, type InlineSegment, plainText } from '../../text/inlineText.ts';

export type ToolCallPhase =
  /** The user has answered, and the host has not confirmed the answer yet. */
  | 'answered'
  | 'writing'
  | 'waiting'
  | 'running'
  | 'signIn'
  | 'resultWaiting'
  | 'done'
  | 'failed'
  | 'denied'
  | 'skipped'
  | 'withheld'
  | 'unknown';

export interface ToolCallView {
  id: string;
  phase: ToolCallPhase;
  /** A codicon's name. */
  icon: string;
  summary: readonly InlineSegment[];
  /** Short facts after the summary: "exit 1", "12 s". */
  facts: readonly string[];
  /** Why it was denied or skipped. */
  reason?: string;
  input?: ToolInput;
  content: readonly ToolResultContent[];
  /** JSON, indented. */
  structured?: string;
  error?: string;
}

/** The input of a tool. The parts together are the whole input. */
export interface ToolInput {
  /** The command, if the tool is a shell. */
  command?: string;
  url?: string;
  /** Everything except `command` and `url`: the value of the only other field, indented JSON, or the raw input. */
  rest?: string;
  /** The label of `rest`. */
  restName?: string;
}

/** Whether the host has confirmed that the call is in this state. */
interface Certainty {
  /** The state is the effect of the user's answer, which the host has not confirmed yet. */
  isUnsettled?: boolean;
  /** The host is away, and the state is the last known one. */
  isAway?: boolean;
}

/** In characters. */
const REASON_LENGTH = 1_000;

/** `durationMs`: how long it was seen to run, where the host does not say it. */
export function toolCallView(
  call: ToolCallState,
  durationMs?: number,
  { isUnsettled = false, isAway = false }: Certainty = {},
): ToolCallView {
  const phase = isUnsettled ? 'answered' : phaseOf(call);
  const raw = rawInput(call);
  const content = 'content' in call ? (call.content ?? []) : [];
  const structured = structuredText(call, content);
  const error = errorText(call);
  return {
    id: call.toolCallId,
    phase,
    icon: iconOf(call, phase),
    summary: isUnsettled ? toolCallLabel(call) : summaryOf(call),
    facts: isUnsettled ? [] : factsOf(call, content, saidDuration(call) ?? durationMs, isAway),
    // The partial input of any tool is JSON.
    ...(raw ? { input: toolInput(raw, call.status === 'streaming' ? undefined : call._meta?.toolKind) } : {}),
    content,
    ...(structured === undefined ? {} : { structured }),
    ...(error === undefined ? {} : { error }),
    ...(call.status === 'cancelled' && !isBlank(call.reasonMessage)
      ? { reason: oneLine(plainText(call.reasonMessage ?? ''), REASON_LENGTH) }
      : {}),
  };
}

/**
 * Splits the raw input of a tool into readable parts. An input that cannot be restored exactly from the parts stays as it is: of two members with
 * the same name, for example, a parser would show only one. Input that a shell or a program gets as text is never read as JSON.
 */
export function toolInput(raw: string, kind?: unknown): ToolInput {
  if (kind === 'terminal') return { command: raw };
  if (kind === 'typing') return { rest: raw, restName: l10n.t('What is typed') };
  const fields = jsonObject(raw);
  if (!fields) return { rest: raw };
  const { command, url, ...others } = fields;
  const rest = {
    ...(typeof command === 'string' || command === undefined ? {} : { command }),
    ...(typeof url === 'string' || url === undefined ? {} : { url }),
    ...others,
  };
  return {
    ...(typeof command === 'string' ? { command } : {}),
    ...(typeof url === 'string' ? { url } : {}),
    ...restOf(rest),
  };
}

function restOf(fields: Record<string, unknown>): Pick<ToolInput, 'rest' | 'restName'> {
  const [only, ...more] = Object.entries(fields);
  if (!only) return {};
  const [name, value] = only;
  if (more.length > 0 || typeof value !== 'string' || !/^[a-z][\w ]{0,39}$/i.test(name))
    return { rest: JSON.stringify(fields, undefined, 2) };
  const words = name.replaceAll('_', ' ').trim();
  return { rest: value, restName: words.charAt(0).toUpperCase() + words.slice(1) };
}

/** The object, if the text is exactly what `JSON.stringify` makes of it, with any indentation. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const indentation = /^\{\n([ \t]{1,10})"/.exec(text)?.[1];
    return JSON.stringify(value, undefined, indentation) === text ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // A text that begins with a brace, or incomplete JSON.
  }
}

function phaseOf(call: ToolCallState): ToolCallPhase {
  switch (call.status) {
    case 'streaming':
      return 'writing';
    case 'pending-confirmation':
      return 'waiting';
    case 'running':
      return 'running';
    case 'auth-required':
      return 'signIn';
    case 'pending-result-confirmation':
      return 'resultWaiting';
    case 'completed':
      return call.success ? 'done' : 'failed';
    case 'cancelled':
      return call.reason === 'result-denied' ? 'withheld' : call.reason === 'denied' ? 'denied' : 'skipped';
    default:
      return 'unknown';
  }
}

function rawInput(call: ToolCallState): string | undefined {
  if (call.status === 'streaming') return call.partialInput;
  return 'toolInput' in call && typeof call.toolInput === 'string' ? call.toolInput : undefined;
}

/** Where the input of a call can be read, if it is not in the state. */
export function inputRef(call: ToolCallState): ContentRef | undefined {
  return 'toolInput' in call && typeof call.toolInput === 'object' ? call.toolInput : undefined;
}

/** The tool and what it gets, in place of the host's texts, which may say that the call is running or done when it is not yet. */
export function toolCallLabel(call: ToolCallState): readonly InlineSegment[] {
  const raw = rawInput(call);
  const name = { text: call.displayName || call.toolName };
  const input = raw ? toolInput(raw, call._meta?.toolKind) : {};
  const what = oneLine(input.command ?? input.url);
  return what === '' ? [name] : [{ text: `${name.text} ` }, { text: what, code: true }];
}

function summaryOf(call: ToolCallState): readonly InlineSegment[] {
  const text = 'pastTenseMessage' in call && !isBlank(call.pastTenseMessage) ? call.pastTenseMessage : undefined;
  const invocation = 'invocationMessage' in call && !isBlank(call.invocationMessage) ? call.invocationMessage : undefined;
  const words = inlineText(text ?? invocation ?? (call.displayName || call.toolName));
  const outcome = OUTCOMES[phaseOf(call)];
  return outcome ? [{ text: `${outcome} ` }, ...words] : words;
}

/**
 * Comes before the host's text, which may still say that the call is running. In the protocol, “skipped” is a call without a result when its turn
 * ended. Hosts also use it for calls that they did carry out: VS Code 1.117 reports an edit late, sometimes after the turn.
 */
const OUTCOMES: { [P in ToolCallPhase]?: string } = {
  denied: l10n.t('Denied:'),
  withheld: l10n.t('Result withheld:'),
  skipped: l10n.t('No result:'),
};

/** Hosts send `''` for a message that was never set. */
function isBlank(text: StringOrMarkdown | undefined): boolean {
  return text === undefined || (typeof text === 'string' ? text : text.markdown).trim() === '';
}

/** Without a number that is none, and of a result that was withheld. */
function saidDuration(call: ToolCallState): number | undefined {
  const duration = 'duration' in call ? call.duration : undefined;
  return typeof duration === 'number' && Number.isFinite(duration) && duration >= 0 ? duration : undefined;
}

function factsOf(call: ToolCallState, content: readonly ToolResultContent[], durationMs: number | undefined, isAway: boolean): string[] {
  const facts: string[] = [];
  const phase = phaseOf(call);
  if (isAway && (phase === 'running' || phase === 'writing')) facts.push(l10n.t('last known'));
  if (phase === 'signIn') facts.push(l10n.t('needs a sign-in'));
  if (phase === 'unknown') facts.push(l10n.t`unknown status (${call.status})`);
  const exit = isTerminal(call, content) ? exitCode(call, content) : undefined;
  if (exit !== undefined) facts.push(l10n.t`exit ${exit}`);
  else if (phase === 'failed') facts.push(l10n.t('failed'));
  if (durationMs !== undefined) facts.push(durationText(durationMs));
  return facts;
}

function isTerminal(call: ToolCallState, content: readonly ToolResultContent[]): boolean {
  return call._meta?.toolKind === 'terminal' || content.some((item) => item.type === 'terminal');
}

/** As JSON, without an exit code that is shown already. */
function structuredText(call: ToolCallState, content: readonly ToolResultContent[]): string | undefined {
  if (!('structuredContent' in call) || !call.structuredContent) return undefined;
  const { exitCode: code, ...others } = call.structuredContent;
  const isSaid = isTerminal(call, content) && (typeof code === 'number' || code === null);
  if (isSaid && Object.keys(others).length === 0) return undefined;
  return JSON.stringify(isSaid ? others : call.structuredContent, undefined, 2);
}

function errorText(call: ToolCallState): string | undefined {
  if (!('error' in call) || !call.error) return undefined;
  return call.error.code ? `${call.error.message} (${call.error.code})` : call.error.message;
}

const kindIcons: Record<string, string> = {
  terminal: 'terminal',
  read: 'file',
  edit: 'edit',
  search: 'search',
  fetch: 'globe',
  subagent: 'organization',
  typing: 'keyboard',
};

function iconOf(call: ToolCallState, phase: ToolCallPhase): string {
  switch (phase) {
    case 'writing':
    case 'running':
      return 'loading';
    case 'answered':
      return 'arrow-up';
    case 'waiting':
    case 'signIn':
    case 'resultWaiting':
      return 'warning';
    case 'failed':
      return 'error';
    case 'denied':
    case 'withheld':
    case 'skipped':
      return 'circle-slash';
    case 'unknown':
      return 'question';
    case 'done': {
      const content = 'content' in call ? (call.content ?? []) : [];
      if (isTerminal(call, content)) return 'terminal';
      if (content.some((item) => item.type === 'fileEdit')) return 'edit';
      if (content.some((item) => item.type === 'subagent')) return 'organization';
      const kind = call._meta?.toolKind;
      return (typeof kind === 'string' && Object.hasOwn(kindIcons, kind) ? kindIcons[kind] : undefined) ?? 'tools';
    }
  }
}
