/** Runs the tree of a job. It knows nothing of tasks: whoever calls it runs each Ref. */
import type { LoopCondition, RefWork, Work } from '../entry/work.ts';
import type { StepKey } from '../runs/runEvents.ts';

/** Bodies that a loop may run by default. */
export const LOOP_CAP = 100;

/** A loop ran its body as often as it may, and would go on. */
export class LoopCapError extends Error {
  override readonly name = 'LoopCapError';
  constructor(readonly cap: number) {
    super(`a loop has run ${cap} ${cap === 1 ? 'time' : 'times'} and would run again`);
  }
}

export interface WorkResult {
  succeeded: boolean;
  /** The steps whose failure made it fail. */
  failedSteps: StepKey[];
}

export interface WorkRunner {
  readonly loopCap: number;
  /**
   * Runs a Ref; `step` is new in each run. `branches`: the branch of each Par around it, outermost first, named after the first step of the branch.
   * Resolves with its answer. A rejection is a crash: it ends the whole work with the same reason, and other parts that still run are the
   * caller's to stop.
   */
  runStep(ref: RefWork<number>, step: StepKey, branches: readonly StepKey[]): Promise<boolean>;
  /** All branches of a Par have succeeded. A rejection is a crash. Absent: nothing is to be done then. */
  join?(branches: readonly (readonly StepKey[])[]): Promise<void>;
}

const success: WorkResult = { succeeded: true, failedSteps: [] };

/** Rejects with the reason of a crash, or a {@link LoopCapError}. */
export function runWork(work: Work<number>, runner: WorkRunner): Promise<WorkResult> {
  const timesRun = new Map<number, number>();
  const timesParted = new Map<Work<number>, number>();

  async function run(part: Work<number>, branches: readonly StepKey[]): Promise<WorkResult> {
    switch (part.kind) {
      case 'Ref': {
        const step: StepKey = `${part.workIdInJob}#${counted(timesRun, part.workIdInJob)}`;
        return (await runner.runStep(part, step, branches)) ? success : { succeeded: false, failedSteps: [step] };
      }
      case 'Seq':
        for (const child of part.works) {
          const result = await run(child, branches);
          if (!result.succeeded) return result;
        }
        return success;
      case 'Par': {
        const times = counted(timesParted, part);
        const inner = part.works.map((child) => [...branches, `${firstWorkId(child)}#${times}`] as const);
        const results = await Promise.all(part.works.map((child, at) => run(child, inner[at] ?? branches)));
        const succeeded = results.every((result) => result.succeeded);
        if (succeeded) await runner.join?.(inner);
        return { succeeded, failedSteps: results.flatMap(({ failedSteps }) => failedSteps) };
      }
      case 'Loop':
        for (let times = 0; part.preCondition === undefined || (await holds(part.preCondition, branches)); times++) {
          if (times === runner.loopCap) throw new LoopCapError(runner.loopCap);
          const result = await run(part.body, branches);
          if (!result.succeeded) return result;
          if (part.postCondition === undefined || !(await holds(part.postCondition, branches))) break;
        }
        return success;
      case 'Alt': {
        const chosen = (await run(part.condition, branches)).succeeded ? part.trueWork : part.falseWork;
        return chosen ? run(chosen, branches) : success;
      }
    }
  }

  async function holds([flag, condition]: LoopCondition<number>, branches: readonly StepKey[]): Promise<boolean> {
    return (await run(condition, branches)).succeeded === flag;
  }

  return run(work, []);
}

/** How often it was there before. */
function counted<T>(times: Map<T, number>, key: T): number {
  const before = times.get(key) ?? 0;
  times.set(key, before + 1);
  return before;
}

/** Ids count from the first one. */
function firstWorkId(work: Work<number>): number {
  switch (work.kind) {
    case 'Ref':
      return work.workIdInJob;
    case 'Seq':
    case 'Par':
      return firstWorkId(work.works[0] as Work<number>);
    case 'Loop':
      return firstWorkId(work.preCondition?.[1] ?? work.postCondition?.[1] ?? work.body);
    case 'Alt':
      return firstWorkId(work.condition);
  }
}
