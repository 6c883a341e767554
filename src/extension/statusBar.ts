/** One status bar item: what needs the user, else the truth about the connections. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import { hostsStatus, spokenStatus } from '../views/hostsStatus.ts';
import { commandName } from './commandTable.ts';
import type { HostRegistry } from './hosts/hostRegistry.ts';
import type { SessionsTree } from './sessions/sessionsTree.ts';

export class StatusBar implements Disposable {
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly tree: SessionsTree,
  ) {
    this.#item = this.#store.add(vscode.window.createStatusBarItem('hosts', vscode.StatusBarAlignment.Left, 10));
    this.#item.name = 'Tapline Agent Hosts';
    this.#store.add(hosts.onDidChange(() => this.#update()));
    this.#store.add(hosts.onDidCountDown(() => this.#update()));
    this.#store.add(tree.onDidChangeNeedsYou(() => this.#update()));
    this.#update();
    this.#item.show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const status = hostsStatus(this.hosts.all, this.tree.needsYou.length);
    this.#item.text = `$(${status.icon}) ${status.text}`;
    this.#item.tooltip = status.details.join('\n');
    this.#item.backgroundColor =
      status.severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${status.severity}Background`);
    this.#item.command = commandName(status.needsYou ? 'showNeedsYou' : 'showConnections');
    this.#item.accessibilityInformation = { label: spokenStatus(status) };
  }
}
