/** VS Code's side of the page: posting messages and keeping a little state over reloads. */
import type { Draft, WebviewMessage } from './protocol.ts';

/** What survives a reload of the page: words that were not sent. */
export interface PersistedState {
  /** By session. */
  drafts: Record<string, Draft>;
  /** Half-filled forms by input request; their shape belongs to the question card. */
  forms: Record<string, unknown>;
}

interface VsCodeApi {
  postMessage(message: WebviewMessage): void;
  getState(): PersistedState | undefined;
  setState(state: PersistedState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();
let persisted: PersistedState = { drafts: {}, forms: {}, ...api.getState() };

export function post(message: WebviewMessage): void {
  api.postMessage(message);
}

export function readPersisted(): PersistedState {
  return persisted;
}

/** Of each kind; beyond it the oldest go (drafts are with the extension too, and old forms belong to questions long answered). */
const MAX_ENTRIES = 50;

/** Sets one entry, or removes it with `undefined`. */
export function persist<K extends keyof PersistedState>(kind: K, key: string, value: PersistedState[K][string] | undefined): void {
  const entries: Record<string, unknown> = { ...persisted[kind] };
  Reflect.deleteProperty(entries, key);
  if (value !== undefined) entries[key] = value;
  persisted = { ...persisted, [kind]: Object.fromEntries(Object.entries(entries).slice(-MAX_ENTRIES)) };
  api.setState(persisted);
}
