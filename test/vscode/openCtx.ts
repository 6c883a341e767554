import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandName } from '../../src/extension/commandTable.ts';
import type { TaplineApi } from '../../src/extension/extension.ts';
import type { WindowParts } from '../../src/extension/startWindow.ts';
import { until } from '../support/until.ts';

export function defineOpenCtxSuite(): void {
  describe('Context providers, in a real extension host', () => {
    let api: WindowParts;
    /** What runs leaves a file here. */
    const marks = mkdtempSync(join(tmpdir(), 'tapline-marks-'));
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no folder');
    const module = () => join(folder(), 'provider.mjs');
    const { Global, Workspace } = vscode.ConfigurationTarget;
    const set = (name: string, value: unknown, target: vscode.ConfigurationTarget) =>
      vscode.workspace.getConfiguration('openctx').update(name, value, target);
    const run = (command: Parameters<typeof commandName>[0]) => vscode.commands.executeCommand(commandName(command));
    const shown = () => vscode.window.activeTextEditor?.document;
    const status = (uri: string) => api.openCtx.providers.find((one) => one.uri === uri)?.status.kind;
    const becomes = (uri: string, kind: string | undefined) =>
      until(`${uri} is ${kind}`, api.openCtx.onDidChange, () => status(uri) === kind);
    const ask = async () => api.openCtx.client(folder())?.annotations({ uri: vscode.Uri.file(module()).toString(), content: 'a\nb\nc' });
    function write(mark: string): void {
      writeFileSync(
        module(),
        `import { writeFileSync } from 'node:fs';
         writeFileSync(${JSON.stringify(join(marks, mark))}, '');
         export default {
           capabilities: () => ({}),
           items: ({ content }, settings) => [{ title: '${mark} ' + JSON.stringify(settings), range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } } }],
         };`,
      );
    }

    before(async () => {
      const extension = vscode.extensions.getExtension<TaplineApi>('tapline.tapline');
      assert.ok(extension);
      api = await (await extension.activate()).parts();
    });
    after(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      for (const target of [Global, Workspace]) for (const name of ['providers', 'enable', 'debug']) await set(name, undefined, target);
      rmSync(module(), { force: true });
      rmSync(marks, { recursive: true });
    });

    it('are asked nothing that a workspace names, until the user has allowed it', async () => {
      write('first');
      await set('providers', { './provider.mjs': { a: 1 }, 'http://127.0.0.1:1/': true }, Workspace);
      await becomes('./provider.mjs', 'waits');
      await becomes('http://127.0.0.1:1/', 'waits');
      assert.equal(await ask(), undefined);
      // It ends only when somebody has read the error.
      void run('allowOpenCtxProvider');
      assert.equal(existsSync(join(marks, 'first')), false);
    });

    it('are not allowed when the file has changed since it was shown', async () => {
      await set('providers', { './provider.mjs': { a: 1 } }, Workspace);
      await becomes('http://127.0.0.1:1/', undefined);
      await run('reviewOpenCtxProviders');
      assert.equal(shown()?.uri.scheme, 'tapline-openctx');
      assert.ok(shown()?.getText().includes('setting "a" as JSON "1"'));
      write('second');
      await run('allowOpenCtxProvider');
      assert.deepEqual([status('./provider.mjs'), await ask()], ['waits', undefined]);
    });

    it('answer once they are allowed, until they change', async () => {
      await run('reviewOpenCtxProviders');
      await run('allowOpenCtxProvider');
      await becomes('./provider.mjs', 'unused');
      assert.deepEqual(
        (await ask())?.results.map(({ item, range }) => [item.title, range?.start.line]),
        [['second {"a":1}', 1]],
      );
      assert.equal(status('./provider.mjs'), 'works');
      assert.deepEqual([existsSync(join(marks, 'first')), existsSync(join(marks, 'second'))], [false, true]);
      write('third');
      await becomes('./provider.mjs', 'waits');
      assert.equal(await ask(), undefined);
      write('second');
      await becomes('./provider.mjs', 'unused');
      await set('providers', { './provider.mjs': { a: 2 } }, Workspace);
      await becomes('./provider.mjs', 'waits');
      assert.equal(existsSync(join(marks, 'third')), false);
    });

    it('are not asked any more when the user takes that back, or switches them off', async () => {
      await run('reviewOpenCtxProviders');
      await run('allowOpenCtxProvider');
      await becomes('./provider.mjs', 'unused');
      await run('neverAllowOpenCtxProvider');
      await becomes('./provider.mjs', 'refused');
      assert.equal(await ask(), undefined);
      await run('allowOpenCtxProvider');
      await becomes('./provider.mjs', 'unused');
      await set('enable', false, Global);
      await becomes('./provider.mjs', undefined);
      await set('enable', true, Workspace);
      await api.openCtx.update();
      assert.equal(await ask(), undefined, 'a workspace cannot switch on what the user has switched off');
      await set('enable', undefined, Workspace);
      await set('enable', undefined, Global);
      await becomes('./provider.mjs', 'unused');
    });

    it('of the user’s own settings are asked at once, and their failures are listed', async () => {
      await set('providers', undefined, Workspace);
      await set('providers', { 'http://127.0.0.1:1/': true, './missing.mjs': true, nonsense: 7 }, Global);
      await becomes('http://127.0.0.1:1/', 'unused');
      assert.equal((await ask())?.errors.length, 1);
      assert.deepEqual([status('http://127.0.0.1:1/'), status('./missing.mjs'), status('nonsense')], ['failed', 'wrong', 'wrong']);
      assert.equal(api.openCtx.errors.length, 3);
      await run('retryOpenCtxProvider');
      assert.equal(status('http://127.0.0.1:1/'), 'unused');
    });

    describe('in the editor', () => {
      const seen: string[] = [];
      /** Marks each word that starts with TODO. */
      const server = createServer((request, response) => {
        let body = '';
        request.on('data', (part) => (body += part));
        request.on('end', () => {
          const { method, params } = JSON.parse(body) as { method: string; params: { content: string } };
          if (method === 'items') seen.push(params.content);
          const items = () => [
            { title: 'Of the file', url: 'https://example.com/' },
            ...params.content.split('\n').flatMap((text, line) =>
              [...text.matchAll(/TODO\w*/g)].map(({ 0: word, index }) => ({
                title: `$(error) ${word}`,
                range: {
                  start: { line, character: index },
                  end: { line: line + (word === 'TODOlong' ? 1e9 : 0), character: index + word.length },
                },
                ui: { hover: { markdown: `about **${word}** [x](command:workbench.action.quit) ![i](https://example.com/i.png)` } },
              })),
            ),
          ];
          response.end(JSON.stringify({ result: method === 'capabilities' ? {} : items() }));
        });
      });
      let editor: vscode.TextEditor;
      const lenses = async () =>
        (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', editor.document.uri, 100)).flatMap(
          ({ range, command }) => (command?.command === commandName('showOpenCtxItem') ? [[range.start.line, command.title]] : []),
        );
      const untilTitles = (...titles: string[]) =>
        until(`items ${titles.join()}`, api.openCtxEditor.onDidChangeItems, () => {
          const now = api.openCtxEditor.itemsOf(editor.document).map(({ title }) => title.replace(/^\$\u200b\(error\) /, ''));
          return JSON.stringify(now) === JSON.stringify(titles);
        });

      before(async () => {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        writeFileSync(join(folder(), 'todo.txt'), 'one\ntwo TODOa\n');
        editor = await vscode.window.showTextDocument(vscode.Uri.file(join(folder(), 'todo.txt')));
        await set('providers', { [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`]: true }, Global);
      });
      after(async () => {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        rmSync(join(folder(), 'todo.txt'));
        server.close();
        server.closeAllConnections();
      });

      it('is a lens above its line, and a hover that cannot run a command or load an image', async () => {
        await untilTitles('Of the file', 'TODOa');
        assert.deepEqual(await lenses(), [
          [0, 'Of the file'],
          [1, '$\u200b(error) TODOa'],
        ]);
        const position = new vscode.Position(1, 5);
        const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', editor.document.uri, position);
        const contents = (hover?.contents ?? []) as vscode.MarkdownString[];
        assert.match(contents.map(({ value }) => value).join('\n'), /TODOa[^]*about \*\*TODOa\*\*[^]*&#33;\[i\]/);
        assert.ok(contents.every(({ isTrusted, supportHtml }) => !isTrusted && !supportHtml));
      });

      it('moves with the text, is asked for again, and is put into the file', async () => {
        await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
        assert.deepEqual(await lenses(), [
          [0, 'Of the file'],
          [2, '$\u200b(error) TODOa'],
        ]);
        await editor.edit((edit) => edit.insert(new vscode.Position(3, 0), 'TODOlong'));
        await untilTitles('Of the file', 'TODOa', 'TODOlong');
        assert.equal(seen.at(-1), 'zero\none\ntwo TODOa\nTODOlong');
        await editor.edit((edit) => edit.delete(new vscode.Range(2, 5, 3, 0)));
        await untilTitles('Of the file', 'TODOlong');
      });

      it('is gone when the provider is switched off, and is of files only', async () => {
        await set('enable', false, Global);
        await untilTitles();
        assert.deepEqual(await lenses(), []);
        const asked = seen.length;
        await set('enable', undefined, Global);
        await untilTitles('Of the file', 'TODOlong');
        const untitled = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'TODO' }));
        assert.deepEqual(api.openCtxEditor.itemsOf(untitled.document), []);
        assert.ok(seen.slice(asked).every((content) => content.startsWith('zero')));
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      });
    });
  });
}
