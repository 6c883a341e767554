/**
 * A tool of a program in the window's terminal becomes a tool of the window's sessions: it is called by the demo agent and by the Copilot engine, after
 * the user's approval, and it outlives the gateway and the window.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentHostClient } from '../../src/ahp/index.ts';
import { type DaemonRecord, readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { withTimeout } from '../../src/base/errors.ts';
import { nullLogger } from '../../src/base/log.ts';
import { OwnerClient } from '../../src/tap/owner/ownerClient.ts';
import { eventually } from '../fakes/eventually.ts';
import { ModelServer } from '../fixtures/modelServer.ts';
import { McpClient, textOf } from '../support/mcpServers.ts';
import { type StartedTapline, startTapline, Workbench } from '../support/startedTapline.ts';
import { TerminalProvider } from '../support/terminalProvider.ts';

describe('a tool of a program in the terminal, in the workbench', () => {
  const data = mkdtempSync(join(tmpdir(), 'tapline-e2e-bridge-'));
  const home = join(data, 'home');
  let tapline: StartedTapline;
  let workbench: Workbench;
  let provider: TerminalProvider;
  let model: ModelServer;

  before(async () => {
    // As if the user had installed the engine.
    mkdirSync(join(home, 'engine'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../node_modules'), join(home, 'engine/node_modules'));
    [tapline, provider, model] = await Promise.all([
      startTapline(['--no-walkthrough', '--data', data]),
      TerminalProvider.listen(),
      ModelServer.start(),
    ]);
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    await provider?.stop();
    await workbench?.close();
    await tapline?.stop();
    await model?.stop();
    rmSync(data, { recursive: true, maxRetries: 5, retryDelay: 100 });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-bridge-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const session = () => workbench.session;
  const card = () => session().locator('.waiting-card');
  const transcript = (text: string | RegExp) => session().locator('.transcript').filter({ hasText: text }).waitFor();
  const idle = () => session().locator('.state', { hasText: 'Idle' }).waitFor();
  const row = (text: string) => workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  async function send(text: string): Promise<void> {
    const composer = session().getByRole('textbox', { name: 'Message' });
    await composer.fill(text);
    await composer.press('Enter');
  }
  const turns = () => session().locator('.turn');
  const running = () => session().locator('.tool-call.phase-running');
  /** By the keyboard, once the card takes an answer: what comes into the session moves a button, which takes no click then. */
  async function approve(): Promise<void> {
    const button = card().locator('vscode-button').first().and(session().locator('vscode-button:not([aria-disabled="true"])'));
    await button.waitFor();
    await workbench.press(button);
  }

  it('connects by itself, the session has its tool, and nothing is said of providers before', async () => {
    const pane = workbench.page.locator('.pane-header', { hasText: 'Tools & Jobs' });
    const lentFact = session().locator('.header-facts', { hasText: 'tools lent' });
    const health = workbench.page.locator('.statusbar-item', { hasText: /\d tools?$/ });
    await workbench.run('Tapline: Start a Demo Session');
    await session().getByText('Nothing was said yet').waitFor();
    await session().getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Demo (fast)' });
    const owner = new OwnerClient({ name: 'test', find: async () => gateway(), logger: nullLogger });
    const editorLends = async () => {
      if (owner.state.kind !== 'connected') return false;
      const { providers, sessions } = await owner.request('diagnostics', {});
      return sessions.length > 0 && providers.some(({ trust, tools }) => trust === 'internal' && tools.length > 0);
    };
    await eventually(editorLends, 'the session at the gateway', 15_000).finally(() => owner.dispose());
    assert.deepEqual([await health.count(), await pane.count(), await lentFact.count()], [0, 0, 0]);
    await workbench.run('Terminal: Create New Terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
    await workbench.page.keyboard.type(`${provider.command}\n`);
    await provider.until(() => provider.started, 'the start of the provider');
    assert.deepEqual([provider.started?.url, provider.started?.hasToken], [gateway().url, true]);
    await lent('demo');
    for (const shown of [health, pane, lentFact]) await shown.waitFor();
    await workbench.run('Tapline: Lend Tools from This Window');
    await workbench.page.locator('.notification-toast', { hasText: /This window lends \d+ tools to the session\./ }).waitFor();
    await workbench.run('Notifications: Clear All Notifications');
    await send('client');
    await transcript('look_up — Looks up an animal');
    await idle();
    await workbench.shot('30-lent');
  });

  it('is called by the demo agent after the user’s approval, with its progress and its result', async () => {
    await send('client look_up {"animal":"cat"}');
    await card().getByText('look_up').first().waitFor();
    assert.equal(provider.calls.length, 0, 'nothing is called before the approval');
    await session().locator('.header-facts', { hasText: 'terminal serves all sessions' }).waitFor();
    await card().getByText('1 program wants to check calls: Review').waitFor();
    await workbench.shot('31-lent-wants-to-check');
    await card().getByRole('button', { name: 'Review' }).click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('The program “terminal” wants to see and deny tool calls (hooks)').waitFor();
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await card().getByText('to check calls').waitFor({ state: 'detached' });
    await workbench.shot('31-lent-approve');
    await approve();
    const call = await provider.call(1);
    assert.deepEqual(call.args, { animal: 'cat' });
    await running().click();
    await running().getByText('looking for the cat').waitFor();
    await workbench.shot('32-lent-progress');
    provider.end(call, 'a small predator');
    await transcript(/succeeded and returned.*a small predator/s);
    await idle();
  });

  it('stands beside the tools of the editor, which name themselves in the same line', async () => {
    await workbench.openFile('README.md');
    await send('client editor_active {}');
    await card().getByText('Tool of editor · internal, part of Tapline').waitFor();
    await approve();
    await transcript(/succeeded and returned.*README\.md/s);
    await idle();
    await workbench.run('View: Close All Editors');
  });

  it('has its rules kept: a push is denied, with the reason', async () => {
    await send('run git push');
    await transcript('Nothing is pushed on Fridays.');
    await idle();
    await workbench.shot('33-lent-denied');
  });

  it('starts a turn with what it injects into an idle session, and waits for the end of one that runs', async () => {
    const { sessionId } = provider.calls[0]!;
    const message = (text: string) => turns().last().getByText(text).waitFor();
    await provider.push({ level: 'inject', prompt: 'help with this', sessionId });
    await message('help with this');
    await idle();
    await send('wait 60');
    await running().waitFor();
    const before = await turns().count();
    await provider.push({ level: 'inject', prompt: 'help with that', sessionId });
    assert.equal(await turns().count(), before);
    await workbench.shot('34-inject-waits');
    await session().getByRole('button', { name: 'Stop' }).click();
    await session().getByRole('alert').locator('vscode-button', { hasText: 'Stop' }).click();
    await message('help with that');
    await idle();
    await turns().last().locator('.user-message').scrollIntoViewIfNeeded();
    await workbench.shot('35-injected');
  });

  it('is well again within 5 s after the gateway was killed in the middle of a call', async () => {
    await send('client look_up {"animal":"dog"}');
    await approve();
    await provider.call(2);
    const { pid } = gateway();
    const lost = provider.until(() => provider.state !== 'bound', 'the provider has noticed');
    process.kill(pid, 'SIGKILL');
    await withTimeout(Promise.all([transcript(/look_up failed/), lost.then(() => lent('demo'))]), 5_000, 'the recovery');
    await idle();
    await send('client look_up {"animal":"fox"}');
    await approve();
    provider.end(await provider.call(3), 'clever');
    await transcript(/succeeded and returned.*clever/s);
    await idle();
  });

  it('neither repeats nor loses a call when the window is loaded again in the middle of it', async () => {
    await send('client look_up {"animal":"owl"}');
    await approve();
    const call = await provider.call(4);
    await workbench.reload();
    await running().click();
    await running().getByText('looking for the owl').waitFor();
    await workbench.shot('36-reloaded');
    provider.end(call, 'a silent hunter');
    await transcript(/succeeded and returned.*a silent hunter/s);
    await idle();
    assert.equal(provider.calls.length, 4);
    await workbench.shot('36-reloaded-done');
  });

  it('is called by an MCP client', async () => {
    const mcp = await McpClient.overStdio({ env: { TAPLINE_HOME: home } });
    try {
      await mcp.untilTools((names) => names.includes('look_up'));
      const answer = mcp.call('look_up', { animal: 'bee' });
      provider.end(await provider.call(5), 'busy');
      assert.equal(textOf(await answer), 'busy');
    } finally {
      await mcp.close();
    }
  });

  it('is called by the Copilot engine', async () => {
    await workbench.run('Tapline: New Session…');
    await row('GitHub Copilot').click();
    await workbench.choose('Add a model of your own');
    await row('Another server…').click();
    await answer('Base URL of the server', model.baseUrl);
    await answer('API key', 'key-of-the-test');
    await row('scripted-model').click();
    await answer('Name of the model in the list', 'My model');
    await session().getByText('Nothing was said yet').waitFor();
    await lent('copilot');
    model.reply([{ tool: 'look_up', args: { animal: 'cow' } }], [{ text: 'A cow it is.' }]);
    await send('What is a cow?');
    await card().getByText('look_up').first().waitFor();
    await workbench.shot('37-lent-copilot');
    await approve();
    const call = await provider.call(6);
    await running().click();
    await running().getByText('looking for the cow').waitFor();
    provider.end(call, 'a large grazer');
    await transcript('A cow it is.');
    await idle();
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /a large grazer/);
    await workbench.shot('38-lent-copilot-done');
  });

  it('was called once for each call of all these', () => {
    assert.deepEqual(
      provider.calls.map(({ args }) => (args as { animal: string }).animal),
      ['cat', 'dog', 'fox', 'owl', 'bee', 'cow'],
    );
  });

  async function answer(prompt: string, text: string): Promise<void> {
    await workbench.page.locator('.quick-input-widget', { hasText: prompt }).waitFor();
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** The provider is bound, and the host of the agent’s session has its tool, as another client of that host sees it. */
  async function lent(agent: string): Promise<void> {
    await provider.until(() => provider.state === 'bound', 'the provider is bound');
    const record = readDaemonRecord(join(home, 'host.lock.json'));
    assert.ok(record, 'no host runs');
    const client = await AgentHostClient.connect(record);
    try {
      const listed = (await client.listSessions()).find((item) => item.provider === agent);
      assert.ok(listed, `no session of ${agent}`);
      const watched = client.session(listed.resource);
      const isLent = () => watched.confirmed?.activeClients.some(({ tools }) => tools.some(({ name }) => name === 'look_up'));
      const announced = new Promise<void>((resolve) => {
        watched.onDidChange(() => isLent() && resolve());
        if (isLent()) resolve();
      });
      await withTimeout(announced, 20_000, 'the announcement of the tool');
    } finally {
      client.close();
    }
  }

  function gateway(): DaemonRecord {
    const record = readDaemonRecord(join(home, 'gateway.lock.json'));
    assert.ok(record, 'no gateway runs');
    return record;
  }
});
