/** VS Code's own chat as a client of the built-in agent host, over AHP 1.0. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, errors, type Page } from 'playwright-core';
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import { AgentHostClient } from '../../src/ahp/client/agentHostClient.ts';
import { connectNodeTransport } from '../../src/ahp/client/nodeTransport.ts';
import { whenLive } from '../../src/ahp/client/resources/whenLive.ts';
import { launchBrowser } from '../../tools/vscode-web/browser.mjs';
import { startServer, type VsCodeServer } from '../../tools/vscode-web/server.mjs';
import { openWorkbench } from '../../tools/vscode-web/workbench.mjs';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';
import { type HostProxy, startHostProxy } from '../support/hostProxy.ts';

const shots = join(import.meta.dirname, '../../artifacts/e2e');
const settings = {
  'chat.disableAIFeatures': false,
  'workbench.secondarySideBar.defaultVisibility': 'visible',
};

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

describe('VS Code’s own chat, with the built-in agent host', () => {
  let folder: string;
  let data: string;
  let host: HostProcess;
  let proxy: HostProxy;
  let server: VsCodeServer;
  let browser: Browser;
  let page: Page;
  let reader: AgentHostClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-vscode-chat-'));
    data = mkdtempSync(join(tmpdir(), 'tapline-vscode-chat-data-'));
    host = await startHostProcess(['--data', data]);
    proxy = await startHostProxy(() => host);
    server = await startServer({ agentHost: { port: Number(new URL(proxy.url).port), token: host.token } });
    browser = await launchBrowser();
    page = await openWorkbench(server, browser, { folder, settings });
    reader = await connectReader();
  });
  after(async () => {
    reader?.dispose();
    await browser?.close();
    await server?.stop();
    proxy?.close();
    await host?.stop();
    for (const path of [folder, data]) rmSync(path, { recursive: true, force: true });
  });
  afterEach(async function () {
    mkdirSync(shots, { recursive: true });
    const name = this.currentTest?.state === 'failed' ? 'failed-vscode-client' : 'vscode-client';
    await page.screenshot({ path: join(shots, `${name}.png`) });
  });

  const say = async (words: string) => {
    await page.locator('.interactive-input-editor .monaco-editor').first().click();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  };
  /** Of the chat of the session, as another client reads it. */
  const untilRead = async <T>(read: (chat: ChatState) => T | undefined): Promise<T> => {
    const [{ resource } = assert.fail('no session')] = await reader.listSessions();
    const { defaultChat } = await whenLive(reader.session(resource));
    const chat = reader.chat(defaultChat ?? '');
    await whenLive(chat);
    return new Promise((resolve) => {
      const look = () => {
        const found = chat.confirmed && read(chat.confirmed);
        if (found !== undefined) resolve(found);
      };
      chat.onDidChange(look);
      look();
    });
  };
  const turns = (count: number) => untilRead(({ turns: all }) => (all.length === count ? all : undefined));
  const isAtWork = ({ activeTurn }: ChatState) =>
    activeTurn?.responseParts.some((part) => part.kind === 'toolCall' && part.toolCall.status === 'running') || undefined;
  const connectReader = () =>
    AgentHostClient.connect({ url: host.url, token: host.token, transport: connectNodeTransport(), dialects: ['channels'] });
  const requests = () => page.locator('.interactive-request').count();

  it('runs a turn, whose command the user allows there', async () => {
    const agent = page.locator('.action-widget .monaco-list-row', { hasText: 'Demo agent' });
    // The list is as it was when it was opened: without the agents of the host until VS Code has connected.
    for (let opened = 0; opened < 30 && !(await agent.isVisible()); opened++) {
      await page.keyboard.press('Escape');
      await page.getByText('Local', { exact: true }).click();
      await agent.waitFor({ timeout: 2_000 }).catch(ignoreTimeout);
    }
    await agent.click();
    await page.getByText('Demo (', { exact: false }).first().waitFor();
    await say('run echo from-vscode');
    const card = page.getByRole('group', { name: 'Tool confirmation carousel' });
    await card.getByText('echo from-vscode').waitFor();
    assert.equal(await requests(), 1);
    await page
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    await page.getByText('Run this command?').waitFor({ state: 'detached' });

    const [turn] = await turns(1);
    assert.equal(turn?.state, 'complete');
    const [call] = turn.responseParts.flatMap((part) => (part.kind === 'toolCall' && 'toolCall' in part ? [part.toolCall] : []));
    assert.deepEqual([call?.status, call && 'confirmed' in call && call.confirmed], ['completed', 'user-action']);
    assert.equal(await requests(), 1);
  });

  it('denies a command, and lets a question be', async () => {
    await say('run echo never');
    const card = page.getByRole('group', { name: 'Tool confirmation carousel' });
    await card.getByText('echo never').waitFor();
    await card.getByRole('button', { name: /^Skip/ }).first().click();
    const [, denied] = await turns(2);
    assert.match(JSON.stringify(denied?.responseParts), /"status":"cancelled"/);

    await say('ask');
    await page.getByText('What is the name of the project?').first().waitFor();
    // Later the list may have scrolled it away, and then it is not drawn.
    assert.equal(await page.locator('.interactive-request').getByText('ask', { exact: true }).count(), 1);
    await page.keyboard.press('Escape');
    const [, , asked] = await turns(3);
    const question = asked?.responseParts.find((part) => part.kind === 'inputRequest');
    assert.ok(question?.kind === 'inputRequest' && 'response' in question && question.response === 'cancel');
  });

  const allow = async () => {
    await page
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
    await page.getByText('Run this command?').waitFor({ state: 'detached' });
  };
  const shows = (text: string) => page.locator('.interactive-response').getByText(text, { exact: false }).last().waitFor();

  /** `count`: the turns of the session with this one. */
  const runs = async (word: string, count: number) => {
    await say(`run echo ${word}`);
    await allow();
    await turns(count);
    await shows(word);
  };

  it('goes on in the middle of a turn when its connection breaks', async () => {
    const gate = join(folder, 'go');
    await say(`run until [ -e ${gate} ]; do sleep 0.1; done; echo after-the-cut`);
    await allow();
    // The window takes the question away before the host has the answer, which would be lost with the connection.
    await untilRead(isAtWork);
    proxy.isAway = true;
    proxy.cut();
    writeFileSync(gate, '');
    const [, , , cut] = await turns(4);
    assert.equal(cut?.state, 'complete');
    proxy.isAway = false;
    await shows('after-the-cut');
    await runs('after-the-return', 5);
  });

  it('goes on with a host that was killed', async () => {
    proxy.isAway = true;
    await host.stop('SIGKILL');
    reader.dispose();
    host = await startHostProcess(['--data', data]);
    reader = await connectReader();
    proxy.isAway = false;
    await runs('after-the-kill', 6);
  });

  // A minute was tried by hand: it is no other than what VS Code does between its attempts.
  it('goes on after an absence of several of its attempts', async () => {
    proxy.isAway = true;
    proxy.cut();
    await proxy.turnedAway(3);
    proxy.isAway = false;
    await runs('after-the-absence', 7);
  });

  it('starts another session in a window that was loaded again', async () => {
    await page.reload();
    await page.getByText('Demo agent').first().waitFor();
    await say('run echo after-the-reload');
    await allow();
    await shows('after-the-reload');
    assert.equal((await reader.listSessions()).length, 2);
  });
});
