/** A way back in the workbench, at Tapline's own host: a turn tried again, a message edited by keys alone, the conversation and the files taken back. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('a way back, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    // Until then the composer is that of the page without a session.
    await workbench.session.getByRole('heading', { name: 'New session' }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-way-back-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const composer = () => workbench.session.getByRole('textbox', { name: 'Message', exact: true });
  const turns = () => workbench.session.locator('.turn');
  const message = (text: string) => workbench.session.locator('.user-message', { hasText: text });
  const dialog = (name: RegExp) => workbench.page.getByRole('dialog', { name });
  const idle = () => workbench.session.locator('.state-idle').waitFor();
  const ended = () => turns().last().getByRole('button', { name: 'Copy answer' }).waitFor();
  async function say(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press('Enter');
    await message(text).waitFor();
  }

  it('tries the last turn again without a question, because only an answer goes', async () => {
    await say('help');
    await workbench.session.getByRole('button', { name: 'Copy answer' }).waitFor();
    await idle();
    const before = await turns().getAttribute('data-turn');
    await workbench.run('Tapline: Try Last Turn Again');
    await workbench.session.locator(`.turn:not([data-turn="${before}"])`).getByRole('button', { name: 'Copy answer' }).waitFor();
    assert.equal(await turns().count(), 1);
  });

  it('edits a message by keys alone, and asks before later turns go', async () => {
    await idle();
    await say('stream 3');
    await ended();
    const { keyboard } = workbench.page;
    await message('help')
      .getByRole('button', { name: /^Edit this message/ })
      .focus();
    await keyboard.press('Enter');
    const editor = workbench.session.getByRole('textbox', { name: 'Edited message' });
    await editor.waitFor();
    await keyboard.press('Escape');
    await editor.waitFor({ state: 'detached' });
    await message('help')
      .getByRole('button', { name: /^Edit this message/ })
      .focus();
    await keyboard.press('Enter');
    // Keys that come before it would go to the page.
    await editor.and(workbench.session.locator(':focus')).waitFor();
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('stream 2');
    await workbench.shot('way-back-edit');
    assert.equal(await editor.inputValue(), 'stream 2');
    await keyboard.press('Enter');
    // While VS Code asks nothing is sent, and the page hears of the end of the question after it is gone.
    const sends = editor.and(workbench.session.locator(':not([readonly])'));
    const question = dialog(/Send the edited message in place of “help”/);
    await question.waitFor();
    await workbench.shot('way-back-question');
    await keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    assert.equal(await editor.inputValue(), 'stream 2');
    assert.equal(await turns().count(), 2);
    await sends.press('Enter');
    await question.waitFor();
    // An Enter too many changes nothing.
    await keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    assert.equal(await turns().count(), 2);
    await sends.press('Enter');
    await question.getByRole('button', { name: 'Send', exact: true }).focus();
    await keyboard.press('Enter');
    await message('stream 2').waitFor();
    await message('stream 3').waitFor({ state: 'detached' });
    assert.equal(await turns().count(), 1);
    await idle();
  });

  it('goes back to before a message, says which command cannot be undone, and has the words back', async () => {
    await say('run echo gone');
    await workbench.session.getByRole('button', { name: 'Run once' }).click();
    await ended();
    await composer().fill('Typed meanwhile');
    await workbench.run('Tapline: Go Back to Before Last Message…');
    const question = dialog(/Go back to before “run echo gone”/);
    await question.getByText(/ran 1 command[^]*echo gone/).waitFor();
    await workbench.shot('way-back-command');
    await question.getByRole('button', { name: 'Go Back', exact: true }).click();
    await message('run echo gone').waitFor({ state: 'detached' });
    await workbench.session.locator('#composer:focus').waitFor();
    assert.equal(await composer().inputValue(), 'run echo gone\n\nTyped meanwhile');
    await composer().fill('');
  });

  it('undoes the files of the turns that go', async () => {
    await say('edit way-back.txt here');
    await workbench.session.getByRole('button', { name: 'Apply the edit' }).click();
    await ended();
    const file = join(tapline.workspace, 'way-back.txt');
    assert.ok(existsSync(file));
    await workbench.session.getByRole('button', { name: 'View all' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'Changes of “edit way-back.txt here”' }).waitFor();
    await workbench.shot('way-back-view-all');
    await workbench.run('Tapline: Go Back to Before Last Message…');
    const question = dialog(/Go back to before “edit way-back.txt here”/);
    await question.getByText('way-back.txt').last().waitFor();
    await workbench.shot('way-back-files');
    const undo = question.getByRole('button', { name: 'Undo the Changes of 1 File Too' });
    await undo.click();
    await message('edit way-back.txt here').waitFor({ state: 'detached' });
    assert.ok(!existsSync(file));
  });
});
