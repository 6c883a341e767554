/** Hosts of today in the workbench: our own one over 1.0.0, and a small fake one of 0.9.0 for what the demo agent cannot do. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SessionState } from '../../src/ahp/channels/session/state.ts';
import type { ToolCallState } from '../../src/ahp/channels/shapes/toolCall.ts';
import { AgentHostClient, whenLive } from '../../src/ahp/index.ts';
import { channelChat, channelSession, channelSummary, FakeChannelHost } from '../fakes/fakeChannelHost.ts';
import { type FakeHostServer, serveFakeHost } from '../fakes/fakeHostServer.ts';
import { type ChannelsOnly, startChannelsOnly } from '../support/channelsOnly.ts';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { takeTapline } from '../support/sharedTapline.ts';
import { type StartedTapline, Workbench } from '../support/startedTapline.ts';
import { TerminalProvider } from '../support/terminalProvider.ts';
import { until } from '../support/until.ts';

const SESSION = 'copilotcli:/5';
const MAIN = 'ahp-chat://main/1';
const SIDE = 'ahp-chat://side/1';
const OWN = 'demo:/today';

describe('hosts of AHP 1.0, in the workbench', () => {
  let tapline: StartedTapline;
  let workbench: Workbench;
  let host: HostProcess;
  let today: ChannelsOnly;
  let other: AgentHostClient;
  let fake: FakeChannelHost;
  let fakeServer: FakeHostServer;
  let provider: TerminalProvider;
  const data = mkdtempSync(join(tmpdir(), 'tapline-channel-host-'));

  before(async () => {
    fake = new FakeChannelHost('0.9.0');
    fake.put(SESSION, twoChats());
    fake.put(MAIN, {
      ...channelChat(MAIN),
      turns: [{ id: 'm', message: said('Look around'), responseParts: [words('All quiet.')], state: 'complete' }],
    });
    fake.put(SIDE, {
      ...channelChat(SIDE),
      activeTurn: { id: 's', message: said('Clean up'), responseParts: [{ kind: 'toolCall', toolCall: asks }] },
    });
    fake.summaries = [{ ...channelSummary(SESSION, 'Two chats'), provider: 'copilotcli' }] as never;
    [tapline, host, fakeServer, provider] = await Promise.all([
      takeTapline(),
      startHostProcess(['--data', data]),
      serveFakeHost(fake),
      TerminalProvider.listen(),
    ]);
    today = await startChannelsOnly(host);
    other = await AgentHostClient.connect({ url: today.url });
    assert.deepEqual(other.dialect, { name: 'channels', version: '1.0.0' });
    workbench = await Workbench.open(tapline);
    await workbench.openTapline();
    await workbench.addHost(today.url, 'today');
    await workbench.addHost(fakeServer.url, 'september');
  });
  after(async () => {
    await provider?.stop();
    await workbench?.close();
    other?.close();
    await today?.close();
    await fakeServer?.close();
    await tapline?.stop();
    await host?.stop();
    rmSync(data, { recursive: true });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await workbench.shot(`failed-channels-${this.currentTest.title.replace(/\W+/g, '-')}`);
  });

  const said = (text: string) => ({ text, origin: { kind: 'user' as const } });
  const words = (content: string) => ({ kind: 'markdown' as const, id: `m ${content}`, content });
  const asks: ToolCallState = {
    ...{ toolCallId: 'c', toolName: 'bash', displayName: 'Run command', invocationMessage: 'Run it', toolInput: 'rm -rf build' },
    ...{ intention: 'To start afresh', status: 'pending-confirmation' },
  };
  const ticketsAuth = { reason: 'required' as const, resource: { resource: 'https://mcp.example/tickets' } };
  function twoChats(): SessionState {
    const summary = (resource: string, title: string, status: number) => ({ resource, title, status, modifiedAt: '2026-11-23T09:00:00Z' });
    return {
      ...channelSession(MAIN, 'Two chats'),
      chats: [summary(MAIN, 'Main', 1), { ...summary(SIDE, 'Aside', 24), origin: { kind: 'sideChat', chat: MAIN, turnId: 'm' } }],
      customizations: [
        {
          type: 'plugin',
          id: 'p',
          uri: 'file:///p',
          name: 'Ticket helper',
          children: [{ type: 'skill', id: 'k', uri: 'file:///p/k.md', name: 'Triage' }],
        },
        { type: 'mcpServer', id: 's', uri: 'file:///mcp.json', name: 'Tickets', state: { kind: 'authRequired', ...ticketsAuth } },
      ],
      inputNeeded: [{ kind: 'toolConfirmation', id: 'n', chat: SIDE, turnId: 's', toolCall: asks as never }],
    };
  }
  const item = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
  const card = () => workbench.session.locator('.waiting-card');
  const composer = () => workbench.session.getByRole('textbox', { name: 'Message' });
  async function send(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press('Enter');
  }
  const file = (name: string) => join(tapline.workspace, name);

  it('have their sessions listed, and show the chat of one', async () => {
    await other.command('createSession', {
      ...{ channel: OWN, provider: 'demo', workingDirectories: [pathToFileURL(tapline.workspace).href] },
    });
    const chat = other.chat((await whenLive(other.session(OWN))).defaultChat!);
    await whenLive(chat);
    assert.equal((await chat.send('help').settled).kind, 'confirmed');
    await item(/^help, /).click();
    await workbench.session.getByText('I am the demo agent').waitFor();
    await workbench.session.locator('.header', { hasText: 'today · Demo agent' }).waitFor();
    await workbench.shot('40-channel-session');
  });

  it('run what the user sends, once it is approved', async () => {
    await send('run echo yes > made-today');
    await card().getByText('echo yes > made-today').first().waitFor();
    assert.equal(existsSync(file('made-today')), false);
    await workbench.shot('41-channel-approval');
    await card().getByRole('button', { name: 'Run once' }).click();
    await card().waitFor({ state: 'detached' });
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    assert.equal(readFileSync(file('made-today'), 'utf8'), 'yes\n');
  });

  it('ask questions in their place, which stay there with the answers', async () => {
    await send('ask');
    await workbench.press(card().getByRole('button', { name: 'Decline' }));
    await card().waitFor({ state: 'detached' });
    await workbench.session.locator('.answered-question', { hasText: 'declined' }).waitFor();
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
  });

  it('have a running command typed into', async () => {
    await send('run read name; echo "hello $name" > greeting');
    await card().getByRole('button', { name: 'Run once' }).click();
    await workbench.session.getByRole('button', { name: 'Type into it' }).click();
    await workbench.page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
    await workbench.page.keyboard.type('today\n');
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    assert.equal(readFileSync(file('greeting'), 'utf8'), 'hello today\n');
  });

  it('call a tool of a program in the terminal, after its approval', async () => {
    await workbench.run('Terminal: Create New Terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm-screen').waitFor();
    await workbench.page.keyboard.type(`${provider.command}\n`);
    await provider.until(() => provider.started, 'the start of the provider');
    const session = other.session(OWN);
    const isLent = () => session.state?.activeClients.some(({ tools }) => tools.some(({ name }) => name === 'look_up')) === true;
    await until('the tool in the session', (listener) => session.onDidChange(listener), isLent);
    session.dispose();
    await send('client look_up {"animal":"cat"}');
    await card().getByText('look_up').first().waitFor();
    assert.equal(provider.calls.length, 0, 'nothing is called before the approval');
    await card().locator('vscode-button').first().click();
    const call = await provider.call(1);
    assert.deepEqual(call.args, { animal: 'cat' });
    provider.end(call, 'a small predator');
    await workbench.session
      .locator('.transcript')
      .filter({ hasText: /succeeded and returned.*a small predator/s })
      .waitFor();
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
  });

  it('show what a subagent does in a chat of its own', async () => {
    await send('subagent');
    await workbench.session.locator('.subagent-row').waitFor();
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    await workbench.session.locator('.subagent-row').last().getByRole('button', { name: /Open/ }).click();
    await workbench.session.locator('.chats [role=tab][aria-selected=true]').waitFor();
    await workbench.shot('42-channel-subagent');
    await workbench.session.locator('.chats [role=tab]').first().click();
    await workbench.session.getByText('run echo yes > made-today').first().waitFor();
  });

  it('fork a chat, and talk in both', async () => {
    const tabs = workbench.session.locator('.chats [role=tab]');
    const turn = workbench.session.locator('.turn').first();
    await turn.hover();
    await turn.getByRole('button', { name: 'Fork from here' }).first().click();
    const fork = tabs.filter({ hasText: '(fork)' });
    await fork.waitFor();
    await workbench.session.locator('.chats [role=tab][aria-selected=true]', { hasText: '(fork)' }).waitFor();
    assert.equal(await tabs.count(), 2);
    const session = await whenLive(other.session(OWN));
    const uri = session.chats.find(({ origin }) => origin?.kind === 'fork')?.resource ?? '';
    const forked = (await whenLive(other.chat(uri))).turns.length;
    assert.ok(forked > 0 && forked < (await whenLive(other.chat(session.defaultChat!))).turns.length, `${forked} turns`);
    await send('help');
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    await until(
      'the turn of the fork',
      (listener) => other.chat(uri).onDidChange(listener),
      () => other.chat(uri).state?.turns.length === forked + 1,
    );
    await workbench.shot('42-channel-fork');
    await tabs.first().click();
    await workbench.session.locator('.subagent-row').first().waitFor();
  });

  it('go on after the connection was lost in mid-turn', async () => {
    await send('stream');
    await workbench.session.locator('.state', { hasText: 'Working' }).waitFor();
    today.cut();
    await item(/^Agent host today, connected/).waitFor();
    await workbench.session.locator('.state', { hasText: 'Idle' }).waitFor();
    const shown = await workbench.session.locator('.turn').last().innerText();
    await other.listSessions();
    const fresh = await AgentHostClient.connect({ url: today.url });
    try {
      const { defaultChat } = await whenLive(fresh.session(OWN));
      const { turns } = await whenLive(fresh.chat(defaultChat!));
      const parts = turns.at(-1)?.responseParts ?? [];
      const last = parts.flatMap((part) => (part.kind === 'markdown' ? [part.content] : [])).join('');
      assert.ok(shown.includes(last.trim().split(/\s+/).slice(-3).join(' ')), 'all that the host has is shown');
    } finally {
      fresh.close();
    }
  });

  it('have their sessions renamed, archived and deleted', async () => {
    const uri = 'demo:/listed';
    await other.command('createSession', { channel: uri, provider: 'demo', workingDirectories: [pathToFileURL(tapline.workspace).href] });
    const session = other.session(uri);
    assert.equal((await other.chat((await whenLive(session)).defaultChat!).send('help me').settled).kind, 'confirmed');
    await item(/^help me, /).click();
    await workbench.session.locator('.header', { hasText: 'help me' }).waitFor();
    await workbench.run('Tapline: Rename Session…');
    const input = workbench.page.locator('.quick-input-widget input');
    await input.fill('Another name');
    await input.press('Enter');
    await item(/^Another name, /).waitFor();
    assert.equal(session.state?.title, 'Another name');
    await workbench.run('Tapline: Archive Session');
    await item(/^Another name, /).waitFor({ state: 'detached' });
    await workbench.run('Tapline: Delete Session…');
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
    await until(
      'the end of the session',
      (listener) => session.onDidChange(listener),
      () => session.status.kind === 'removed',
    );
    session.dispose();
    await other.listSessions();
    assert.equal(other.sessions.summary(uri), undefined);
  });

  it('show the chats of a session as tabs, and take an answer in the one that waits', async () => {
    await item(/^Two chats, /).click();
    const tab = (name: string) => workbench.session.getByRole('tab', { name });
    await tab('Aside').getByText('needs you').waitFor();
    await workbench.session.getByText('All quiet.').waitFor();
    assert.equal(await card().count(), 0);
    await tab('Main').focus();
    await workbench.page.keyboard.press('ArrowRight');
    await card().getByText('rm -rf build').first().waitFor();
    await workbench.shot('43-channel-chats');
    await card().getByRole('button', { name: 'Deny' }).first().click();
    await card().waitFor({ state: 'detached' });
    const [dispatched] = fake.paramsOf('dispatchAction').slice(-1) as { channel: string; action: { type: string; approved: boolean } }[];
    assert.deepEqual([dispatched?.channel, dispatched?.action.type, dispatched?.action.approved], [SIDE, 'chat/toolCallConfirmed', false]);
  });

  it('show in Needs You what waits in a chat that is not shown, and open it there', async () => {
    const tab = (name: string) => workbench.session.getByRole('tab', { name });
    const needsYou = workbench.page.locator('.pane-header', { hasText: 'Needs You' });
    fake.act(SESSION, { type: 'session/inputNeededRemoved', id: 'n' });
    // What the program of the terminal wants beside its tools waits for an answer, too.
    await workbench.inbox.getByRole('button', { name: 'Not now' }).click();
    await workbench.session.getByRole('textbox', { name: 'Message' }).click();
    await needsYou.waitFor({ state: 'hidden' });
    const toolCall = { ...asks, toolCallId: 'd', toolInput: 'rm -rf cache' };
    const { turnId, toolCallId, toolName, displayName, invocationMessage, toolInput } = { turnId: 's', ...toolCall };
    fake.tell('root/sessionSummaryChanged', { session: SESSION, changes: { status: 24 } });
    fake.act(SIDE, { type: 'chat/toolCallStart', turnId, toolCallId, toolName, displayName });
    fake.act(SIDE, { type: 'chat/toolCallReady', turnId, toolCallId, invocationMessage, toolInput });
    const request = { kind: 'toolConfirmation' as const, id: 'n2', chat: SIDE, turnId, toolCall: toolCall as never };
    fake.act(SESSION, { type: 'session/inputNeededSet', request });
    await card().getByText('rm -rf cache').first().waitFor();
    assert.ok(!(await needsYou.isVisible()), 'it is on screen');
    await tab('Main').click();
    await workbench.session.getByText('All quiet.').waitFor();
    await workbench.inbox.getByText('rm -rf cache').first().waitFor();
    await workbench.shot('44-other-chat-waits');
    await workbench.inbox.getByRole('button', { name: 'Open' }).click();
    await workbench.session.locator('.waiting-card:focus', { hasText: 'rm -rf cache' }).waitFor();
    assert.equal(await tab('Aside').getAttribute('aria-selected'), 'true');
  });

  it('have their customizations switched for a scope, and say which servers need a sign-in', async () => {
    const { page } = workbench;
    const note = workbench.session.locator('.note', { hasText: 'The MCP server “Tickets” needs you to sign in.' });
    await note.getByRole('button', { name: 'Show' }).click();
    const row = (name: string) => page.locator('.quick-input-list .monaco-list-row', { hasText: name });
    await row('Triage').getByText('skill · in Ticket helper').waitFor();
    await row('Tickets').getByText('MCP server · needs a sign-in').waitFor();
    await workbench.shot('46-customizations');
    await row('Ticket helper').first().click();
    await row('Turn Off Everywhere').click();
    await row('Ticket helper').getByText('plugin · off everywhere · 1 part').waitFor();
    const [dispatched] = fake.paramsOf('dispatchAction').slice(-1) as { channel: string; action: object }[];
    const off = { type: 'session/customizationToggled', id: 'p', enablement: [{ kind: 'global', enabled: false }] };
    assert.deepEqual([dispatched?.channel, dispatched?.action], [SESSION, off]);
    // What the host changes meanwhile is shown at once.
    fake.act(SESSION, { type: 'session/mcpServerStateChanged', id: 's', state: { kind: 'ready' } });
    await row('Tickets').getByText('MCP server · ready').waitFor();
    await page.keyboard.press('Escape');
    await note.waitFor({ state: 'detached' });
  });
});
