/** The cost of the views as lists and files grow: the tree of the sidebar, and the preview of an edit. */
import type { SessionSummary } from '../src/ahp/channels/shapes/summaries.ts';
import { editDiff } from '../src/views/session/toolCall/editDiff.ts';
import { NO_FILTER } from '../src/views/sessionList/sessionFilter.ts';
import { type HostNode, sessionTree } from '../src/views/sessionList/sessionTree.ts';
import { updatedTree } from '../src/views/sessionList/treeChanges.ts';
import { fastest, report } from './measure.ts';

const NOW = 1_800_000_000_000;

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
  return () => sessionTree([host], { showArchived: true, filter: NO_FILTER, now: NOW, hidden: new Set<string>() });
}

/** Half a minute has passed, and nothing that is shown has changed. */
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
  report('tree of the sidebar: 10,000 sessions ÷ 1,000', fastest(treeOf(10_000), 1_000) / fastest(treeOf(1_000)));
  report('redraw of the sidebar without a change: 10,000 sessions ÷ 1,000', fastest(redrawOf(10_000), 1_000) / fastest(redrawOf(1_000)));
  report('preview of an edit: 10,000 lines ÷ 1,000', fastest(editOf(10_000)) / fastest(editOf(1_000)));
}
