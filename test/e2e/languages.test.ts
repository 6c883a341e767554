/** The window of somebody whose VS Code is in German: from the palette to an approved command. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestTexts } from '../support/manifest.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const manifest = manifestTexts('de');
const bundle = JSON.parse(readFileSync(join(import.meta.dirname, '../../l10n/bundle.l10n.de.json'), 'utf8')) as Record<string, string>;
/** A key that is not there is a mistake of the test. */
function german(english: string): string {
  const text = bundle[english];
  assert.ok(text, english);
  return text;
}

describe('Tapline in German, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline, { width: 1500, height: 950 }, 'de');
    await workbench.openTapline();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-german-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.viewTitled(manifest['view.session'] ?? '');

  it('lists the built-in host in it', async () => {
    await workbench.page.getByRole('treeitem', { name: new RegExp(`^Agent-Host ${german('This computer')}`) }).waitFor();
    await workbench.page.getByText(`Tapline: ${manifest['view.sessions']}`, { exact: true }).waitFor();
  });

  it('starts a session from the palette, and approves its command', async () => {
    await workbench.run(`Tapline: ${manifest['command.startDemo']}`);
    await session().getByText(german('Nothing was said yet. Write what you want done below.')).waitFor();
    await session().locator('#composer:focus').fill('run echo first > german.txt');
    await workbench.page.keyboard.press('Enter');
    await session()
      .locator('.state', { hasText: german('Needs you') })
      .waitFor();
    await workbench.shot('german-waiting');
    // Our own host says it so.
    const card = session().locator('.waiting-card');
    await card.getByText(german('Run this command?')).waitFor();
    await card.getByRole('button', { name: german('Run once'), exact: true }).click();
    await session()
      .locator('.state', { hasText: german('Idle') })
      .waitFor();
    assert.ok(existsSync(join(tapline.workspace, 'german.txt')));
    await session().getByText('echo first > german.txt ausgeführt').first().waitFor();
    await workbench.shot('german-done');
  });

  it('copies diagnostics in English, for those who maintain Tapline', async () => {
    await workbench.run(`Tapline: ${manifest['command.copyDiagnostics']}`);
    await workbench.page.locator('.tab.active', { hasText: german('Diagnostics of Tapline') }).waitFor();
    const lines = workbench.page.locator('.editor-group-container.active .view-lines');
    await lines.getByText('embedded').waitFor();
    const text = (await lines.innerText()).replaceAll('\u00a0', ' ');
    for (const part of ['### Versions', 'Language: de', '### Agent hosts', 'connected', '- models of your own: 0'])
      assert.ok(text.includes(part), text);
  });

  it('asks in it', async () => {
    await workbench.run(`Tapline: ${manifest['command.showLog']}`);
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: german('This window') }).waitFor();
    await workbench.page.locator('.quick-input-title', { hasText: german('Show Log') }).waitFor();
    await workbench.shot('german-question');
    await workbench.page.keyboard.press('Escape');
  });
});
