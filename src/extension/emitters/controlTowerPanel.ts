/** The page “Control Tower” in an editor. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { ControlTowerPage, type TowerServices } from '../../pages/emitters/controlTowerPage.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';
import { vsCodeShell, webviewPort } from '../webviewPort.ts';

export class ControlTowerPanel implements Disposable {
  readonly #panel: vscode.WebviewPanel;

  constructor(extensionUri: vscode.Uri, services: Omit<TowerServices, 'logger' | 'showError'>, logger: Logger, onClosed: () => void) {
    this.#panel = vscode.window.createWebviewPanel('tapline.controlTower', l10n.t('Control Tower'), vscode.ViewColumn.Active, {
      enableScripts: true,
      // A filter that is being written must not be lost when another tab is shown.
      retainContextWhenHidden: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const page = new ControlTowerPage(webviewPort(webview), { ...services, ...vsCodeShell(logger) });
    this.#panel.onDidDispose(() => {
      page.dispose();
      onClosed();
    });
    webview.html = webviewHtml(webview, extensionUri, 'controlTower', l10n.t('Control Tower'));
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }
}
