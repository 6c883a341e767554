/** Completes the names of an entry while it is written. The rules are loaded when somebody asks first. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import type { OfferedName } from './entryNames.ts';

export function completeEntries(isEntry: (document: vscode.TextDocument) => boolean): Disposable {
  const provider: vscode.CompletionItemProvider = {
    async provideCompletionItems(document, position) {
      if (!isEntry(document)) return undefined;
      const { entryNames } = await import('./entryNames.ts');
      const offered = entryNames(document.getText(), document.offsetAt(position));
      if (!offered) return undefined;
      const { names, offset, length, isWhole } = offered;
      const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
      return names.map((name) => item(name, range, isWhole));
    },
  };
  return vscode.languages.registerCompletionItemProvider([{ language: 'json' }, { language: 'jsonc' }], provider, '"', '$', '_');
}

const kinds: Readonly<Record<OfferedName['kind'], vscode.CompletionItemKind>> = {
  task: vscode.CompletionItemKind.Reference,
  job: vscode.CompletionItemKind.Reference,
  model: vscode.CompletionItemKind.Value,
  'agent host': vscode.CompletionItemKind.Value,
  variable: vscode.CompletionItemKind.Variable,
  tool: vscode.CompletionItemKind.Function,
};

const kindWords: Readonly<Record<OfferedName['kind'], string>> = {
  task: l10n.t('task'),
  job: l10n.t('job'),
  model: l10n.t('model'),
  'agent host': l10n.t('agent host'),
  variable: l10n.t('variable'),
  tool: l10n.t('tool'),
};

function item({ name, kind }: OfferedName, range: vscode.Range, isWhole: boolean): vscode.CompletionItem {
  const written = JSON.stringify(name);
  // A part of a string is written as in a string.
  const text = isWhole ? written : written.slice(1, -1);
  const made = new vscode.CompletionItem({ label: name, description: kindWords[kind] }, kinds[kind]);
  return Object.assign(made, { range, insertText: text, filterText: text });
}
