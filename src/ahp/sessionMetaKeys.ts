/** Keys of a session's `_meta` by which our host tells our views what the protocol has no field for. */

import { isRecord } from '../base/isRecord.ts';
import { exactly, id, needs, object, record, text, whole } from './wellFormed/parts/shapeChecks.ts';

/** Why the session cannot be saved, in words for the user. */
export const NOT_SAVED = 'tapline.notSaved';
/** The branch of the git worktree that the session works in. */
export const WORKTREE_BRANCH = 'tapline.worktreeBranch';

/** The to-do list that the agent keeps in the session's first chat. */
export const TODOS = 'tapline.todos';
export interface Todo {
  text: string;
  state: 'open' | 'doing' | 'done';
}
const STATES: readonly unknown[] = ['open', 'doing', 'done'] satisfies Todo['state'][];
const todos = whole(object({ text: needs(text), state: needs((value) => (STATES.includes(value) ? value : undefined)) }));

/** Those of the other chats, by chat. */
export const CHAT_TODOS = 'tapline.chatTodos';

/** That of one chat of a session. */
export function todosIn({ _meta, defaultChat }: { _meta?: unknown; defaultChat?: string }, chat: string): Todo[] {
  const list = isRecord(_meta) ? (chat === (defaultChat ?? chat) ? _meta[TODOS] : chatTodosIn(_meta)[chat]) : undefined;
  return (todos(list) as Todo[] | undefined) ?? [];
}

/** What is said of the chats but the first. */
export function chatTodosIn(meta: unknown): Readonly<Record<string, unknown>> {
  const lists = isRecord(meta) ? meta[CHAT_TODOS] : undefined;
  return isRecord(lists) ? lists : {};
}

/** For {@link CHAT_TODOS}: without `todos` the chat has no list. Undefined where none is left. */
export function withChatTodos(meta: unknown, chat: string, todos?: readonly Todo[]): Record<string, unknown> | undefined {
  const { [chat]: _earlier, ...others } = chatTodosIn(meta);
  const lists = todos ? { ...others, [chat]: todos } : others;
  return Object.keys(lists).length > 0 ? lists : undefined;
}

/** In `_meta` of `createSession`: the model with which the session begins, a `ModelSelection`. In AHP v1 it is a parameter. */
export const FIRST_MODEL = 'tapline.firstModel';

const firstModel = object({ id: needs(id), config: exactly((value) => (record(text)(value) === value ? value : undefined)) });

/** Without what else a client has put there: it goes into the state that all clients get. */
export function firstModelIn(meta: unknown): { id: string; config?: Record<string, string> } | undefined {
  const given = isRecord(meta) ? (firstModel(meta[FIRST_MODEL]) as { id: string; config?: Record<string, string> } | undefined) : undefined;
  return given && { id: given.id, ...(given.config && { config: given.config }) };
}
