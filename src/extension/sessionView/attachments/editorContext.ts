/** What the editor has for a message, as texts. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { type FileAttachment, fileAttachment } from '../../../views/session/composer/attachments.ts';
import type { ContextItem } from '../../../views/session/composer/contextItems.ts';
import { type Problem, problemsItem, selectionItem, symbolItem } from '../../../views/session/composer/editorItems.ts';
import { UserError } from '../../../base/errors.ts';
import { oneLine } from '../../../views/text/oneLine.ts';
import { hasOurFiles } from '../../hosts/registeredHost.ts';
import type { EditorThing } from '../../../webviews/session/protocol.ts';
import { placed, type SessionPlace } from './placedFile.ts';

const MAX_SELECTIONS = 10;
const MAX_SYMBOLS = 6;
const MAX_PROBLEM_FILES = 3;
/** What language services have not found by then is not offered. */
const SYMBOLS_TIMEOUT_MS = 1_000;
/** Of a symbol whose end nobody knows. */
const LINES_OF_SYMBOL = 40;

/** Each selection exactly, with the lines in which it is. Empty where nothing is selected. */
export async function selections(place: SessionPlace, { document, selections: all }: vscode.TextEditor): Promise<ContextItem[]> {
  const selected = all.filter(({ isEmpty }) => !isEmpty).slice(0, MAX_SELECTIONS);
  if (selected.length === 0) return [];
  const { path } = await placed(place, document.uri);
  return selected.map((selection) => {
    const { start, end } = selection;
    // A selection of whole lines ends at the start of the line after them.
    const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
    return selectionItem({ path, from: start.line + 1, to: last + 1, text: document.getText(selection) });
  });
}

/** Files with problems, and symbols, for `#` in the composer. `displayKind` says which. Only for agents that have the files of the editor. */
export async function findInEditor({ host }: SessionPlace, query: string): Promise<FileAttachment[]> {
  if (query.length < 2 || !hasOurFiles(host)) return [];
  const wanted = query.toLowerCase();
  const withProblems = vscode.languages
    .getDiagnostics()
    .filter(
      ([uri, all]) =>
        uri.scheme === 'file' && all.length > 0 && ('problems'.startsWith(wanted) || baseOf(uri).toLowerCase().startsWith(wanted)),
    )
    .slice(0, MAX_PROBLEM_FILES)
    .map(([uri]) => fileAttachment(uri.toString(), l10n.t`Problems in ${oneLine(baseOf(uri))}`, 'problems'));
  const symbols = (await symbolsNamed(query))
    .filter(({ location }) => location.uri.scheme === 'file')
    .slice(0, MAX_SYMBOLS)
    .map(({ name, location: { uri, range } }): FileAttachment => ({
      ...fileAttachment(uri.toString(), oneLine(name), 'symbol'),
      selection: { range: { start: { line: range.start.line, character: 0 }, end: { line: range.end.line, character: 0 } } },
    }));
  return [...symbols, ...withProblems];
}

/** Rejects with a `UserError` where it is there no more. */
export async function itemOf(place: SessionPlace, { kind, uri, label, line }: EditorThing): Promise<ContextItem> {
  const given = vscode.Uri.parse(uri, true);
  if (kind === 'problems') return problemsOf(place, given);
  const { uri: file, path } = await placed(place, given);
  const document = await vscode.workspace.openTextDocument(file);
  const range = (await rangeOf(file, label, line)) ?? new vscode.Range(line, 0, line + LINES_OF_SYMBOL, 0);
  const { start, end } = document.validateRange(new vscode.Range(range.start.line, 0, range.end.line, Number.MAX_SAFE_INTEGER));
  return symbolItem(label, { path, from: start.line + 1, to: end.line + 1, text: document.getText(new vscode.Range(start, end)) });
}

export async function problemsOf(place: SessionPlace, uri: vscode.Uri): Promise<ContextItem> {
  const problems = vscode.languages.getDiagnostics(uri).map(toProblem);
  if (problems.length === 0) throw new UserError(l10n.t('The editor reports no problems in this file.'));
  const { path, isTwin } = await placed(place, uri);
  return problemsItem(path, problems, isTwin);
}

function toProblem({ range, severity, message, source = '', code }: vscode.Diagnostic): Problem {
  const words = ['error', 'warning', 'information', 'hint'];
  const id = typeof code === 'object' ? code.value : (code ?? '');
  return {
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: words[severity] ?? 'problem',
    message,
    source: oneLine(`${source} ${id}`.trim(), 60),
  };
}

async function symbolsNamed(query: string): Promise<vscode.SymbolInformation[]> {
  const found = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, SYMBOLS_TIMEOUT_MS, undefined));
  return (await Promise.race([Promise.resolve(found).catch(() => undefined), late])) ?? [];
}

/** Of the symbol with that name which is nearest to the line: another copy of the file may have it elsewhere. */
async function rangeOf(uri: vscode.Uri, name: string, line: number): Promise<vscode.Range | undefined> {
  type Found = (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined;
  const found = await vscode.commands.executeCommand<Found>('vscode.executeDocumentSymbolProvider', uri);
  const all = (symbols: NonNullable<Found>): vscode.Range[] =>
    symbols.flatMap((symbol) => {
      const range = 'location' in symbol ? symbol.location.range : symbol.range;
      return [...(oneLine(symbol.name) === name ? [range] : []), ...('children' in symbol ? all(symbol.children) : [])];
    });
  const distance = (range: vscode.Range) => Math.abs(range.start.line - line);
  return all(found ?? []).sort((a, b) => distance(a) - distance(b))[0];
}

function baseOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
