/** The session webview without a session: a message can be typed at once, and sending it begins one. */
import assert from 'node:assert/strict';
import type { StartOffer } from '../../src/views/newSession/startOffer.ts';
import { composer, open, useSessionPage, view, violations } from './currentPage.ts';
import { active, markdown } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('The session webview without a session', function () {
  this.timeout(60_000);
  useSessionPage();

  const own = { hostId: 'embedded', provider: 'copilot', label: 'Copilot · This computer' };
  const box = { hostId: 'box', provider: 'coder', label: 'Coder · build-box' };
  const offer: StartOffer = {
    agents: [own, box],
    chosen: own,
    folders: [
      { uri: 'file:///home/ada/web-app', label: 'web-app' },
      { uri: 'file:///home/ada/api', label: 'api' },
    ],
    localHosts: ['embedded'],
    isConnecting: false,
  };
  const show = (changes: Partial<StartOffer> = {}) => view.send({ type: 'show', start: { ...offer, ...changes } });
  const picker = (name: string) => view.page.getByRole('combobox', { name });
  const button = () => view.page.getByRole('button', { name: 'Start the session' });

  it('begins one with the agent and the folder that are chosen', async () => {
    await show();
    assert.equal(await button().isDisabled(), true);
    await composer().fill('Fix the login');
    await picker('Folder').selectOption('api');
    await composer().press('Enter');
    const { type: _, ...started } = await view.next('startSession');
    assert.deepEqual(started, {
      hostId: 'embedded',
      provider: 'copilot',
      workingDirectory: 'file:///home/ada/api',
      draft: { text: 'Fix the login', attachments: [] },
    });
    await view.page.getByText('Starting the session…').waitFor();
  });

  it('asks for no folder of this computer where another host is to work', async () => {
    await show();
    await picker('Agent').selectOption('Coder · build-box');
    assert.equal(await picker('Folder').count(), 0);
    await composer().fill('Go');
    await button().click();
    const started = await view.next('startSession');
    assert.deepEqual([started.hostId, started.provider, started.workingDirectory], ['box', 'coder', undefined]);
  });

  it('begins one once, and again after nothing has come of it, with the same words', async () => {
    await show();
    await composer().fill('Go');
    await composer().press('Enter');
    await composer().press('Enter');
    await view.next('startSession');
    await view.send({ type: 'startEnded' });
    assert.equal(await composer().inputValue(), 'Go');
    await composer().press('Enter');
    await view.next('startSession');
    assert.equal(view.posted.filter(({ type }) => type === 'startSession').length, 2);
  });

  it('keeps what is typed while hosts come and go and another session is looked at', async () => {
    await show({ agents: [], chosen: undefined as never, isConnecting: true });
    await view.page.getByText('Connecting to the agent host…').waitFor();
    await composer().fill('Not lost');
    await composer().press('Enter');
    assert.equal(view.posted.filter(({ type }) => type === 'startSession').length, 0, 'there is no agent yet');
    await show();
    assert.equal(await composer().inputValue(), 'Not lost');
    await view.show(active([markdown('Hello')]));
    await show();
    assert.equal(await composer().inputValue(), 'Not lost');
  });

  it('sends the words of a new session as soon as it is there', async () => {
    await show();
    await composer().fill('Go');
    await composer().press('Enter');
    await view.next('startSession');
    await view.show(active([], { activeTurn: undefined }), { drafts: { 'demo:/1': { text: 'Go', attachments: [] } } } as never);
    await composer().fill('Go');
    await view.send({ type: 'command', command: 'sendDraft' });
    assert.equal((await view.nextAction('chat/turnStarted')).message.text, 'Go');
    await show();
    assert.equal(await composer().inputValue(), '', 'the session has taken the words with it');
  });

  it('says what to do without a host', async () => {
    await show({ agents: [], chosen: undefined as never });
    await view.page.getByText('No agent host is connected. Connect one in the list of sessions.').waitFor();
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`and looks as it should, ${theme}`, async () => {
      await view.close();
      await open({ theme, width: theme === 'light' ? 640 : 300, height: 500 });
      await show();
      await composer().fill('Fix the login');
      await view.screenshot(`new-session-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
