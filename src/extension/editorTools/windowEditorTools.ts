/** Lends the window's editor to the sessions that work in its folders, and to others when the user allows it. */
import * as l10n from '../../base/l10n.ts';
import * as vscode from 'vscode';
import { englishOf, UserError } from '../../base/errors.ts';
import type { Event } from '../../base/event.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { oneLine } from '../../views/text/oneLine.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { confirm, showInfo } from '../notifications.ts';
import { folderOf } from '../sessions/sessionFolder.ts';
import { type SessionRef, sessionKey } from '../../views/session/sessionRef.ts';
import { settings } from '../settings.ts';
import { folderPaths } from '../sessions/folderPaths.ts';
import type { LentTools } from './lentTools.ts';
import type { EditorTool } from './shared/editorTool.ts';
import { TerminalOutputs } from './shared/terminalOutputs.ts';
import { WindowFolders } from './shared/windowFolders.ts';

const STORAGE_KEY = 'tapline.editorSessions';
/** The oldest go first. */
const MAX_ALLOWED = 100;

/** Tools of another part of the window, as long as there is something to ask it. */
export interface MoreTools {
  readonly areOffered: boolean;
  tools(folders: WindowFolders): Promise<EditorTool[]>;
  readonly onDidChange: Event<void>;
}

export class WindowEditorTools implements Disposable {
  readonly #store = new DisposableStore();
  /** While the setting is on in a trusted workspace, from the first session that it is lent to. */
  #lent: { readonly tools: LentTools; readonly withMore: boolean } | undefined;
  #beginning = false;
  /** Also of commands that ran before the tools were lent, while the setting is on. */
  #terminals: TerminalOutputs | undefined;
  /** Sessions elsewhere that the user lends the editor to, by key. */
  readonly #allowed: Set<string>;

  /** `isOnThisComputer`: whether the paths of a host are paths of this window. */
  constructor(
    private readonly storage: vscode.Memento,
    private readonly bridge: Bridge,
    private readonly isOnThisComputer: (hostId: string) => boolean,
    private readonly more: MoreTools,
    private readonly logger: Logger,
  ) {
    const kept = storage.get<unknown>(STORAGE_KEY);
    this.#allowed = new Set(Array.isArray(kept) ? kept.filter((key) => typeof key === 'string') : []);
    this.#store.add(bridge.onDidChange(() => this.#update()));
    this.#store.add(more.onDidChange(() => this.#update()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#update()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#update()));
    this.#store.add(vscode.workspace.onDidChangeConfiguration((event) => settings.affectsEditorTools(event) && this.#update()));
    this.#update();
  }

  /** Asks the user whether to lend the editor to a session that works elsewhere, or whether to end that. */
  async choose(session: SessionRef): Promise<void> {
    if (!settings.editorTools())
      throw new UserError(l10n.t('The editor is not lent to any session, because the setting “tapline.editorTools.enabled” is off.'));
    if (!vscode.workspace.isTrusted)
      throw new UserError(l10n.t('The editor is lent in trusted workspaces only. Trust this workspace first.'));
    const title = oneLine(this.bridge.get(session)?.title) || l10n.t('this session');
    if (this.#worksHere(session)) {
      void showInfo(
        l10n.t`“${title}” works in a folder of this window, so it has the editor’s tools already. “Tapline: Review Tools…” switches single tools off.`,
      );
    } else if (this.#allowed.has(sessionKey(session))) {
      const question = l10n.t`Take the editor’s tools away from “${title}”?`;
      if (await confirm(question, l10n.t('The session can then no longer see what is open in this window.'), l10n.t('Take Away')))
        await this.allow(session, false);
    } else {
      const detail = l10n.t(
        'It works outside of this window’s folders, or on another host. With the editor’s tools it can read the files of this window’s folders, what is selected and open, problems, and what commands in your terminals printed, and send that to its host and model.',
      );
      if (await confirm(l10n.t`Lend this window’s editor to “${title}”?`, detail, l10n.t('Lend Editor'))) await this.allow(session, true);
    }
  }

  /** What the user has decided about a session that works elsewhere. */
  async allow(session: SessionRef, isAllowed: boolean): Promise<void> {
    this.#allowed.delete(sessionKey(session));
    if (isAllowed) this.#allowed.add(sessionKey(session));
    this.#update();
    await this.storage.update(STORAGE_KEY, [...this.#allowed].slice(-MAX_ALLOWED));
  }

  dispose(): void {
    this.#end();
    this.#store.dispose();
  }

  #update(): void {
    const isOn = settings.editorTools() && vscode.workspace.isTrusted;
    if (!isOn || this.#store.isDisposed) return this.#end();
    this.#terminals ??= new TerminalOutputs();
    const lent = this.bridge.sessions.filter(({ ref }) => this.#worksHere(ref) || this.#allowed.has(sessionKey(ref)));
    const registered = new Set(lent.flatMap(({ bridge }) => bridge.registered ?? []));
    if (this.#lent && this.#lent.withMore !== this.more.areOffered) this.#takeBack();
    if (this.#lent) this.#lent.tools.providers.follow(registered);
    else if (registered.size > 0) void this.#begin(this.#terminals);
  }

  /** The tools are loaded for the first session that they are lent to. */
  async #begin(terminals: TerminalOutputs): Promise<void> {
    if (this.#beginning) return;
    this.#beginning = true;
    try {
      const { LentTools } = await import('./lentTools.ts');
      const folders = new WindowFolders(folderPaths);
      const withMore = this.more.areOffered;
      const more = withMore ? await this.more.tools(folders) : [];
      // Switched off by now.
      if (this.#terminals === terminals) this.#lent = { tools: new LentTools(folders, terminals, more, this.logger), withMore };
    } catch (error) {
      this.logger.error(`The editor’s tools cannot be lent: ${englishOf(error)}`);
      return;
    } finally {
      this.#beginning = false;
    }
    this.#update();
  }

  #takeBack(): void {
    this.#lent?.tools.dispose();
    this.#lent = undefined;
  }

  #end(): void {
    this.#takeBack();
    this.#terminals?.dispose();
    this.#terminals = undefined;
  }

  #worksHere(session: SessionRef): boolean {
    return this.isOnThisComputer(session.hostId) && folderOf(this.bridge.get(session)?.cwd, folderPaths()) !== undefined;
  }
}
