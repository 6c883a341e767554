/** What the page says to the shell in which it runs, and the little state that it keeps over reloads. */
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import { shellPort } from '../../port/shellPort.ts';
import type { Draft, SessionMessage, WebviewMessage } from '../protocol.ts';
import { dispatchMessage, type SessionPort } from './sessionPort.ts';

/** Survives a reload of the page. */
export interface PersistedState {
  /** By `sessionKey`. */
  drafts: Record<string, Draft>;
  /** Partly filled forms by session and `questionKey`. Only the question card knows their shape. */
  forms: Record<string, unknown>;
  /** Open folds, by session and part. */
  folds: Record<string, true>;
  /** What a screen reader was told that it waits, by session and `waitingKey`. */
  announced: Record<string, true>;
  /** The session of an editor tab, for a reload of the window. */
  shown?: { hostId: string; uri: string };
}

let persisted: PersistedState = { drafts: {}, forms: {}, folds: {}, announced: {}, ...(shellPort.kept() as PersistedState | undefined) };

export function post(message: WebviewMessage): void {
  shellPort.post(message);
}

export function sessionPort({ hostId, uri }: SessionRef): SessionPort {
  const postHere = (message: SessionMessage) => post({ type: 'inSession', session: { hostId, uri }, message });
  return { post: postHere, dispatch: (target, action, asked) => postHere(dispatchMessage(target, action, asked)) };
}

/** False for what is shown as text. */
export function isLink(href: string): boolean {
  return shellPort.opens(href);
}

export function readPersisted(): PersistedState {
  return persisted;
}

/** The limit of each kind. Above it the oldest are removed: the extension has the drafts too, and old forms belong to answered questions. */
const MAX_ENTRIES = 50;

/** Sets one entry, or removes it with `undefined`. */
export function persist<K extends 'drafts' | 'forms' | 'folds' | 'announced'>(
  kind: K,
  key: string,
  value: PersistedState[K][string] | undefined,
): void {
  const entries: Record<string, unknown> = { ...persisted[kind] };
  Reflect.deleteProperty(entries, key);
  if (value !== undefined) entries[key] = value;
  persisted = { ...persisted, [kind]: Object.fromEntries(Object.entries(entries).slice(-MAX_ENTRIES)) };
  shellPort.keep(persisted);
}

export function persistShown(shown: PersistedState['shown']): void {
  persisted = { ...persisted, shown };
  shellPort.keep(persisted);
  shellPort.shows(shown);
}
