/** “The first provider” of docs/openctx.md, word by word in the real workbench. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const root = join(import.meta.dirname, '../..');

describe('context providers, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline, { width: 1300, height: 800 });
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-openctx-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const row = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const toast = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
  const lens = (title: string) => workbench.page.locator('.codelens-decoration a', { hasText: title });
  const hover = () => workbench.page.locator('.monaco-hover:not(.hidden)');

  it('says what a provider is while none is named', async () => {
    await workbench.run('Tapline: Show Context Providers');
    await workbench.page.getByText('None is named in the settings').waitFor();
    await workbench.shot('60-openctx-empty');
  });

  it('asks before it runs what a workspace names, with all of it in view', async () => {
    const [, settings = ''] = /```json\n\s*(\{ "openctx\.providers".*)\n/.exec(readFileSync(join(root, 'docs/openctx.md'), 'utf8')) ?? [];
    assert.ok(JSON.parse(settings));
    copyFileSync(join(root, 'examples/openctx/todos.mjs'), join(tapline.workspace, 'todos.mjs'));
    mkdirSync(join(tapline.workspace, '.vscode'), { recursive: true });
    writeFileSync(join(tapline.workspace, '.vscode/settings.json'), settings);
    await toast('The workspace names the context provider “./todos.mjs”').waitFor();
    await row(/^\.\/todos\.mjs, waits for your word/).waitFor();
    // VS Code takes the question away after a while. It stays in Needs You.
    await workbench.run('Notifications: Clear All Notifications');
    await toast('The workspace names').waitFor({ state: 'hidden' });
    const needsYou = workbench.inbox.locator('.inbox-item', { hasText: './todos.mjs' });
    await needsYou.getByText('A context provider, off until you allow it').waitFor();
    await workbench.shot('60-openctx-needs-you');
    await needsYou.getByRole('button', { name: 'Review…' }).click();
    await workbench.page.locator('.view-lines', { hasText: 'export default' }).waitFor();
    await workbench.page.locator('.view-lines', { hasText: 'A program is named as a provider of context' }).waitFor();
    const question = toast('Allow “./todos.mjs” as it is shown?');
    await question.waitFor();
    await workbench.shot('61-openctx-review');
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await row(/^\.\/todos\.mjs, not asked yet/).waitFor();
    await needsYou.waitFor({ state: 'hidden' });
  });

  it('shows the items of a file above their lines, with more in the hover', async () => {
    writeFileSync(join(tapline.workspace, 'hello.js'), 'export const hello = 1;\n');
    await workbench.openFile('hello.js');
    await workbench.page.locator('.view-line', { hasText: 'export const hello' }).click();
    await workbench.page.keyboard.press('Control+Home');
    await workbench.page.keyboard.type('// TODO(42): say hello\n');
    await lens('Issue 42').waitFor();
    await row(/^\.\/todos\.mjs, works/).waitFor();
    await workbench.page.locator('.view-line span span', { hasText: 'TODO(42)' }).first().hover();
    await hover().getByText('To do: say hello').waitFor();
    for (const [name, theme] of [
      ['light', 'Light Modern'],
      ['high-contrast', 'Dark High Contrast'],
      ['dark', 'Dark Modern'],
    ] as const) {
      await workbench.setTheme(theme);
      await workbench.page.locator('.view-line span span', { hasText: 'TODO(42)' }).first().hover();
      await hover().getByText('To do: say hello').waitFor();
      await workbench.shot(`62-openctx-${name}`);
    }
    await workbench.picture('openctx', {
      ready: async () => {
        await workbench.page.locator('.view-line span span', { hasText: 'TODO(42)' }).first().hover();
        await hover().getByText('To do: say hello').waitFor();
      },
    });
  });

  it('opens the link after the question of VS Code, and lists all items of a file', async () => {
    await lens('Issue 42').click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('https://example.com/issues/42').waitFor();
    await workbench.shot('63-openctx-link');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await workbench.page.locator('.view-line', { hasText: 'export const hello' }).click();
    await workbench.run('Tapline: Show Context of This File…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Issue 42' }).waitFor();
    await workbench.shot('64-openctx-picker');
    await workbench.page.keyboard.press('Enter');
    await hover().getByText('To do: say hello').waitFor();
  });

  it('goes along with an attached file, as it can be read and removed before', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    // The composer of the new session takes the focus, which would otherwise close the palette.
    await workbench.session.locator('#composer:focus').waitFor();
    await workbench.run('Tapline: Open Session in Editor');
    const session = workbench.editorSession;
    const composer = session.getByRole('textbox', { name: 'Message' });
    await composer.click();
    await workbench.page.keyboard.type('#hello');
    await session.getByRole('option', { name: 'hello.js' }).first().waitFor();
    await workbench.page.keyboard.press('Enter');
    const chip = session.getByRole('button', { name: 'Issue 42 from todos.mjs', exact: true });
    await chip.waitFor();
    await chip.press('Enter');
    await session.locator('.context-preview').getByText('Line 1 waits for issue 42').waitFor();
    await workbench.shot('66-openctx-attached');
    await composer.click();
    await workbench.page.keyboard.type('help');
    await workbench.page.keyboard.press('Enter');
    await session.getByText('Attached context (Issue 42) from todos.mjs').click();
    await session.locator('.added-context').getByText('Line 1 waits for issue 42').waitFor();
    await session.locator('.state', { hasText: 'Idle' }).waitFor();
  });

  it('is given to an agent that asks, with the user’s word about the provider', async () => {
    const session = workbench.editorSession;
    await session.getByRole('textbox', { name: 'Message' }).click();
    await workbench.page.keyboard.type('client openctx_items {"path": "hello.js"}');
    await workbench.page.keyboard.press('Enter');
    await session.locator('.waiting-card').getByRole('button', { name: 'Approve', exact: true }).click();
    const question = toast('An agent wants to ask the context provider “./todos.mjs” about a file');
    await question.waitFor();
    await workbench.shot('67-openctx-agent-asks');
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await session.getByText('Line 1 waits for issue 42').last().waitFor();
    await row(/^\.\/todos\.mjs, works · agents may ask it/).waitFor();
  });

  it('is found with @ where a provider has something to mention', async () => {
    writeFileSync(
      join(tapline.workspace, 'people.mjs'),
      `export default {
        meta: () => ({ name: 'People', mentions: {} }),
        mentions: ({ query = '' }) => ['Ann', 'Bob'].filter((name) => name.toLowerCase().startsWith(query)).map((name) => ({ title: name, uri: 'person:' + name })),
        items: ({ mention }) => [{ title: mention.title, ai: { content: mention.title + ' knows the login.' } }],
      };`,
    );
    const providers = { './todos.mjs': { issues: 'https://example.com/issues/' }, './people.mjs': true };
    writeFileSync(join(tapline.workspace, '.vscode/settings.json'), JSON.stringify({ 'openctx.providers': providers }));
    await toast('The workspace names the context provider “./people.mjs”').getByRole('button', { name: 'Review…' }).click();
    await toast('Allow “./people.mjs” as it is shown?').getByRole('button', { name: 'Allow', exact: true }).click();
    await row(/^\.\/people\.mjs, not asked yet/).waitFor();
    await workbench.page.locator('.tab', { hasText: 'help' }).click();
    const session = workbench.editorSession;
    await session.getByRole('textbox', { name: 'Message' }).click();
    await workbench.page.keyboard.type('@an');
    await session.getByRole('option', { name: 'Ann' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    await session.getByRole('button', { name: 'Ann from people.mjs', exact: true }).waitFor();
    await workbench.page.keyboard.type('help');
    await workbench.page.keyboard.press('Enter');
    await session.getByText('Attached context (Ann) from people.mjs').click();
    await session.locator('.added-context').getByText('Ann knows the login.').waitFor();
    await workbench.openFile('hello.js');
  });

  it('says which provider fails, and why', async () => {
    const file = join(tapline.workspace, '.vscode/settings.json');
    writeFileSync(
      file,
      JSON.stringify({ 'openctx.providers': { './todos.mjs': { issues: 'https://example.com/issues/' }, './missing.mjs': true } }),
    );
    await row(/^\.\/missing\.mjs, There is no file/).waitFor();
    await row(/^\.\/todos\.mjs, works/).waitFor();
    await workbench.shot('65-openctx-providers');
    writeFileSync(file, '{ "openctx.enable": false }');
    await workbench.page.getByText('They are switched off in the settings').waitFor();
    await lens('Issue 42').waitFor({ state: 'detached' });
  });
});
