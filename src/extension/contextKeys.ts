/** The context keys that menus, keybindings, welcome views and the walkthrough test. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import { modelSources } from '../views/agentModels.ts';
import { agentsOf } from './hosts/agentHost.ts';
import type { HostRegistry } from './hosts/hostRegistry.ts';
import type { SessionViews } from './sessions/sessionView.ts';

export class ContextKeys implements Disposable {
  readonly #store = new DisposableStore();
  readonly #last = new Map<string, unknown>();

  constructor(views: SessionViews, hosts: HostRegistry) {
    const update = () => {
      const active = views.active;
      this.set('tapline.sessionShown', Boolean(active?.ref));
      this.set('tapline.sessionNeedsYou', (active?.context.needsYou ?? 0) > 0);
      this.set('tapline.sessionRunning', active?.context.running ?? false);
      this.set('tapline.callFocused', views.withFocusedCall !== undefined);
      this.set('tapline.composerFocused', active?.context.composerFocused ?? false);
    };
    const look = () => {
      const takeModels = hosts.all.flatMap(agentsOf).filter((agent) => modelSources(agent).length > 0);
      this.set(
        'tapline.modelsConnected',
        takeModels.some(({ models }) => models.length > 0),
      );
    };
    this.#store.add(views.onDidChange(update));
    this.#store.add(hosts.onDidChange(look));
    update();
    look();
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
