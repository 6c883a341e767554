/** What waits for the user at a host: one item for each thing that they can answer or settle. Nothing is filtered. */
import * as l10n from '../../base/l10n.ts';
import type { SessionState } from '../../ahp/channels/session/state.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import type { InputRequest } from '../../ahp/common/inputRequest.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { activityOf, SessionStatus, withActivity } from '../../ahp/common/status.ts';
import { resourceName } from '../hosts/signInRequest.ts';
import { toolCallLabel } from '../session/toolCall/toolCallView.ts';
import { folderOf } from '../session/openChat.ts';
import { cardName, type CardPlace, type Waiting, waitingKey } from '../session/waiting/waiting.ts';
import { isRead, sessionTitle, timeOf } from '../sessionList/sessionItem.ts';
import type { HostInput } from '../sessionList/sessionTree.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';

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
  /** The host lists its sessions, or a call goes on, only after a sign-in. */
  | 'signIn';

export interface AttentionItem<Kind extends string = AttentionKind> {
  /** The same for as long as the same thing waits: host, session, kind, and its `waitingKey`. */
  id: string;
  /** Empty for a review, as is its label. */
  hostId: string;
  hostLabel: string;
  kind: Kind;
  /** The session in which it waits. In AHP v1 it may be that of a subagent. Absent for the sign-in of a host and for a review. */
  uri?: URI;
  /** The session that the user started, where `uri` is that of a subagent. */
  topSession?: URI;
  /** The chat in which it waits. */
  chat?: URI;
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
  /** The call, the result, the sign-in of a call or the question, for a card. */
  waiting?: Waiting;
}

/** In a window. `review`: a program or a server waits for the user's word. It belongs to no host, and is answered where all of it is shown. */
export type WindowItem = AttentionItem<AttentionKind | 'review'>;

/** The card on which it is answered. Undefined for what has none. */
export function cardPlace({ chat, waiting }: WindowItem): CardPlace | undefined {
  return chat !== undefined && waiting ? { chat, name: cardName(waiting) } : undefined;
}

/** What is known of the things that wait, beside what their host says. */
export interface KnownOfWaiting {
  sinceWhen?: SinceWhen;
  /** This client has answered it, and the host has not settled that yet. */
  isAnswered?(chat: URI, waiting: Waiting): boolean;
}

/** Since when an item waits. `changed` is when its session changed last, which is when it began to wait if nothing has happened there since. */
export type SinceWhen = (id: string, changed: number) => number;

const KIND_WORDS: Record<AttentionKind, (detail: string) => string> = {
  call: (detail) => (detail === '' ? l10n.t('Approve or deny') : l10n.t`Approve or deny: ${detail}`),
  result: (detail) => (detail === '' ? l10n.t('Share or withhold the result') : l10n.t`Share or withhold the result: ${detail}`),
  question: (detail) => (detail === '' ? l10n.t('Answer') : l10n.t`Answer: ${detail}`),
  unknown: (detail) => (detail === '' ? l10n.t('Needs you') : l10n.t`Needs you: ${detail}`),
  failed: (detail) => (detail === '' ? l10n.t('Failed') : l10n.t`Failed: ${detail}`),
  signIn: (detail) => l10n.t`Sign in to ${detail}`,
};

/**
 * `states`: those that are known of the sessions that {@link needsState} names, and of their subagents. At a host that cannot be reached
 * nothing can be settled, so nothing waits there.
 */
export function attentionItems(
  host: HostInput,
  states: ReadonlyMap<string, SessionState>,
  { sinceWhen = (_, changed) => changed, isAnswered = () => false }: KnownOfWaiting = {},
): AttentionItem[] {
  if (!host.connection.connected) return [];
  const items = new Map<string, AttentionItem>();
  const add = (kind: AttentionKind, uri: URI | undefined, title: string, detail: string, waiting?: Waiting, chat = uri) => {
    const id = [host.id, chat ?? '', kind, waiting ? waitingKey(waiting) : ''].join('\n');
    const what = KIND_WORDS[kind](detail);
    const summary = uri === undefined ? undefined : summaryOf(uri);
    const folder = summary && folderOf(summary);
    const topSession = uri === undefined ? undefined : host.topSession(uri);
    items.set(id, {
      id,
      hostId: host.id,
      hostLabel: host.label,
      kind,
      ...(uri === undefined ? {} : { uri }),
      ...(topSession !== uri && { topSession }),
      ...(waiting && chat !== undefined && { chat }),
      ...(kind === 'unknown' && uri !== undefined && !states.has(uri) && { isLoading: true }),
      title,
      what,
      since: sinceWhen(id, changedAt(summary) ?? Number.POSITIVE_INFINITY),
      ...(folder !== undefined && { folder }),
      ...(waiting && { waiting }),
    });
  };
  const summaries = new Map(host.sessions.map((one) => [one.resource, one]));
  /** Of the session that the user started. */
  const summaryOf = (uri: string) => summaries.get(host.topSession(uri)) ?? summaries.get(uri) ?? states.get(uri);
  const titleOf = (uri: string): string => {
    const summary = summaryOf(uri);
    return summary ? sessionTitle(summary) : l10n.t('Session');
  };
  if (host.needsSignIn) add('signIn', undefined, host.label, 'GitHub');
  for (const uri of new Set([...summaries.keys(), ...states.keys()])) {
    const state = states.get(uri);
    const waiting = state && state.lifecycle !== 'creating' ? waitingIn(state) : [];
    for (const { chat, one } of waiting) if (!isAnswered(chat, one)) add(one.kind, uri, titleOf(uri), detailOf(one), one, chat);
    const now = state ? shownStatus(state) : summaries.get(uri);
    if (waiting.length > 0 || !now) continue;
    if (needsInput(now)) add('unknown', uri, titleOf(uri), oneLine(now.activity));
    else if (hasFailed(now) && host.topSession(uri) === uri) add('failed', uri, titleOf(uri), oneLine(now.activity));
  }
  return [...items.values()];
}

/** True for a session in which something may wait, in itself or in a subagent that it has started. */
export function needsState({ status }: Pick<SessionSummary, 'status'>): boolean {
  return Boolean(status & SessionStatus.InProgress);
}

/** What waits in the chats of a session, as the session itself says it, so that no chat has to be read. */
function waitingIn({ inputNeeded = [] }: SessionState): { chat: URI; one: Waiting }[] {
  return inputNeeded.flatMap((needed): { chat: URI; one: Waiting }[] => {
    const { chat } = needed;
    if (needed.kind === 'chatInput') return [{ chat, one: { kind: 'question', request: needed.request } }];
    if (needed.kind === 'toolAuthentication') return [{ chat, one: { kind: 'signIn', turnId: needed.turnId, call: needed.toolCall } }];
    if (needed.kind !== 'toolConfirmation') return [];
    const { turnId, toolCall: call } = needed;
    return [{ chat, one: call.status === 'pending-confirmation' ? { kind: 'call', turnId, call } : { kind: 'result', turnId, call } }];
  });
}

type Status = Pick<SessionSummary, 'status' | 'activity'>;

/** That of the chats, because no action says that of the session. A state that is known is newer than the summary of a list. */
function shownStatus({ status, activity, chats }: SessionState): Status {
  if (chats.length === 0) return { status, ...(activity !== undefined && { activity }) };
  const doing = chats.reduce((bits, chat) => bits | activityOf(chat.status), 0);
  const told = activity ?? chats.find((chat) => chat.activity)?.activity;
  return { status: withActivity(status, doing), ...(told !== undefined && { activity: told }) };
}

/** ms since the epoch. A state has no time. */
function changedAt(summary: SessionSummary | SessionState | undefined): number | undefined {
  return summary && 'modifiedAt' in summary ? timeOf(summary.modifiedAt) : undefined;
}

/** The number of items, in words; undefined when nothing waits. */
export function attentionText(count: number): string | undefined {
  if (count === 0) return undefined;
  return l10n.plural(count, l10n.t`${l10n.countText(count)} thing needs you`, l10n.t`${l10n.countText(count)} things need you`);
}

function needsInput({ status }: Status): boolean {
  return (status & SessionStatus.InputNeeded) === SessionStatus.InputNeeded;
}

function hasFailed(summary: Status): boolean {
  return Boolean(summary.status & SessionStatus.Error) && !needsState(summary) && !isRead(summary);
}

function detailOf(waiting: Waiting): string {
  if (waiting.kind === 'question') return questionText(waiting.request);
  if (waiting.kind === 'signIn') return resourceName(waiting.call.auth.resource);
  const label = toolCallLabel(waiting.call).map(({ text }) => text);
  const edits = waiting.kind === 'call' ? (waiting.call.edits?.items ?? []) : [];
  const files = edits.flatMap(({ before, after }) => (after ?? before)?.uri ?? []).map((uri) => displayPath(uri));
  return oneLine([...label, ...(files.length > 0 ? [` ${files.join(', ')}`] : [])].join(''));
}

function questionText({ message, questions, url }: InputRequest): string {
  return oneLine(message) || oneLine(questions?.[0]?.message) || oneLine(url) || l10n.t('a question');
}
