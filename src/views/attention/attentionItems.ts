/** What waits for the user at a host: one item for each thing that they can answer or settle. Nothing is filtered. */
import type { SessionInputRequest } from '../../ahp/v1/inputRequest.ts';
import { SessionStatus, type SessionState, type SessionSummary } from '../../ahp/v1/session.ts';
import { isSubagent, isSubagentOf, topSession } from '../../ahp/subagentUri.ts';
import { toolCallLabel } from '../session/toolCall/toolCallView.ts';
import { type Waiting, waitingKey, waitingOf } from '../session/waiting/waiting.ts';
import { isRead, sessionTitle } from '../sessionList/sessionItem.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { counted } from '../text/counted.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { wellFormedSession, wellFormedSummary } from '../wellFormedV1.ts';

export type AttentionKind =
  /** A tool call that needs an approval. */
  | 'call'
  /** A result that the model gets only when the user lets it. */
  | 'result'
  | 'question'
  /** The host says that the session needs the user. For what is not known, or not yet. */
  | 'unknown'
  /** A turn ended with an error, and the user has not seen it. */
  | 'failed'
  /** The host lists its sessions only after a sign-in. */
  | 'signIn';

export interface AttentionItem {
  /** The same for as long as the same thing waits: host, session, kind, and its `waitingKey`. */
  id: string;
  hostId: string;
  hostLabel: string;
  kind: AttentionKind;
  /** The session in which it waits, which may be that of a subagent. Absent for a sign-in. */
  uri?: string;
  /** The state of the session is on its way. It may tell what waits. */
  isLoading?: true;
  /** The title of the session that the user started, or the label of the host. */
  title: string;
  /** What waits, on one line. */
  what: string;
  /** Since when it waits, in ms since the epoch. */
  since: number;
  /** The working directory of the session. */
  folder?: string;
  /** The call, the result or the question, for a card. */
  waiting?: Waiting;
}

/** Since when an item waits. `changed` is when its session changed last, which is when it began to wait if nothing has happened there since. */
export type SinceWhen = (id: string, changed: number) => number;

const KIND_WORDS: Record<AttentionKind, string> = {
  call: 'Approve or deny',
  result: 'Share or withhold the result',
  question: 'Answer',
  unknown: 'Needs you',
  failed: 'Failed',
  signIn: 'Sign in to GitHub',
};

/**
 * `states`: those that are known of the sessions that {@link needsState} names, and of their subagents. At a host that cannot be reached
 * nothing can be settled, so nothing waits there.
 */
export function attentionItems(
  host: HostInput,
  states: ReadonlyMap<string, SessionState>,
  sinceWhen: SinceWhen = (_, changed) => changed,
): AttentionItem[] {
  if (!host.connection.connected) return [];
  const items = new Map<string, AttentionItem>();
  const add = (kind: AttentionKind, uri: string | undefined, title: string, detail: string, waiting?: Waiting) => {
    const id = [host.id, uri ?? '', kind, waiting ? waitingKey(waiting) : ''].join('\n');
    const what = detail === '' ? KIND_WORDS[kind] : `${KIND_WORDS[kind]}: ${detail}`;
    const summary = uri === undefined ? undefined : summaryOf(uri);
    const folder = summary?.workingDirectory;
    items.set(id, {
      id,
      hostId: host.id,
      hostLabel: host.label,
      kind,
      ...(uri === undefined ? {} : { uri }),
      ...(kind === 'unknown' && uri !== undefined && !states.has(uri) && { isLoading: true }),
      title,
      what,
      since: sinceWhen(id, summary?.modifiedAt ?? Number.POSITIVE_INFINITY),
      ...(folder !== undefined && { folder }),
      ...(waiting && { waiting }),
    });
  };
  const summaries = new Map(host.sessions.flatMap((listed) => wellFormedSummary(listed) ?? []).map((one) => [one.resource, one]));
  /** Of the session that the user started. */
  const summaryOf = (uri: string) => summaries.get(topSession(uri)) ?? summaries.get(uri) ?? states.get(uri)?.summary;
  const titleOf = (uri: string): string => {
    const summary = summaryOf(uri);
    return summary ? sessionTitle(summary) : 'Session';
  };
  if (host.needsSignIn) add('signIn', undefined, host.label, '');
  for (const uri of new Set([...summaries.keys(), ...states.keys()])) {
    const known = states.get(uri);
    const state = known && wellFormedSession(known);
    const waiting = state && state.lifecycle !== 'creating' ? waitingOf(state) : [];
    for (const one of waiting) add(one.kind, uri, titleOf(uri), detailOf(one), one);
    // A state that is known is newer than the summary of a list.
    const summary = state?.summary ?? summaries.get(uri);
    if (waiting.length > 0 || !summary) continue;
    if (needsInput(summary)) add('unknown', uri, titleOf(uri), oneLine(summary.activity));
    else if (hasFailed(summary) && !isSubagent(uri)) add('failed', uri, titleOf(uri), oneLine(summary.activity));
  }
  return [...items.values()];
}

/** True for a session in which something may wait, in itself or in a subagent that it has started. */
export function needsState(summary: SessionSummary): boolean {
  return Boolean(summary.status & SessionStatus.InProgress);
}

/** The sessions of subagents that calls of the turn in progress have started. A host may name any resource there, so only those below `uri` count. */
export function subagentsOf(uri: string, state: SessionState): string[] {
  const named = (wellFormedSession(state).activeTurn?.responseParts ?? []).flatMap((part) => {
    if (part.kind !== 'toolCall' || part.toolCall.status !== 'running') return [];
    return (part.toolCall.content ?? []).flatMap((content) => (content.type === 'subagent' ? [content.resource] : []));
  });
  return named.filter((resource) => isSubagentOf(resource, uri));
}

/** The number of items, in words; undefined when nothing waits. */
export function attentionText(count: number): string | undefined {
  if (count === 0) return undefined;
  return `${counted(count, 'thing')} ${count === 1 ? 'needs' : 'need'} you`;
}

function needsInput({ status }: SessionSummary): boolean {
  return (status & SessionStatus.InputNeeded) === SessionStatus.InputNeeded;
}

function hasFailed(summary: SessionSummary): boolean {
  return Boolean(summary.status & SessionStatus.Error) && !needsState(summary) && !isRead(summary);
}

function detailOf(waiting: Waiting): string {
  if (waiting.kind === 'question') return questionText(waiting.request);
  const label = toolCallLabel(waiting.call).map(({ text }) => text);
  const edits = waiting.kind === 'call' ? (waiting.call.edits?.items ?? []) : [];
  const files = edits.flatMap(({ before, after }) => (after ?? before)?.uri ?? []).map((uri) => displayPath(uri));
  return oneLine([...label, ...(files.length > 0 ? [` ${files.join(', ')}`] : [])].join(''));
}

function questionText({ message, questions, url }: SessionInputRequest): string {
  return oneLine(message) || oneLine(questions?.[0]?.message) || oneLine(url) || 'a question';
}
