/** The commands that add context to the composer of the active session. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import type { ContextItem } from '../../../views/session/composer/contextItems.ts';
import { terminalItem } from '../../../views/session/composer/editorItems.ts';
import { folderOf } from '../../../views/session/openChat.ts';
import type { HostRegistry } from '../../hosts/hostRegistry.ts';
import { attachmentsOf } from '../../sessionView/attachments/attachFiles.ts';
import { problemsOf, selections } from '../../sessionView/attachments/editorContext.ts';
import { gitChanges } from '../../sessionView/attachments/gitChanges.ts';
import type { SessionPlace } from '../../sessionView/attachments/placedFile.ts';
import type { SessionViews } from '../../sessionView/sessionViews.ts';
import type { SessionsTree } from '../../sessions/sessionsTree.ts';
import { settings } from '../../settings.ts';
import { pickSession } from './sessionArgument.ts';

// eslint-disable-next-line texts/translated -- a mark that is compared
const NOTHING_SELECTED = 'Tapline: nothing is selected';

export class ContextCommands {
  constructor(
    private readonly hosts: HostRegistry,
    private readonly tree: Pick<SessionsTree, 'allSessions'>,
    private readonly views: Pick<SessionViews, 'activeRef' | 'attach'>,
  ) {}

  /** The files chosen in the explorer; or what is selected in the active editor, with its lines; or else its file. */
  async attach(file: unknown, files: unknown): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    // The explorer and the tabs of editors pass a second argument, and mean the file.
    const isOfEditor = files === undefined && editor && (!isUri(file) || file.toString() === editor.document.uri.toString());
    const chosen = (Array.isArray(files) ? files : [file ?? editor?.document.uri]).filter(isUri);
    const target = await this.#target();
    if (!target) return;
    const selected = isOfEditor ? await selections(target, editor) : [];
    if (selected.length > 0) return this.#addItems(target, selected);
    const attached = await attachmentsOf(target, chosen);
    if (attached.attachments.length === 0 && !attached.context)
      throw new UserError(l10n.t('There is no file to add. Choose one in the explorer, or open it. Of what has no file, select the text.'));
    await this.views.attach(target.session, attached);
  }

  /** What is selected in the active terminal. VS Code gives it only to the clipboard, which has its text back then. */
  async attachTerminalSelection(): Promise<void> {
    const terminal = vscode.window.activeTerminal;
    const { clipboard } = vscode.env;
    const before = await clipboard.readText();
    let text: string;
    try {
      // So that a clipboard which stays as it is means that nothing is selected. One without a text may hold an image.
      if (before !== '') await clipboard.writeText(NOTHING_SELECTED);
      await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
      text = await clipboard.readText();
    } finally {
      if (before !== '') await clipboard.writeText(before);
    }
    if (!terminal || text === '' || text === NOTHING_SELECTED)
      throw new UserError(l10n.t('Nothing is selected in a terminal. Select the lines that matter, and run the command again.'));
    const target = await this.#target();
    if (target) await this.#addItems(target, [terminalItem(terminal.name, text)]);
  }

  async attachProblems(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (!uri) throw new UserError(l10n.t('Open the file whose problems you want to add.'));
    const target = await this.#target();
    if (target) await this.#addItems(target, [await problemsOf(target, uri)]);
  }

  async attachChanges(source: unknown): Promise<void> {
    const target = await this.#target();
    const item = target && (await gitChanges(source, settings.contextTokens()));
    if (item) await this.#addItems(target, [item]);
  }

  #addItems({ session }: SessionPlace, items: ContextItem[]): Promise<void> {
    return this.views.attach(session, { attachments: [], context: { items, budget: settings.contextTokens(), problems: [] } });
  }

  async #target(): Promise<SessionPlace | undefined> {
    const session = this.views.activeRef ?? (await pickSession(this.tree.allSessions, l10n.t('Which session?')));
    if (!session) return undefined;
    const host = this.hosts.get(session.hostId);
    if (!host) throw new UserError(l10n.t('The agent host of this session is no longer listed.'));
    const summary = host.client.sessions.summary(session.uri);
    return { session, host, folder: summary && folderOf(summary) };
  }
}

const isUri = (value: unknown): value is vscode.Uri => value instanceof vscode.Uri;
