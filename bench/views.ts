/** The cost of the views as lists and sessions grow: the tree of the sidebar, and one frame of a long session. */
import type { SessionState, SessionSummary, Turn } from '../src/ahp/v1/session.ts';
import { turnViews } from '../src/views/session/transcript/transcript.ts';
import { sessionTree } from '../src/views/sessionList/sessionTree.ts';
import { wellFormedSession } from '../src/views/wellFormedV1.ts';
import { fastest, report } from './measure.ts';
import { sessionWith } from './traces.ts';

const NOW = 1_800_000_000_000;

function treeOf(count: number): () => unknown {
  const sessions = Array.from({ length: count }, (_, index): SessionSummary => ({
    resource: `copilot:/${index}`,
    provider: 'copilot',
    title: `Session ${index}`,
    status: 33,
    createdAt: NOW - index * 1e6,
    modifiedAt: NOW - index * 1e6,
    workingDirectory: 'file:///home/ada/web-app',
  }));
  const connection = { connected: true, failed: false, text: 'connected' };
  const host = { id: 'embedded', label: 'This computer', connection, sessions, listed: true };
  return () => sessionTree([host], { showArchived: true, filter: '', now: NOW, hidden: new Set<string>() });
}

/** Appends a word to the running turn of a session whose earlier turns are rendered already. */
function frameOf(count: number): () => unknown {
  const turns = Array.from({ length: count }, (_, index): Turn => ({
    id: `t${index}`,
    userMessage: { text: 'Question' },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  let words = 0;
  return () => {
    const state: SessionState = { ...sessionWith(1), turns };
    const [part] = state.activeTurn?.responseParts ?? [];
    if (part?.kind === 'markdown') part.content = `word ${words++}`;
    return turnViews(wellFormedSession(state));
  };
}

export function run(): void {
  report('tree of the sidebar: 10,000 sessions ÷ 1,000', fastest(treeOf(10_000)) / fastest(treeOf(1_000)));
  report('one frame of a session: 5,000 turns ÷ 50', fastest(frameOf(5_000)) / fastest(frameOf(50)));
}
