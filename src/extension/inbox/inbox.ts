/** The view "Needs You": what waits and is not on screen elsewhere. It is in the side bar only while it is of use. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { unknownHosts } from '../../views/attention/inboxView.ts';
import { showInfo } from '../notifications.ts';
import { webviewAssets, webviewHtml } from '../sessionView/webviewHtml.ts';
import { InboxPage, listedItems } from '../../pages/inbox/inboxPage.ts';
import type { InboxPageServices } from '../../pages/inbox/inboxPageServices.ts';
import type { SessionRef } from '../../views/session/sessionRef.ts';
import type { WindowItem } from '../../views/attention/attentionItems.ts';
import type { WindowAttention } from '../attention/windowAttention.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { openDiff, openFile } from '../sessionView/openers.ts';
import type { SessionServices } from '../sessionView/sessionServices.ts';
import { vsCodeShell, webviewPort } from '../webviewPort.ts';

const INBOX_VIEW = 'tapline.needsYou';

export interface InboxServices extends Pick<SessionServices, 'hosts' | 'logger' | 'focus' | 'bridgeInfo' | 'onDidChangeBridge' | 'signIn'> {
  readonly attention: WindowAttention;
  /** Shows a session or what is to be reviewed, or signs in. */
  openItem(item: WindowItem): Promise<unknown>;
  markRead(session: SessionRef): Promise<unknown>;
}

/** What is on screen in session views and editors. */
export interface SessionsOnScreen {
  shows(item: WindowItem): boolean;
  /** Moves the focus to the next thing that waits on screen, or to this one. */
  focusNext(item: WindowItem): Promise<void>;
  readonly onDidChange: Event<void>;
}

export class Inbox implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** `isNeeded` or `isVisible` may have changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #pageServices: InboxPageServices<RegisteredHost>;
  #shown: { view: vscode.WebviewView; page: InboxPage<RegisteredHost> } | undefined;
  /** The first item is to be focused once VS Code has made the view. */
  #focusOnceShown = false;
  #isNeeded = false;
  /** The user has asked for it. */
  #isWanted = false;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly services: InboxServices,
    private readonly onScreen: SessionsOnScreen,
  ) {
    const { hosts, focus, attention, logger, signIn } = services;
    this.#pageServices = {
      ...vsCodeShell(logger),
      ...{ hosts, focus, attention, signIn, onScreen },
      openItem: (item) => services.openItem(item),
      markRead: (session) => services.markRead(session),
      bridge: { info: (session) => services.bridgeInfo(session), onDidChange: services.onDidChangeBridge },
      editor: { openDiff, openFile },
    };
    const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => this.#resolve(view) };
    // What is typed into a form must not be lost when the view is folded.
    this.#store.add(vscode.window.registerWebviewViewProvider(INBOX_VIEW, provider, { webviewOptions: { retainContextWhenHidden: true } }));
    for (const event of [services.attention.onDidChange, services.hosts.onDidChange, services.focus.onDidChange, onScreen.onDidChange])
      this.#store.add(event(() => this.#update()));
    this.#update();
  }

  /** Something waits that is not on screen, the user is in the inbox, or a connection that was lost may be back in a moment. */
  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  /** The list is on screen. */
  get isVisible(): boolean {
    return this.#shown?.view.visible === true;
  }

  /** Of all pages it had the keyboard focus last, or has it. */
  get hadFocusLast(): boolean {
    return this.#shown !== undefined && this.services.focus.byRecency[0] === this.#shown.page;
  }

  get #hasFocus(): boolean {
    return this.#shown !== undefined && this.services.focus.page === this.#shown.page;
  }

  /** For a command of the palette, which may have been meant for another card. */
  async showUnanswered(): Promise<void> {
    await vscode.commands.executeCommand(`${INBOX_VIEW}.focus`);
    void showInfo(l10n.t('Nothing was answered. Use the buttons or the keys of the card in Needs You.'));
  }

  /** Goes to the first item, or to the next one when the focus is in the inbox already. What is on screen elsewhere is answered there. */
  async focusNext(): Promise<void> {
    const [first] = this.services.attention.items;
    if (!first) {
      void showInfo(l10n.t('Nothing needs you right now.'));
      return;
    }
    if (listedItems(this.#pageServices).length === 0) return this.onScreen.focusNext(first);
    this.#isWanted = true;
    this.#update();
    const target = this.#hasFocus ? 'next' : 'first';
    await vscode.commands.executeCommand(`${INBOX_VIEW}.focus`);
    if (this.#shown) this.#shown.page.focus(target);
    else this.#focusOnceShown = true;
  }

  dispose(): void {
    this.#shown?.page.dispose();
    this.#store.dispose();
  }

  #resolve(view: vscode.WebviewView): void {
    view.webview.options = { enableScripts: true, localResourceRoots: [webviewAssets(this.extensionUri)] };
    const page = new InboxPage(webviewPort(view.webview), this.#pageServices);
    this.#shown = { view, page };
    view.onDidChangeVisibility(() => {
      if (!view.visible) page.sortAgain();
      this.#onDidChange.fire();
    });
    view.onDidDispose(() => {
      // First: what the page host tells as it ends must not reach a view that is gone.
      if (this.#shown?.view === view) this.#shown = undefined;
      page.dispose();
      this.#update();
    });
    view.webview.html = webviewHtml(view.webview, this.extensionUri, 'inbox', l10n.t('Needs You'));
    this.#update();
    if (this.#focusOnceShown) page.focus('first');
    this.#focusOnceShown = false;
  }

  #update(): void {
    const count = listedItems(this.#pageServices).length;
    const { isLoading } = unknownHosts(this.services.hosts.all.map((host) => host.input()));
    const isFocused = this.#hasFocus;
    // From now on it is there for as long as it has the focus.
    this.#isWanted &&= !isFocused;
    this.#isNeeded = count > 0 || isFocused || this.#isWanted || (this.#isNeeded && isLoading);
    // The badge of the container already has the number, and VS Code would add another one to it.
    if (this.#shown) this.#shown.view.description = count === 0 ? undefined : String(count);
    this.#onDidChange.fire();
  }
}
