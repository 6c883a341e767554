/** The commands that find sessions, and that show or take along what is in one. */
import * as l10n from '../../../base/l10n.ts';
import { UserError } from '../../../base/errors.ts';
import type { SessionRef } from '../../../views/session/sessionRef.ts';
import type { RegisteredHost } from '../../hosts/registeredHost.ts';
import type { TextDocuments } from '../../textDocuments.ts';
import { copyBranch, openFolder, openTerminalInFolder } from './folderCommands.ts';
import type { SessionTerminals } from '../../sessionView/terminal/sessionTerminals.ts';
import { targetSession } from '../sessions/sessionArgument.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import type { SessionsTree } from '../../sessions/sessionsTree.ts';
import { SessionSearch } from '../../sessions/search/sessionSearch.ts';
import { pageOf } from '../../sessionView/pageOf.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import { NO_FILTER } from '../../../views/sessionList/sessionFilter.ts';
import { chooseFilter } from './filterSessions.ts';
import { pickFound } from './searchSessions.ts';

export class FindingCommands {
  readonly #search: SessionSearch;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly tree: SessionsTree,
    private readonly views: SessionViews,
  ) {
    this.#search = new SessionSearch(hosts);
    views.onDidChange(() => this.#search.noteOpened(views.open));
    this.#search.noteOpened(views.open);
  }

  async search(): Promise<void> {
    const found = await pickFound(this.#search, this.hosts.all.length > 1);
    if (!found) return;
    await this.views.show(found.ref, undefined);
    const { saying } = found.said ?? {};
    if (!saying) return;
    const page = await pageOf(this.views, found.ref);
    page?.command('showTurn', { chat: saying.chat, turn: saying.turnId });
  }

  async filter(): Promise<void> {
    const filter = await chooseFilter(this.tree.filter, this.tree.filterNames);
    if (filter) this.tree.setFilter(filter);
  }
  clearFilter(): void {
    this.tree.setFilter(NO_FILTER);
  }

  async export(argument: unknown): Promise<void> {
    const { exportSession } = await import('./exportSession.ts');
    await this.#withTarget(argument, exportSession);
  }

  async showDetails(documents: TextDocuments, argument: unknown): Promise<void> {
    const { showDetails } = await import('./showDetails.ts');
    await this.#withTarget(argument, (host, session) => showDetails(host, session, documents));
  }

  async showTerminals(terminals: SessionTerminals, argument: unknown): Promise<void> {
    const { showTerminals } = await import('./showTerminals.ts');
    await this.#withTarget(argument, (host, session) => showTerminals(host, session, terminals));
  }

  openFolder(argument: unknown): Promise<void> {
    return this.#withTarget(argument, openFolder);
  }
  openTerminalInFolder(argument: unknown): Promise<void> {
    return this.#withTarget(argument, openTerminalInFolder);
  }
  copyBranch(argument: unknown): Promise<void> {
    return this.#withTarget(argument, copyBranch);
  }

  async #withTarget(argument: unknown, act: (host: RegisteredHost, session: SessionRef) => Promise<void>): Promise<void> {
    const session = await this.#target(argument);
    if (session) await act(this.#host(session), session);
  }

  #target(argument: unknown): Promise<SessionRef | undefined> {
    return targetSession(argument, this.views.activeRef, this.tree.allSessions);
  }

  #host({ hostId }: SessionRef): RegisteredHost {
    const host = this.hosts.get(hostId);
    if (!host) throw new UserError(l10n.t('The agent host of this session is no longer listed.'));
    return host;
  }
}
