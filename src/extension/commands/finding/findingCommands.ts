/** The commands that find sessions, and that show or take along what is in one. */
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import { SessionSearch } from '../../sessions/search/sessionSearch.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import { pickFound } from './searchSessions.ts';

export class FindingCommands {
  readonly #search: SessionSearch;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly views: SessionViews,
  ) {
    this.#search = new SessionSearch(hosts);
    views.onDidChange(() => this.#search.noteOpened(views.open));
    this.#search.noteOpened(views.open);
  }

  async search(): Promise<void> {
    const found = await pickFound(this.#search, this.hosts.all.length > 1);
    if (found) await this.views.show(found, undefined);
  }
}
