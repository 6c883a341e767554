/**
 * A new user with a model server on their own computer: from `npm start` to a finished coding task with the real Copilot engine, which reads, edits
 * a file, runs the tests, asks one question, and is approved twice. Only the model's answers are written by the test.
 */
import assert from 'node:assert/strict';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { withTimeout } from '../../src/base/errors.ts';
import { ModelServer } from '../fixtures/modelServer.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';

const ENGINE_INSTALL_MS = 180_000;
const SAVE_MS = 30_000;

/** Resolves once the file holds the text; the folder is watched. */
async function fileHolds(file: string, text: string): Promise<void> {
  const holds = () => readFileSync(file, 'utf8').includes(text);
  let watcher: FSWatcher | undefined;
  const written = new Promise<void>((resolve) => {
    watcher = watch(dirname(file), () => holds() && resolve());
    if (holds()) resolve();
  });
  try {
    await withTimeout(written, SAVE_MS, `${text} in ${file}`);
  } finally {
    watcher?.close();
  }
}

describe('a model of one’s own, from nothing to a finished task', () => {
  let model: ModelServer;
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    [model, tapline] = await Promise.all([ModelServer.start(), startTapline()]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await model?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-own-model-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const card = () => session().locator('.waiting-card');
  const input = () => workbench.page.locator('.quick-input-widget input');
  async function answer(prompt: string, text: string): Promise<void> {
    await workbench.page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
    await input().fill(text);
    await input().press('Enter');
  }

  it('installs the engine on request and adds the model, which is tried', async function () {
    this.timeout(ENGINE_INSTALL_MS + 60_000);
    await workbench.run('Tapline: Add a Model of Your Own…');
    await workbench.page
      .locator('.monaco-dialog-box', { hasText: 'Install the Copilot engine?' })
      .getByRole('button', { name: 'Install' })
      .click();
    await workbench.page.locator('.notification-toast', { hasText: 'Installing the Copilot engine' }).waitFor();
    await workbench.shot('13-installing');
    await workbench.page.locator('.quick-input-widget', { hasText: 'Address of the server' }).waitFor({ timeout: ENGINE_INSTALL_MS });
    await answer('Address of the server', model.baseUrl);
    await answer('API key', 'secret-key-of-the-test');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'scripted-model' }).click();
    await answer('What is the model called in the list?', 'My model');
    const settingsFile = join(dirname(tapline.workspace), 'user/User/settings.json');
    await fileHolds(settingsFile, model.baseUrl);
    const settings = readFileSync(settingsFile, 'utf8');
    assert.ok(settings.includes(model.baseUrl) && !settings.includes('secret-key-of-the-test'));
  });

  it('does the task: reads, edits, asks, runs the tests', async function () {
    this.timeout(120_000);
    const file = join(tapline.workspace, 'src/greeting.js');
    model.reply(
      [{ reasoning: 'I look at the file first.' }, { text: 'Let me read the code.' }, { tool: 'view', args: { path: file } }],
      [{ tool: 'ask_user', args: { question: 'How should it greet?', choices: ['Hello', 'Good day'] } }],
      [
        { text: 'I make the change.' },
        { tool: 'edit', args: { path: file, old_str: '`Hello, ${name}!`', new_str: '`Hello, ${name.trim()}!`' } },
      ],
      [{ text: 'Now the tests.' }, { tool: 'bash', args: { command: 'node --test src', description: 'Run the tests' } }],
      [{ text: 'Names are **trimmed** now, and the tests pass.' }],
    );
    await workbench.run('Tapline: New Session…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'GitHub Copilot' }).click();
    await session().getByText('Nothing was said yet').waitFor();
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.fill('Trim the name in greeting() and run the tests.');
    await composer.press('Enter');

    await card().getByText('Good day').click();
    await card().locator('vscode-button', { hasText: 'Send answers' }).click();
    // Approved twice: the edit, seen before it is made, and the command.
    await card().getByText('name.trim()').first().waitFor();
    assert.ok(!readFileSync(file, 'utf8').includes('trim'));
    await workbench.shot('14-copilot-edit');
    await card().locator('vscode-button').first().click();
    await card().getByText('node --test src').first().waitFor();
    await workbench.shot('15-copilot-command');
    await card().locator('vscode-button').first().click();
    await session().locator('.transcript', { hasText: 'Names are trimmed now, and the tests pass.' }).waitFor();
    await session().locator('.state', { hasText: 'Idle' }).waitFor();
    await workbench.shot('16-copilot-done');

    assert.match(readFileSync(file, 'utf8'), /name\.trim\(\)/);
    const last = JSON.stringify(model.requests.at(-1)?.messages);
    assert.match(last, /Good day/, 'the answer reached the model');
    assert.match(last, /pass 1/, 'the tests really ran');
    assert.equal(model.requests.at(-1)?.authorization, 'Bearer secret-key-of-the-test');
  });

  it('is there again after a reload of the window, and removed on request', async () => {
    await workbench.page.reload({ waitUntil: 'domcontentloaded' });
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    model.reply([{ text: 'Still here.' }]);
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.waitFor();
    await composer.fill('And now?');
    await composer.press('Enter');
    await session().locator('.transcript', { hasText: 'Still here.' }).waitFor();
    await workbench.run('Tapline: Remove a Model…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'My model' }).click();
    await session().getByRole('combobox', { name: 'Model' }).waitFor({ state: 'detached' });
    await composer.fill('Anybody?');
    await composer.press('Enter');
    await session()
      .locator('.transcript', { hasText: /not offered any more|needs a model/ })
      .waitFor();
  });
});
