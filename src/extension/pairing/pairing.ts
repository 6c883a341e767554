/** Pairing codes in VS Code: the status bar item, and what can be done with a code. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { whoAsks } from '../../views/pairing/originWords.ts';
import { type PairingChoice, pairingChoices, pairingItem, type PendingPairing } from '../../views/pairing/pairingView.ts';
import { withoutMarkup } from '../../views/text/withoutMarkup.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { commandName } from '../commandTable.ts';
import { showInfo } from '../notifications.ts';
import { PendingPairings } from './pendingPairings.ts';

const COPIED_MS = 5_000;

export class Pairing implements Disposable {
  readonly #store = new DisposableStore();
  readonly pending = this.#store.add(new PendingPairings(systemClock));
  readonly #item = this.#store.add(vscode.window.createStatusBarItem('pairing', vscode.StatusBarAlignment.Left, 8));

  constructor(private readonly bridge: Bridge) {
    this.#item.name = l10n.t('Tapline Pairing Code');
    this.#item.command = commandName('showPairingCodes');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#store.add(bridge.onDidChange(() => this.#followBridge()));
    this.#store.add(this.pending.onDidChange(() => this.#draw()));
    this.#store.add(this.pending.onDidCountDown(() => this.#draw()));
    this.#followBridge();
  }

  /** A code waits that concerns this window. */
  get isPending(): boolean {
    return this.#concerning.length > 0;
  }

  /** All codes, to copy or to deny. */
  async show(): Promise<void> {
    await this.#act(await this.#choose(l10n.t('Pairing Codes'), () => true));
  }
  async copy(): Promise<void> {
    await this.#act(await this.#choose(l10n.t('Copy Pairing Code'), (choice) => choice.do === 'copy', true));
  }
  async deny(): Promise<void> {
    await this.#act(await this.#choose(l10n.t('Deny Pairing'), (choice) => choice.do === 'deny', true));
  }

  async denyOne(id: string): Promise<void> {
    const pairing = this.pending.all.find((one) => one.id === id);
    if (!(await this.pending.deny(id)))
      throw new UserError(
        l10n.t(
          'It was too late to deny the code, which has been used or has expired. If a provider that you do not know lends tools now, revoke it with “Tapline: Revoke a Paired Provider…”.',
        ),
      );
    void showInfo(l10n.t`You have denied the code for ${whoAsks(pairing?.origin)}.`);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #followBridge(): void {
    this.pending.follow(this.bridge.owner);
    this.#draw();
  }

  /** None in a window without a session that a provider could connect to: no code is for it. */
  get #concerning(): readonly PendingPairing[] {
    return this.bridge.sessions.some(({ bridge }) => bridge.isAtGateway) ? this.pending.all : [];
  }

  #draw(): void {
    const view = pairingItem(this.#concerning, systemClock.now());
    if (!view) return this.#item.hide();
    this.#item.text = `$(key) ${withoutMarkup(view.text)}`;
    this.#item.tooltip = view.tooltip;
    this.#item.accessibilityInformation = { label: view.label, role: 'button' };
    this.#item.show();
  }

  /** `atOnce`: a single choice is taken without asking. The list closes when a code comes or goes, so that the user cannot pick another row than they read. */
  async #choose(title: string, isMeant: (choice: PairingChoice) => boolean, atOnce = false): Promise<PairingChoice | undefined> {
    const choices = pairingChoices(this.#concerning).filter(isMeant);
    if (choices.length === 0) throw new UserError(l10n.t('No pairing code is pending. A page or program shows that it waits for one.'));
    if (atOnce && choices.length === 1) return choices[0];
    const source = new vscode.CancellationTokenSource();
    const listening = this.pending.onDidChange(() => source.cancel());
    try {
      const items = choices.map((choice) => ({
        ...choice,
        label: `$(${choice.do === 'copy' ? 'copy' : 'circle-slash'}) ${choice.label}`,
        description: withoutMarkup(choice.description),
      }));
      return await vscode.window.showQuickPick(
        items,
        { title, placeHolder: l10n.t('What do you want to do with the code?'), matchOnDescription: true },
        source.token,
      );
    } finally {
      listening.dispose();
      source.dispose();
    }
  }

  async #act(choice: PairingChoice | undefined): Promise<void> {
    if (!choice) return;
    if (choice.do === 'deny') return this.denyOne(choice.id);
    const pairing = this.pending.all.find(({ id }) => id === choice.id);
    if (!pairing) throw new UserError(l10n.t('The code is no longer valid. The page or program can ask for another one.'));
    await vscode.env.clipboard.writeText(pairing.code);
    vscode.window.setStatusBarMessage(withoutMarkup(l10n.t`Copied the code for ${whoAsks(pairing.origin)}`), COPIED_MS);
  }
}
