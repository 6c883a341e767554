/** Sessions of three hosts that all wait, answered from the inbox with real keys. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { type HostProxy, startHostProxy } from '../support/hostProxy.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { V1Client } from '../support/v1Client.ts';
import { CloudHost, lastTurn, ownHost, RESULT, startSession, SUBAGENT } from './inboxHosts.ts';

describe('the inbox, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let own: V1Client;
  let box: HostProcess;
  let boxClient: V1Client;
  let proxy: HostProxy;
  let server: FakeHostServer;
  const cloud = new CloudHost();
  const data = mkdtempSync(join(tmpdir(), 'tapline-inbox-'));
  /** At two hosts. */
  const COMMAND = 'demo:/command';

  before(async () => {
    [tapline, box, server] = await Promise.all([takeTapline(), startHostProcess(['--data', data]), serveFakeHost(cloud)]);
    boxClient = await V1Client.connect({ url: box.url, token: box.token });
    proxy = await startHostProxy(() => box);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
    own = await ownHost(tapline);
    await addHost(proxy.url, 'build-box');
    await addHost(server.url, 'cloud');
  });
  after(async () => {
    own?.close();
    boxClient?.close();
    await workbench?.close();
    await tapline?.stop();
    proxy?.close();
    await box?.stop();
    await server?.close();
    rmSync(data, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-inbox-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  async function addHost(url: string, name: string): Promise<void> {
    await workbench.run('Tapline: Add Agent Host…');
    const input = workbench.page.locator('.quick-input-widget input');
    for (const [step, text] of [url, name, undefined].entries()) {
      await workbench.page.locator('.quick-input-title', { hasText: `Add Agent Host (${step + 1}/3)` }).waitFor();
      if (text !== undefined) await input.fill(text);
      await input.press('Enter');
    }
    await workbench.page.getByRole('treeitem', { name: new RegExp(`^Agent host ${name}, connected`) }).waitFor();
  }
  const inbox = () => workbench.inbox;
  const press = (key: string) => workbench.page.keyboard.press(key);
  const items = () => inbox().locator('[data-item]');
  /** For what a locator cannot say. */
  async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
    for (let attempt = 0; !(await condition()); attempt++) {
      if (attempt === 200) throw new Error(`No ${what} within 20 s`);
      await workbench.page.waitForTimeout(100);
    }
  }
  /** The badge, the status bar and the head of the view. */
  async function showsCount(count: number, { page } = workbench, inView = count > 0): Promise<void> {
    const text = count === 1 ? '1 thing needs you' : `${count} things need you`;
    await page.locator('.statusbar-item', { hasText: count === 0 ? 'Connected' : text }).waitFor();
    const badge = page.locator('.activitybar .action-item', { has: page.locator('a[aria-label^="Tapline"]') }).locator('.badge-content');
    if (count === 0) await badge.waitFor({ state: 'hidden' });
    else await badge.getByText(String(count), { exact: true }).waitFor();
    if (inView) await page.locator('.pane-header', { hasText: 'Needs You' }).getByText(String(count), { exact: true }).waitFor();
  }

  const focusedId = () =>
    inbox()
      .locator('body')
      .evaluate(() => document.activeElement?.closest('[data-item]')?.getAttribute('data-item') ?? '');
  /** `host kind`, for the test. */
  function brief(id: string): string {
    const [host = '', , kind = ''] = id.split('\n');
    return `${host === 'embedded' ? 'own' : host.startsWith(proxy.url) ? 'box' : 'cloud'} ${kind}`;
  }
  const waits = async (id: string) =>
    (await inbox()
      .locator(`[data-item=${JSON.stringify(id).replaceAll('\\n', '\\a ')}]`)
      .count()) > 0;
  /** What a screen reader says of the element that has the focus. */
  const named = () =>
    inbox()
      .locator('body')
      .evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        const words = [...(element?.labels ?? [])].map((label) => (label as HTMLElement).innerText).join(' ');
        return element?.getAttribute('aria-label') ?? (words || (element?.innerText ?? ''));
      });
  async function tabTo(name: RegExp): Promise<void> {
    for (let step = 0; step < 40; step++) {
      await press('Tab');
      if (name.test(await named())) return;
    }
    throw new Error(`Tab does not lead to ${name}`);
  }
  /** VS Code gets the context keys a moment after the focus has moved, and a key that comes too early counts for nothing. */
  async function pressUntilGone(key: string, id: string): Promise<void> {
    const unseen = inbox().locator('section:focus-within [aria-disabled="true"]');
    for (let page = 0; page < 10 && (await unseen.count()) > 0; page++) await press('PageDown');
    await until(`answer by ${key}`, async () => {
      if ((await focusedId()) === id) await press(key);
      return !(await waits(id));
    });
  }
  async function goToNext(): Promise<void> {
    await press('Control+Shift+F8');
    await inbox().locator('section:focus').waitFor();
  }

  it('has what waits at all hosts, counted alike everywhere', async () => {
    const pane = (title: string) =>
      workbench.page.locator('.part.sidebar .pane', { has: workbench.page.locator('.pane-header', { hasText: title }) });
    await startSession(own, COMMAND, 'run echo 1.2.0 > VERSION', tapline.workspace);
    await startSession(own, 'demo:/edit', 'edit CHANGES.md - The first release', tapline.workspace);
    await showsCount(3);
    await inbox().getByText('Sign in to GitHub').waitFor();
    const pale = inbox().locator('.card-buttons[aria-disabled], .card-buttons [aria-disabled="true"]');
    const ready = () =>
      until('buttons that answer', async () => (await inbox().locator('.waiting-card').count()) === 2 && (await pale.count()) === 0);
    await workbench.picture('needs-you', { of: pane('Needs You'), height: 1_060, ready });
    await startSession(own, 'demo:/ask', 'ask', tapline.workspace);
    await startSession(boxClient, COMMAND, 'run cp VERSION DEPLOYED', tapline.workspace);
    await showsCount(5);
    await until('the cards', async () => (await inbox().locator('.waiting-card').count()) === 4);
    await workbench.picture('hosts', { of: pane('Sessions'), height: 1_000 });
  });

  it('looks right in all themes and in a narrow sidebar', async () => {
    const sash = await workbench.page.locator('.monaco-sash.vertical:not(.disabled)').first().boundingBox();
    assert.ok(sash);
    const at = sash.x + sash.width / 2;
    const drag = async (from: number, to: number) => {
      await workbench.page.mouse.move(from, 300);
      await workbench.page.mouse.down();
      await workbench.page.mouse.move(to, 300, { steps: 4 });
      await workbench.page.mouse.up();
    };
    await workbench.shot('30-inbox-light');
    await workbench.setTheme('Dark Modern');
    await inbox().locator('body.vscode-dark').waitFor();
    await workbench.shot('31-inbox-dark');
    await workbench.setTheme('Dark High Contrast');
    await inbox().locator('body.vscode-high-contrast').waitFor();
    await workbench.shot('32-inbox-high-contrast');
    await drag(at, 240);
    await workbench.shot('33-inbox-narrow');
    await drag(240, at);
  });

  it('is answered with the keyboard alone, also after a reload', async () => {
    await workbench.openFile('notes.md');
    await goToNext();
    const order: string[] = [];
    for (let id = await focusedId(); id !== ''; id = await focusedId()) {
      order.push(brief(id));
      await workbench.shot(`34-inbox-${order.length}-${brief(id).replace(' ', '-')}`);
      await answer(id);
      const isDone = async () => (await inbox().locator('#inbox-empty:focus').count()) > 0;
      await until('the next item', async () => !(await waits(id)) && ((await isDone()) || ![id, ''].includes(await focusedId())));
      if (order.length === 3) {
        await workbench.reload();
        await showsCount(4);
        await inbox().locator('.waiting-card').nth(3).waitFor();
        await goToNext();
      }
    }
    await inbox().locator('#inbox-empty:focus').getByText('Nothing needs you right now.').waitFor();
    await showsCount(0);
    const expected = ['box call', 'cloud call', 'cloud result', 'cloud signIn', 'own call', 'own call', 'own question'];
    assert.deepEqual(order.sort(), expected);
  });

  async function answer(id: string): Promise<void> {
    switch (brief(id)) {
      case 'box call':
        await tabTo(/^More ways to deny/);
        await press('Enter');
        await tabTo(/with a reason/);
        await press('Enter');
        await inbox().locator('.deny-form input:focus').waitFor();
        await workbench.page.keyboard.type('not on this machine');
        return press('Enter');
      case 'cloud call':
      case 'own call':
        return pressUntilGone('Control+Enter', id);
      case 'cloud result':
        return pressUntilGone('Control+Backspace', id);
      case 'own question':
        return answerQuestions();
      case 'cloud signIn':
        await tabTo(/^Sign in$/);
        await press('Enter');
        await workbench.page.locator('.monaco-dialog-box', { hasText: 'Sign in to GitHub for the agent host cloud?' }).waitFor();
        await press('Escape');
        await workbench.page.locator('.monaco-dialog-box').waitFor({ state: 'hidden' });
        cloud.signIn();
        server.dropAll();
        await until('sessions of the cloud', async () => (await items().count()) === 6);
        return goToNext();
    }
  }
  async function answerQuestions(): Promise<void> {
    const type = (text: string) => workbench.page.keyboard.type(text);
    await tabTo(/^Answer$/);
    await press('Enter');
    // The form opens with the focus in its first field.
    await until('the first field', async () => /name of the project/.test(await named()));
    await type('Inbox');
    await tabTo(/write to/);
    await type('inbox@example.com');
    await tabTo(/how many people/i);
    await type('3');
    await tabTo(/^Yes$/);
    await tabTo(/SQLite/);
    await press('Space');
    await tabTo(/Linux/);
    await press('Space');
    await tabTo(/Send answers/);
    // All of it has to be in view before it can be sent. Each press shows more.
    const form = inbox().locator('form', { hasText: 'Send answers' });
    await until('the answers', async () => {
      if ((await form.count()) > 0) await press('Enter');
      return (await form.count()) === 0;
    });
  }

  it('has given each host exactly its answers', async () => {
    const callOf = async (client: V1Client, uri: string) => {
      await until(`end of ${uri}`, async () => lastTurn(client, uri).isOver);
      return lastTurn(client, uri).calls[0];
    };
    assert.equal((await callOf(own, COMMAND))?.status, 'completed');
    assert.equal(readFileSync(join(tapline.workspace, 'VERSION'), 'utf8'), '1.2.0\n');
    assert.equal((await callOf(own, 'demo:/edit'))?.status, 'completed');
    assert.equal(readFileSync(join(tapline.workspace, 'CHANGES.md'), 'utf8'), '- The first release\n');
    await callOf(own, 'demo:/ask');
    const { text } = lastTurn(own, 'demo:/ask');
    for (const line of ['**Name**: Inbox', '**People**: 3', '**Database**: SQLite', '**Platforms**: Linux', '**Budget**: 1.5'])
      assert.ok(text.includes(line), text);
    const denied = await callOf(boxClient, COMMAND);
    assert.ok(denied?.status === 'cancelled');
    assert.equal(denied.reasonMessage, 'not on this machine');
    assert.equal(existsSync(join(tapline.workspace, 'DEPLOYED')), false);
    const answers = [`session/toolCallConfirmed: ${SUBAGENT} look true`, `session/toolCallResultConfirmed: ${RESULT} read false`];
    assert.deepEqual([...cloud.answers].sort(), answers);
  });

  it('counts alike with a filter, an archived session, a host that goes and comes, and in two windows', async () => {
    await startSession(own, 'demo:/again', 'run echo again', tapline.workspace);
    await startSession(boxClient, 'demo:/again', 'run echo again', tapline.workspace);
    await showsCount(2);
    await workbench.run('Tapline: Filter Sessions…');
    await workbench.page.locator('.quick-input-widget input').fill('no session is called this');
    await press('Enter');
    await own.dispatch('demo:/again', { type: 'session/isArchivedChanged', session: 'demo:/again', isArchived: true }).settled;
    await showsCount(2);
    await box.stop();
    await showsCount(1);
    await inbox().getByText('build-box cannot be reached, so what waits there is not shown.').waitFor();
    box = await startHostProcess(['--data', data]);
    // Its turn has failed, and the user has not seen that.
    await showsCount(2);
    await workbench.run('Tapline: Clear Session Filter');
    const other = await Workbench.open(tapline);
    try {
      await other.openTapline();
      await showsCount(2, other);
      await goToNext();
      for (const left of [1, 0]) {
        const id = await focusedId();
        if (brief(id) === 'own call') {
          await pressUntilGone('Control+Backspace', id);
        } else {
          assert.equal(brief(id), 'box failed');
          await tabTo(/^Mark as read$/);
          await press('Enter');
        }
        await showsCount(left);
        await showsCount(left, other);
      }
    } finally {
      await other.close();
    }
  });

  it('takes no room for what is on screen in its session, where the key for it goes', async () => {
    const head = workbench.page.locator('.pane-header', { hasText: 'Needs You' });
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.locator('#composer:focus').waitFor();
    await workbench.page.keyboard.type('run echo here');
    await press('Enter');
    await workbench.session.locator('.waiting-card').waitFor();
    await showsCount(1, workbench, false);
    await head.waitFor({ state: 'hidden' });
    await press('Control+Shift+F8');
    await workbench.session.locator('.waiting-card:focus').waitFor();
    assert.equal(await head.isVisible(), false);
    await until('denial', async () => {
      await press('Control+Backspace');
      return (await workbench.session.locator('.waiting-card').count()) === 0;
    });
    await showsCount(0);
  });
});
