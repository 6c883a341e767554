/** What a job does: a tree of tasks. */
import * as z from 'zod';
import { type Model, model } from './task.ts';

/** Runs a task. `T` is the type of the id: `number` once the entry is validated, `number | undefined` before. */
export type RefWork<T> = {
  kind: 'Ref';
  taskId: string;
  modelOverride?: Model;
} & (undefined extends T ? { workIdInJob?: T } : { workIdInJob: T });
export interface SeqWork<T> {
  kind: 'Seq';
  works: Work<T>[];
}
export interface ParWork<T> {
  kind: 'Par';
  works: Work<T>[];
}
/** A condition with the answer that leads to the body. */
export type LoopCondition<T> = [boolean, Work<T>];
export interface LoopWork<T> {
  kind: 'Loop';
  preCondition?: LoopCondition<T>;
  postCondition?: LoopCondition<T>;
  body: Work<T>;
}
export interface AltWork<T> {
  kind: 'Alt';
  condition: Work<T>;
  trueWork?: Work<T>;
  falseWork?: Work<T>;
}
export type Work<T> = RefWork<T> | SeqWork<T> | ParWork<T> | LoopWork<T> | AltWork<T>;
/** As it is written in an entry. */
export type GivenWork = Work<number | undefined>;

/** All works in it that run a task, in the order in which they stand there. */
export function refsIn<T>(work: Work<T>): RefWork<T>[] {
  switch (work.kind) {
    case 'Ref':
      return [work];
    case 'Seq':
    case 'Par':
      return work.works.flatMap((one) => refsIn(one));
    case 'Loop':
      return [work.preCondition?.[1], work.body, work.postCondition?.[1]].flatMap((part) => (part ? refsIn(part) : []));
    case 'Alt':
      return [work.condition, work.trueWork, work.falseWork].flatMap((part) => (part ? refsIn(part) : []));
  }
}

export function hasLoop<T>(work: Work<T>): boolean {
  switch (work.kind) {
    case 'Ref':
      return false;
    case 'Seq':
    case 'Par':
      return work.works.some((one) => hasLoop(one));
    case 'Loop':
      return true;
    case 'Alt':
      return [work.condition, work.trueWork, work.falseWork].some((part) => part && hasLoop(part));
  }
}

/** `id`: what a work id is, which is computed. */
function workSchema<T extends number | undefined>(name: string, id: z.ZodType<T, T>): z.ZodType<Work<T>, Work<T>> {
  const nested: z.ZodType<Work<T>, Work<T>> = z.lazy(() => schema);
  const works = z.array(nested).min(1, 'must not be empty');
  const loopCondition = z.tuple([z.boolean().describe('The answer that leads to the body.'), nested.describe('The condition.')]);

  const refWork = z.strictObject({
    kind: z.literal('Ref').describe('Runs a task.'),
    workIdInJob: id,
    taskId: z.string().describe('The name of a task.'),
    modelOverride: model.optional().describe('The model of this run. Needed where the task has no model.'),
  });
  const seqWork = z.strictObject({
    kind: z.literal('Seq').describe('Works one after the other.'),
    works: works.describe('Run one after the other. The first failure ends it.'),
  });
  const parWork = z.strictObject({
    kind: z.literal('Par').describe('Works side by side.'),
    works: works.describe('Run side by side, all to the end.'),
  });
  const loopWork = z.strictObject({
    kind: z.literal('Loop').describe('A work that is repeated.'),
    preCondition: loopCondition.optional().describe('Checked before the body. Another answer ends the loop.'),
    postCondition: loopCondition
      .optional()
      .describe('Checked after the body. Another answer ends the loop; without it the body runs once.'),
    body: nested.describe('Its failure fails the loop.'),
  });
  const altWork = z.strictObject({
    kind: z.literal('Alt').describe('A choice.'),
    condition: nested.describe('Its failure is an answer and no error.'),
    trueWork: nested.optional().describe('Runs when the condition succeeded. Nothing when absent.'),
    falseWork: nested.optional().describe('Runs when the condition failed. Nothing when absent.'),
  });

  const schema = z
    .discriminatedUnion('kind', [refWork, seqWork, parWork, loopWork, altWork], {
      error: 'must be a work, an object whose kind is Ref, Seq, Par, Loop or Alt',
    })
    .meta({ id: name }) as unknown as z.ZodType<Work<T>, Work<T>>;
  return schema;
}

const workId = z.int().min(0);
export const work = workSchema<number | undefined>('Work', workId.optional().describe('Computed. What is written here is replaced.'));
/** Of a validated entry. */
export const numberedWork = workSchema<number>('NumberedWork', workId);
