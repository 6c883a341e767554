import type { TaskEvent } from '../runs/runEvents.ts';

type WithoutPlace<T> = T extends unknown ? Omit<T, 'at' | 'taskId'> : never;

/** Records an event of a task that runs. Throws when the task has been stopped. */
export type Tell = (event: WithoutPlace<TaskEvent>) => void;
