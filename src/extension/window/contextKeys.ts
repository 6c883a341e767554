/** The context keys that menus, keybindings, welcome views and the walkthrough use. */
import * as vscode from 'vscode';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';

export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<string, unknown>();

  /** Sets what `read` gives, now and after each event. */
  follow(event: Event<unknown>, read: () => Readonly<Record<string, unknown>>): void {
    const set = () => Object.entries(read()).forEach(([key, value]) => this.set(key, value));
    this.#store.add(event(set));
    set();
  }

  /** Does nothing when the value is the same: each change is a message to the window. */
  set(key: string, value: unknown): void {
    if (this.#last.get(key) === value) return;
    this.#last.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
