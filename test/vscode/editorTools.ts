import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionBridge } from '../../src/extension/bridge/session/sessionBridge.ts';
import type { SessionRef } from '../../src/views/session/sessionRef.ts';
import { TestSessions } from './testSessions.ts';
import { until } from '../support/until.ts';

/** Newer than the API that we compile against. */
const shellEvents = vscode.window as unknown as { onDidChangeTerminalShellIntegration: vscode.Event<unknown> };

export function defineEditorToolsSuite(): void {
  describe('The editor’s tools in a real extension host', () => {
    let test: TestSessions;
    let session: SessionBridge;
    let ref: SessionRef;
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-outside-')));
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const path = (...parts: string[]) => join(folder().fsPath, ...parts);
    const call = <T>(tool: string, args: object = {}) => test.call(session, tool, args) as Promise<T>;
    const hasEditor = (of: SessionBridge) => of.offered.some(({ provider }) => provider === 'editor');
    const changes = () => test.api.bridge.bridge.onDidChange;

    before(async () => {
      writeFileSync(join(outside, 'secret.txt'), 'a needle outside');
      mkdirSync(path('search'));
      writeFileSync(path('search', 'one.txt'), 'first\nthe needle one\n');
      writeFileSync(path('search', 'saved.txt'), 'nothing here\n');
      writeFileSync(path('search', 'hidden.log'), 'needle in a log\n');
      writeFileSync(path('search', 'left.out'), 'needle left out\n');
      writeFileSync(path('search', 'binary.bin'), 'needle\0binary');
      symlinkSync(join(outside, 'secret.txt'), path('search', 'link.txt'));
      test = await TestSessions.open();
      ({ session, ref } = await test.create(folder()));
      await test.tool(session, 'editor_active');
    });
    after(async () => {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(path('search'), { recursive: true });
      rmSync(outside, { recursive: true });
    });

    it('are lent to a session that works in the window’s folder, with those marked that only read', async () => {
      const tools = session.offered.filter(({ provider }) => provider === 'editor');
      assert.deepEqual(tools.map(({ name, readOnly = false }) => `${name}${readOnly ? '' : ' asks'}`).sort(), [
        'editor_active',
        'editor_find_symbols',
        'editor_open_files',
        'editor_problems',
        'editor_reveal asks',
        'editor_search_text',
        'editor_show_diff asks',
        'editor_terminal_output asks',
      ]);
      assert.ok(tools.every(({ trust, description }) => trust === 'internal' && description !== ''));
      const client = test.api.hosts.get(ref.hostId)?.client.session(ref.uri);
      const told = await until('the host is told', client!.onDidChange, () =>
        client?.confirmed?.activeClients[0]?.tools.find(({ name }) => name === 'editor_active'),
      );
      assert.deepEqual(told.annotations, { readOnlyHint: true });
      client?.dispose();
    });

    it('show what the user looks at, and say nothing of files that are not of the window’s folders', async () => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path('search', 'one.txt')));
      editor.selection = new vscode.Selection(1, 4, 1, 10);
      const active = await call<{ file: string; selection: object; visible: { text: string } }>('editor_active');
      assert.equal(active.file, path('search', 'one.txt'));
      assert.deepEqual(active.selection, { startLine: 2, startColumn: 5, endLine: 2, endColumn: 11, text: 'needle' });
      assert.match(active.visible.text, /^first\nthe needle one/);
      for (const secret of [join(outside, 'secret.txt'), path('search', 'link.txt')]) {
        await vscode.window.showTextDocument(vscode.Uri.file(secret), { preview: false });
        const told = JSON.stringify([await call('editor_active'), await call('editor_open_files')]);
        assert.match(told, /not a file of this window’s folders/);
        assert.match(told, /one\.txt/);
        assert.doesNotMatch(told, /needle|secret|link\.txt/);
      }
      const { otherTabs } = await call<{ otherTabs: number }>('editor_open_files');
      assert.ok(otherTabs >= 2);
    });

    it('search files with unsaved changes, without what the settings leave out and what a link leads to', async () => {
      const search = vscode.workspace.getConfiguration('search');
      const files = vscode.workspace.getConfiguration('files');
      await search.update('exclude', { '**/*.{log,tmp}': true }, vscode.ConfigurationTarget.Workspace);
      await files.update('exclude', { '**/left.out': true }, vscode.ConfigurationTarget.Workspace);
      try {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(path('search', 'saved.txt')));
        await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'an unsaved needle'));
        const { matches } = await call<{ matches: { file: string; line: number; column: number; text: string }[] }>('editor_search_text', {
          query: 'NEEDLE',
          include: 'search/**',
        });
        assert.deepEqual(matches.map(({ file, line, column, text }) => [file, line, column, text]).sort(), [
          [path('search', 'one.txt'), 2, 5, 'the needle one'],
          [path('search', 'saved.txt'), 2, 12, 'an unsaved needle'],
        ]);
        const { matches: few, cut } = await call<{ matches: unknown[]; cut: string }>('editor_search_text', { query: 'e', maxMatches: 1 });
        assert.equal(few.length, 1);
        assert.match(cut, /Only the first 1 matches are listed/);
        assert.deepEqual(await call('editor_search_text', { query: 'needle', include: '../**' }), { matches: [] });
        await assert.rejects(call('editor_search_text', { query: '(', isRegex: true }), /not a regular expression/);
        await assert.rejects(call('editor_search_text', { query: '' }), /INVALID_ARGUMENTS/);
        const abort = new AbortController();
        const cancelled = session.registered?.call('editor_search_text', { query: 'x' }, abort.signal);
        abort.abort('no need');
        const outcome = await cancelled;
        assert.equal(outcome?.ok === false && outcome.errorCode, 'CANCELLED');
      } finally {
        await search.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
        await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

    it('reveal a range and show a diff, of files of the window’s folders only', async () => {
      await call('editor_reveal', { path: 'search/one.txt', startLine: 2, startColumn: 5, endLine: 2, endColumn: 8 });
      const { activeTextEditor: editor } = vscode.window;
      assert.equal(editor?.document.uri.fsPath, path('search', 'one.txt'));
      assert.equal(editor?.document.getText(editor.selection), 'nee');
      await call('editor_show_diff', { path: 'search/one.txt', proposedText: 'proposed\n' });
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
      assert.equal(activeTab.input.original.fsPath, path('search', 'one.txt'));
      assert.equal((await vscode.workspace.openTextDocument(activeTab.input.modified)).getText(), 'proposed\n');
      for (const stranger of ['search/link.txt', '../x', join(outside, 'secret.txt')]) {
        await assert.rejects(call('editor_reveal', { path: stranger, startLine: 1 }), /UNAUTHORIZED/, stranger);
        await assert.rejects(call('editor_show_diff', { path: stranger, proposedText: '' }), /UNAUTHORIZED/, stranger);
      }
    });

    it('list problems and symbols, the worst first, of files of the window’s folders only', async () => {
      const problems = vscode.languages.createDiagnosticCollection('test');
      const range = new vscode.Range(1, 4, 1, 10);
      const inside = vscode.Uri.file(path('search', 'one.txt'));
      problems.set(inside, [
        new vscode.Diagnostic(range, 'a hint', vscode.DiagnosticSeverity.Hint),
        new vscode.Diagnostic(range, 'a warning', vscode.DiagnosticSeverity.Warning),
        new vscode.Diagnostic(range, 'an error', vscode.DiagnosticSeverity.Error),
      ]);
      problems.set(vscode.Uri.file(join(outside, 'secret.txt')), [new vscode.Diagnostic(range, 'outside')]);
      const symbols = vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () =>
          [inside, vscode.Uri.file(join(outside, 'secret.txt'))].map(
            (uri) => new vscode.SymbolInformation('needle', vscode.SymbolKind.Function, '', new vscode.Location(uri, range)),
          ),
      });
      try {
        const place = { file: inside.fsPath, startLine: 2, startColumn: 5, endLine: 2, endColumn: 11 };
        const listed = await call<{ problems: { file: string; message: string }[] }>('editor_problems', { path: 'search/one.txt' });
        assert.deepEqual(
          listed.problems.map(({ message }) => message),
          ['an error', 'a warning'],
        );
        const errors = await call<{ problems: { file: string }[] }>('editor_problems', { atLeast: 'error' });
        assert.deepEqual(
          errors.problems.filter(({ file }) => [inside.fsPath, join(outside, 'secret.txt')].includes(file)),
          [{ ...place, severity: 'error', message: 'an error' }],
        );
        assert.deepEqual(await call('editor_find_symbols', { query: 'needle' }), {
          symbols: [{ name: 'needle', kind: 'Function', file: inside.fsPath, line: 2, column: 5 }],
        });
      } finally {
        problems.dispose();
        symbols.dispose();
      }
    });

    it('tell what the last commands in a terminal have printed', async () => {
      const terminal = vscode.window.createTerminal({ name: 'needle terminal', shellPath: '/bin/bash' });
      try {
        assert.match(JSON.stringify(await call('editor_terminal_output', { terminal: terminal.name })), /No command is known/);
        // The shell tells what it runs only once VS Code's integration is loaded.
        const { onDidChangeTerminalShellIntegration: onDidChange } = shellEvents;
        await until('shell integration', onDidChange, () => (terminal as { shellIntegration?: unknown }).shellIntegration);
        const last = async (want: (told: Record<string, unknown>) => boolean) => {
          for (;;) {
            const { commands } = await call<{ commands: Record<string, unknown>[] }>('editor_terminal_output', { terminal: terminal.name });
            const told = commands.at(-1);
            if (told && want(told)) return told;
          }
        };
        const command = String.raw`read -r word; printf '\033[31mred %s\033[0m\n' "$word"; false`;
        terminal.sendText(command);
        await last(({ isRunning }) => isRunning === true);
        terminal.sendText('needle');
        const told = await last(({ exitCode }) => exitCode !== undefined);
        assert.deepEqual(told, { command, exitCode: 1, output: 'needle\nred needle' });
        terminal.sendText('echo gone; true');
        const fast = await last(({ command: other, exitCode }) => other === 'echo gone; true' && exitCode !== undefined);
        assert.ok(fast.output === 'gone' || 'note' in fast, JSON.stringify(fast));
        await assert.rejects(call('editor_terminal_output', { terminal: 'none' }), /no terminal of that name/);
      } finally {
        terminal.dispose();
      }
    });

    it('stand beside those of a provider that is started in a terminal of the window, which connects by itself', async () => {
      const script = join(__dirname, '..', 'test', 'fixtures', 'projectProvider.mjs');
      const terminal = vscode.window.createTerminal({ name: 'provider', shellPath: '/bin/bash' });
      try {
        terminal.sendText(`node '${script}' serve 'from a terminal'`);
        await test.tool(session, 'where');
        const tool = session.offered.find(({ name }) => name === 'where');
        assert.deepEqual([tool?.provider, tool?.trust], ['from a terminal', 'project']);
        assert.equal(typeof (await call('where')), 'number');
      } finally {
        terminal.dispose();
      }
      await until('it is gone with its terminal', changes(), () => !session.offered.some(({ name }) => name === 'where'));
    });

    it('are not lent to a session that works elsewhere, until the user says so', async () => {
      const { ref: elsewhere, session: stranger } = await test.create(vscode.Uri.file(outside));
      await test.tool(stranger, 'tap_list_streams');
      assert.ok(!hasEditor(stranger));
      await test.api.editorTools.allow(elsewhere, true);
      await test.tool(stranger, 'editor_active');
      await assert.rejects(test.call(stranger, 'editor_reveal', { path: join(outside, 'secret.txt'), startLine: 1 }), /UNAUTHORIZED/);
      await test.api.editorTools.allow(elsewhere, false);
      await until('they are taken away', changes(), () => !hasEditor(stranger));
      assert.ok(hasEditor(session));
    });

    it('are withdrawn when the setting is switched off', async () => {
      const configuration = vscode.workspace.getConfiguration('tapline');
      await configuration.update('editorTools.enabled', false, vscode.ConfigurationTarget.Global);
      await until('they are withdrawn', changes(), () => !hasEditor(session));
      await configuration.update('editorTools.enabled', undefined, vscode.ConfigurationTarget.Global);
      await test.tool(session, 'editor_active');
    });
  });
}
