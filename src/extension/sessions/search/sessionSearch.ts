/**
 * Searches sessions: their titles at all hosts, and what was said in those of our own hosts and in those that were opened in this window. What
 * was said is read while the user searches, the newest session first, and kept until the session changes.
 */
import type { ChatState } from '../../../ahp/channels/chat/state.ts';
import type { AgentHostClient } from '../../../ahp/client/agentHostClient.ts';
import type { SessionSummary } from '../../../ahp/channels/shapes/summaries.ts';
import { withoutEnd } from '../../../base/text/ends.ts';
import type { HostKind } from '../../../views/hosts/hostProblem.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import { sessionKey, type SessionRef } from '../../../views/session/sessionRef.ts';
import { isArchived, sessionTitle, timeOf } from '../../../views/sessionList/sessionItem.ts';
import { type Saying, sayingsOf } from '../../../views/sessionSearch/sayings.ts';
import { MAX_SESSION, SearchIndex, searchWords } from '../../../views/sessionSearch/searchIndex.ts';
import { displayPath } from '../../../views/text/displayPath.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { readChats } from '../readChats.ts';
import { slices } from '../slices.ts';

/** Found sessions that are listed. */
const MAX_FOUND = 100;
/** Sessions of which is read what was said. */
const MAX_READ = 1_000;

export interface SearchedHost {
  readonly id: string;
  readonly label: string;
  readonly kind: HostKind;
  readonly connection: { readonly connected: boolean };
  readonly client: Pick<AgentHostClient, 'sessions' | 'topSession'> & Parameters<typeof readChats>[0];
}

export interface FoundSession {
  readonly ref: SessionRef;
  readonly title: string;
  readonly hostLabel: string;
  readonly folder: string;
  /** The title or the folder matches. */
  readonly byTitle: boolean;
  readonly said?: { readonly saying: Saying; readonly line: string };
  readonly archived: boolean;
  /** ms since the epoch. */
  readonly modifiedAt: number;
}

export interface Found {
  /** By title first, and of each kind the newest first. */
  readonly sessions: readonly FoundSession[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

/** How far the reading is, and what it leaves out. */
export interface Reading {
  readonly done: number;
  readonly of: number;
  /** Sessions that their host did not give, or not all chats of them. */
  readonly failed: number;
  /** The memory is full, or there are too many: older sessions are searched by their titles only. */
  readonly isCut: boolean;
}

interface Listed {
  readonly host: SearchedHost;
  readonly ref: SessionRef;
  readonly key: string;
  readonly summary: SessionSummary;
  /** ms since the epoch. */
  readonly modifiedAt: number;
}

export class SessionSearch {
  readonly #index = new SearchIndex();
  readonly #opened = new Set<string>();

  constructor(private readonly hosts: { readonly all: readonly SearchedHost[] }) {}

  /** These were shown in this window. */
  noteOpened(refs: readonly SessionRef[]): void {
    for (const ref of refs) this.#opened.add(sessionKey(ref));
  }

  /** True where sessions are searched by their titles only, because they are elsewhere. */
  get leavesOut(): boolean {
    return this.hosts.all.some(
      (host) => !isOwn(host) && host.client.sessions.summaries.some(({ resource }) => !this.#isRead(host, resource)),
    );
  }

  /** Reads what was said in the sessions that have changed. Ends early, without an error, when the signal is aborted. */
  async read(signal: AbortSignal, onProgress: (reading: Reading) => void): Promise<void> {
    const pause = slices();
    const listed = await this.#listed(signal);
    this.#index.keep(new Set(listed.map(({ key }) => key)));
    const all = listed.filter(({ host, ref }) => this.#isRead(host, ref.uri));
    const newest = all.slice(0, MAX_READ);
    const changed = newest.filter(({ key, summary, host }) => host.connection.connected && !this.#index.has(key, summary.modifiedAt));
    let failed = 0;
    let done = newest.length - changed.length;
    const tell = () => onProgress({ done, of: newest.length, failed, isCut: all.length > newest.length || this.#index.isFull });
    tell();
    for (const { host, ref, key, summary } of changed) {
      if (signal.aborted) return;
      this.#index.delete(key);
      if (!this.#index.isFull) {
        const read = await sayingsIn(host, ref.uri, signal, pause).catch(() => undefined);
        if (signal.aborted) return;
        // What was read in part is read again by the next search.
        if (read) this.#index.set(key, read.isPart ? undefined : summary.modifiedAt, read.sayings);
        if (!read || read.isPart) failed++;
      }
      done++;
      tell();
    }
  }

  /** Without a query all sessions. */
  async find(query: string, signal: AbortSignal): Promise<Found> {
    const words = searchWords(query);
    const pause = slices();
    const found: FoundSession[] = [];
    for (const { host, ref, key, summary, modifiedAt } of await this.#listed(signal)) {
      await pause();
      if (signal.aborted) break;
      const title = sessionTitle(summary);
      const folder = folderName(summary);
      const byTitle = !words || `${title}\n${folder}`.toLowerCase().includes(words);
      const said = words && this.#index.find(key, words);
      if (!byTitle && !said) continue;
      const archived = isArchived(summary);
      found.push({ ref, title, hostLabel: host.label, folder, byTitle, ...(said && { said }), archived, modifiedAt });
    }
    const sessions = [...found.filter(({ byTitle }) => byTitle), ...found.filter(({ byTitle }) => !byTitle)];
    return { sessions: sessions.slice(0, MAX_FOUND), isCut: sessions.length > MAX_FOUND };
  }

  #isRead(host: SearchedHost, uri: string): boolean {
    return isOwn(host) || this.#opened.has(sessionKey({ hostId: host.id, uri }));
  }

  /** Of all hosts, the newest first. Subagents have no rows of their own. */
  async #listed(signal: AbortSignal): Promise<Listed[]> {
    const pause = slices();
    const listed: Listed[] = [];
    for (const host of this.hosts.all)
      for (const summary of host.client.sessions.summaries) {
        await pause();
        if (signal.aborted) return listed;
        if (host.client.topSession(summary.resource) !== summary.resource) continue;
        const ref = { hostId: host.id, uri: summary.resource };
        listed.push({ host, ref, key: sessionKey(ref), summary, modifiedAt: timeOf(summary.modifiedAt) });
      }
    return listed.sort((a, b) => b.modifiedAt - a.modifiedAt);
  }
}

/** Hosts of ours keep their sessions on this computer, and wake no agent when one is read. */
function isOwn({ kind }: SearchedHost): boolean {
  return kind === 'embedded' || kind === 'portal' || kind === 'replay';
}

function folderName(summary: SessionSummary): string {
  const folder = folderOf(summary);
  const path = folder === undefined ? '' : withoutEnd(displayPath(folder), '/');
  return oneLine(summary.project?.displayName) || oneLine(path.slice(path.lastIndexOf('/') + 1));
}

async function sayingsIn(
  host: SearchedHost,
  uri: string,
  signal: AbortSignal,
  pause: () => Promise<void> | undefined,
): Promise<{ sayings: Saying[]; isPart: boolean }> {
  // Others may wake an agent for them.
  const older = isOwn(host) ? { onTurns: () => undefined, isEnough: fillsIndex } : {};
  const { chats, missing } = await readChats(host.client, uri, { signal, ...older });
  const isPart = missing.length > 0 || (isOwn(host) && chats.some(({ isPart, chat }) => isPart && !fillsIndex(chat)));
  const sayings: Saying[] = [];
  let size = 0;
  for (const { chat } of chats)
    for (const saying of sayingsOf(chat)) {
      sayings.push(saying);
      size += saying.text.length;
      // The index keeps no more of one session.
      if (size > MAX_SESSION) return { sayings, isPart };
      await pause();
    }
  return { sayings, isPart };
}

/** The index keeps no more of one session. */
function fillsIndex({ turns }: ChatState): boolean {
  let size = 0;
  for (const { message, responseParts } of turns) {
    size += message.text.length;
    for (const part of responseParts) if (part.kind === 'markdown' && 'content' in part) size += part.content.length;
  }
  return size > MAX_SESSION;
}
