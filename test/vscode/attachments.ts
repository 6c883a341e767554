import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { attachmentsOf, findFiles } from '../../src/extension/sessionView/attachments/attachments.ts';
import { selections } from '../../src/extension/sessionView/attachments/editorContext.ts';
import type { RegisteredHost } from '../../src/extension/hosts/registeredHost.ts';

export function defineAttachmentsSuite(): void {
  describe('Attachments in a real extension host', () => {
    /** All that they need of a host that has the files of this computer. */
    const host = { kind: 'embedded' } as RegisteredHost;
    const at = (place: string) => ({ host, folder: place });
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-attachments-')));
    const checkout = join(root, 'app');
    const workTree = join(root, 'app-fix');
    const uri = (...parts: string[]) => pathToFileURL(join(...parts)).href;
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', checkout, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], { stdio: 'pipe' });

    before(() => {
      mkdirSync(join(checkout, 'parts'), { recursive: true });
      writeFileSync(join(checkout, 'parts', 'wheel.txt'), 'round');
      git('init', '--quiet');
      git('add', '.');
      git('commit', '--quiet', '-m', 'First');
      git('worktree', 'add', '--quiet', '-b', 'fix', workTree);
      writeFileSync(join(checkout, 'parts', 'wheel-draft.txt'), 'not committed');
    });
    after(() => rmSync(root, { recursive: true }));

    it('are found in the folder of the session, not in the one that is open', async () => {
      const found = await findFiles(at(uri(workTree)), 'wheel');
      assert.deepEqual(
        found.map((one) => [one.label, one.uri]),
        [['parts/wheel.txt', uri(workTree, 'parts/wheel.txt')]],
      );
      const own = await findFiles(at(folder().toString()), 'notes');
      assert.deepEqual(
        own.map((one) => one.uri),
        [vscode.Uri.joinPath(folder(), 'notes.md').toString()],
      );
    });

    it('of the open repository become those of the work tree, where it has them, and say so', async () => {
      const files = ['parts/wheel.txt', 'parts/wheel-draft.txt', 'parts'].map((path) => vscode.Uri.file(join(checkout, path)));
      assert.deepEqual(
        (await attachmentsOf(at(uri(workTree)), files)).map((one) => [one.label, one.uri]),
        [
          ['parts/wheel.txt (in the work tree)', uri(workTree, 'parts/wheel.txt')],
          [join(checkout, 'parts/wheel-draft.txt'), uri(checkout, 'parts/wheel-draft.txt')],
          ['parts (in the work tree)', uri(workTree, 'parts')],
        ],
      );
      const own = await attachmentsOf(at(folder().toString()), [vscode.Uri.joinPath(folder(), 'notes.md')]);
      assert.deepEqual(
        own.map((one) => one.label),
        ['notes.md'],
      );
    });

    it('are selections of the editor, exactly, with the lines in which they are', async () => {
      const document = await vscode.workspace.openTextDocument({ content: 'one\ntwo\nthree\nfour\n' });
      const editor = await vscode.window.showTextDocument(document);
      const { path } = document.uri;
      editor.selections = [new vscode.Selection(0, 1, 0, 2), new vscode.Selection(1, 2, 3, 0)];
      assert.deepEqual(await selections(at(uri(workTree)), editor), [
        { provider: 'the editor', title: `${path}:1`, text: `Line 1 of ${path}, selected in the editor:\n\nn` },
        { provider: 'the editor', title: `${path}:2-3`, text: `Lines 2 to 3 of ${path}, selected in the editor:\n\no\nthree\n` },
      ]);
      editor.selection = new vscode.Selection(2, 0, 2, 0);
      assert.deepEqual(await selections(at(uri(workTree)), editor), []);
      const file = await vscode.window.showTextDocument(vscode.Uri.file(join(checkout, 'parts/wheel.txt')));
      file.selection = new vscode.Selection(0, 0, 0, 5);
      const [item] = await selections(at(uri(workTree)), file);
      assert.equal(item?.text, 'Line 1 of parts/wheel.txt, selected in the editor:\n\nround');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });
}
