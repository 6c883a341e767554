/** The settings of hosts as a form in an editor, one for each host. The page has only what the host has sent of its settings. */
import { reasonText } from '../../ahp/client/resources/subscription.ts';
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import {
  type HostConfigMessage,
  type HostConfigPageMessage,
  parseHostConfigMessage,
  type SetOutcome,
} from '../../webviews/hostConfig/protocol.ts';
import type { HostRegistry } from '../hosts/hostRegistry.ts';
import { rootOf } from '../hosts/registeredHost.ts';
import { onPageMessage } from '../../pages/pageMessages.ts';
import { agreesToUnaskedOnHost } from '../../pages/session/unaskedConsent.ts';
import { choose } from '../notifications.ts';
import { vsCodeShell, webviewPort } from '../webviewPort.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';

export class HostConfigPanels implements Disposable {
  readonly #panels = new Map<string, HostConfigPanel>();

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly hosts: HostRegistry,
    private readonly logger: Logger,
  ) {}

  show(hostId: string): void {
    const open = this.#panels.get(hostId);
    if (open) return open.reveal();
    this.#panels.set(hostId, new HostConfigPanel(hostId, this.extensionUri, this.hosts, this.logger, () => this.#panels.delete(hostId)));
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }
}

class HostConfigPanel implements Disposable {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  #posted: HostConfigMessage | undefined;

  constructor(
    private readonly hostId: string,
    extensionUri: vscode.Uri,
    private readonly hosts: HostRegistry,
    logger: Logger,
    onClosed: () => void,
  ) {
    const name = l10n.t`Settings of ${oneLine(hosts.get(hostId)?.label)}`;
    this.#panel = vscode.window.createWebviewPanel('tapline.hostConfig', name, vscode.ViewColumn.Active, {
      enableScripts: true,
      // What is typed must not be lost when another tab is shown.
      retainContextWhenHidden: true,
      localResourceRoots: [webviewAssets(extensionUri)],
    });
    const { webview } = this.#panel;
    const handle = (message: HostConfigPageMessage) => this.#handle(message);
    const shell = vsCodeShell(logger);
    this.#store.add(
      // eslint-disable-next-line texts/translated -- for the log
      onPageMessage(webviewPort(webview), { name: 'The page of a host’s settings', shell, parse: parseHostConfigMessage, handle }),
    );
    this.#store.add(hosts.onDidChange(() => this.#post(false)));
    this.#panel.onDidDispose(() => {
      this.#store.dispose();
      onClosed();
    });
    webview.html = webviewHtml(webview, extensionUri, 'hostConfig', l10n.t('Settings of a host'));
  }

  reveal(): void {
    this.#panel.reveal();
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #handle(message: HostConfigPageMessage): Promise<void> {
    if (message.type === 'ready') return this.#post(true);
    const { id, change } = message;
    this.#post(true, { id, change, ...(await this.#set(message)) });
  }

  async #set({ id, value }: Extract<HostConfigPageMessage, { type: 'set' }>): Promise<SetOutcome> {
    const host = this.hosts.get(this.hostId);
    const config = host && rootOf(host)?.config;
    const locked = this.#locked();
    if (!host || locked !== undefined) return { refusal: locked ?? l10n.t('It is no longer listed.') };
    const property = config && Object.hasOwn(config.schema.properties, id) ? config.schema.properties[id] : undefined;
    if (!property || property.readOnly === true) return { refusal: l10n.t('It has no such setting, or does not let it be changed.') };
    if (!(await agreesToUnaskedOnHost({ choose }, oneLine(host.label), config && { config }, { [id]: value }))) return { isDeclined: true };
    const settled = await host.root.perform({ type: 'root/configChanged', config: { [id]: value } }).settled;
    return settled.kind === 'confirmed' ? {} : { refusal: oneLine(reasonText(settled)) };
  }

  /** `isAsked`: also where nothing has changed. */
  #post(isAsked: boolean, outcome?: HostConfigMessage['outcome']): void {
    const host = this.hosts.get(this.hostId);
    const config = host && rootOf(host)?.config;
    const locked = this.#locked();
    const message: HostConfigMessage = {
      type: 'config',
      host: oneLine(host?.label) || l10n.t('the host'),
      ...(config && { config }),
      ...(locked !== undefined && { locked }),
      ...(outcome && { outcome }),
    };
    // The sessions of a host change often, its settings hardly ever.
    const isSame = this.#posted?.config === config && this.#posted?.locked === locked && this.#posted?.host === message.host;
    if (isSame && !isAsked) return;
    this.#posted = message;
    void this.#panel.webview.postMessage([message]);
  }

  #locked(): string | undefined {
    const host = this.hosts.get(this.hostId);
    if (!host) return l10n.t('This agent host is no longer listed. Add it again to change its settings.');
    if (host.client.state.kind !== 'connected') return l10n.t('The host is not connected. Its settings can be changed when it is back.');
    return host.readOnly;
  }
}
