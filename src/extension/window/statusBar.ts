/** The status bar item: how much needs the user, otherwise the state of the connections. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { attentionText } from '../../views/attention/attentionItems.ts';
import { hostsStatus, spokenStatus } from '../../views/hosts/hostsStatus.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import { commandName } from '../commandTable.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';

export class StatusBar implements Disposable {
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(
    private readonly hosts: HostRegistry,
    private readonly attention: WindowAttention,
  ) {
    this.#item = this.#store.add(vscode.window.createStatusBarItem('hosts', vscode.StatusBarAlignment.Left, 10));
    this.#item.name = l10n.t('Tapline Agent Hosts');
    this.#store.add(hosts.onDidChange(() => this.#update()));
    this.#store.add(hosts.onDidCountDown(() => this.#update()));
    this.#store.add(attention.onDidChange(() => this.#update()));
    this.#update();
    this.#item.show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const status = hostsStatus(this.hosts.all, attentionText(this.attention.items.length));
    this.#item.text = `$(${status.icon}) ${withoutMarkup(status.text)}`;
    this.#item.tooltip = status.details.join('\n');
    this.#item.backgroundColor =
      status.severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${status.severity}Background`);
    this.#item.command = commandName(status.needsYou ? 'showNeedsYou' : 'showConnections');
    this.#item.accessibilityInformation = { label: spokenStatus(status) };
  }
}
