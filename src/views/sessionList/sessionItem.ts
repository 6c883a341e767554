/** A session in the list, made from its summary. */
import { SessionStatus, type SessionSummary } from '../../ahp/v1/session.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { dateText, relativeTime } from '../text/relativeTime.ts';

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
  modifiedAt: number;
}

export const MOOD_WORDS: Record<SessionMood, string> = {
  needsYou: 'needs you',
  running: 'running',
  error: 'ended with an error',
  unread: 'unread',
  idle: 'idle',
};

// Created once, because creating a formatter takes longer than the rest of an item.
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function sessionItem(summary: SessionSummary, now: number): SessionItem {
  const mood = sessionMood(summary);
  const title = sessionTitle(summary);
  const time = relativeTime(summary.modifiedAt, now);
  const changes = changedFiles(summary);
  const activity = oneLine(summary.activity);
  const busy = mood === 'running' || mood === 'needsYou';
  const failed = mood === 'error';
  const idle = [mood === 'unread' && 'unread', changes, time].filter(Boolean).join(' · ');
  const description = ((busy || failed) && activity) || (busy ? `${MOOD_WORDS[mood]} · ${time}` : idle);
  return {
    uri: summary.resource,
    title,
    mood,
    archived: isArchived(summary),
    description,
    details: [
      title,
      `State: ${MOOD_WORDS[mood]}${isArchived(summary) ? ', archived' : ''}`,
      ...(activity ? [`${failed ? 'Reason' : 'Doing'}: ${activity}`] : []),
      `Agent: ${oneLine(summary.provider)}${summary.model ? ` · ${oneLine(summary.model.id)}` : ''}`,
      ...(summary.workingDirectory ? [`Folder: ${oneLine(displayPath(summary.workingDirectory))}`] : []),
      ...(changes ? [`Changed: ${changes}`] : []),
      `Last change: ${dateText(summary.modifiedAt, dateAndTime)}`,
    ],
    modifiedAt: summary.modifiedAt,
  };
}

function sessionMood(summary: SessionSummary): SessionMood {
  const { status } = summary;
  if ((status & SessionStatus.InputNeeded) === SessionStatus.InputNeeded) return 'needsYou';
  if (status & SessionStatus.InProgress) return 'running';
  if (status & SessionStatus.Error) return 'error';
  return isRead(summary) ? 'idle' : 'unread';
}

export function sessionTitle({ title }: Pick<SessionSummary, 'title'>): string {
  return oneLine(title) || 'New session';
}

// VS Code 1.117 has booleans in place of the status bits.
export function isRead(summary: SessionSummary): boolean {
  return Boolean(summary.status & SessionStatus.IsRead) || (summary as { isRead?: unknown }).isRead === true;
}
export function isArchived(summary: SessionSummary): boolean {
  return Boolean(summary.status & SessionStatus.IsArchived) || (summary as { isDone?: unknown }).isDone === true;
}

function changedFiles({ diffs }: SessionSummary): string {
  if (!diffs?.length) return '';
  const added = diffs.reduce((sum, edit) => sum + (edit.diff?.added ?? 0), 0);
  const removed = diffs.reduce((sum, edit) => sum + (edit.diff?.removed ?? 0), 0);
  const lines = added || removed ? ` +${added} −${removed}` : '';
  return `${diffs.length} ${diffs.length === 1 ? 'file' : 'files'}${lines}`;
}
