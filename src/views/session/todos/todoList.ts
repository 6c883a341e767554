/**
 * The to-do list of an agent, as our own host or the last call says. The protocol has none, so it is read from the input of the tools that agents are known to
 * keep one with: `TodoWrite` of Claude, `manage_todo_list` of VS Code, `update_todo` of Copilot, `update_plan` of Codex. Their shapes are not to be
 * relied on: what does not fit is no list.
 */
import type { ActiveTurn, ChatState, Turn } from '../../../ahp/channels/chat/state.ts';
import type { SessionState } from '../../../ahp/channels/session/state.ts';
import type { ToolCallState } from '../../../ahp/channels/shapes/toolCall.ts';
import { todosIn } from '../../../ahp/sessionMetaKeys.ts';
import { oneLine } from '../../text/oneLine.ts';

export interface TodoItem {
  text: string;
  state: 'open' | 'doing' | 'done';
}
export interface TodoList {
  items: readonly TodoItem[];
  done: number;
  /** What the agent works on. */
  current?: string;
}

const TOOLS = new Set(['todowrite', 'todo_write', 'manage_todo_list', 'update_todo', 'update_plan']);
/** Where the items are, and what they are called, in the inputs of those tools. */
const LISTS = ['todos', 'todoList', 'plan'];
const TEXTS = ['content', 'title', 'step', 'text'];

/** In characters. A longer input is no list. */
const MAX_INPUT = 100_000;
const MAX_ITEMS = 100;
const MAX_TEXT = 300;

const lists = new WeakMap<Turn | ActiveTurn, { list: TodoList | undefined }>();
/** `ofLast`: the last turn has it. */
const pastLists = new WeakMap<readonly Turn[], { list: TodoList | undefined; ofLast: boolean }>();

/** Undefined where the agent keeps none, or is done with one of an earlier turn. `own`: the session of the chat at our own host, which says it. */
export function todoList(
  { resource, turns, activeTurn }: Pick<ChatState, 'resource' | 'turns' | 'activeTurn'>,
  own?: Pick<SessionState, '_meta' | 'defaultChat'>,
): TodoList | undefined {
  const said = listOfItems((own ? todosIn(own, resource) : []).flatMap(({ text, state }) => item(text, state)));
  if (said) return said.done === said.items.length && !activeTurn ? undefined : said;
  const current = activeTurn && listIn(activeTurn);
  if (current) return current;
  const { list, ofLast } = pastList(turns);
  const isOver = list && list.done === list.items.length && (activeTurn || !ofLast);
  return isOver ? undefined : list;
}

/** Of the last turn that has one. Looked for once in a list of turns, which may be long. */
function pastList(turns: readonly Turn[]): { list: TodoList | undefined; ofLast: boolean } {
  let known = pastLists.get(turns);
  if (!known) {
    const at = turns.findLastIndex((turn) => listIn(turn) !== undefined);
    const turn = turns[at];
    pastLists.set(turns, (known = { list: turn && listIn(turn), ofLast: at === turns.length - 1 }));
  }
  return known;
}

function listIn(turn: Turn | ActiveTurn): TodoList | undefined {
  const known = lists.get(turn);
  if (known) return known.list;
  let list: TodoList | undefined;
  for (let at = turn.responseParts.length - 1; at >= 0 && !list; at--) {
    const part = turn.responseParts[at];
    if (part?.kind === 'toolCall') list = listOf(part.toolCall);
  }
  lists.set(turn, { list });
  return list;
}

const ofCalls = new WeakMap<ToolCallState, { list: TodoList | undefined }>();

/** An agent has it once the call runs. A tool of a client may have the name of one of these, with another meaning. */
function listOf(call: ToolCallState): TodoList | undefined {
  if (!TOOLS.has(call.toolName.toLowerCase()) || call.contributor?.kind === 'client') return undefined;
  if (call.status !== 'running' && !(call.status === 'completed' && call.success)) return undefined;
  if (typeof call.toolInput !== 'string') return undefined;
  const known = ofCalls.get(call);
  if (known) return known.list;
  const list = listOfItems(itemsOf(call.toolInput));
  ofCalls.set(call, { list });
  return list;
}

function listOfItems(all: readonly TodoItem[]): TodoList | undefined {
  const items = all.slice(0, MAX_ITEMS);
  const current = items.find(({ state }) => state === 'doing')?.text;
  const done = items.filter(({ state }) => state === 'done').length;
  return items.length === 0 ? undefined : { items, done, ...(current !== undefined && { current }) };
}

function itemsOf(input: string): TodoItem[] {
  if (input.length > MAX_INPUT) return [];
  const fields = parsed(input);
  const list = LISTS.map((name) => fields[name]).find((value) => value !== undefined);
  if (Array.isArray(list)) return list.slice(0, MAX_ITEMS).flatMap(itemOf);
  return typeof list === 'string' ? list.split('\n').flatMap(itemOfLine) : [];
}

function parsed(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // Of another tool with that name.
  }
}

function itemOf(value: unknown): TodoItem[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  const text = TEXTS.map((name) => fields[name]).find((one) => typeof one === 'string');
  const state = stateOf(fields.status);
  return typeof text === 'string' && state !== undefined ? item(text, state) : [];
}

/** Undefined for what the agent has given up. */
function stateOf(status: unknown): TodoItem['state'] | undefined {
  const word =
    typeof status === 'string'
      ? status
          .slice(0, 20)
          .toLowerCase()
          .replace(/[^a-z]/g, '')
      : '';
  if (/^(?:completed?|done)$/.test(word)) return 'done';
  if (/^(?:inprogress|doing|active)$/.test(word)) return 'doing';
  return /^cancell?ed$/.test(word) ? undefined : 'open';
}

/** `- [x] text`, and `[~]` or `[>]` for what is worked on. */
function itemOfLine(line: string): TodoItem[] {
  const [, mark, text = ''] = /^\s{0,20}[-*] \[([ xX~>])\] (.*)$/.exec(line) ?? [];
  return mark === undefined ? [] : item(text, mark === ' ' ? 'open' : mark.toLowerCase() === 'x' ? 'done' : 'doing');
}

function item(text: string, state: TodoItem['state']): TodoItem[] {
  const shown = oneLine(text, MAX_TEXT);
  return shown === '' ? [] : [{ text: shown, state }];
}
