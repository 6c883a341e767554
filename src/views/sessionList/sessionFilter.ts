/** Which sessions the list shows, as the user has chosen. */
import * as l10n from '../../base/l10n.ts';
import { oneLine } from '../text/oneLine.ts';
import type { SessionItem } from './sessionItem.ts';

export const stateNames = {
  running: l10n.t('Running'),
  needsYou: l10n.t('Needs you'),
  error: l10n.t('Failed'),
  done: l10n.t('Done'),
  unread: l10n.t('Unread'),
  archived: l10n.t('Archived'),
} as const;
export type FilterState = keyof typeof stateNames;

/** Of each kind one has to fit. An empty kind fits everything. */
export interface SessionFilter {
  /** In the title or the folder. */
  readonly text: string;
  readonly states: readonly FilterState[];
  /** Providers. */
  readonly agents: readonly string[];
  /** Ids of hosts. */
  readonly hosts: readonly string[];
}

export const NO_FILTER: SessionFilter = { text: '', states: [], agents: [], hosts: [] };

export function isFiltered({ text, states, agents, hosts }: SessionFilter): boolean {
  return text !== '' || states.length > 0 || agents.length > 0 || hosts.length > 0;
}

interface Filtered {
  readonly item: Pick<SessionItem, 'title' | 'mood' | 'archived'>;
  readonly provider: string;
  readonly hostId: string;
  readonly folder: string;
}

/** `showArchived`: archived sessions are shown also where the filter does not ask for them. */
export function fits({ item, provider, hostId, folder }: Filtered, filter: SessionFilter, showArchived: boolean): boolean {
  const { text, states, agents, hosts } = filter;
  if (item.archived && !showArchived && !states.includes('archived')) return false;
  if (states.length > 0 && !states.some((state) => isIn(item, state))) return false;
  if (agents.length > 0 && !agents.includes(provider)) return false;
  if (hosts.length > 0 && !hosts.includes(hostId)) return false;
  return text === '' || `${item.title}\n${folder}`.toLowerCase().includes(text.toLowerCase());
}

function isIn({ mood, archived }: Filtered['item'], state: FilterState): boolean {
  if (state === 'archived') return archived;
  return state === 'done' ? mood === 'idle' || mood === 'unread' : mood === state;
}

/** What a filter can be about: names by the provider of the agent, and by the id of the host. */
export interface FilterNames {
  readonly agents: ReadonlyMap<string, string>;
  readonly hosts: ReadonlyMap<string, string>;
}

/** For example “Running or Failed · Copilot · “login””. */
export function filterText({ text, states, agents, hosts }: SessionFilter, names: FilterNames): string {
  const named = (ids: readonly string[], known: ReadonlyMap<string, string>) => ids.map((id) => oneLine(known.get(id) ?? id)).join(' or ');
  return [
    states.map((state) => stateNames[state]).join(' or '),
    named(agents, names.agents),
    named(hosts, names.hosts),
    text && `“${oneLine(text)}”`,
  ]
    .filter(Boolean)
    .join(' · ');
}
