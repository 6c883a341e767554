/** Sessions that the user has hidden in this window, because their host can neither delete nor archive them. */
import type * as vscode from 'vscode';
import { Emitter } from '../../base/event.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { sessionNodeId } from '../../views/sessionList/sessionTree.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';

const STORAGE_KEY = 'tapline.hiddenSessions';
/** Above it the oldest are removed. */
const MAX_HIDDEN = 1000;

export class HiddenSessions implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  #nodeIds: ReadonlySet<string>;

  constructor(private readonly storage: vscode.Memento) {
    this.#nodeIds = new Set(storage.get<string[]>(STORAGE_KEY, []));
  }

  /** As in {@link sessionNodeId}. */
  get nodeIds(): ReadonlySet<string> {
    return this.#nodeIds;
  }

  has({ hostId, uri }: SessionRef): boolean {
    return this.#nodeIds.has(sessionNodeId(hostId, uri));
  }

  async set({ hostId, uri }: SessionRef, isHidden: boolean): Promise<void> {
    const id = sessionNodeId(hostId, uri);
    const others = [...this.#nodeIds].filter((other) => other !== id);
    const ids = isHidden ? [...others, id].slice(-MAX_HIDDEN) : others;
    this.#nodeIds = new Set(ids);
    this.#onDidChange.fire();
    await this.storage.update(STORAGE_KEY, ids);
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }
}
