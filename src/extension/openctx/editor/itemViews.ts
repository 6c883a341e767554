/** Items as code lenses, hovers and decorations of VS Code. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { oneLine } from '../../../views/text/oneLine.ts';
import { commandName } from '../../commandTable.ts';
import { untrustedMarkdown } from '../../text/untrustedMarkdown.ts';
import type { ShownItem } from './shownItem.ts';

/** Above one line. The others are in the picker. */
const MAX_LENSES = 5;
const MAX_HOVERS = 20;

export function rangeOf(document: vscode.TextDocument, { place }: ShownItem): vscode.Range {
  if (!place) return new vscode.Range(0, 0, 0, 0);
  return new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
}

export function lensesOf(document: vscode.TextDocument, items: readonly ShownItem[]): vscode.CodeLens[] {
  const byLine = new Map<number, ShownItem[]>();
  for (const item of items) {
    const line = item.isAtTop || !item.place ? 0 : document.positionAt(item.place.start).line;
    const others = byLine.get(line);
    if (others) others.push(item);
    else byLine.set(line, [item]);
  }
  const uri = document.uri.toString();
  return [...byLine].flatMap(([line, all]) => {
    const range = new vscode.Range(line, 0, line, 0);
    const shown = all.length > MAX_LENSES ? all.slice(0, MAX_LENSES - 1) : all;
    const lenses = shown.map(
      ({ id, title, url }) =>
        new vscode.CodeLens(range, {
          title,
          tooltip: url ?? '',
          command: commandName('showOpenCtxItem'),
          arguments: [uri, id],
        }),
    );
    if (shown.length < all.length) {
      const more = all.length - shown.length;
      const title = l10n.plural(more, l10n.t`${l10n.countText(more)} more item…`, l10n.t`${l10n.countText(more)} more items…`);
      lenses.push(new vscode.CodeLens(range, { title, command: commandName('showFileContext'), arguments: [line] }));
    }
    return lenses;
  });
}

/** Undefined where no item is. One of the whole file is at its first line. */
export function hoverAt(document: vscode.TextDocument, items: readonly ShownItem[], position: vscode.Position): vscode.Hover | undefined {
  const offset = document.offsetAt(position);
  const here = items.filter(({ place, hover }) =>
    hover ? (place ? place.start <= offset && offset <= place.end : position.line === 0) : false,
  );
  if (here.length === 0) return undefined;
  return new vscode.Hover(here.slice(0, MAX_HOVERS).flatMap((item) => [headOf(item), textOf(item)]));
}

/** A text of its own, which what the provider wrote cannot hide or continue. */
function headOf({ title, url, provider }: ShownItem): vscode.MarkdownString {
  const head = untrustedMarkdown().appendMarkdown('**').appendText(title).appendMarkdown('** — ');
  if (url !== undefined) head.appendMarkdown(`[${l10n.t('open the link')}](<${url}>), `);
  return head.appendText(l10n.t({ message: 'from {0}', args: [oneLine(provider, 100)], comment: 'a context provider' }));
}

function textOf({ hover }: ShownItem): vscode.MarkdownString {
  if (!hover) return untrustedMarkdown();
  return 'markdown' in hover ? untrustedMarkdown().appendMarkdown(hover.markdown) : untrustedMarkdown().appendText(hover.text);
}

export class ItemDecorations implements vscode.Disposable {
  readonly #inText = vscode.window.createTextEditorDecorationType({
    borderWidth: '0 0 1px 0',
    borderStyle: 'dotted',
    borderColor: new vscode.ThemeColor('editorInfo.foreground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #inRuler = vscode.window.createTextEditorDecorationType({
    overviewRulerColor: new vscode.ThemeColor('editorInfo.foreground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });

  /** What goes over several lines is marked in the ruler only. */
  draw(editor: vscode.TextEditor, items: readonly ShownItem[]): void {
    const ranges = items.flatMap((item) => (item.place ? [rangeOf(editor.document, item)] : []));
    editor.setDecorations(
      this.#inText,
      ranges.filter((range) => range.isSingleLine && !range.isEmpty),
    );
    editor.setDecorations(
      this.#inRuler,
      ranges.map(({ start }) => new vscode.Range(start, start)),
    );
  }

  dispose(): void {
    this.#inText.dispose();
    this.#inRuler.dispose();
  }
}
