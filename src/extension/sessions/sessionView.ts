/** The Session view of the sidebar and the same session in editor tabs. */
import * as vscode from 'vscode';
import type { MessageAttachment } from '../../ahp/v1/common.ts';
import { SessionStatus } from '../../ahp/v1/session.ts';
import { Emitter } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { isRead, sessionTitle } from '../../views/sessionItem.ts';
import { SessionController } from './sessionController.ts';
import { sessionKey, type SessionRef } from './sessionRef.ts';
import type { SessionServices } from './sessionServices.ts';
import { webviewAssets, webviewHtml } from './webviewHtml.ts';

const SESSION_VIEW = 'tapline.session';
const EDITOR_TYPE = 'tapline.sessionEditor';
const SHOWN_KEY = 'tapline.shownSession';

export class SessionViews implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  /** Which session is in front, or what its page says of it, changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #editors = new Map<string, { panel: vscode.WebviewPanel; controller: SessionController }>();
  #view: { view: vscode.WebviewView; controller: SessionController } | undefined;
  #shown: SessionRef | undefined;
  /** `modifiedAt` of the last change that was told as read, by session. */
  readonly #markedRead = new Map<string, number>();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly services: SessionServices,
  ) {
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
    this.#store.add(vscode.window.onDidChangeWindowState(() => this.#markSeenRead()));
    this.#store.add(this.onDidChange(() => this.#markSeenRead()));
  }

  /** The controller of the editor tab in front, else of the sidebar's view. */
  get active(): SessionController | undefined {
    const editor = [...this.#editors.values()].find(({ panel }) => panel.active);
    return editor?.controller ?? this.#view?.controller;
  }
  /** The controller of the page that has the focus, and in it a call that the answer keys are for. */
  get withFocusedCall(): SessionController | undefined {
    const controllers = [...this.#editors.values(), ...(this.#view ? [this.#view] : [])].map(({ controller }) => controller);
    return controllers.find(({ context }) => context.callFocused);
  }
  /** The session that commands without an argument act on. */
  get activeRef(): SessionRef | undefined {
    return this.active?.ref ?? this.#shown;
  }

  /** True when the user can see the session now. */
  isVisible(ref: SessionRef): boolean {
    const key = sessionKey(ref);
    if (this.#editors.get(key)?.panel.visible) return true;
    return Boolean(this.#view?.view.visible && this.#shown && sessionKey(this.#shown) === key);
  }

  async show(ref: SessionRef, focus: 'composer' | 'needsYou' | undefined): Promise<void> {
    this.#shown = ref;
    this.#view?.controller.show(ref);
    await this.context.workspaceState.update(SHOWN_KEY, ref);
    if (focus || !this.#view?.view.visible) await vscode.commands.executeCommand(`${SESSION_VIEW}.focus`);
    if (focus) this.#view?.controller.focus(focus);
    this.#updateTitles();
  }

  /** Answers what waits: with a key where the focus is, else in the session in front. What cannot be seen is shown and not answered. */
  async answer(how: 'approve' | 'deny', byKey: boolean): Promise<void> {
    if (byKey) {
      this.withFocusedCall?.command(how, true);
      return;
    }
    const ref = this.activeRef;
    if (!ref) return;
    if (this.isVisible(ref)) this.active?.command(how);
    else await this.show(ref, 'needsYou');
  }

  /** Empties the view when it shows this session, and closes its editor. */
  async forget(ref: SessionRef): Promise<void> {
    this.#editors.get(sessionKey(ref))?.panel.dispose();
    if (!this.#shown || sessionKey(this.#shown) !== sessionKey(ref)) return;
    this.#shown = undefined;
    this.#view?.controller.show(undefined);
    await this.context.workspaceState.update(SHOWN_KEY, undefined);
    this.#updateTitles();
  }

  openInEditor(ref: SessionRef): void {
    const open = this.#editors.get(sessionKey(ref));
    if (open) {
      open.panel.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(EDITOR_TYPE, this.#titleOf(ref), vscode.ViewColumn.Active, {
      ...this.#webviewOptions,
      retainContextWhenHidden: true,
      enableFindWidget: true,
    });
    this.#fillEditor(panel, ref);
  }

  /** Gives files to the composer of the session in front. */
  async attach(ref: SessionRef, attachments: MessageAttachment[]): Promise<void> {
    const editor = this.#editors.get(sessionKey(ref));
    if (editor?.panel.active) {
      editor.controller.attach(attachments);
      editor.controller.focus('composer');
      return;
    }
    await this.show(ref, 'composer');
    this.#view?.controller.attach(attachments);
  }

  dispose(): void {
    for (const { panel } of [...this.#editors.values()]) panel.dispose();
    this.#view?.controller.dispose();
    this.#store.dispose();
  }

  get #webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [webviewAssets(this.context.extensionUri)] };
  }

  /** The window has been loaded again: its tabs come back empty, with what their pages kept. */
  #restoreEditor(panel: vscode.WebviewPanel, state: unknown): void {
    const { hostId, uri } = (state as { shown?: Partial<SessionRef> } | null | undefined)?.shown ?? {};
    if (typeof hostId !== 'string' || typeof uri !== 'string' || this.#editors.has(sessionKey({ hostId, uri }))) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.#webviewOptions;
    this.#fillEditor(panel, { hostId, uri });
  }

  #fillEditor(panel: vscode.WebviewPanel, ref: SessionRef): void {
    const key = sessionKey(ref);
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'media', 'tapline-color.svg');
    const controller = new SessionController(panel.webview, this.services);
    this.#editors.set(key, { panel, controller });
    controller.onDidChangeContext(() => this.#onDidChange.fire());
    controller.show(ref);
    panel.onDidChangeViewState(() => this.#onDidChange.fire());
    panel.onDidDispose(() => {
      this.#editors.delete(key);
      controller.dispose();
      this.#onDidChange.fire();
    });
    panel.webview.html = webviewHtml(panel.webview, this.context.extensionUri, 'session', 'Session');
    this.#onDidChange.fire();
  }

  #resolveView(view: vscode.WebviewView): void {
    view.webview.options = this.#webviewOptions;
    const controller = new SessionController(view.webview, this.services);
    this.#view = { view, controller };
    controller.onDidChangeContext(() => this.#onDidChange.fire());
    controller.show(this.#shown);
    view.onDidChangeVisibility(() => this.#onDidChange.fire());
    view.onDidDispose(() => {
      controller.dispose();
      if (this.#view?.view === view) this.#view = undefined;
    });
    view.webview.html = webviewHtml(view.webview, this.context.extensionUri, 'session', 'Session');
    this.#updateTitles();
  }

  /** What is in view of a focused window counts as read once its turn has ended; each change is told to the host once. */
  #markSeenRead(): void {
    if (!vscode.window.state.focused) return;
    const inView = [...this.#editors.values()].filter(({ panel }) => panel.visible).map(({ controller }) => controller.ref);
    if (this.#view?.view.visible) inView.push(this.#shown);
    for (const ref of inView) {
      const client = ref && this.services.hosts.get(ref.hostId)?.client;
      const summary = ref && client?.sessions.get(ref.uri);
      if (!summary || isRead(summary) || summary.status & SessionStatus.InProgress) continue;
      if (this.#markedRead.get(sessionKey(ref)) === summary.modifiedAt) continue;
      this.#markedRead.set(sessionKey(ref), summary.modifiedAt);
      client?.dispatch(ref.uri, { type: 'session/isReadChanged', session: ref.uri, isRead: true });
    }
  }

  #updateTitles(): void {
    for (const { panel, controller } of this.#editors.values()) {
      const title = controller.ref ? this.#titleOf(controller.ref) : 'Session';
      if (panel.title !== title) panel.title = title;
    }
    this.#onDidChange.fire();
  }

  #titleOf({ hostId, uri }: SessionRef): string {
    const summary = this.services.hosts.get(hostId)?.client.sessions.get(uri);
    return summary ? sessionTitle(summary) : 'Session';
  }
}
