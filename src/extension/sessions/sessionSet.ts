/** Sessions that the user has marked in one way, such as pinned, kept in the storage of the window or of all windows. */
import type * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sessionNodeId } from '../../views/sessionList/listedSessions.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

/** Above it the oldest are removed. */
const MAX_SESSIONS = 1000;

export class SessionSet implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** Not for what another window changes. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(
    private readonly storage: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly key: string,
  ) {}

  /** As in {@link sessionNodeId}. Read each time, because other windows may write it too. */
  get nodeIds(): ReadonlySet<string> {
    return new Set(this.storage.get<string[]>(this.key, []));
  }

  has({ hostId, uri }: SessionRef): boolean {
    return this.nodeIds.has(sessionNodeId(hostId, uri));
  }

  async set(sessions: readonly SessionRef[], isIn: boolean): Promise<void> {
    const changed = new Set(sessions.map(({ hostId, uri }) => sessionNodeId(hostId, uri)));
    const others = [...this.nodeIds].filter((id) => !changed.has(id));
    const written = this.storage.update(this.key, isIn ? [...others, ...changed].slice(-MAX_SESSIONS) : others);
    this.#onDidChange.fire();
    await written;
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
