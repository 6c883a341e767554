/** Puts a block of code of an agent where the user wants it. Nothing is run, and nothing goes in that could not be seen. */
import * as l10n from '../../../base/l10n.ts';
import * as vscode from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { insertProblem, terminalUse } from '../../../views/text/markdown/usableCode.ts';
import { showInfo } from '../../notifications.ts';

/** In place of what is selected. */
export async function insertCode(code: string): Promise<void> {
  const problem = insertProblem(code);
  if (problem !== undefined) throw new UserError(l10n.sentencesText([problem, l10n.t('Nothing was inserted.')]));
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) throw new UserError(l10n.t('No file is open. Open the file, put the cursor where the code should go, and try again.'));
  const isDone = await editor.edit((edits) => {
    for (const selection of editor.selections) edits.replace(selection, code);
  });
  if (!isDone) throw new UserError(l10n.t('The file cannot be changed. Nothing was inserted.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** `folder`: where the session works, on this computer. */
export async function typeIntoTerminal(code: string, folder: string | undefined): Promise<void> {
  if (folder === undefined)
    throw new UserError(l10n.t('The session does not work in a folder of this computer, so a terminal here would be in another place.'));
  const use = terminalUse(code);
  if (use.kind === 'refuse') throw new UserError(l10n.sentencesText([use.why, l10n.t('Nothing was typed.')]));
  // A new one, because a program may run in another.
  const terminal = vscode.window.createTerminal({ name: 'Tapline', cwd: vscode.Uri.parse(folder, true) });
  terminal.show();
  if (use.kind === 'type') return terminal.sendText(use.text, false);
  await vscode.env.clipboard.writeText(use.text);
  void showInfo(
    l10n.t('The code has several lines, which a terminal may run as they come. It was copied: paste it into the terminal to run it.'),
  );
}
