/** The Session view of the sidebar and the same session in editor tabs. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import type { ModelSelection } from '../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../ahp/common/shapes.ts';
import { SessionStatus } from '../../ahp/common/status.ts';
import { cardPlace, type WindowItem } from '../../views/attention/attentionItems.ts';
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { CardPlace } from '../../views/session/waiting/waiting.ts';
import { isRead } from '../../views/sessionList/sessionItem.ts';
import { SessionPage } from '../../pages/session/sessionPage.ts';
import type { SessionPageServices } from '../../pages/session/sessionPageServices.ts';
import type { RegisteredHost } from '../hosts/registeredHost.ts';
import { webviewPort } from '../webviewPort.ts';
import { pageServices } from './pageServices.ts';
import { showInfo } from '../notifications.ts';
import { titleOf } from '../../pages/titleOf.ts';
import { sameSession, sessionKey, type SessionRef } from '../../views/session/sessionRef.ts';
import type { Attached } from '../../webviews/session/protocol.ts';
import type { SessionServices } from './sessionServices.ts';
import { SessionPictures } from './sessionPictures.ts';
import { webviewAssets, webviewHtml } from './webviewHtml.ts';

const SESSION_VIEW = 'tapline.session';
const EDITOR_TYPE = 'tapline.sessionEditor';
const SHOWN_KEY = 'tapline.shownSession';
const OPENED_KEY = 'tapline.conversationOpened';

const nothingApproved = {
  noSession: l10n.t('Nothing was approved, because no session is shown.'),
  offScreen: l10n.t('Nothing was approved, because the session was not on screen. It is now: see what waits in it, and answer there.'),
  noCall: l10n.t('Nothing was approved, because nothing that is shown waits for an answer.'),
};
const nothingDenied: typeof nothingApproved = {
  noSession: l10n.t('Nothing was denied, because no session is shown.'),
  offScreen: l10n.t('Nothing was denied, because the session was not on screen. It is now: see what waits in it, and answer there.'),
  noCall: l10n.t('Nothing was denied, because nothing that is shown waits for an answer.'),
};

export class SessionViews implements Disposable {
  readonly #store = new DisposableStore();
  readonly #pageServices: SessionPageServices<RegisteredHost>;
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** The active session or the context that its page reports changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #editors = new Map<string, { panel: vscode.WebviewPanel; controller: SessionPage<RegisteredHost> }>();
  #view: { view: vscode.WebviewView; controller: SessionPage<RegisteredHost> } | undefined;
  readonly #pictures: SessionPictures;
  #shown: SessionRef | undefined;
  /** The view is resolved some time after VS Code has been asked to show it. */
  #whenResolved:
    { focus: 'composer' | 'needsYou' | undefined; card?: CardPlace; attach?: { ref: SessionRef; attached: Attached } } | undefined;
  /** `modifiedAt` of the last change that was marked as read, by session. */
  readonly #markedRead = new Map<string, string>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly services: SessionServices,
  ) {
    this.#pageServices = pageServices(services);
    this.#pictures = new SessionPictures(context.extensionUri, services.logger);
    this.#shown = context.workspaceState.get<SessionRef>(SHOWN_KEY);
    const provider: vscode.WebviewViewProvider = { resolveWebviewView: (view) => this.#resolveView(view) };
    this.#store.add(
      vscode.window.registerWebviewViewProvider(SESSION_VIEW, provider, { webviewOptions: { retainContextWhenHidden: true } }),
    );
    this.#store.add(
      vscode.window.registerWebviewPanelSerializer(EDITOR_TYPE, {
        deserializeWebviewPanel: async (panel, state) => this.#restoreEditor(panel, state),
      }),
    );
    this.#store.add(services.hosts.onDidChange(() => this.#updateTitles()));
    this.#store.add(services.focus.onDidChange(() => this.#onDidChange.fire()));
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#markSeenRead()));
    this.#store.add(this.onDidChange(() => this.#markSeenRead()));
  }

  /** Of the pages on screen, the one that has or had the focus last. Otherwise the view in the sidebar. */
  get active(): SessionPage<RegisteredHost> | undefined {
    const onScreen = [...this.#editors.values()].filter(({ panel }) => panel.visible).map(({ controller }) => controller);
    if (this.#view?.view.visible) onScreen.push(this.#view.controller);
    const order = this.services.focus.byRecency;
    return onScreen.sort((a, b) => order.indexOf(a) - order.indexOf(b))[0] ?? this.#view?.controller;
  }
  /** The session that commands without an argument act on. */
  get activeRef(): SessionRef | undefined {
    return this.active?.ref ?? this.#shown;
  }

  /** The chat that the user sees of the session, as far as its page has said. */
  chatOf(ref: SessionRef): URI | undefined {
    return sameSession(this.active?.ref, ref) ? this.active?.context.chats?.[0] : undefined;
  }

  /** The sessions of the view and of all editor tabs, also of those behind others. The active one comes first. */
  get open(): SessionRef[] {
    const refs = [this.activeRef, this.#shown, ...Array.from(this.#editors.values(), ({ controller }) => controller.ref)];
    return [...new Map(refs.flatMap((ref) => (ref ? [[sessionKey(ref), ref] as const] : []))).values()];
  }

  /** True when the session is on screen. */
  isVisible(ref: SessionRef): boolean {
    return this.#onScreen(ref).length > 0;
  }

  /**
   * True when a session on screen shows it, or a page that has not said yet which chats it shows. What waits in a subagent of AHP v1 is shown
   * in the session that the user started, too.
   */
  shows({ hostId, uri, topSession = uri, chat }: WindowItem): boolean {
    if (uri === undefined || topSession === undefined) return false;
    if (topSession !== uri && this.isVisible({ hostId, uri: topSession })) return true;
    return this.#onScreen({ hostId, uri }).some(({ context }) => chat === undefined || (context.chats?.includes(chat) ?? true));
  }

  /** Where it is open: in an editor, or else in the view. `card`: the only one that may get the focus. */
  async show(ref: SessionRef, focus: 'composer' | 'needsYou' | undefined, card?: CardPlace): Promise<void> {
    const editor = this.#editors.get(sessionKey(ref));
    if (editor) {
      editor.panel.reveal();
      this.#bringToFront(editor.controller, focus, card);
      return;
    }
    this.#shown = ref;
    this.#view?.controller.show(ref);
    await this.context.workspaceState.update(SHOWN_KEY, ref);
    if (focus || !this.#view?.view.visible) await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`);
    if (this.#view) this.#bringToFront(this.#view.controller, focus, card);
    else this.#whenResolved = { focus, ...(card && { card }) };
    this.#updateTitles();
  }

  /** Opens the view beside what the user is in. Only once: from then on VS Code keeps what the user makes of it. */
  async openBeside(): Promise<void> {
    if (this.context.globalState.get<boolean>(OPENED_KEY)) return;
    await this.context.globalState.update(OPENED_KEY, true);
    await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`, { preserveFocus: true });
  }

  /** Goes to the next thing that waits on the page that has the focus, or else to the item. */
  async focusNext(item: WindowItem): Promise<void> {
    const { active } = this;
    if (active && active === this.services.focus.page && (active.context.needsYou ?? 0) > 0) return active.command('focusNextWaiting');
    const { hostId, uri, topSession = uri } = item;
    if (topSession === undefined) return;
    const ref = uri !== undefined && this.isVisible({ hostId, uri }) ? { hostId, uri } : { hostId, uri: topSession };
    await this.show(ref, 'needsYou', cardPlace(item));
  }

  /** Opens the bar that finds in the conversation. VS Code's own, which editor tabs could have, would not find the turns that are not rendered. */
  async find(): Promise<void> {
    const { active } = this;
    if (!active?.ref) return;
    if (this.services.focus.page !== active) {
      // The palette gives the focus back to what had it.
      const editor = this.#editors.get(sessionKey(active.ref));
      if (editor?.controller === active) editor.panel.reveal();
      else await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`);
    }
    active.command('find');
  }

  /** Sends what is in the composer of the session, where it is still on screen: the user may have gone to another one, whose words are not for this. */
  sendDraft(ref: SessionRef, model?: ModelSelection): void {
    this.#onScreen(ref)[0]?.command('sendDraft', model && { model });
  }

  /** The composer that begins a session. */
  async showStart(): Promise<void> {
    await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`);
    if (this.#view) this.#bringToFront(this.#view.controller, 'composer');
    else this.#whenResolved = { focus: 'composer' };
  }

  /** For the palette: answers the call that had the focus, and says so where it has answered nothing. */
  async answer(how: 'approve' | 'deny'): Promise<void> {
    const why = how === 'approve' ? nothingApproved : nothingDenied;
    const ref = this.activeRef;
    if (!ref) void showInfo(why.noSession);
    else if (!this.isVisible(ref)) {
      await this.show(ref, 'needsYou');
      void showInfo(why.offScreen);
    } else if (this.active?.context.needsYou === 0) void showInfo(why.noCall);
    else this.active?.command(how);
  }

  /** Closes the editor of the session, and empties the view if it shows the session. */
  async forget(ref: SessionRef): Promise<void> {
    this.#editors.get(sessionKey(ref))?.panel.dispose();
    await this.#leaveView(ref);
  }

  /** For what another place shows, or none. */
  async #leaveView(ref: SessionRef): Promise<void> {
    if (!sameSession(this.#shown, ref)) return;
    this.#shown = undefined;
    this.#view?.controller.show(undefined);
    await this.context.workspaceState.update(SHOWN_KEY, undefined);
    this.#updateTitles();
  }

  /** In place of the view, where it is shown there. */
  async openInEditor(ref: SessionRef): Promise<void> {
    const open = this.#editors.get(sessionKey(ref));
    if (open) return open.panel.reveal();
    const panel = vscode.window.createWebviewPanel(EDITOR_TYPE, titleOf(this.services.hosts, ref), vscode.ViewColumn.Active, {
      ...this.#webviewOptions,
      retainContextWhenHidden: true,
    });
    this.#fillEditor(panel, ref);
    await this.#leaveView(ref);
  }

  /** Adds files and context to the composer of the session. */
  async attach(ref: SessionRef, attached: Attached): Promise<void> {
    await this.show(ref, 'composer');
    const editor = this.#editors.get(sessionKey(ref));
    if (editor) return editor.controller.attach(attached);
    // They were checked for the host of this session.
    if (!sameSession(this.#shown, ref))
      throw new UserError(l10n.t('Nothing was attached, because another session was opened meanwhile. Try again.'));
    if (this.#view) this.#view.controller.attach(attached);
    else this.#whenResolved = { focus: 'composer', attach: { ref, attached } };
  }

  dispose(): void {
    for (const { panel } of [...this.#editors.values()]) panel.dispose();
    this.#view?.controller.dispose();
    this.#store.dispose();
  }

  /** The pages that show the session. */
  #onScreen(ref: SessionRef): SessionPage<RegisteredHost>[] {
    const editor = this.#editors.get(sessionKey(ref));
    const isInView = this.#view?.view.visible && sameSession(this.#shown, ref);
    return [...(editor?.panel.visible ? [editor.controller] : []), ...(this.#view && isInView ? [this.#view.controller] : [])];
  }

  get #webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [webviewAssets(this.context.extensionUri)] };
  }

  /** Fills an editor tab that VS Code restored after a reload of the window. `state` is what its page persisted. */
  #restoreEditor(panel: vscode.WebviewPanel, state: unknown): void {
    const { hostId, uri } = (state as { shown?: Partial<SessionRef> } | null | undefined)?.shown ?? {};
    if (typeof hostId !== 'string' || typeof uri !== 'string' || this.#editors.has(sessionKey({ hostId, uri }))) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#webviewOptions;
    this.#fillEditor(panel, { hostId, uri });
    void this.#leaveView({ hostId, uri });
  }

  #fillEditor(panel: vscode.WebviewPanel, ref: SessionRef): void {
    const key = sessionKey(ref);
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'media', 'tapline-color.svg');
    const controller = new SessionPage(webviewPort(panel.webview), this.#pageServices);
    this.#editors.set(key, { panel, controller });
    controller.onDidChangeContext(() => this.#onDidChange.fire());
    controller.show(ref);
    let wasActive = panel.active;
    if (wasActive) controller.cameToFront();
    panel.onDidChangeViewState(() => {
      if (panel.active && !wasActive) controller.cameToFront();
      wasActive = panel.active;
      this.#onDidChange.fire();
    });
    panel.onDidDispose(() => {
      this.#editors.delete(key);
      controller.dispose();
      this.#onDidChange.fire();
    });
    const picture = this.#pictures.of(controller.begin());
    panel.webview.html = webviewHtml(panel.webview, this.context.extensionUri, 'session', l10n.t('Session'), picture);
    this.#onDidChange.fire();
  }

  #resolveView(view: vscode.WebviewView): void {
    view.webview.options = this.#webviewOptions;
    const controller = new SessionPage(webviewPort(view.webview), this.#pageServices);
    this.#view = { view, controller };
    const { focus, card, attach } = this.#whenResolved ?? {};
    this.#whenResolved = undefined;
    if (focus) this.#bringToFront(controller, focus, card);
    controller.onDidChangeContext(() => this.#onDidChange.fire());
    controller.show(this.#shown);
    if (attach && sameSession(attach.ref, this.#shown)) controller.attach(attach.attached);
    view.onDidChangeVisibility(() => this.#onDidChange.fire());
    view.onDidDispose(() => {
      controller.dispose();
      if (this.#view?.view === view) this.#view = undefined;
    });
    view.webview.html = webviewHtml(view.webview, this.context.extensionUri, 'session', l10n.t('Session'));
    controller.begin();
    this.#updateTitles();
  }

  #bringToFront(controller: SessionPage<RegisteredHost>, focus: 'composer' | 'needsYou' | undefined, card?: CardPlace): void {
    if (focus) controller.focus(focus, card);
    controller.cameToFront();
  }

  /** Marks sessions on screen as read when the window has the focus and their turn has ended. Each change is dispatched once. */
  #markSeenRead(): void {
    if (!vscode.window.state.focused) return;
    const inView = [...this.#editors.values()].filter(({ panel }) => panel.visible).map(({ controller }) => controller.ref);
    if (this.#view?.view.visible) inView.push(this.#shown);
    for (const ref of inView) {
      const client = ref && this.services.hosts.get(ref.hostId)?.client;
      const summary = ref && client?.sessions.summary(ref.uri);
      if (!client || !summary || isRead(summary) || summary.status & SessionStatus.InProgress) continue;
      if (this.#markedRead.get(sessionKey(ref)) === summary.modifiedAt) continue;
      this.#markedRead.set(sessionKey(ref), summary.modifiedAt);
      const model = client.session(ref.uri);
      model.setRead(true);
      model.dispose();
    }
  }

  #updateTitles(): void {
    for (const { panel, controller } of this.#editors.values()) {
      const title = controller.ref ? titleOf(this.services.hosts, controller.ref) : l10n.t('Session');
      if (panel.title !== title) panel.title = title;
    }
    this.#onDidChange.fire();
  }
}
