/** The charts of an entry as it is written. */
import { getLocation } from 'jsonc-parser';
import { messageOf } from '../../../base/errors.ts';
import { type ChartGraph, generateChartNodes } from '../../../portal/chart/generateChartNodes.ts';
import { validateEntry } from '../../../portal/entry/validateEntry.ts';
import { MAX_ENTRY_LENGTH } from '../entryMarks.ts';

export interface JobWithChart {
  name: string;
  chart: ChartGraph;
}

/** Of all its jobs, or why there are none. */
export function entryCharts(text: string): { jobs: JobWithChart[] } | { problem: string } {
  if (text.length > MAX_ENTRY_LENGTH) return { problem: 'The file is too long.' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'The text is no JSON now.' };
  }
  try {
    const { jobs } = validateEntry(value);
    return { jobs: Object.entries(jobs).map(([name, { work }]) => ({ name, chart: generateChartNodes(work) })) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** The name of the job in which the place is. */
export function jobAt(text: string, offset: number): string | undefined {
  if (text.length > MAX_ENTRY_LENGTH) return undefined;
  const [part, name] = getLocation(text, offset).path;
  return part === 'jobs' && typeof name === 'string' && name !== '' ? name : undefined;
}
