/** The portal and its jobs, in the workbench. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../src/ahp/client/nodeTransport.ts';
import { endDaemons } from '../support/endDaemon.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { eventually } from '../fakes/eventually.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { until } from '../support/until.ts';

const demo = join(import.meta.dirname, '../../examples/portal/demo.json');

/** With a job whose first step runs until its agent is told to stop. */
function withWait({ tasks, jobs, ...entry }: { tasks: object; jobs: object }) {
  const task = (prompt: string) => ({ model: { category: 'driving' }, prompt: [prompt], requireUserInput: false });
  const works = ['wait', 'after'].map((taskId) => ({ kind: 'Ref', taskId }));
  return {
    ...entry,
    tasks: { ...tasks, wait: task('wait 3600'), after: task('stream done'), note: task('edit notes.txt a line of the run') },
    jobs: { ...jobs, 'Wait a while': { work: { kind: 'Seq', works } }, 'Write a note': { work: { kind: 'Ref', taskId: 'note' } } },
  };
}

describe('jobs, in the workbench', () => {
  const size = { width: 1400, height: 1400 };
  let tapline: StartedTapline;
  let workbench: Workbench;
  const data = () => dirname(tapline.workspace);

  before(async () => {
    tapline = await takeTapline();
    const file = join(data(), 'user/User/settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    const model = { id: 'mine', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' };
    const entry = join(data(), 'jobs.json');
    writeFileSync(entry, JSON.stringify(withWait(JSON.parse(readFileSync(demo, 'utf8')))));
    const portal = { 'tapline.portal.agent': 'demo', 'tapline.portal.entry': entry, 'tapline.models': [model] };
    writeFileSync(file, JSON.stringify({ ...settings, ...portal }));
    // Room for the card of the session below the chart.
    workbench = await Workbench.open(tapline, size);
    await workbench.openTapline();
    await item(/^Agent host This computer, connected/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    if (tapline) await endDaemons(join(data(), 'home/portal/sessions/lock.json'));
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-jobs-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  /** The page of the job, in the editor. */
  const page = () => workbench.editorSession;
  const step = (name: RegExp) => page().getByRole('option', { name });
  async function tabTo(target: Locator): Promise<void> {
    for (let presses = 0; presses < 40; presses++) {
      await workbench.page.keyboard.press('Tab');
      if ((await target.and(page().locator(':focus')).count()) > 0) return;
    }
    throw new Error('The Tab key does not lead there.');
  }
  const view = () => workbench.page.locator('.pane-header', { hasText: 'Tools & Jobs' });

  it('have no log before there was a portal', async () => {
    assert.equal(await view().count(), 0, 'nothing is said of tools and jobs before there are any');
    await workbench.run('Tapline: Show Log…');
    const logs = workbench.page.locator('.quick-input-list .monaco-list-row');
    await logs.filter({ hasText: 'This window' }).waitFor();
    assert.equal(await logs.filter({ hasText: 'Portal' }).count(), 0);
    await workbench.page.keyboard.press('Escape');
  });

  it('are begun from a template, whose faults are marked as they are written', async () => {
    await workbench.run('Tapline: New File with Jobs…');
    await workbench.choose('A Task with a Check');
    const editor = workbench.page.locator('.editor-group-container.active .monaco-editor');
    await editor.locator('.view-line', { hasText: '"Mend the tests"' }).first().waitFor();
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: 'Try with a Scripted Model' });
    await lens.waitFor();
    const marked = workbench.page.locator('.markers-panel .monaco-list-row', { hasText: 'There is no task "mended".' });
    await workbench.run('Problems: Focus on Problems View');
    assert.equal(await marked.count(), 0);
    await workbench.run('Tapline: Show Chart of Jobs');
    await step(/^mend, Not started/).waitFor();
    // It is tried from the line above the job, with a script in place of its model.
    await lens.click();
    await page().getByText('it would succeed after 1 step. Nothing was run.').waitFor();
    await step(/^mend, Succeeded · step 1/).waitFor();
    await page().getByRole('button', { name: 'Fails', exact: true }).click();
    await page().getByText('it would fail after 1 step. “mend” failed: Criteria not met').waitFor();
    await page().getByRole('button', { name: '1 mend' }).click();
    await page().getByText('Prompt of retry 2, to the same session').waitFor();
    await workbench.shot('jobs-entry-trial');
    await page().getByRole('button', { name: 'End the Trial' }).click();
    await step(/^mend, Not started/).waitFor();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: '"models"' }).click({ position: { x: 40, y: 8 } });
    await workbench.run('Tapline: Try Job with a Scripted Model');
    await page().getByText('it would succeed after 1 step. Nothing was run.').waitFor();
    await page().getByRole('button', { name: 'End the Trial' }).click();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: '"models"' }).click({ position: { x: 40, y: 8 } });
    // A line is as wide as the widest, and its middle may be out of view.
    await editor.locator('.view-line', { hasText: '"taskId": "mend"' }).click({ position: { x: 40, y: 8 } });
    await workbench.page.keyboard.press('End');
    await workbench.page.keyboard.press('ArrowLeft');
    await workbench.page.keyboard.type('ed');
    await marked.waitFor();
    await page().getByText('The chart is that of the last text without faults.').waitFor();
    await step(/^mend, Not started/).waitFor();
    await workbench.shot('jobs-entry-fault');
    await workbench.page.keyboard.press('Backspace');
    await workbench.page.keyboard.press('Backspace');
    await marked.waitFor({ state: 'detached' });
    await page().getByText('The chart is that of the last text without faults.').waitFor({ state: 'detached' });
    // The names of its tasks are offered in the string.
    await workbench.run('Trigger Suggest');
    await workbench.page.locator('.suggest-widget .monaco-list-row', { hasText: 'mend' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.run('View: Revert and Close Editor');
    await workbench.run('View: Hide Panel');
  });

  it('are found by the palette, which says how to begin, and start once the user has opened the portal', async () => {
    await workbench.run('Tapline: Show Jobs');
    await item(/^Jobs, the portal does not run/).waitFor();
    await workbench.shot('jobs-beginning');
    await item(/^Open the Portal/).click();
    await item(/^Start a job…/).click();
    await page().getByRole('button', { name: 'look around' }).click();
    assert.equal(await page().getByRole('textbox', { name: 'Folder' }).inputValue(), tapline.workspace);
    await page().getByRole('button', { name: 'Start Look around' }).click();
    await step(/^list the folder, Waits for you/).waitFor();
    await item(/^Job Look around, Waits for you/).waitFor();
    await item(/^list the folder, Waits for you/).waitFor();
    await workbench.shot('jobs-waiting');
  });

  it('say how many wait while their group is closed, which it stays, and also while the view is', async () => {
    const group = item(/^Jobs, 1 thing needs you · 1 running/);
    await group.locator('.monaco-tl-twistie').click();
    await item(/^Job Look around/).waitFor({ state: 'detached' });
    await workbench.untilStored('tapline.closedToolGroups');
    await workbench.reload();
    await group.waitFor();
    assert.equal(await item(/^Job Look around/).count(), 0);
    await view().click();
    await group.waitFor({ state: 'detached' });
    await view().getByText('Tools & Jobs (1)').waitFor();
    await workbench.run('Tapline: Show Jobs');
    await item(/^list the folder, Waits for you/).waitFor();
    await item(/^Job Look around/).click();
    await step(/^list the folder, Waits for you/).waitFor();
  });

  it('ask what they ask in Tapline, and go on when it was answered', async () => {
    await item(/^Agent host Portal, connected/).waitFor();
    await item(/^run ls, /).click();
    await workbench.session.locator('.waiting-card').locator('vscode-button', { hasText: 'Run once' }).click();
    await step(/^list the folder, Succeeded/).waitFor();
    await step(/^confirm, Waits for you/).waitFor();
    await item(/^list the folder, Succeeded/).waitFor();
    const row = item(/^Job Look around/);
    await row.hover();
    await row.getByRole('button', { name: 'Stop a Job…' }).click();
    await item(/^Job Look around, Stopped/).waitFor();
    await step(/^confirm, Stopped/).waitFor();
    await workbench.shot('jobs-stopped');
    await workbench.run('Tapline: Continue a Job…');
    await workbench.choose('Look around');
    await item(/^Job Look around, Waits for you · attempt 2/).waitFor();
    await page().getByRole('button', { name: 'Stop Look around' }).click();
    await item(/^Job Look around, Stopped/).waitFor();
  });

  it('are paused, steered, continued and retried in their editor, by the keyboard', async () => {
    const { keyboard } = workbench.page;
    const state = (words: string) => page().locator('.job-head strong').getByText(words, { exact: true }).waitFor();
    const inTitle = (name: string) => workbench.page.locator('.editor-actions').getByRole('button', { name, exact: true });
    const pressButton = async (name: string) => {
      await tabTo(page().getByRole('button', { name, exact: true }));
      await keyboard.press('Enter');
    };
    await workbench.page.setViewportSize({ width: 1366, height: 768 });
    // A window that was loaded again may have them once more.
    await workbench.run('View: Single Column Editor Layout');
    if (await workbench.page.locator('.part.panel').isVisible()) await workbench.run('View: Hide Panel');
    await workbench.run('Tapline: Start a Job…');
    await page().getByRole('heading', { name: 'Start a job' }).and(page().locator(':focus')).waitFor();
    await pressButton('Wait a while');
    await pressButton('Start Wait a while');
    await state('Running');
    await inTitle('Pause Job').waitFor();
    assert.equal(await inTitle('Continue Job').count(), 0, 'what cannot be done is not offered');
    await workbench.run('Tapline: Pause Job');
    await state('Running, to be paused');
    await inTitle('Pause Job').waitFor({ state: 'detached' });
    await pressButton('Steer wait…');
    await keyboard.type('stop');
    await workbench.shot('jobs-steer');
    await keyboard.press('Enter');
    await state('Paused');
    await item(/^Job Wait a while, Paused/).waitFor();
    await page().getByText('VS Code paused it after the steps that ran.').waitFor();
    await page().getByText('Told the agent: “stop” · by VS Code').waitFor();
    await inTitle('Stop Job').waitFor({ state: 'detached' });
    await workbench.shot('jobs-paused');
    await workbench.run('Tapline: Continue Job');
    await state('Succeeded');
    await inTitle('Continue Job').waitFor({ state: 'detached' });
    await tabTo(page().getByRole('button', { name: /2 after/ }));
    await keyboard.press('Enter');
    await pressButton('Retry from after…');
    const prompt = page().getByLabel('Prompt of “after”');
    assert.equal(await prompt.inputValue(), 'stream done');
    await tabTo(prompt);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('stream again');
    await workbench.shot('jobs-retry');
    await pressButton('Retry');
    await page().locator('.job-head').getByText('attempt 3').waitFor();
    await state('Succeeded');
    await page().getByText('VS Code changed the prompt of “after”: “stream again”.').waitFor();
    await pressButton('Show the session');
    // That of the first of its two runs.
    await workbench.session.getByText('stream done').first().waitFor();
    await workbench.page.setViewportSize(size);
  });

  it('begin with what they have changed, which VS Code shows in its own editor of differences', async () => {
    await workbench.run('View: Close All Editors');
    // With the window VS Code may have brought back the file that was reverted before.
    const leave = workbench.page.getByRole('button', { name: "Don't Save" });
    const closed = async () => {
      if (await leave.isVisible()) await leave.click();
      return (await workbench.page.locator('.tabs-container .tab').count()) === 0;
    };
    await eventually(closed, 'the end of all editors');
    await workbench.run('Tapline: Start a Job…');
    await page().getByRole('button', { name: 'Write a note', exact: true }).click();
    await page().getByRole('button', { name: 'Start Write a note' }).click();
    await page().getByRole('button', { name: 'Answer it' }).click();
    await workbench.session.locator('.waiting-card').locator('vscode-button', { hasText: 'Apply the edit' }).click();
    await page().locator('.job-head strong').getByText('Succeeded', { exact: true }).waitFor();
    const result = page().getByRole('region', { name: 'Result', exact: true });
    await result.getByText('1 file changed').waitFor();
    await workbench.shot('jobs-result');
    await workbench.picture('job');
    await result.getByRole('button', { name: 'created notes.txt' }).click();
    const group = workbench.page.locator('.editor-group-container.active');
    await workbench.page.locator('.tab.active', { hasText: 'notes.txt (changed by the run)' }).waitFor();
    await group.locator('.monaco-diff-editor .modified .view-line', { hasText: 'a line of the run' }).waitFor();
    await workbench.shot('jobs-result-diff');
    await workbench.run('View: Close Editor');
    await workbench.run('Tapline: Show All Job Changes');
    await workbench.page.locator('.tab.active', { hasText: 'Changes of “Write a note”' }).waitFor();
    await workbench.page.locator('.multiDiffEditor .view-line', { hasText: 'a line of the run' }).waitFor();
    await workbench.run('View: Close Editor');
    await result.getByRole('button', { name: 'Open notes.txt' }).click();
    await workbench.page.locator('.tab.active', { hasText: /^notes\.txt$/ }).waitFor();
    await workbench.run('View: Close Editor');
    await workbench.run('Tapline: Commit Job Changes…');
    await result.getByText('The folder of the run is not in a repository of Git.').waitFor();
  });

  it('are saved as a file, and deleted once the user has confirmed it', async () => {
    await workbench.run('Tapline: Export Job Timeline…');
    await workbench.choose('Write a note');
    await workbench.choose('Markdown');
    await workbench.page.locator('.quick-input-title', { hasText: 'Export Timeline' }).waitFor();
    await workbench.page.locator('.quick-input-widget input').press('Enter');
    const said = workbench.page.locator('.notification-list-item', { hasText: 'The timeline was saved as' });
    await said.getByRole('button', { name: 'Open' }).click();
    await workbench.page.locator('.tab.active', { hasText: /^Write-a-note-.*\.md$/ }).waitFor();
    await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'Write a note' }).first().waitFor();
    await workbench.run('View: Close Editor');
    const row = item(/^Job Write a note/);
    const remove = async (answer: string) => {
      await workbench.run('Tapline: Delete a Run…');
      await workbench.choose('Write a note');
      const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: 'Delete the run of “Write a note” from' });
      await dialog.getByRole('button', { name: answer, exact: true }).click();
    };
    await remove('Keep It');
    await row.waitFor();
    assert.equal(await page().locator('.job-head').count(), 1);
    await remove('Delete');
    await row.waitFor({ state: 'detached' });
    await workbench.page.locator('.tab', { hasText: 'Write a note' }).waitFor({ state: 'detached' });
    // Its editor is there for what comes next.
    await workbench.run('Tapline: Start a Job…');
    await page().getByRole('heading', { name: 'Start a job' }).waitFor();
  });

  it('have the user’s own models', async () => {
    await item(/^Agent host Portal, connected/).waitFor();
    const { host } = JSON.parse(readFileSync(join(data(), 'home/portal/portal.json'), 'utf8'));
    const client = await AgentHostClient.connect({
      url: host.url,
      transport: connectNodeTransport(undefined, host.token),
    });
    try {
      const root = client.root();
      const hasModel = () => root.confirmed?.agents.some(({ models }) => models.some(({ id }) => id === 'mine')) === true;
      await until('the model at the portal', root.onDidChange, hasModel);
      root.dispose();
    } finally {
      client.close();
    }
  });

  it('end with the portal, when the user stops it', async () => {
    await workbench.run('Tapline: Stop Portal');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Stop', exact: true }).click();
    await item(/^Open the Portal/).waitFor();
    await page().getByRole('button', { name: 'Open the Portal' }).waitFor();
    await item(/^Agent host Portal/).waitFor({ state: 'detached' });
    await workbench.run('Tapline: Show Log…');
    await workbench.choose('Portal');
    await workbench.page
      .locator('.notification-toast', { hasText: 'The portal does not run. This is the log of the last time.' })
      .waitFor();
    await workbench.page.locator('.tab.active', { hasText: 'portal.log' }).waitFor();
  });
});
