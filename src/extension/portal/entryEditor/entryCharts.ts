/** The charts of an entry as it is written. */
import * as l10n from '../../../base/l10n.ts';
import { findNodeAtLocation, getLocation, parseTree } from 'jsonc-parser';
import { messageOf } from '../../../base/errors.ts';
import { type ChartGraph, generateChartNodes } from '../../../portal/chart/generateChartNodes.ts';
import type { Entry } from '../../../portal/entry/entry.ts';
import { validateEntry } from '../../../portal/entry/validateEntry.ts';
import { MAX_ENTRY_LENGTH } from '../entryMarks.ts';

export interface JobWithChart {
  name: string;
  chart: ChartGraph;
}

/** Of all its jobs, or why there are none. */
export function entryCharts(text: string): { entry: Entry; jobs: JobWithChart[] } | { problem: string } {
  if (text.length > MAX_ENTRY_LENGTH) return { problem: l10n.t('The file is too long.') };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: l10n.t('The text is no JSON now.') };
  }
  try {
    const entry = validateEntry(value);
    return { entry, jobs: Object.entries(entry.jobs).map(([name, { work }]) => ({ name, chart: generateChartNodes(work) })) };
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

/** Where the names of its jobs stand, as far as a text with faults can be read. */
export function jobPlaces(text: string): { name: string; offset: number; length: number }[] {
  if (text.length > MAX_ENTRY_LENGTH) return [];
  const tree = parseTree(text);
  const jobs = tree && findNodeAtLocation(tree, ['jobs']);
  return (jobs?.children ?? []).flatMap(({ children: [key] = [] }) => {
    const name: unknown = key?.value;
    return key && typeof name === 'string' ? { name, offset: key.offset, length: key.length } : [];
  });
}
