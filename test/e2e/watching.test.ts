/** Something is watched for a session, in the workbench: what matters reaches the agent, the rest is kept, and it is stopped by the keyboard. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

/** Prints a line, and the words of a failure once for each time that the test wants one. */
const SAMPLE = `echo "ok 1"
if [ -f fails ]; then rm fails; echo "FAIL the login test"; fi
`;

describe('what is watched for a session, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    writeFileSync(join(tapline.workspace, 'sample.sh'), SAMPLE);
    workbench = await Workbench.open(tapline, { width: 1366, height: 768 });
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-watching-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const composer = () => session().getByRole('textbox', { name: 'Message' });
  const emitter = (name: string) => session().locator(`[data-emitter="${name}"]`);
  const watching = (words: string) => session().getByRole('button', { name: words });
  const tower = () => workbench.editorSession;
  const pick = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const title = () => workbench.page.locator('.quick-input-title', { hasText: 'Watch Something for This Session' });

  it('is started before there is a session, and its noise is kept without a word', async () => {
    await session().getByText('No session is open').waitFor();
    await session().getByRole('combobox', { name: 'Agent' }).selectOption({ label: 'Demo agent' });
    await composer().fill('/loop 1s sh sample.sh');
    await session().getByRole('group', { name: 'What Enter does' }).getByText('Enter runs this command every 1 s.').waitFor();
    await workbench.shot('60-loop');
    await session().locator('.loop-hint[data-read="true"]').waitFor();
    await composer().press('Enter');
    await session().getByText('Nothing was said yet').waitFor();
    await watching('Watching 1').waitFor();
    assert.equal(await composer().inputValue(), '');
    await session().getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Demo (fast)' });
    await watching('Watching 1').press('Enter');
    await emitter('sh-sample-sh').getByText('Last line: ok 1').waitFor();
    await emitter('sh-sample-sh')
      .getByText(/0 given to the agent · [2-9] runs/)
      .waitFor();
    assert.equal(await session().locator('.turn').count(), 0);
  });

  it('gives a line that tells of a failure to the agent, and says so', async () => {
    const flag = join(tapline.workspace, 'fails');
    writeFileSync(flag, '');
    await session().locator('.turn', { hasText: 'FAIL the login test' }).waitFor();
    await session().locator('.timeline-row', { hasText: 'FAIL the login test' }).waitFor();
    await emitter('sh-sample-sh')
      .getByText(/1 given to the agent/)
      .waitFor();
    assert.equal(existsSync(flag), false);
    await workbench.shot('61-injected');
  });

  it('gets another filter, which is tried on its last lines before', async () => {
    await emitter('sh-sample-sh').getByRole('button', { name: 'Filter of sh-sample-sh' }).press('Enter');
    await session().getByLabel('Pattern of rule 1').fill('^ok');
    await session().getByLabel('What rule 1 does').selectOption('drop');
    await session()
      .getByText(/^Of the last \d+ lines: \d+ dropped, 1 given to the agent\.$/)
      .waitFor();
    await workbench.shot('62-filter');
    await session().getByLabel('Pattern of rule 1').press('Enter');
    // It shows how many lines would be dropped.
    await session().getByRole('form', { name: 'Filter of sh-sample-sh' }).waitFor({ state: 'detached' });
    await emitter('sh-sample-sh')
      .getByText(/[1-9]\d* dropped/)
      .waitFor();
  });

  it('is kept in the file of its folder once the user has seen it there, and saves it', async () => {
    const file = join(tapline.workspace, 'tap.config.json');
    await session().getByRole('button', { name: 'Keep in tap.config.json: sh-sample-sh' }).press('Enter');
    await workbench.page.locator('.tab.active.dirty', { hasText: 'tap.config.json' }).waitFor();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: '"command": "sh sample.sh"' }).waitFor();
    await workbench.shot('62-kept');
    assert.equal(existsSync(file), false);
    await workbench.page.locator('.monaco-editor .view-line', { hasText: 'sh sample.sh' }).click();
    await workbench.page.keyboard.press('Control+S');
    await workbench.page.locator('.notification-toast', { hasText: 'names an emitter that watches something' }).waitFor();
    assert.match(readFileSync(file, 'utf8'), /"match": "\^ok"/);
    rmSync(file);
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('View: Close All Editors');
  });

  it('is stopped by the keyboard', async () => {
    await emitter('sh-sample-sh').getByRole('button', { name: 'Stop sh-sample-sh' }).press('Enter');
    await emitter('sh-sample-sh').getByText('Stopped').waitFor();
    await watching('Nothing watched now').waitFor();
    await session().getByRole('button', { name: 'Start Again sh-sample-sh' }).press('Escape');
    await emitter('sh-sample-sh').waitFor({ state: 'detached' });
  });

  it('is asked for in the palette, with templates, and starts without a further question', async () => {
    await workbench.run('Tapline: Watch Something for This Session');
    await title().waitFor();
    for (const template of ['Tests', 'Type check', 'Log file', 'Pull request', 'Deployment', 'URL', 'A message to the agent'])
      assert.equal(await pick(template).count(), 1, template);
    await workbench.shot('63-watch');
    await workbench.choose('A command of your own');
    await workbench.page.locator('.quick-input-message', { hasText: 'The command' }).waitFor();
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill('sh sample.sh');
    await input.press('Enter');
    await pick('Every 5 min').first().waitFor();
    await workbench.choose('Every 30 s');
    await pick('Failures go to the agent').waitFor();
    await workbench.choose('Failures are shown to you');
    await workbench.page.locator('.notification-toast', { hasText: '“sh-sample-sh-2” is watched for this session.' }).waitFor();
    await watching('Watching 1').waitFor();
  });

  it('is seen for all sessions in the control tower, and can be changed there', async () => {
    await workbench.run('Notifications: Clear All Notifications');
    await workbench.run('Tapline: Open Control Tower');
    await workbench.page.getByRole('tab', { name: 'Control Tower' }).waitFor();
    await tower().getByRole('heading', { name: 'Control Tower' }).waitFor();
    await tower().locator('[data-emitter="sh-sample-sh-2"]').getByText('Last line: ok 1').waitFor();
    await workbench.shot('64-tower');
    await workbench.picture('control-tower');
    await tower().getByRole('button', { name: 'Stop sh-sample-sh-2' }).press('Enter');
    await watching('Nothing watched now').waitFor();
  });
});
