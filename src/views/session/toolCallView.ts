/** One tool call as a person reads it: one line that says what happens or happened, and what stands behind it. */
import type { StringOrMarkdown } from '../../ahp/v1/common.ts';
import type { ToolCallState, ToolResultContent } from '../../ahp/v1/toolCall.ts';
import { oneLine } from '../oneLine.ts';
import { inlineText, type InlineSegment } from './inlineText.ts';
import { durationText } from './observedTimes.ts';

export type ToolCallPhase =
  /** The user has answered, and the host has not taken the answer yet. */
  'answered' | 'writing' | 'waiting' | 'running' | 'resultWaiting' | 'done' | 'failed' | 'denied' | 'skipped' | 'withheld' | 'unknown';

export interface ToolCallView {
  id: string;
  phase: ToolCallPhase;
  /** A codicon's name. */
  icon: string;
  summary: readonly InlineSegment[];
  /** Short facts behind the summary: "exit 1", "12 s". */
  facts: readonly string[];
  input?: ToolInput;
  content: readonly ToolResultContent[];
  /** JSON, indented. */
  structured?: string;
  error?: string;
}

/** What a tool was given. The parts together are all of it. */
export interface ToolInput {
  /** Shell command, when that is what the tool takes. */
  command?: string;
  url?: string;
  /** Everything but `command` and `url`: the value of the only field that is left, indented JSON, or the whole as it came. */
  rest?: string;
  /** What `rest` is, in words. */
  restName?: string;
}

/** How sure it is that the host has the call in this state. */
interface Certainty {
  /** The state is what the user's answer leads to, and the host has not taken that yet. */
  isUnsettled?: boolean;
  /** The host is away: it is the last known state. */
  isAway?: boolean;
}

/** `durationMs` is what was observed of its run. */
export function toolCallView(
  call: ToolCallState,
  durationMs?: number,
  { isUnsettled = false, isAway = false }: Certainty = {},
): ToolCallView {
  const phase = isUnsettled ? 'answered' : phaseOf(call);
  const raw = call.status === 'streaming' ? call.partialInput : 'toolInput' in call ? call.toolInput : undefined;
  const content = 'content' in call ? (call.content ?? []) : [];
  const structured = structuredText(call, content);
  const error = errorText(call);
  return {
    id: call.toolCallId,
    phase,
    icon: iconOf(call, phase),
    summary: isUnsettled ? nameAndInput(call, raw) : summaryOf(call),
    facts: isUnsettled ? [] : factsOf(call, content, durationMs, isAway),
    // What is still being written is JSON of any tool.
    ...(raw ? { input: toolInput(raw, call.status === 'streaming' ? undefined : call._meta?.toolKind) } : {}),
    content,
    ...(structured === undefined ? {} : { structured }),
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * Takes a tool's raw input apart for reading. Where the parts would not make the same text again, it stays as it is: of two members of
 * one name, for example, a parser sees one and a shell runs both. What a shell or a program gets as text is never taken for JSON.
 */
export function toolInput(raw: string, kind?: unknown): ToolInput {
  if (kind === 'terminal') return { command: raw };
  if (kind === 'typing') return { rest: raw, restName: 'What is typed' };
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

/** The object that the text is the JSON of, in the spelling and with the indentation that `JSON.stringify` gives it. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const indentation = /^\{\n([ \t]{1,10})"/.exec(text)?.[1];
    return JSON.stringify(value, undefined, indentation) === text ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // It is a text that begins with a brace (or is still being written): shown as it is.
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

/** The host's own words say that it runs or is done, which is not so yet. */
function nameAndInput(call: ToolCallState, raw: string | undefined): readonly InlineSegment[] {
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
  return outcome ? [{ text: `${outcome}: ` }, ...words] : words;
}

/**
 * Said first: the host's own words may still be that it runs. “Skipped” is the protocol's word for a call that had no result when its turn
 * ended, and hosts leave calls so that they did carry out (VS Code 1.117 tells of an edit late, at times after the turn).
 */
const OUTCOMES: { [P in ToolCallPhase]?: string } = { denied: 'Denied', withheld: 'Result withheld', skipped: 'No result' };

/** True for nothing to show; hosts send `''` for a message that was never set. */
function isBlank(text: StringOrMarkdown | undefined): boolean {
  return text === undefined || (typeof text === 'string' ? text : text.markdown).trim() === '';
}

function factsOf(call: ToolCallState, content: readonly ToolResultContent[], durationMs: number | undefined, isAway: boolean): string[] {
  const facts: string[] = [];
  const phase = phaseOf(call);
  if (isAway && (phase === 'running' || phase === 'writing')) facts.push('last known');
  if (phase === 'unknown') facts.push(`unknown status (${call.status})`);
  const exit = isTerminal(call, content) ? exitCode(call, content) : undefined;
  if (exit !== undefined) facts.push(`exit ${exit}`);
  else if (phase === 'failed') facts.push('failed');
  if (durationMs !== undefined) facts.push(durationText(durationMs));
  if (call.status === 'cancelled' && !isBlank(call.reasonMessage)) {
    facts.push(
      inlineText(call.reasonMessage ?? '')
        .map((segment) => segment.text)
        .join(''),
    );
  }
  return facts;
}

function isTerminal(call: ToolCallState, content: readonly ToolResultContent[]): boolean {
  return call._meta?.toolKind === 'terminal' || content.some((item) => item.type === 'terminal');
}

/** The protocol has no field for it: our host puts it among the structured content, VS Code's begins the text with it. */
function exitCode(call: ToolCallState, content: readonly ToolResultContent[]): number | undefined {
  const structured = 'structuredContent' in call ? call.structuredContent?.exitCode : undefined;
  if (typeof structured === 'number') return structured;
  for (const item of content) {
    const code = item.type === 'text' ? /^Exit code: (-?\d+)/.exec(item.text)?.[1] : undefined;
    if (code !== undefined) return Number(code);
  }
  return undefined;
}

/** An exit code that is said already is not said again. */
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
