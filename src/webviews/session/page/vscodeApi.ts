/** VS Code's side of the page: posting messages and keeping a little state over reloads. */
import type { Draft, WebviewMessage } from '../protocol.ts';

/** What survives a reload of the page. */
export interface PersistedState {
  /** By session. */
  drafts: Record<string, Draft>;
  /** Half-filled forms by `questionKey`; their shape belongs to the question card. */
  forms: Record<string, unknown>;
  /** What was opened, by session and part. */
  folds: Record<string, true>;
  /** What an editor tab shows, for when the window comes back. */
  shown?: { hostId: string; uri: string };
}

interface VsCodeApi {
  postMessage(message: WebviewMessage): void;
  getState(): PersistedState | undefined;
  setState(state: PersistedState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
let persisted: PersistedState = { drafts: {}, forms: {}, folds: {}, ...api.getState() };

export function post(message: WebviewMessage): void {
  api.postMessage(message);
}

export function readPersisted(): PersistedState {
  return persisted;
}

/** Of each kind; beyond it the oldest go (drafts are with the extension too, and old forms belong to questions long answered). */
const MAX_ENTRIES = 50;

/** Sets one entry, or removes it with `undefined`. */
export function persist<K extends 'drafts' | 'forms' | 'folds'>(kind: K, key: string, value: PersistedState[K][string] | undefined): void {
  const entries: Record<string, unknown> = { ...persisted[kind] };
  Reflect.deleteProperty(entries, key);
  if (value !== undefined) entries[key] = value;
  persisted = { ...persisted, [kind]: Object.fromEntries(Object.entries(entries).slice(-MAX_ENTRIES)) };
  api.setState(persisted);
}

export function persistShown(shown: PersistedState['shown']): void {
  persisted = { ...persisted, shown };
  api.setState(persisted);
}
