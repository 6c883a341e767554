/** Marks what is wrong in the entries that are open, as they are written. The rules are loaded with the first of them. */
import * as l10n from '../../base/l10n.ts';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { englishOf } from '../../base/errors.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Logger } from '../../base/log.ts';
import { settings } from '../settings.ts';
import type { EntryMark } from './entryMarks.ts';

/** After the last key. */
const QUIET_MS = 300;
/** As the manifest says which files have the schema. */
const NAMED = /^(?:.*\.)?tapline-portal\.json$/;
const KEPT = l10n.t('A portal that runs with this file goes on with the entry that it has, until the file is saved without faults.');

export class EntryProblems implements Disposable {
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(vscode.languages.createDiagnosticCollection('tapline-portal'));
  readonly #waiting = new Map<vscode.TextDocument, NodeJS.Timeout>();

  /** `isRunning`: whether a portal runs, as far as it is known. */
  constructor(
    private readonly isRunning: () => boolean,
    private readonly logger: Logger,
  ) {
    const { workspace } = vscode;
    this.#store.add(workspace.onDidOpenTextDocument((document) => this.#soon(document, 0)));
    this.#store.add(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && this.#soon(document, QUIET_MS)),
    );
    this.#store.add(workspace.onDidChangeConfiguration((event) => settings.affectsPortalEntry(event) && this.#otherEntry()));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.#forget(document)));
    for (const document of workspace.textDocuments) this.#soon(document, 0);
  }

  /** Checks all of them again: a portal has begun or ended. */
  again(): void {
    for (const document of vscode.workspace.textDocuments) this.#soon(document, 0);
  }

  dispose(): void {
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
    this.#store.dispose();
  }

  #soon(document: vscode.TextDocument, delay: number): void {
    if (!isEntry(document)) return;
    clearTimeout(this.#waiting.get(document));
    const check = () => {
      this.#waiting.delete(document);
      this.#check(document).catch((error: unknown) => this.logger.warn(`The faults of an entry: ${englishOf(error)}`));
    };
    this.#waiting.set(document, setTimeout(check, delay));
  }

  /** Another file is the entry, and the one that was it is not marked any more. */
  #otherEntry(): void {
    for (const document of vscode.workspace.textDocuments) if (!isEntry(document)) this.#forget(document);
    this.again();
  }

  #forget(document: vscode.TextDocument): void {
    clearTimeout(this.#waiting.get(document));
    this.#waiting.delete(document);
    this.#problems.delete(document.uri);
  }

  async #check(document: vscode.TextDocument): Promise<void> {
    const { entryMarks } = await import('./entryMarks.ts');
    // Closed, or no entry any more, while the rules were loaded.
    if (document.isClosed || !isEntry(document)) return;
    const marks = entryMarks(document.getText(), isNamed(document));
    const kept = marks.some(({ isWarning }) => !isWarning) && this.isRunning() && isOfPortal(document) ? ` ${KEPT}` : '';
    this.#problems.set(
      document.uri,
      marks.map((mark) => diagnostic(document, mark, kept)),
    );
  }
}

function diagnostic(document: vscode.TextDocument, { offset, length, message, isWarning }: EntryMark, kept: string): vscode.Diagnostic {
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const severity = isWarning ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
  const said = new vscode.Diagnostic(range, `${sentence(message)}${isWarning ? '' : kept}`, severity);
  said.source = 'Tapline';
  return said;
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
}

/** Also the file of the setting, whatever it is called. */
export function isEntry(document: vscode.TextDocument): boolean {
  return isNamed(document) || isOfPortal(document);
}

function isNamed({ uri }: vscode.TextDocument): boolean {
  return ['file', 'untitled', 'vscode-remote', 'vscode-vfs'].includes(uri.scheme) && NAMED.test(basename(uri.path));
}

/** It is the file with which this user's portal is started. */
function isOfPortal({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' && uri.fsPath.endsWith('.json') && uri.fsPath === settings.portalEntry();
}
