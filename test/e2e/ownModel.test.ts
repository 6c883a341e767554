/**
 * A new user with a model server on their own computer: from `npm start` to a finished coding task with the real Copilot engine, which reads, edits
 * a file, runs the tests, asks one question, and is approved twice. Only the model's answers are written by the test.
 */
import assert from 'node:assert/strict';
import { type FSWatcher, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withTimeout } from '../../src/base/errors.ts';
import { ModelServer } from '../fixtures/modelServer.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';
import { startSession } from './inboxHosts.ts';

const ENGINE_INSTALL_MS = 180_000;
const SAVE_MS = 30_000;

/** Resolves when the file contains the text. Watches its folder. */
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

/** Whether a program listens where a common model server would. */
const runsHere = async () => {
  const found = await Promise.all(
    [11434, 1234, 8080, 8000].map((port) =>
      fetch(`http://127.0.0.1:${port}/v1/models`).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
};

describe('a model of one’s own, from nothing to a finished task', () => {
  let model: ModelServer;
  let tapline: StartedTapline;
  let workbench: Workbench;
  /** Another machine, with a session that waits. */
  let box: HostProcess;
  let client: V1Client;

  before(async () => {
    [model, tapline, box] = await Promise.all([ModelServer.start(), takeTapline(), startHostProcess()]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
    await model?.stop();
    client?.close();
    await box?.stop();
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

  const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const picker = () => session().getByRole('combobox', { name: 'Model' });

  /** The steps of adding a model. */
  async function addModel(id: string, name: string): Promise<void> {
    await row('Another server…').click();
    await answer('Base URL of the server', model.baseUrl);
    await answer('API key', 'secret-key-of-the-test');
    await row(id).click();
    await answer('Name of the model in the list', name);
  }

  it('installs the engine on request', async function () {
    this.timeout(ENGINE_INSTALL_MS + 60_000);
    await workbench.run('Tapline: New Session…');
    await row('Not connected to a model yet.').waitFor();
    await workbench.shot('13-no-engine');
    await workbench.page.keyboard.press('Escape');
    await workbench.run('Tapline: Install Copilot Engine');
    const question = workbench.page.locator('.monaco-dialog-box', { hasText: 'Install the Copilot engine?' });
    await question.getByText('under the MIT license').waitFor();
    await question.getByRole('button', { name: 'Install' }).click();
    const toast = workbench.page.locator('.notification-toast', { hasText: 'Installing the Copilot engine' });
    await toast.waitFor();
    await workbench.shot('13-installing');
    await toast.waitFor({ state: 'detached', timeout: ENGINE_INSTALL_MS });
  });

  it('goes from New Session over a model that is added and tried to the session', async () => {
    await workbench.run('Tapline: New Session…');
    await row('GitHub Copilot').click();
    await row('Add a model of your own').waitFor();
    await row('Sign in to GitHub').waitFor();
    await workbench.shot('13-connect');
    await workbench.page.keyboard.press('Escape');
    await workbench.run('Tapline: New Session…');
    const own = row('Your own model: Ollama, LM Studio, any OpenAI-compatible server');
    await own.waitFor();
    await workbench.shot('13-own-model');
    await own.click();
    // Whether one runs on this computer is not for the test to say.
    if (!(await runsHere())) {
      const again = row('No Ollama or LM Studio runs here. Look again');
      await again.waitFor();
      await workbench.shot('13-no-server');
      await again.click();
      // That of the first look may still be fading out.
      const looking = workbench.page.locator('.notification-toast', { hasText: 'Looking for model servers' });
      await looking.first().waitFor({ state: 'detached' });
      await again.waitFor();
    }
    // Users leave out the /v1, forget the key or mistype it. Each mistake is said in the field where it was made.
    model.key = 'secret-key-of-the-test';
    await row('Another server…').click();
    await answer('Base URL of the server', `${model.origin.replace('127.0.0.1', 'nowhere.invalid')}/v1`);
    await answer('cannot be reached', model.origin);
    await answer(`API key for ${model.baseUrl}`, '');
    await answer('wants a key (401)', 'another key');
    await workbench.page.locator('.quick-input-widget', { hasText: 'refused the key (401)' }).waitFor();
    await workbench.shot('13-key-refused');
    assert.equal(await input().inputValue(), 'another key');
    await answer('refused the key (401)', 'secret-key-of-the-test');
    await row('scripted-model').click();
    await answer('Name of the model in the list', 'My model');
    await session().getByText('Nothing was said yet').waitFor();
    await workbench.shot('13-new-session');
    const settingsFile = join(dirname(tapline.workspace), 'user/User/settings.json');
    await fileHolds(settingsFile, model.baseUrl);
    const settings = readFileSync(settingsFile, 'utf8');
    assert.ok(settings.includes(model.baseUrl) && !settings.includes('secret-key-of-the-test'));
  });

  it('lists the sessions of another machine beside it', async () => {
    await workbench.addHost(box.url, 'build-box', box.token);
    client = await V1Client.connect({ url: box.url, token: box.token });
    await startSession(client, 'demo:/deploy', 'run npm run deploy -- --stage', tapline.workspace);
    await workbench.page.getByRole('treeitem', { name: /^run npm run deploy -- --stage, / }).waitFor();
    await workbench.inbox.getByText('npm run deploy -- --stage').first().waitFor();
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
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.fill('Trim the name in greeting() and run the tests.');
    await composer.press('Enter');

    await card().getByText('Good day').click();
    await card().locator('vscode-button', { hasText: 'Send answers' }).click();
    // Two approvals: the edit, with its preview, and the command.
    await card().getByText('name.trim()').first().waitFor();
    assert.ok(!readFileSync(file, 'utf8').includes('trim'));
    await workbench.shot('14-copilot-edit');
    await workbench.widenSession(160);
    await card().getByText('Open diff').click();
    await workbench.page.locator('.monaco-diff-editor .view-line', { hasText: 'name.trim()' }).waitFor();
    await workbench.picture('session');
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

  it('is there again after a reload of the window, which says that this browser has not kept the key', async () => {
    await workbench.untilStored('tapline.modelsWithKeys');
    await workbench.page.reload({ waitUntil: 'domcontentloaded' });
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.page.locator('.notification-toast', { hasText: 'has lost the key of “My model”' }).waitFor();
    model.key = undefined;
    model.reply([{ text: 'Still here, see [the greeting](src/greeting.js:3).' }]);
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.waitFor();
    await composer.fill('And now?');
    await composer.press('Enter');
    await session().locator('.transcript', { hasText: 'Still here, see the greeting.' }).waitFor();
    await session().getByRole('link', { name: 'the greeting' }).click();
    await workbench.page.locator('.tab', { hasText: 'greeting.js' }).waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 3' }).waitFor();
    await workbench.run('View: Close All Editors');
  });

  it('is changed in a session for another one; what was removed is said to be gone', async function () {
    this.timeout(120_000);
    model.models = ['scripted-model', 'second-model'];
    await workbench.run('Tapline: Add a Model of Your Own…');
    await addModel('second-model', 'Second');
    await picker().locator('option', { hasText: 'Second' }).waitFor({ state: 'attached' });
    await workbench.run('Tapline: Remove a Model…');
    await row('My model').click();
    await session().getByRole('status').getByText('is not offered any more').waitFor();
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.fill('Anybody?');
    await composer.press('Enter');
    await session().getByText('Your message was not accepted and is back in the composer').waitFor();
    await workbench.shot('17-model-gone');
    await picker().selectOption({ label: 'Second' });
    model.reply([{ text: 'The second one speaks.' }]);
    assert.equal(await composer.inputValue(), 'Anybody?');
    await composer.press('Enter');
    await session().locator('.transcript', { hasText: 'The second one speaks.' }).waitFor();
    assert.equal(model.requests.at(-1)?.model, 'second-model');
    await workbench.shot('18-another-model');
  });

  it('offers the message of a failed turn again, and models once there are none', async () => {
    model.reply([{ status: 400, message: 'the context is too long' }]);
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.fill('Try');
    await composer.press('Enter');
    await session().locator('.error-row', { hasText: 'the context is too long' }).waitFor();
    await workbench.shot('19-model-error');
    model.reply([{ text: 'Now it works.' }]);
    await session().getByRole('button', { name: 'Retry' }).click();
    await session().locator('.transcript', { hasText: 'Now it works.' }).waitFor();
    await workbench.run('Tapline: Remove a Model…');
    await row('Second').click();
    await session().getByRole('status').getByText('GitHub Copilot has no model to work with.').waitFor();
    await workbench.shot('20-no-model');
    await session().getByRole('button', { name: 'Add a model…' }).click();
    await addModel('second-model', 'Back again');
    await picker().locator('option', { hasText: 'Back again' }).waitFor({ state: 'attached' });
    await session().getByText('has no model to work with').waitFor({ state: 'detached' });
  });

  /** That its key stays is seen in the next test. */
  it('is edited in one thing, while the others stay', async () => {
    const rename = async (name: string) => {
      await workbench.run('Tapline: Edit a Model…');
      await row('Name…').click();
      await answer('Name of the model in the list', name);
      await picker().locator('option', { hasText: name }).waitFor({ state: 'attached' });
    };
    await rename('Another name');
    await workbench.run('Tapline: Edit a Model…');
    await row('Context Window…').click();
    await answer('Context window in tokens', '32000');
    await fileHolds(join(dirname(tapline.workspace), 'user/User/settings.json'), '"contextWindow": 32000');
    await rename('Back again');
  });

  it('keeps its key from another server, wherever the setting is changed, and says so', async () => {
    const other = await ModelServer.start();
    try {
      const composer = session().getByRole('textbox', { name: 'Message' });
      model.reply([{ text: 'With a key.' }]);
      await composer.fill('Before');
      await composer.press('Enter');
      await session().locator('.transcript', { hasText: 'With a key.' }).waitFor();
      assert.equal(model.requests.at(-1)?.authorization, 'Bearer secret-key-of-the-test');
      const settingsFile = join(dirname(tapline.workspace), 'user/User/settings.json');
      writeFileSync(settingsFile, readFileSync(settingsFile, 'utf8').replace(model.baseUrl, other.baseUrl));
      // The window reads the settings again when the file is saved.
      await workbench.run('Preferences: Open User Settings (JSON)');
      await workbench.page.locator('.monaco-editor .view-lines', { hasText: other.baseUrl }).click();
      await workbench.page.keyboard.press('Control+End');
      await workbench.page.keyboard.press('Enter');
      await workbench.page.keyboard.press('Control+S');
      await workbench.page.locator('.notification-toast', { hasText: 'is not sent to' }).waitFor();
      await workbench.shot('21-key-of-another-server');
      await workbench.page.keyboard.press('Escape');
      other.reply([{ text: 'Without one.' }]);
      await composer.fill('After');
      await composer.press('Enter');
      await session().locator('.transcript', { hasText: 'Without one.' }).waitFor();
      assert.ok(!JSON.stringify(other.requests).includes('secret-key'));
    } finally {
      await other.stop();
    }
  });
});
