import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { SessionBridge } from '../../src/extension/bridge/session/sessionBridge.ts';
import { commandName } from '../../src/extension/commandTable.ts';
import { TestSessions } from './testSessions.ts';
import { until } from '../support/until.ts';

const script = join(__dirname, '..', 'test', 'fixtures', 'projectProvider.mjs');

export function defineProjectProvidersSuite(): void {
  describe('Providers that a folder names, in a real extension host', () => {
    let test: TestSessions;
    let session: SessionBridge;
    /** What runs leaves a file here. */
    const marks = mkdtempSync(join(tmpdir(), 'tapline-marks-'));
    const folder = () => vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const file = () => join(folder().fsPath, 'tap.config.json');
    const hasRun = (name: string) => existsSync(join(marks, name));
    const changes = () => test.api.bridge.bridge.onDidChange;
    const run = (command: Parameters<typeof commandName>[0]) => vscode.commands.executeCommand(commandName(command));
    const shown = () => vscode.window.activeTextEditor?.document;
    const isOffered = () => session.offered.some(({ name, provider }) => name === 'where' && provider === 'ci');
    async function running(): Promise<string[]> {
      const status = await test.api.bridge.bridge.owner?.request('diagnostics', {});
      return (status?.projectProviders ?? []).map(({ name, state }) => `${name} ${state}`);
    }
    function write(mark: string): void {
      const preload = join(marks, `${mark}.cjs`);
      writeFileSync(preload, `require('fs').writeFileSync(${JSON.stringify(join(marks, mark))}, '');`);
      const provider = { name: 'ci', command: 'node', args: ['-r', preload, script, 'serve', 'ci'], env: { GIVEN: mark } };
      writeFileSync(file(), JSON.stringify({ providers: [provider] }));
    }

    before(async () => {
      test = await TestSessions.open();
      write('first');
      ({ session } = await test.create(folder()));
    });
    after(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(file(), { force: true });
      rmSync(marks, { recursive: true });
    });

    it('do not run unasked, and cannot be allowed without the list in view', async () => {
      // It ends only when somebody has read the error.
      void run('runProjectProviders');
      assert.deepEqual([await running(), hasRun('first')], [[], false]);
    });

    it('do not run when the file has changed since the list was shown', async () => {
      await run('reviewProjectProviders');
      assert.equal(shown()?.uri.scheme, 'tapline-project-providers');
      assert.ok(
        shown()
          ?.getText()
          .includes(`argument 2 ${JSON.stringify(join(marks, 'first.cjs'))}`),
      );
      assert.ok(shown()?.getText().includes('variable "GIVEN" = "first"'));
      write('second');
      await run('runProjectProviders');
      assert.deepEqual([await running(), hasRun('first'), hasRun('second')], [[], false, false]);
    });

    it('run for the session once the list was allowed, with a log of their own', async () => {
      await run('reviewProjectProviders');
      assert.ok(shown()?.getText().includes('variable "GIVEN" = "second"'));
      await run('runProjectProviders');
      await until('its tool', changes(), isOffered);
      assert.equal(session.offered.find(({ name }) => name === 'where')?.trust, 'project');
      assert.equal(typeof (await test.call(session, 'where')), 'number');
      assert.deepEqual([hasRun('first'), hasRun('second')], [false, true]);
      const { logs } = test.api.projectProviders;
      const [title = ''] = logs.titles;
      assert.match(title, /^Tapline: ci \(/);
      assert.match(logs.text(title), /--- runs as process \d+ ---\n.*"given":"second"/);
      await run('showProjectProviderLog');
    });

    it('end when the user takes that back', async () => {
      await run('neverRunProjectProviders');
      await until('its tool is gone', changes(), () => !isOffered());
      const { logs } = test.api.projectProviders;
      const { owner } = test.api.bridge.bridge;
      assert.ok(owner);
      // For each session of the folder one has run.
      const count = (state: RegExp) => logs.text(logs.titles[0] ?? '').match(state)?.length ?? 0;
      await until('all have ended', owner.onEvent, () => count(/--- stopped ---/g) === count(/--- runs as process \d+ ---/g));
      assert.deepEqual(await running(), []);
    });

    it('have a file whose mistakes are marked', async () => {
      writeFileSync(file(), '{"providers": [{"name": "ci"}]}');
      const [problem] = await until('the problem', vscode.languages.onDidChangeDiagnostics, () => {
        const found = vscode.languages.getDiagnostics(vscode.Uri.file(file())).filter(({ source }) => source?.startsWith('Tapline'));
        return found.length > 0 && found;
      });
      assert.match(problem?.message ?? '', /^tap\.config\.json: providers\.0\.command: .*Correct the file and save it\.$/);
      // The editor knows the schema.
      await vscode.window.showTextDocument(vscode.Uri.file(file()));
      await until('what the schema says', vscode.languages.onDidChangeDiagnostics, () =>
        vscode.languages.getDiagnostics(vscode.Uri.file(file())).some(({ message }) => /Missing property "command"/.test(message)),
      );
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      rmSync(file());
      await until('it is gone', vscode.languages.onDidChangeDiagnostics, () => {
        return vscode.languages.getDiagnostics(vscode.Uri.file(file())).length === 0;
      });
    });
  });
}
