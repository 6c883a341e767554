/** The cost of the views as lists, sessions and files grow: the tree of the sidebar, one frame of a long session, and the preview of an edit. */
import type { ChatState, Turn } from '../src/ahp/channels/chat/state.ts';
import type { SessionSummary } from '../src/ahp/channels/shapes/summaries.ts';
import type { SessionState as V1State, Turn as V1Turn } from '../src/ahp/v1/session.ts';
import { upgradedChat } from '../src/ahp/v1/upgrade.ts';
import { editDiff } from '../src/views/session/toolCall/editDiff.ts';
import { turnViews } from '../src/views/session/transcript/transcript.ts';
import { NO_FILTER } from '../src/views/sessionList/sessionFilter.ts';
import { type HostNode, sessionTree } from '../src/views/sessionList/sessionTree.ts';
import { updatedTree } from '../src/views/sessionList/treeChanges.ts';
import { wellFormed } from '../src/ahp/wellFormed/wellFormed.ts';
import { fastest, report } from './measure.ts';
import { sessionWith } from './traces.ts';

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

/** Appends a word to the running turn of a session of version 1 whose earlier turns are rendered already. */
function frameOf(count: number): () => unknown {
  const turns = Array.from({ length: count }, (_, index): V1Turn => ({
    id: `t${index}`,
    userMessage: { text: 'Question' },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  let words = 0;
  return () => {
    const state: V1State = { ...sessionWith(1), turns };
    const [part] = state.activeTurn?.responseParts ?? [];
    if (part?.kind === 'markdown') part.content = `word ${words++}`;
    return turnViews(wellFormed('chat', upgradedChat(state)));
  };
}

/** The same in a chat. */
function chatFrameOf(count: number): () => unknown {
  const origin = { kind: 'user' as const };
  const turns = Array.from({ length: count }, (_, index): Turn => ({
    id: `t${index}`,
    message: { text: 'Question', origin },
    responseParts: [{ kind: 'markdown', id: `m${index}`, content: 'Answer' }],
    state: 'complete',
  }));
  const chat: ChatState = { resource: 'ahp-chat://a/1', title: '', status: 8, modifiedAt: '', turns };
  let words = 0;
  return () => {
    const part = { kind: 'markdown' as const, id: 'm', content: `word ${words++}` };
    const activeTurn = { id: 't', message: { text: 'Go', origin }, responseParts: [part] };
    return turnViews(wellFormed('chat', { ...chat, activeTurn }));
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
  report('one frame of a session: 5,000 turns ÷ 50', fastest(frameOf(5_000)) / fastest(frameOf(50)));
  report('one frame of a chat: 5,000 turns ÷ 50', fastest(chatFrameOf(5_000)) / fastest(chatFrameOf(50)));
  report('preview of an edit: 10,000 lines ÷ 1,000', fastest(editOf(10_000)) / fastest(editOf(1_000)));
}
