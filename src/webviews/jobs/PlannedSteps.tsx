/** The steps of a job that does not run, as a list and as a chart. */
import { useState } from 'preact/hooks';
import type { ChartGraph } from '../../views/portal/jobData.ts';
import { stepViews } from '../../views/portal/jobSteps.ts';
import { JobChart } from './JobChart.tsx';
import { StepList } from './StepList.tsx';

/** Must get the job's name as its key, also further up. `label`: of the chart. */
export function PlannedSteps({ chart, label }: { chart: ChartGraph; label: string }) {
  const [selected, select] = useState<number>();
  const steps = stepViews(chart, [], 0);
  return (
    <div class="job-parts">
      <StepList {...{ steps, selected }} now={0} onSelect={select} />
      <JobChart {...{ chart, steps, label, selected }} onSelect={select} />
    </div>
  );
}
