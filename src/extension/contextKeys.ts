/** The context keys that menus, keybindings and welcome views test. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { SessionViews } from './sessions/sessionView.ts';

export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<string, unknown>();

  constructor(views: SessionViews) {
    const update = () => {
      const active = views.active;
      this.set('tapline.sessionShown', Boolean(active?.ref));
      this.set('tapline.sessionNeedsYou', (active?.context.needsYou ?? 0) > 0);
      this.set('tapline.sessionRunning', active?.context.running ?? false);
      this.set('tapline.callFocused', active?.context.callFocused ?? false);
      this.set('tapline.composerFocused', active?.context.composerFocused ?? false);
    };
    this.#store.add(views.onDidChange(update));
    update();
  }

  /** Set only when it changed: each is a message to the window. */
  set(key: string, value: unknown): void {
    if (this.#last.get(key) === value) return;
    this.#last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
