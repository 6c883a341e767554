/** The cost of the views as lists and files grow: the tree of the sidebar, and the preview of an edit. */
import type { SessionSummary } from '../src/ahp/channels/shapes/summaries.ts';
import { editDiff } from '../src/views/session/toolCall/editDiff.ts';
import { NO_FILTER } from '../src/views/sessionList/sessionFilter.ts';
import { type HostNode, type KnownSessions, sessionTree } from '../src/views/sessionList/sessionTree.ts';
import { updatedTree } from '../src/views/tree/treeChanges.ts';
import { report, timesAsLong } from './measure.ts';

const NOW = 1_800_000_000_000;

/** The title of one session has changed each time. */
function treeOf(count: number): () => HostNode[] {
  const sessions = Array.from({ length: count }, (_, index): SessionSummary => ({
    resource: `copilot:/${index}`,
    provider: 'copilot',
    title: `Session ${index}`,
    status: 33,
    createdAt: new Date(NOW - index * 1e6).toISOString(),
    modifiedAt: new Date(NOW - index * 1e6).toISOString(),
    workingDirectories: ['file:///home/ada/web-app'],
  }));
  const connection = { connected: true, failed: false, text: 'connected' };
  const host = { id: 'embedded', label: 'This computer', connection, sessions, listed: true, topSession: (uri: string) => uri };
  const known: KnownSessions = new Map();
  const options = { showArchived: true, filter: NO_FILTER, now: NOW, hidden: new Set<string>() };
  let trees = 0;
  return () => {
    const at = trees++ % count;
    sessions[at] = { ...sessions[at]!, title: `Session ${at} in tree ${trees}` };
    return sessionTree([host], options, known);
  };
}

/** The tree is shown, too. */
function redrawOf(count: number): () => unknown {
  const tree = treeOf(count);
  let shown = updatedTree([], tree()).rows;
  return () => {
    shown = updatedTree(shown, tree()).rows;
  };
}

/** Two lines change, near the beginning and the end of a file. */
function editOf(count: number): () => unknown {
  const before = Array.from({ length: count }, (_, index) => `  step(${index}, "something that a report does");`);
  const after = before.with(1, 'import { report } from "./report.ts";').with(-3, '  report();');
  return () => editDiff(before.join('\n'), after.join('\n'));
}

export function run(): void {
  report('tree of the sidebar: 10,000 sessions ÷ 1,000', timesAsLong(treeOf(10_000), treeOf(1_000), 3_000), { atMost: 11 });
  report('redraw of the sidebar: 10,000 sessions ÷ 1,000', timesAsLong(redrawOf(10_000), redrawOf(1_000), 3_000), { atMost: 11 });
  report('preview of an edit: 10,000 lines ÷ 1,000', timesAsLong(editOf(10_000), editOf(1_000)));
}
