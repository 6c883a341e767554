/** The gateway's health in the status bar. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../../base/lifecycle.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import type { GatewayHealth } from '../../../views/providers/facts.ts';
import { healthWords, isHealthShown } from './gatewayHealth.ts';

export class GatewayItem implements Disposable {
  readonly #store = new DisposableStore();
  readonly #item = this.#store.add(vscode.window.createStatusBarItem('gateway', vscode.StatusBarAlignment.Left, 9));

  /** `command`: what a click does. */
  constructor(command: string) {
    this.#item.name = l10n.t('Tapline Tap Gateway');
    this.#item.command = command;
  }

  /** `sessionLine`: about the session in front. */
  show(health: GatewayHealth, sessionLine: string | undefined, areProvidersShown: boolean): void {
    if (!isHealthShown(health, areProvidersShown)) return this.#item.hide();
    const { text, icon, severity, details } = healthWords(health);
    const lines = [...details, ...(sessionLine === undefined ? [] : [sessionLine])].map(oneLine);
    this.#item.text = `$(${icon}) ${text}`;
    this.#item.tooltip = lines.join('\n');
    this.#item.backgroundColor = severity === 'warning' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.accessibilityInformation = { label: lines.join('. ') };
    this.#item.show();
  }

  dispose(): void {
    this.#store.dispose();
  }
}
