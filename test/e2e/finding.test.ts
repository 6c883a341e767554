/** Sessions are found in the tree by date, pinned, and changed by its keys; what was said in them is searched. */
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

describe('finding sessions, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await item(/^Agent host This computer, connected/).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-finding-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });

  it('shows a new session below Today, renames it by F2, pins it, and asks before Delete', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await item(/^Today, 1 session/).waitFor();
    const { keyboard } = workbench.page;
    await item(/^New session, idle/).click();
    await keyboard.press('F2');
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill('Found again');
    await input.press('Enter');
    await item(/^Found again/).waitFor();
    await workbench.run('Tapline: Pin Session');
    await item(/^Pinned, 1 session/).waitFor();
    await workbench.shot('finding-pinned');
    await workbench.run('Tapline: Group Sessions by Project');
    // By date the hosts are above.
    await workbench.page.locator('[role=treeitem][data-index="0"]', { hasText: 'Pinned' }).waitFor();
    await item(/^Found again/).click();
    await keyboard.press('Delete');
    const question = workbench.page.getByRole('dialog', { name: /Delete the session “Found again”/ });
    await question.getByRole('button', { name: 'Delete' }).click();
    await item(/^Found again/).waitFor({ state: 'detached' });
  });

  it('searches what was said', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    // Until then the composer is that of the page without a session.
    await workbench.session.getByRole('heading', { name: 'New session' }).waitFor();
    const composer = workbench.session.getByRole('textbox', { name: 'Message' });
    await composer.fill('help');
    await composer.press('Enter');
    await workbench.session.getByRole('button', { name: 'Copy answer' }).first().waitFor();
    await item(/^help, /).waitFor();
    await workbench.run('Tapline: Search Sessions…');
    const search = workbench.page.getByRole('textbox', { name: /Search titles and what was said/ });
    await search.fill('NO MODEL BEHIND');
    const found = workbench.page.getByRole('option', { name: /^help/ });
    await found.filter({ hasText: 'Agent: ' }).waitFor();
    await workbench.shot('finding-search');
    await search.press('Enter');
    await workbench.session.getByRole('heading', { name: 'help' }).waitFor();
    await workbench.session.locator('.turn:focus').waitFor();
  });

  it('exports a session as Markdown', async () => {
    await workbench.run('Tapline: Export Session…');
    await workbench.choose('Markdown');
    await workbench.page.locator('.quick-input-title', { hasText: 'Export Session' }).waitFor();
    await workbench.page.locator('.quick-input-widget input').press('Enter');
    const said = workbench.page.locator('.notification-list-item', { hasText: '“help” was exported to' });
    await said.getByRole('button', { name: 'Open' }).click();
    await workbench.page.locator('.tab.active', { hasText: 'help.md' }).waitFor();
    await workbench.page.locator('.editor-group-container.active .view-line', { hasText: 'demo agent' }).first().waitFor();
    await workbench.shot('finding-export');
  });

  it('filters by state, and says so', async () => {
    await workbench.run('Tapline: Filter Sessions…');
    const picker = workbench.page.locator('.quick-input-widget');
    await picker.locator('.monaco-list-row', { hasText: 'Failed' }).click();
    await workbench.shot('finding-filter');
    await picker.locator('input[type=text]').press('Enter');
    await workbench.page.getByText('Only: Failed').waitFor();
    await item(/^help, /).waitFor({ state: 'detached' });
    await workbench.run('Tapline: Clear Session Filter');
    await item(/^help, /).waitFor();
  });

  it('stops a command from the list of terminals', async () => {
    await workbench.run('Tapline: Focus Message Field');
    const { session, page } = workbench;
    const composer = session.getByRole('textbox', { name: 'Message' });
    await composer.fill('run sleep 300');
    await composer.press('Enter');
    await session.getByRole('button', { name: 'Run once' }).click();
    await session.getByText('Type into it').first().waitFor();
    await workbench.run('Tapline: Show Session Terminals…');
    await page.getByRole('option', { name: /running · held by the agent/ }).waitFor();
    await workbench.shot('finding-terminals');
    await page.locator('.quick-input-widget input').press('Enter');
    await workbench.choose('Stop It…');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await session.locator('.state-idle').waitFor();
    await workbench.run('Tapline: Show Session Details');
    await page.locator('.tab.active', { hasText: 'Details of help' }).waitFor();
    await workbench.shot('finding-details');
  });

  it('opens a terminal in the folder of the session, and says that there is no branch', async () => {
    await workbench.run('Tapline: Open Terminal in Session Folder');
    await workbench.page.locator('.terminal-outer-container .xterm').waitFor();
    await workbench.run('Tapline: Copy Session Branch');
    await workbench.page.locator('.notification-list-item', { hasText: 'names no branch' }).waitFor();
    await workbench.shot('finding-folder');
  });
});
