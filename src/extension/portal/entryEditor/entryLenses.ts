/** A line above each job of an entry, with what can be done before it runs. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifecycle.ts';
import { commandName } from '../../commandTable.ts';

export function lensesOfEntries(isEntry: (document: vscode.TextDocument) => boolean): Disposable {
  const provider: vscode.CodeLensProvider = {
    async provideCodeLenses(document) {
      if (!isEntry(document)) return [];
      const { jobPlaces } = await import('./entryCharts.ts');
      return jobPlaces(document.getText()).map(({ name, offset, length }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const args = [document.uri.toString(), name];
        return new vscode.CodeLens(range, {
          title: l10n.t('Try with a Scripted Model'),
          command: commandName('tryEntryJob'),
          arguments: args,
        });
      });
    },
  };
  return vscode.languages.registerCodeLensProvider([{ language: 'json' }, { language: 'jsonc' }], provider);
}
