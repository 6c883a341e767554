import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { attachmentsOf, findFiles } from '../../src/extension/sessionView/attachments/attachFiles.ts';
import { readImage } from '../../src/extension/sessionView/attachments/imageAttachment.ts';
import { findInEditor, itemOf, selections } from '../../src/extension/sessionView/attachments/editorContext.ts';
import type { RegisteredHost } from '../../src/extension/hosts/registeredHost.ts';

export function defineAttachmentsSuite(): void {
  describe('Attachments in a real extension host', () => {
    /** All that they need of a host that has the files of this computer. */
    const host = { kind: 'embedded' } as RegisteredHost;
    const at = (place: string) => ({ host, session: { hostId: 'embedded', uri: 'demo:/1' }, folder: place });
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
        (await attachmentsOf(at(uri(workTree)), files)).attachments.map((one) => [one.label, one.uri]),
        [
          ['parts/wheel.txt (in the work tree)', uri(workTree, 'parts/wheel.txt')],
          [join(checkout, 'parts/wheel-draft.txt'), uri(checkout, 'parts/wheel-draft.txt')],
          ['parts (in the work tree)', uri(workTree, 'parts')],
        ],
      );
      const { attachments: own } = await attachmentsOf(at(folder().toString()), [vscode.Uri.joinPath(folder(), 'notes.md')]);
      assert.deepEqual(
        own.map((one) => one.label),
        ['notes.md'],
      );
    });

    it('are drawn as images only from files of this computer, whatever a host names', async () => {
      const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      writeFileSync(join(root, 'real.png'), png);
      assert.deepEqual(await readImage(host, uri(root, 'real.png')), { contentType: 'image/png', data: png.toString('base64') });
      symlinkSync('/dev/zero', join(root, 'endless.png'));
      execFileSync('mkfifo', [join(root, 'pipe.png')]);
      writeFileSync(join(root, 'text.png'), 'no image');
      for (const name of ['endless.png', 'pipe.png', 'text.png', 'none.png']) await assert.rejects(readImage(host, uri(root, name)), name);
      await assert.rejects(readImage(host, `file://server${root}/real.png`));
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

    it('are symbols, with their lines in the session’s own copy, and the problems of a file', async () => {
      const [mine, theirs] = [join(checkout, 'parts/wheel.txt'), join(workTree, 'parts/wheel.txt')];
      writeFileSync(theirs, 'new\nnew\nround\nend\n');
      const range = (line: number) => new vscode.Range(line, 0, line + 1, 0);
      const location = new vscode.Location(vscode.Uri.file(mine), range(0));
      const diagnostics = vscode.languages.createDiagnosticCollection('test');
      const language = { pattern: '**/wheel.txt' };
      const registered = [
        diagnostics,
        vscode.languages.registerWorkspaceSymbolProvider({
          provideWorkspaceSymbols: (query) =>
            query === 'roundness' ? [new vscode.SymbolInformation('roundness', vscode.SymbolKind.Class, '', location)] : [],
        }),
        vscode.languages.registerDocumentSymbolProvider(language, {
          provideDocumentSymbols: ({ uri }) =>
            uri.fsPath === theirs ? [new vscode.DocumentSymbol('roundness', '', vscode.SymbolKind.Class, range(2), range(2))] : [],
        }),
      ];
      try {
        diagnostics.set(vscode.Uri.file(mine), [new vscode.Diagnostic(range(0), 'Not round', vscode.DiagnosticSeverity.Warning)]);
        const place = at(uri(workTree));
        const [symbol] = await findInEditor(place, 'roundness');
        assert.deepEqual([symbol?.label, symbol?.displayKind], ['roundness', 'symbol']);
        assert.deepEqual(await itemOf(place, { kind: 'symbol', uri: symbol?.uri ?? '', label: 'roundness', line: 0 }), {
          provider: 'the editor',
          title: 'roundness in wheel.txt:3-4',
          text: 'Lines 3 to 4 of parts/wheel.txt, with “roundness”:\n\nround\nend',
        });
        for (const query of ['wheel', 'problems'])
          assert.deepEqual(
            (await findInEditor(place, query)).map(({ label }) => label),
            ['Problems in wheel.txt'],
          );
        const item = await itemOf(place, { kind: 'problems', uri: vscode.Uri.file(mine).toString(), label: '', line: 0 });
        assert.match(item.text, /parts\/wheel\.txt, in the user’s own checkout of it \(line:column\):\n\n1:1 warning: Not round$/);
        assert.deepEqual(
          await findInEditor({ ...place, host: { kind: 'configured' } as RegisteredHost }, 'wheel'),
          [],
          'of another computer',
        );
        diagnostics.clear();
        await assert.rejects(itemOf(place, { kind: 'problems', uri: vscode.Uri.file(mine).toString(), label: '', line: 0 }), /no problems/);
      } finally {
        for (const one of registered) one.dispose();
        git('-C', workTree, 'checkout', '--quiet', '.');
      }
    });
  });
}
