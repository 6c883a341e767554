/** Durations in words. All of them are in milliseconds. */
import * as l10n from '../../../base/l10n.ts';

/** "8 s", "1 min 12 s", "2 h 5 min"; below a second "0.4 s". */
export function durationText(ms: number): string {
  if (ms < 1000) return l10n.t`${l10n.countText(Math.max(0.1, Math.round(ms / 100) / 10))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return l10n.t`${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? l10n.t`${minutes} min` : l10n.t`${minutes} min ${seconds % 60} s`;
  return minutes % 60 === 0 ? l10n.t`${minutes / 60} h` : l10n.t`${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "12 s", "3 min", "2 h": for what goes on, because this text changes seldom. */
export function roughDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return l10n.t`${seconds} s`;
  return seconds < 3600 ? l10n.t`${Math.floor(seconds / 60)} min` : l10n.t`${Math.floor(seconds / 3600)} h`;
}
