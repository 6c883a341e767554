/**
 * What the tree says of the sessions of a host, by their place in its list. The tree is made anew whenever one of thousands has changed. The others
 * are recognised by their place, and what is said of them stands side by side: to look at each summary and item again would take longer than the rest.
 */
import * as l10n from '../../base/l10n.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import type { SessionSummary } from '../../ahp/channels/shapes/summaries.ts';
import { withoutEnd } from '../../base/text/ends.ts';
import { folderOf } from '../session/openChat.ts';
import { displayPath } from '../text/displayPath.ts';
import { oneLine } from '../text/oneLine.ts';
import { type DatedItem, datedItem, type SessionItem } from './sessionItem.ts';

export interface Project {
  readonly key: string;
  readonly label: string;
  readonly tooltip: string;
}

/** What is said of a summary, wherever it is listed. */
interface Known {
  readonly hostId: string;
  readonly id: string;
  readonly project: Project;
  dated?: DatedItem;
}
const known = new WeakMap<SessionSummary, Known>();

interface Host {
  readonly id: string;
  readonly sessions: readonly SessionSummary[];
  readonly running?: ReadonlyMap<URI, number>;
  topSession(this: void, uri: URI): URI;
}

export class ListedSessions {
  #hostId = '';
  #listed: SessionSummary[] = [];
  /** Undefined where it is not shown. */
  projects: (Project | undefined)[] = [];
  /** Of the rows. */
  ids: string[] = [];
  items: SessionItem[] = [];
  providers: string[] = [];
  /** When each was last changed, in ms since the epoch. */
  times: number[] = [];
  #uris: URI[] = [];
  #running: number[] = [];
  /** Until when the words are right, in ms since the epoch. */
  #until: number[] = [];
  #now = -Infinity;

  /** Brings all up to date. `now` is in ms since the epoch. */
  update(host: Host, now: number): void {
    const { sessions } = host;
    const isOther = host.id !== this.#hostId || now < this.#now;
    this.#hostId = host.id;
    this.#now = now;
    for (const column of [
      this.#listed,
      this.projects,
      this.ids,
      this.items,
      this.providers,
      this.times,
      this.#uris,
      this.#running,
      this.#until,
    ])
      if (column.length > sessions.length) column.length = sessions.length;
    const running = host.running?.size ? host.running : undefined;
    for (let at = 0; at < sessions.length; at++) {
      const listed = sessions[at] as SessionSummary;
      const isSame = !isOther && listed === this.#listed[at] && now < (this.#until[at] as number);
      if (!isSame || (running?.get(this.#uris[at] as URI) ?? 0) !== this.#running[at]) this.#read(at, listed, host, now);
    }
  }

  #read(at: number, listed: SessionSummary, { id, running, topSession }: Host, now: number): void {
    const one = knownOf(listed, id);
    const uri = listed.resource;
    const count = running?.get(uri) ?? 0;
    this.#listed[at] = listed;
    this.#uris[at] = uri;
    this.#running[at] = count;
    this.ids[at] = one.id;
    this.providers[at] = listed.provider;
    // A subagent's session is opened from the call that started it.
    this.projects[at] = topSession(uri) === uri ? sameProject(one.project, this.projects[at - 1]) : undefined;
    const dated = (one.dated = datedItem(listed, now, count, one.dated));
    this.items[at] = dated.item;
    this.times[at] = dated.item.modifiedAt;
    this.#until[at] = dated.until;
  }
}

/** Neighbours of one project share it. */
function sameProject(project: Project, other: Project | undefined): Project {
  const isSame = other?.key === project.key && other.label === project.label && other.tooltip === project.tooltip;
  return isSame ? other : project;
}

function knownOf(listed: SessionSummary, hostId: string): Known {
  const before = known.get(listed);
  if (before?.hostId === hostId) return before;
  const now: Known = { hostId, id: sessionNodeId(hostId, listed.resource), project: projectOf(listed) };
  known.set(listed, now);
  return now;
}

/** Contains the host, because two hosts may use the same session URI. */
export function sessionNodeId(hostId: string, uri: string): string {
  return `${hostId}\nsession\n${uri}`;
}

const NO_PROJECT: Project = { key: '', label: l10n.t('No folder'), tooltip: l10n.t('Sessions without a working directory') };

function projectOf(summary: SessionSummary): Project {
  if (summary.project) {
    return {
      key: summary.project.uri,
      label: oneLine(summary.project.displayName) || displayPath(summary.project.uri),
      tooltip: displayPath(summary.project.uri),
    };
  }
  const folder = folderOf(summary);
  if (folder !== undefined) {
    const path = withoutEnd(displayPath(folder), '/');
    return { key: folder, label: oneLine(path.slice(path.lastIndexOf('/') + 1)) || '/', tooltip: path || '/' };
  }
  return NO_PROJECT;
}
