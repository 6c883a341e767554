/** Runs the tree of a job. It knows nothing of tasks: whoever calls it runs each Ref. */
import type { LoopCondition, RefWork, Work } from '../entry/work.ts';
import type { StepKey } from '../runs/runEvents.ts';

/** Bodies that a loop may run by default. */
export const LOOP_CAP = 100;

/** A loop ran its body as often as it may, and would go on. */
export class LoopCapError extends Error {
  override readonly name = 'LoopCapError';
  constructor(readonly cap: number) {
    super(`a loop has run ${cap} times and would run again`);
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
   * Runs a Ref; `step` is new in each run. Resolves with its answer. A rejection is a crash: it ends the whole work with the same reason, and
   * other parts that still run are the caller's to stop.
   */
  runStep(ref: RefWork<number>, step: StepKey): Promise<boolean>;
}

const success: WorkResult = { succeeded: true, failedSteps: [] };

/** Rejects with the reason of a crash, or a {@link LoopCapError}. */
export function runWork(work: Work<number>, runner: WorkRunner): Promise<WorkResult> {
  const timesRun = new Map<number, number>();

  async function run(part: Work<number>): Promise<WorkResult> {
    switch (part.kind) {
      case 'Ref': {
        const times = timesRun.get(part.workIdInJob) ?? 0;
        timesRun.set(part.workIdInJob, times + 1);
        const step: StepKey = `${part.workIdInJob}#${times}`;
        return (await runner.runStep(part, step)) ? success : { succeeded: false, failedSteps: [step] };
      }
      case 'Seq':
        for (const child of part.works) {
          const result = await run(child);
          if (!result.succeeded) return result;
        }
        return success;
      case 'Par': {
        const results = await Promise.all(part.works.map(run));
        return { succeeded: results.every(({ succeeded }) => succeeded), failedSteps: results.flatMap(({ failedSteps }) => failedSteps) };
      }
      case 'Loop':
        for (let times = 0; part.preCondition === undefined || (await holds(part.preCondition)); times++) {
          if (times === runner.loopCap) throw new LoopCapError(runner.loopCap);
          const result = await run(part.body);
          if (!result.succeeded) return result;
          if (part.postCondition === undefined || !(await holds(part.postCondition))) break;
        }
        return success;
      case 'Alt': {
        const chosen = (await run(part.condition)).succeeded ? part.trueWork : part.falseWork;
        return chosen ? run(chosen) : success;
      }
    }
  }

  async function holds([flag, condition]: LoopCondition<number>): Promise<boolean> {
    return (await run(condition)).succeeded === flag;
  }

  return run(work);
}
