/** A session in the list, made from its summary. */
import * as l10n from '../../base/l10n.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { folderOf } from '../session/openChat.ts';
import { backgroundWords } from '../session/terminals/sessionWork.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { dateText, relativeTime, relativeTimeEnd } from '../text/time/relativeTime.ts';

/** The state of a session, most urgent first. */
export type SessionMood = 'needsYou' | 'running' | 'error' | 'unread' | 'idle';

export interface SessionItem {
  uri: string;
  title: string;
  mood: SessionMood;
  archived: boolean;
  /** What it is doing, why it failed if the host said so, or what it changed and when. */
  description: string;
  /** For the tooltip, one line each. */
  details: string[];
  /** ms since the epoch. */
  modifiedAt: number;
}

export const MOOD_WORDS: Record<SessionMood, string> = {
  needsYou: l10n.t('needs you'),
  running: l10n.t('running'),
  error: l10n.t('ended with an error'),
  unread: l10n.t('unread'),
  idle: l10n.t('idle'),
};

// Created once, because creating a formatter takes longer than the rest of an item.
const dateAndTime = l10n.dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** With the time in which its words are right. */
export interface DatedItem {
  readonly item: SessionItem;
  readonly running: number;
  readonly from: number;
  readonly until: number;
}

/** `running`: how many of its commands run. While it works, they belong to that. `before`: of the same summary, which stays while its words are right. */
export function datedItem(summary: SessionSummary, now: number, running = 0, before?: DatedItem): DatedItem {
  if (before && before.running === running && before.from <= now && now < before.until) return before;
  const item = sessionItem(summary, now, running);
  return { item, running, from: now, until: relativeTimeEnd(item.modifiedAt, now) };
}

export function sessionItem(summary: SessionSummary, now: number, running = 0): SessionItem {
  const mood = sessionMood(summary);
  const title = sessionTitle(summary);
  const modifiedAt = timeOf(summary.modifiedAt);
  const time = relativeTime(modifiedAt, now);
  const folder = folderOf(summary);
  const changes = changedFiles(summary);
  const activity = oneLine(summary.activity);
  const busy = mood === 'running' || mood === 'needsYou';
  const failed = mood === 'error';
  const background = busy ? undefined : backgroundWords(running);
  const idle = [mood === 'unread' && MOOD_WORDS.unread, background, changes, time].filter(Boolean).join(' · ');
  const description = ((busy || failed) && activity) || (busy ? `${MOOD_WORDS[mood]} · ${time}` : idle);
  return {
    uri: summary.resource,
    title,
    mood,
    archived: isArchived(summary),
    description,
    details: [
      title,
      isArchived(summary) ? l10n.t`State: ${MOOD_WORDS[mood]}, archived` : l10n.t`State: ${MOOD_WORDS[mood]}`,
      ...(activity ? [failed ? l10n.t`Reason: ${activity}` : l10n.t`Doing: ${activity}`] : []),
      ...(background === undefined ? [] : [l10n.t`Running: ${background}`]),
      l10n.t`Agent: ${oneLine(summary.provider)}`,
      ...(folder === undefined ? [] : [l10n.t`Folder: ${oneLine(displayPath(folder))}`]),
      ...(changes ? [l10n.t`Changed: ${changes}`] : []),
      l10n.t`Last change: ${dateText(modifiedAt, dateAndTime)}`,
    ],
    modifiedAt,
  };
}

export function sessionMood(summary: SessionSummary): SessionMood {
  const { status } = summary;
  if ((status & SessionStatus.InputNeeded) === SessionStatus.InputNeeded) return 'needsYou';
  if (status & SessionStatus.InProgress) return 'running';
  if (status & SessionStatus.Error) return 'error';
  return isRead(summary) ? 'idle' : 'unread';
}

/** ms since the epoch; 0 where the host has sent no time. */
export function timeOf(iso: string): number {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? 0 : time;
}

export function sessionTitle(summary: Pick<SessionSummary, 'title'>): string {
  return oneLine(summary.title) || l10n.t('New session');
}

export function isRead({ status }: Pick<SessionSummary, 'status'>): boolean {
  return Boolean(status & SessionStatus.IsRead);
}
export function isArchived({ status }: Pick<SessionSummary, 'status'>): boolean {
  return Boolean(status & SessionStatus.IsArchived);
}

function changedFiles({ changes }: SessionSummary): string {
  const { files = 0, additions = 0, deletions = 0 } = changes ?? {};
  if (files === 0) return '';
  const lines = additions || deletions ? ` +${additions} −${deletions}` : '';
  return `${l10n.plural(files, l10n.t`${l10n.countText(files)} file`, l10n.t`${l10n.countText(files)} files`)}${lines}`;
}
