/** Lends the window's editor to the sessions that work in its folders, and to others when the user allows it. */
import * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
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
import { TextDocuments } from '../textDocuments.ts';
import { EditorProviders } from './editorProviders.ts';
import type { EditorTool } from './shared/editorTool.ts';
import { WindowFolders } from './shared/windowFolders.ts';
import { editorsTools } from './tools/editors.ts';
import { languageTools } from './tools/language.ts';
import { showTools } from './tools/show.ts';
import { TerminalOutputs } from './tools/terminals.ts';
import { textSearchTools } from './tools/textSearch.ts';

const STORAGE_KEY = 'tapline.editorSessions';
/** The oldest go first. */
const MAX_ALLOWED = 100;

export class WindowEditorTools implements Disposable {
  readonly #store = new DisposableStore();
  /** While the setting is on in a trusted workspace. */
  #lent: LentTools | undefined;
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
      throw new UserError('The editor is not lent to any session, because the setting “tapline.editorTools.enabled” is off.');
    if (!vscode.workspace.isTrusted) throw new UserError('The editor is lent in trusted workspaces only. Trust this workspace first.');
    const title = oneLine(this.bridge.get(session)?.title) || 'this session';
    if (this.#worksHere(session)) {
      void showInfo(
        `“${title}” works in a folder of this window, so it has the editor’s tools already. “Tapline: Review Tools…” switches single tools off.`,
      );
    } else if (this.#allowed.has(sessionKey(session))) {
      const question = `Take the editor’s tools away from “${title}”?`;
      if (await confirm(question, 'The session can then no longer see what is open in this window.', 'Take Away'))
        await this.allow(session, false);
    } else {
      const detail =
        'It works outside of this window’s folders, or on another host. With the editor’s tools it can read the files of this window’s folders, what is selected and open, problems, and what commands in your terminals printed, and send that to its host and model.';
      if (await confirm(`Lend this window’s editor to “${title}”?`, detail, 'Lend Editor')) await this.allow(session, true);
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
    this.#lent?.dispose();
    this.#store.dispose();
  }

  #update(): void {
    const isOn = settings.editorTools() && vscode.workspace.isTrusted;
    if (!isOn) {
      this.#lent?.dispose();
      this.#lent = undefined;
      return;
    }
    const folders = new WindowFolders(folderPaths);
    const more = this.more.tools(folders);
    if (this.#lent && this.#lent.moreNames !== namesOf(more)) {
      this.#lent.dispose();
      this.#lent = undefined;
    }
    this.#lent ??= new LentTools(folders, more, this.logger);
    const lent = this.bridge.sessions.filter(({ ref }) => this.#worksHere(ref) || this.#allowed.has(sessionKey(ref)));
    this.#lent.providers.follow(new Set(lent.flatMap(({ bridge: { registered } }) => registered ?? [])));
  }

  #worksHere(session: SessionRef): boolean {
    return this.isOnThisComputer(session.hostId) && folderOf(this.bridge.get(session)?.cwd, folderPaths()) !== undefined;
  }
}

/** Tools of other parts of the window, as long as there is something to ask them. */
export interface MoreTools {
  tools(folders: WindowFolders): readonly EditorTool[];
  readonly onDidChange: Event<void>;
}

function namesOf(tools: readonly EditorTool[]): string {
  return tools.map(({ definition }) => definition.name).join(' ');
}

/** The tools and what they need, while they are lent. */
class LentTools implements Disposable {
  readonly #store = new DisposableStore();
  readonly providers: EditorProviders;
  readonly moreNames: string;

  constructor(folders: WindowFolders, more: readonly EditorTool[], logger: Logger) {
    this.moreNames = namesOf(more);
    const terminals = this.#store.add(new TerminalOutputs());
    const proposed = this.#store.add(new TextDocuments('tapline-proposed', 'This text is no longer kept. Ask the agent to show it again.'));
    const tools = [
      ...editorsTools(folders),
      ...languageTools(folders),
      ...textSearchTools(folders),
      ...showTools(folders, proposed),
      ...terminals.tools,
      ...more,
    ];
    this.providers = this.#store.add(new EditorProviders(tools, logger));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
