/** What the user adds to a message: a selection with its lines, an image, a folder, a prompt file, what a terminal shows. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('context for a message, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    await workbench.run('Tapline: Start a Demo Session');
    // It takes the focus, which would close a picker that was opened before.
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await workbench.session.locator('#composer:focus').waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-context-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const composer = () => workbench.session.getByRole('textbox', { name: 'Message' });
  const hasText = (text: string) =>
    composer().evaluate(async (area, wanted) => {
      while ((area as HTMLTextAreaElement).value !== wanted) await new Promise(requestAnimationFrame);
    }, text);
  const chip = (name: string, where = '.composer') => workbench.session.locator(`${where} .chip`, { hasText: name });

  it('is a selection with its lines, an image and a folder, and goes with the message', async () => {
    await workbench.openFile('notes.md');
    await chip('notes.md', '.composer .chips:has(.suggested)').waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.page.keyboard.press('Shift+ArrowDown');
    await workbench.run('Tapline: Add to Session');
    await chip('notes.md:1-2').waitFor();
    await composer().evaluate((area, data) => {
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, PNG);
    await chip('image.png').locator('img').waitFor();
    await composer().pressSequentially('Look at #src');
    await workbench.session.getByRole('option', { name: /^src/ }).first().click();
    await chip('src').waitFor();
    await workbench.shot('context-in');
    assert.equal(await composer().inputValue(), 'Look at ');
    await composer().press('Enter');
    await workbench.session.getByText(/You attached image\.png/).waitFor();
    await workbench.session.locator('.user-message').getByText('Attached context (notes.md:1-2)').waitFor();
    await chip('image.png', '.user-message').locator('img').waitFor();
    await workbench.shot('context-in-sent');
  });

  it('is a prompt file of the project, which becomes the message', async () => {
    const prompts = join(tapline.workspace, '.github/prompts');
    await mkdir(prompts, { recursive: true });
    await writeFile(join(prompts, 'greet.prompt.md'), '---\ndescription: Greets\n---\nhelp me to greet\n');
    await composer().pressSequentially('/gr');
    await workbench.session.getByRole('option', { name: /^\/greet\s+Greets/ }).waitFor();
    await workbench.shot('context-prompt');
    await composer().press('Tab');
    await workbench.session.locator('#composer:focus').waitFor();
    await hasText('help me to greet');
    await composer().fill('');
  });

  it('is what is selected in a terminal, and nothing where nothing is', async () => {
    // VS Code in a browser reads the clipboard of the browser.
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.run('Terminal: Create New Terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm').waitFor();
    await workbench.run('Tapline: Add Terminal Selection to Session');
    await workbench.page.getByText('Nothing is selected in a terminal').first().waitFor();
    await workbench.run('Terminal: Select All');
    await workbench.run('Tapline: Add Terminal Selection to Session');
    await chip('Terminal').waitFor();
  });
});
