/** Keys of a session's `_meta` by which our host tells our views what the protocol has no field for. */

import * as z from 'zod/mini';
import { isRecord } from '../base/isRecord.ts';
import { id, listOf, recordOf } from './common/schemas.ts';

const firstModel = z.object({ id, config: z.optional(recordOf(z.string())) });

/** Why the session cannot be saved, in words for the user. */
export const NOT_SAVED = 'tapline.notSaved';
/** The branch of the git worktree that the session works in. */
export const WORKTREE_BRANCH = 'tapline.worktreeBranch';

/** The agent's to-do list. */
export const TODOS = 'tapline.todos';
const todo = z.object({ text: z.string(), state: z.enum(['open', 'doing', 'done']) });
export interface Todo extends z.infer<typeof todo> {}

export function todosIn(meta: unknown): Todo[] {
  return (isRecord(meta) && listOf(todo).safeParse(meta[TODOS]).data) || [];
}

/** In `_meta` of `createSession`: the model with which the session begins, a `ModelSelection`. In version 1 it is a parameter. */
export const FIRST_MODEL = 'tapline.firstModel';

export function firstModelIn(meta: unknown): { id: string; config?: Record<string, string> } | undefined {
  return isRecord(meta) ? firstModel.safeParse(meta[FIRST_MODEL]).data : undefined;
}
