/** “Providers” in the real workbench: a real Node provider, its switches, a tool run by hand, consent, and revoking a pairing. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { WebSocket } from 'ws';
import { readDaemonRecord } from '../../src/base/daemon/daemonLock.ts';
import { nullLogger } from '../../src/base/log.ts';
import { OwnerClient } from '../../src/tap/owner/ownerClient.ts';
import { connectProvider } from '../../src/tap/provider/provider.ts';
import type { ProviderHandle } from '../../src/tap/provider/providerApi.ts';
import { eventually } from '../fakes/eventually.ts';
import { codeBlocksOf, root } from '../integration/docs/documented.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';

const WAIT_MS = 15_000;

describe('the providers, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  const programs: ChildProcess[] = [];
  let gateway: { url: string; token: string };
  const handles: ProviderHandle[] = [];
  const clients: OwnerClient[] = [];

  before(async () => {
    tapline = await takeTapline();
    workbench = await Workbench.open(tapline, { width: 1400, height: 1200 });
    await workbench.openTapline();
    await workbench.page.getByRole('treeitem', { name: /^Agent host This computer, connected/ }).waitFor();
  });
  after(async () => {
    for (const handle of handles) handle.close();
    for (const client of clients) client.dispose();
    for (const program of programs) await end(program);
    await workbench?.close();
    await tapline?.stop();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-providers-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const row = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const checkbox = (name: RegExp) => row(name).getByRole('checkbox');
  /** Rows that are out of view are not in the page. */
  const togglePane = (name: string) => workbench.page.locator('.pane-header').getByText(name, { exact: true }).click();
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const toast = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
  const home = () => join(dirname(tapline.workspace), 'home');
  const tokenFile = () => join(tapline.copilotHome, 'extensions/tap/.provider-token');
  const readGateway = () => readDaemonRecord(join(home(), 'gateway.lock.json'));
  async function connectOwner(): Promise<OwnerClient> {
    const owner = new OwnerClient({ name: 'test', find: async () => gateway, logger: nullLogger });
    clients.push(owner);
    await eventually(() => owner.state.kind === 'connected', 'the owner', WAIT_MS);
    return owner;
  }
  const decisionAboutCi = async (owner: OwnerClient) =>
    (await owner.request('diagnostics', {})).consents.find(({ provider }) => provider === 'ci')?.decision;
  const press = (key: string) => workbench.page.keyboard.press(key);
  async function type(title: RegExp, text: string): Promise<void> {
    await workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
    await workbench.page.locator('.quick-input-widget input').fill(text);
  }
  /** As a user does in a terminal. */
  function startProgram(fileName: string, text: string): ChildProcess {
    const file = join(home(), fileName);
    writeFileSync(file, text);
    const env = { ...process.env, TAPLINE_HOME: home(), COPILOT_HOME: tapline.copilotHome };
    const program = spawn(process.execPath, [file], { stdio: 'ignore', env });
    programs.push(program);
    return program;
  }
  async function end(program: ChildProcess): Promise<void> {
    if (program.kill('SIGKILL')) await once(program, 'exit');
  }

  /** VS Code loses a click on a row that is just being drawn again; a user clicks once more. */
  async function clickUntilAsked(target: Locator, question = dialog()): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await target.click();
      try {
        return await question.waitFor({ timeout: 3_000 });
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  }

  it('says what a provider is, and how to begin, while no session is open', async () => {
    await workbench.run('Tapline: Show Providers');
    // Only now there is another view beside it.
    await togglePane('Sessions');
    await row(/^Programs and pages that lend their tools to your agent sessions/).waitFor();
    await row(/^Copy a ready-made provider/).waitFor();
    await workbench.shot('40-providers-empty');
  });

  it('shows the tool of the documents, called in a session, for as long as its program runs', async () => {
    await workbench.run('Tapline: Start a Demo Session');
    await workbench.session.getByText('Nothing was said yet').waitFor();
    await row(/^Gateway, running/).waitFor();
    const record = readGateway();
    assert.ok(record);
    gateway = record;
    const [dice] = codeBlocksOf('docs/tools.md');
    assert.ok(dice);
    const library = pathToFileURL(join(root, 'dist/lib/provider.js')).href;
    const program = startProgram('dice.mjs', dice.text.replace("'tapline/provider'", JSON.stringify(library)));
    await row(/^dice, program on this computer/).waitFor();
    await row(/^roll, Rolls a die, switched on/).waitFor();
    await row(/in front · Lends 9 tools to this session/).waitFor();
    await workbench.session.getByRole('textbox', { name: 'Message' }).fill('client roll {"sides": 6}');
    await workbench.session.getByRole('textbox', { name: 'Message' }).press('Enter');
    await workbench.press(workbench.session.locator('.waiting-card vscode-button').first());
    await workbench.session.locator('.transcript', { hasText: /It shows [1-6]\./ }).waitFor();
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    await workbench.picture('tools', { of: workbench.page.locator('.part.sidebar'), height: 440 });
    await end(program);
    await row(/^dice, program on this computer/).waitFor({ state: 'detached' });
  });

  it('shows the tools of a Node provider that was copied out of it', async () => {
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await workbench.run('Tapline: Copy a Ready-made Provider…');
    await workbench.choose('Node.js');
    await toast('Save it as provider.mjs').waitFor();
    startProgram('provider.mjs', await workbench.page.evaluate<string>('navigator.clipboard.readText()'));
    await row(/^example, program on this computer/).waitFor();
    await row(/^example_greet, Greet somebody by name, switched on/).waitFor();
    await row(/in front · Lends 10 tools to this session/).waitFor();
    await workbench.shot('41-providers');
  });

  it('withdraws a tool that is switched off, and lends it again', async () => {
    await checkbox(/^example_greet/).click();
    await row(/^example_greet, off/).waitFor();
    await row(/Lends 9 tools to this session; 1 left out/).waitFor();
    await checkbox(/^example_greet/).click();
    await row(/Lends 10 tools to this session/).waitFor();
  });

  it('runs a tool by hand with the keyboard alone, and says at once what is wrong with a value', async () => {
    await workbench.run('Tapline: Run a Tool…');
    await type(/Run a Tool/, 'example_count');
    await press('Enter');
    await type(/Run example_count of example \(1\/1\)/, '500');
    await workbench.page.getByText('Enter a number that is at most 100.').waitFor();
    await press('Enter');
    await type(/Run example_count of example \(1\/1\)/, '3');
    await press('Enter');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'With {"to":3}' }).waitFor();
    await workbench.shot('42-run-a-tool');
    await press('Enter');
    await workbench.page.locator('.tab', { hasText: 'Result of example_count.json' }).waitFor();
    await workbench.page.locator('.view-lines', { hasText: '"counted": 3' }).waitFor();
  });

  it('asks with two buttons for consent to what a program wants beside its tools; closing the question allows nothing', async () => {
    const watcher = await connectOwner();
    const decision = () => decisionAboutCi(watcher);
    const sdk = pathToFileURL(join(home(), 'sdk/provider.cjs')).href;
    startProgram(
      'ci.mjs',
      `import { createProvider } from ${JSON.stringify(sdk)};
      createProvider('ci', { tools: [], context: 'The build is red.', onToolCall: () => undefined });`,
    );
    const question = toast('The program “ci” wants to add to what models read (context)');
    /** VS Code takes the question away after a while, and keeps it in its list. */
    const pressButton = async (name: string) => {
      const isHidden = !(await question.isVisible());
      if (isHidden) await workbench.run('Notifications: Show Notifications');
      const all = workbench.page.locator('.notification-list-item', { hasText: 'wants to add to what models read (context)' });
      await all.filter({ visible: true }).first().getByRole('button', { name, exact: true }).click();
      // While the list is open, no question comes up.
      if (isHidden) await workbench.run('Notifications: Hide Notifications');
    };
    await question.waitFor();
    await workbench.shot('43-consent');
    await question.hover();
    await question.locator('.codicon-notifications-clear').click();
    await question.waitFor({ state: 'detached' });
    const needsYou = workbench.inbox.locator('.inbox-item', { hasText: 'The program “ci” wants to add' });
    await needsYou.getByRole('button', { name: 'Review…' }).click();
    await dialog().getByText('The program “ci” wants to add to what models read (context)').waitFor();
    await workbench.shot('43-consent-dialog');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    // The rows of the providers need its place.
    await togglePane('Needs You');
    await row(/^context, waits for your consent/).waitFor();
    assert.equal(await decision(), 'asked');
    // Asked again, and decided elsewhere: the buttons that are still there change nothing.
    await watcher.request('consent/forget', { provider: 'ci' });
    await question.waitFor();
    await watcher.request('consent/answer', { provider: 'ci', allow: false });
    await row(/^context, denied by you/).waitFor();
    await pressButton('Allow');
    await toast('This question was not open any more, so nothing has changed').waitFor();
    assert.equal(await decision(), 'denied');
    await watcher.request('consent/forget', { provider: 'ci' });
    await pressButton('Deny');
    await row(/^context, denied by you/).waitFor();
    await watcher.request('consent/forget', { provider: 'ci' });
    await row(/^context, waits for your consent/).click();
    await dialog().getByText('The program “ci” wants to add to what models read (context)').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await decision(), 'asked');
    await pressButton('Allow');
    await row(/^context, allowed by you/).waitFor();
    await workbench.page.locator('.pane-header').getByText('Needs You', { exact: true }).waitFor({ state: 'detached' });
    assert.equal(await decision(), 'allowed');
  });

  it('lists a paired provider with its tools off until they are allowed, and revokes it', async () => {
    const owner = await connectOwner();
    const code = new Promise<string>((resolve) =>
      owner.onEvent(({ event, params }) => event === 'pairing/started' && resolve((params as { code: string }).code)),
    );
    const page = connectProvider('page', {
      tools: [{ name: 'page_title', description: 'The title of the page', parameters: {} }],
      onToolCall: () => 'A page',
      connect: () => ({ socket: new WebSocket(gateway.url, { origin: 'http://shop.example' }) as never }),
      onPairing: () => code,
      onError: () => undefined,
    });
    handles.push(page);
    // Right after the pairing it is asked by itself; an Enter that was meant for something else allows nothing.
    await dialog().getByText('Allow the new tool “page_title”?').waitFor();
    await dialog()
      .getByText(`you have paired it with the code ${await code}`)
      .waitFor();
    await workbench.shot('44-allow-paired');
    await press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await row(/^page, paired, http:\/\/shop\.example · 1 tool to review/).waitFor();
    await clickUntilAsked(checkbox(/^page_title, new/));
    await dialog().getByText('Allow the new tool “page_title”?').waitFor();
    await dialog()
      .getByText(/provider "page"\s+trust: paired, http:\/\/shop\.example\s+description "The title of the page"/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await row(/^page_title, new/)
      .getByRole('checkbox', { checked: false })
      .waitFor();
    await clickUntilAsked(checkbox(/^page_title, new/));
    await row(/^page, /)
      .getByRole('checkbox', { checked: true })
      .first()
      .waitFor();
    await workbench.shot('44-allow-tool');
    await dialog().getByRole('button', { name: 'Allow', exact: true }).click();
    await row(/^page_title, The title of the page, switched on/).waitFor();
    await row(/^page_title/).hover();
    await row(/^page_title/)
      .getByRole('button', { name: 'Run a Tool…' })
      .waitFor();
    await workbench.shot('45-providers-light');
    await workbench.setTheme('Dark Modern');
    await workbench.page.locator('.monaco-workbench.vs-dark').waitFor();
    await workbench.shot('45-providers-dark');

    // What no dialog shows whole is read in a document first.
    const parameters = { type: 'object', properties: { at: { description: `${'x'.repeat(5_000)} the last word` } } };
    await page.updateTools([{ name: 'page_long', description: 'Clicks', parameters }], []);
    const question = toast('Allow the new tool “page_long”, as the document shows it?');
    await clickUntilAsked(checkbox(/^page_long, new/), question);
    assert.equal(await dialog().count(), 0);
    await workbench.page.locator('.tab.active', { hasText: 'Tool page_long' }).waitFor();
    const shown = workbench.page.locator('.editor-instance .view-lines');
    await shown.getByText('trust: paired, http://shop.example').waitFor();
    await workbench.shot('44-allow-long-tool');
    await shown.click();
    await press('Control+End');
    await shown.getByText('the last word"').waitFor();
    await question.getByRole('button', { name: 'Not Now' }).click();
    await row(/^page_long, new/)
      .getByRole('checkbox', { checked: false })
      .waitFor();
    await clickUntilAsked(checkbox(/^page_long, new/), question);
    await question.getByRole('button', { name: 'Allow', exact: true }).click();
    await row(/^page_long, Clicks, switched on/).waitFor();

    await workbench.run('Tapline: Revoke a Paired Provider…');
    await type(/Revoke a Paired Provider/, 'page');
    await press('Enter');
    await dialog().getByText('Revoke the pairing of “page” (http://shop.example)?').waitFor();
    await workbench.shot('46-revoke');
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await row(/^page, /).waitFor({ state: 'detached' });
  });

  it('tells the next gateway what was decided, without asking again', async () => {
    const { token } = gateway;
    await workbench.run('Tapline: Restart Gateway');
    await eventually(() => (gateway = readGateway() ?? gateway).token !== token, 'another gateway', WAIT_MS);
    const watcher = await connectOwner();
    await eventually(async () => (await decisionAboutCi(watcher)) === 'allowed', 'the decision at the new gateway', WAIT_MS);
    await row(/^example_greet, /).waitFor();
    await row(/^context, allowed by you/).waitFor();
    assert.equal(await toast('The program “ci”').count(), 0);
  });

  it('switches a provider off with the keyboard', async () => {
    await workbench.run('Tapline: Switch a Provider or a Tool On or Off…');
    await type(/Switch a Provider On or Off/, 'example');
    await press('Enter');
    await row(/^example, program on this computer · off · serves all sessions, switched off/).waitFor();
    await row(/Lends 8 tools to this session; 2 left out/).waitFor();
  });

  it('lets a program in that has the token of an earlier gateway, when the user says so', async () => {
    const earlier = readFileSync(tokenFile(), 'utf8');
    const before = gateway.token;
    for (const client of clients.splice(0)) client.dispose(); // no owner that could pass the token on
    await workbench.run('Tapline: Stop Gateway');
    await toast('The tap gateway has stopped').waitFor();
    await workbench.run('Tapline: Start Gateway');
    await eventually(() => (gateway = readGateway() ?? gateway).token !== before, 'another gateway', WAIT_MS);
    const answerTo = async (token: string, name: string) => {
      const socket = new WebSocket(gateway.url);
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'auth', token }));
      const { type, message } = await said(socket);
      if (type === 'error') return message;
      socket.send(JSON.stringify({ type: 'hello', name, protocolVersion: 2 }));
      const answer = await said(socket);
      socket.close();
      return answer.type;
    };
    const said = async (socket: WebSocket) => JSON.parse(String((await once(socket, 'message'))[0])) as { type: string; message: string };
    assert.equal((await answerTo(earlier, 'ci'))?.includes(tokenFile()), true);
    // Beside the others that have come with the token.
    const waits = row(/^1 program has the token of an earlier gateway, .*\bci\b.* · Let it in…/);
    await waits.waitFor();
    await workbench.shot('47-earlier-token');
    await workbench.run('Tapline: Let In a Program with Token of an Earlier Gateway…');
    await type(/Let a Program In/, 'ci');
    await press('Enter');
    await dialog().getByText('Let “ci” in with the token of an earlier gateway?').waitFor();
    await workbench.shot('47-let-in');
    await dialog().getByRole('button', { name: 'Let It In' }).click();
    await waits.waitFor({ state: 'detached' });
    assert.equal(await answerTo(earlier, 'ci'), 'hello.ack');
  });

  it('asks for a tool that runs, with what waits for the user and in the palette, and sends what the user has seen', async () => {
    startProgram(
      'travel.mjs',
      `import { createProvider } from ${JSON.stringify(pathToFileURL(join(home(), 'sdk/provider.cjs')).href)};
      const properties = { name: { type: 'string', minLength: 2 }, seats: { type: 'array', items: { enum: ['aisle', 'window'] }, default: ['window'] } };
      createProvider('travel', {
        tools: [{ name: 'travel_book', description: 'Books a seat', parameters: { type: 'object' } }],
        onToolCall: ({ ask }) => ask({ message: 'Who travels?', requestedSchema: { type: 'object', properties, required: ['name'] } }),
      });`,
    );
    await row(/^travel_book, Books a seat/).waitFor();
    await workbench.run('Tapline: Run a Tool…');
    await type(/Run a Tool/, 'travel_book');
    await press('Enter');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'With {}' }).waitFor();
    await press('Enter');
    const question = toast('The tool “travel_book” of “travel” asks you in the session');
    await question.getByRole('button', { name: 'Decline', exact: true }).waitFor();
    const waiting = workbench.page.locator('.statusbar-item', { hasText: '1 thing needs you' });
    await waiting.waitFor();
    await workbench.shot('46-question');
    await workbench.run('Tapline: Answer a Tool’s Question…');
    await dialog().getByText('It says "Who travels?"').waitFor();
    await workbench.shot('46-question-dialog');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    await waiting.click();
    await dialog().getByRole('button', { name: 'Answer…', exact: true }).click();
    await type(/travel_book.*\(1\/2\)/, 'A');
    await press('Enter');
    await workbench.page.getByText('Enter at least 2 characters.').waitFor();
    await type(/travel_book.*\(1\/2\)/, 'Ada');
    await press('Enter');
    await workbench.page.locator('.quick-input-title', { hasText: /travel_book.*\(2\/2\)/ }).waitFor();
    await workbench.shot('46-question-choices');
    await press('Enter');
    await dialog()
      .getByText(/"name": "Ada"\s+"seats": "window"/)
      .waitFor();
    await workbench.shot('46-question-confirm');
    await dialog().getByRole('button', { name: 'Send', exact: true }).click();
    await workbench.page.locator('.tab', { hasText: 'Result of travel_book.json' }).waitFor();
    await workbench.page.locator('.view-lines', { hasText: '"name": "Ada"' }).waitFor();
    await waiting.waitFor({ state: 'detached' });
  });
});
