/** The session webview without a session: a message can be typed at once, and sending it begins one. */
import assert from 'node:assert/strict';
import type { SessionConfigState } from '../../src/ahp/channels/shapes/config.ts';
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
  const none: SessionConfigState = { schema: { type: 'object', properties: {} }, values: {} };
  const settings = (values: Record<string, unknown> = {}): SessionConfigState => ({
    schema: {
      type: 'object',
      properties: {
        mode: { type: 'string', title: 'Mode', enum: ['ask', 'plan'], enumLabels: ['Ask', 'Plan'], default: 'ask' },
        branch: { type: 'string', title: 'Branch', enumDynamic: true, default: 'main' },
        turns: { type: 'number', title: 'Turns', description: 'How often it may go on.' },
        ticket: { type: 'string', title: 'Ticket', description: 'What the work is for.' },
        drafts: { type: 'boolean', title: 'Drafts only' },
      },
    },
    values: { mode: 'ask', branch: 'main', ...values },
  });
  type Request = Extract<(typeof view.posted)[number], { type: 'request' }>;
  const asked = async <M extends Request['method']>(method: M): Promise<Extract<Request, { method: M }>> => {
    const message = await view.next('request');
    assert.equal(message.method, method);
    return message as Extract<Request, { method: M }>;
  };
  const reply = (id: number, result: unknown) => view.send({ type: 'response', id, result });
  const fail = (id: number, error: string) => view.send({ type: 'response', id, error });
  /** The host says which settings there are. */
  const resolves = async (config = none) => {
    const { id, params } = await asked('resolveStart');
    await reply(id, config);
    return params;
  };
  /** The same with a branch, of which the page asks for the values. */
  const resolvesAll = async (config = settings()) => {
    const params = await resolves(config);
    const { id } = await asked('completeStart');
    await reply(id, [
      { value: 'main', label: 'main' },
      { value: 'fix', label: 'fix', description: '2 days ago' },
    ]);
    return params;
  };
  const started = async () => {
    const { type: _, ...message } = await view.next('startSession');
    return message;
  };
  const picker = (name: string) => view.page.getByRole('combobox', { name, exact: true });
  const button = () => view.page.getByRole('button', { name: 'Start the session' });

  it('begins one with the agent and the folder that are chosen', async () => {
    await show();
    await resolves();
    assert.equal(await button().isDisabled(), true);
    await composer().fill('Fix the login');
    await picker('Folder').selectOption('api');
    await resolves();
    await composer().press('Enter');
    assert.deepEqual(await started(), {
      hostId: 'embedded',
      provider: 'copilot',
      workingDirectory: 'file:///home/ada/api',
      config: {},
      draft: { text: 'Fix the login', attachments: [] },
    });
    await view.page.getByText('Starting the session…').waitFor();
  });

  it('lets a folder of the other host be chosen where none is known, and then sends', async () => {
    await show();
    await resolves();
    await picker('Agent').selectOption('Coder · build-box');
    assert.equal(await picker('Folder').locator('option', { hasText: 'web-app' }).count(), 0, 'this host does not have our files');
    await composer().fill('Go');
    await button().click();
    const { id, params } = await asked('chooseStartFolder');
    assert.deepEqual(params, { hostId: 'box', provider: 'coder' });
    await reply(id, undefined);
    await view.page.getByText('Nothing was sent, because no folder was chosen.').waitFor();
    await button().click();
    await reply((await asked('chooseStartFolder')).id, { uri: 'file:///srv/app', label: '/srv/app' });
    assert.equal((await resolves()).workingDirectory, 'file:///srv/app');
    const { hostId, provider, workingDirectory } = await started();
    assert.deepEqual([hostId, provider, workingDirectory], ['box', 'coder', 'file:///srv/app']);
  });

  it('takes any other folder from the drop-down', async () => {
    await show();
    await resolves();
    await picker('Folder').selectOption('Other folder…');
    await reply((await asked('chooseStartFolder')).id, { uri: 'file:///elsewhere', label: '/elsewhere' });
    assert.equal((await resolves()).workingDirectory, 'file:///elsewhere');
    assert.equal(await picker('Folder').inputValue(), 'file:///elsewhere');
  });

  const models = [
    { id: 'a', label: 'Model A', facts: ['128K tokens'] },
    {
      id: 'b',
      label: 'Model B',
      facts: [],
      configSchema: {
        type: 'object' as const,
        properties: { effort: { type: 'string' as const, title: 'Effort', enum: ['low', 'high'] } },
      },
    },
  ];
  const withModels = { ...own, models, choosesFirst: true as const };

  it('sends with the model and the settings that the drop-downs say, and asks nothing in between', async () => {
    await show({ agents: [withModels, box], chosen: withModels });
    await resolvesAll();
    assert.equal(await picker('Model').inputValue(), 'a');
    await picker('Model').selectOption('b');
    await picker('Effort').selectOption('high');
    await picker('Mode').selectOption('Plan');
    assert.deepEqual((await resolvesAll(settings({ mode: 'plan' }))).config, { mode: 'plan', branch: 'main' });
    await picker('Branch').selectOption('fix');
    await resolvesAll(settings({ mode: 'plan', branch: 'fix' }));
    await composer().fill('Go');
    await composer().press('Enter');
    const { model, config } = await started();
    assert.deepEqual(
      [model, config],
      [
        { id: 'b', config: { effort: 'high' } },
        { mode: 'plan', branch: 'fix' },
      ],
    );
  });

  it('begins with the model that was chosen last', async () => {
    const agent = { ...withModels, model: { id: 'b', config: { effort: 'low' } } };
    await show({ agents: [agent], chosen: agent });
    await resolves();
    assert.deepEqual([await picker('Model').inputValue(), await picker('Effort').inputValue()], ['b', 'low']);
  });

  it('waits for the host that has not said yet what it takes, and drops what it says too late', async () => {
    await show();
    const early = await asked('resolveStart');
    await picker('Agent').selectOption('Coder · build-box');
    await picker('Agent').selectOption('Copilot · This computer');
    const late = await asked('resolveStart');
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Sent as soon as the host has said what it takes').waitFor();
    await reply(early.id, settings({ mode: 'plan' }));
    await view.settle();
    assert.equal(
      view.posted.some(({ type }) => type === 'startSession'),
      false,
      'that was the answer to an earlier question',
    );
    await reply(late.id, none);
    assert.deepEqual((await started()).config, {});
  });

  it('does not send while it waits once Escape was pressed', async () => {
    await show();
    const { id } = await asked('resolveStart');
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Escape cancels').waitFor();
    await composer().press('Escape');
    await view.page.getByText('Escape cancels').waitFor({ state: 'detached' });
    await reply(id, none);
    await view.settle();
    assert.equal(
      view.posted.some(({ type }) => type === 'startSession'),
      false,
    );
  });

  it('says why the host does not answer, and sends nothing until it does', async () => {
    await show();
    await fail((await asked('resolveStart')).id, 'build-box did not answer within 15 seconds.');
    await view.page.getByText('build-box did not answer').waitFor();
    await composer().fill('Go');
    await composer().press('Enter');
    await fail((await asked('resolveStart')).id, 'It did not answer again.');
    await view.page.getByText('It did not answer again').waitFor();
    assert.equal(
      view.posted.some(({ type }) => type === 'startSession'),
      false,
    );
    await view.page.getByRole('button', { name: 'Try Again' }).click();
    await resolves();
    await composer().press('Enter');
    await started();
  });

  it('shows what counts after a change that the host does not take', async () => {
    await show();
    await resolvesAll();
    await picker('Mode').selectOption('Plan');
    await fail((await asked('resolveStart')).id, 'There is no plan mode here.');
    await view.page.getByText('There is no plan mode here.').waitFor();
    assert.equal(await picker('Mode').inputValue(), 'ask');
  });

  it('goes to a setting without which nothing can be sent, and says so', async () => {
    await show();
    const config = settings();
    config.schema.required = ['ticket'];
    await resolvesAll(config);
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Nothing was sent yet. “Ticket”: A value is needed here.').waitFor();
    const ticket = view.page.getByRole('textbox', { name: /^Ticket/ });
    assert.equal(await ticket.evaluate((element) => element === document.activeElement), true);
    await ticket.fill('T-1');
    await composer().press('Enter');
    const config2 = settings({ ticket: 'T-1' });
    config2.schema.required = ['ticket'];
    assert.deepEqual((await resolves(config2)).config, { mode: 'ask', branch: 'main', ticket: 'T-1' });
    assert.equal((await started()).config?.ticket, 'T-1');
  });

  it('has all settings in a form, which Escape closes', async () => {
    await show();
    await resolvesAll();
    await view.page.getByRole('button', { name: 'More options' }).click();
    const form = view.page.getByRole('region', { name: 'Options of the new session' });
    await form.getByText('How often it may go on.').waitFor();
    await form.getByRole('textbox', { name: 'Turns' }).fill('many');
    await form.getByRole('textbox', { name: 'Turns' }).press('Tab');
    await form.getByText('Enter a number, such as 3 or 0.5.').waitFor();
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Nothing was sent yet. “Turns”').waitFor();
    await form.getByRole('textbox', { name: 'Turns' }).fill('5');
    await form.getByRole('checkbox', { name: 'Drafts only' }).focus();
    assert.deepEqual((await resolvesAll(settings({ turns: 5 }))).config?.turns, 5);
    await form.getByRole('checkbox', { name: 'Drafts only' }).check();
    assert.equal((await resolvesAll(settings({ turns: 5, drafts: true }))).config?.drafts, true);
    await form.getByRole('combobox', { name: 'Branch' }).focus();
    assert.equal((await asked('completeStart')).params.property, 'branch');
    await view.page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
    assert.equal(await composer().evaluate((element) => element === document.activeElement), true);
  });

  it('shows each switch that is not as the host has it by itself, which can be turned there', async () => {
    await show();
    await resolvesAll(settings({ drafts: true }));
    assert.equal(await picker('Drafts only').inputValue(), 'on');
    await view.page.locator('.picker-text', { hasText: 'Drafts only: On' }).waitFor();
    await picker('Drafts only').selectOption('Off');
    assert.equal((await resolvesAll(settings({ drafts: false }))).config?.drafts, false);
    await picker('Drafts only').waitFor({ state: 'detached' });
  });

  it('shows nothing of what a host sends as anything else than text', async () => {
    const evil = '<img src=x onerror=alert(1)>\u202e';
    await show();
    await resolves({
      schema: {
        type: 'object',
        properties: {
          constructor: { type: 'string', title: evil, description: evil, enum: [evil], required: [] },
          x: { type: 'later', title: '' } as never,
        },
      },
      values: { constructor: evil },
    } as never);
    await view.page.getByRole('button', { name: 'More options' }).click();
    assert.equal(await view.page.locator('img').count(), 0);
  });

  it('begins one once, and again after nothing has come of it, with the same words', async () => {
    await show();
    await resolves();
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

  const leave = () => view.show(active([markdown('Hello')]));
  const isSent = () => view.posted.some(({ type }) => type === 'startSession');

  it('keeps words that could not be sent yet, because no agent was there, while another session opens', async () => {
    await show({ agents: [], chosen: undefined as never, isConnecting: true });
    await composer().fill('Too early');
    await composer().press('Enter');
    await view.page.getByText('Nothing was sent yet. Connecting to the agent host…').waitFor();
    await leave();
    await show();
    assert.equal(await composer().inputValue(), 'Too early');
    assert.equal(isSent(), false);
  });

  it('asks for Enter again where the agent came after it', async () => {
    await show({ agents: [], chosen: undefined as never, isConnecting: true });
    await composer().fill('Go');
    await composer().press('Enter');
    await show();
    await resolves();
    await view.page.getByText('Nothing was sent yet. Look at the agent and the folder, and press Enter again.').waitFor();
    assert.equal(isSent(), false);
    await composer().press('Enter');
    assert.equal((await started()).draft.text, 'Go');
  });

  it('keeps words that wait for the host while another session opens', async () => {
    await show();
    const { id } = await asked('resolveStart');
    await composer().fill('Waits');
    await composer().press('Enter');
    await view.page.getByText('Sent as soon as').waitFor();
    await leave();
    await reply(id, none);
    await show();
    await resolves();
    assert.equal(await composer().inputValue(), 'Waits');
    assert.equal(isSent(), false);
  });

  it('gives words back whose session failed while another one was looked at, before those typed since', async () => {
    await show();
    await resolves();
    await composer().fill('First');
    await composer().press('Enter');
    await view.next('startSession');
    assert.equal(await composer().inputValue(), '');
    await composer().fill('Second');
    await leave();
    await show();
    await resolves();
    await view.page.getByText('Starting the session…').waitFor();
    assert.equal(await composer().inputValue(), 'Second');
    await leave();
    await view.send({ type: 'startEnded' });
    await show();
    assert.equal(await composer().inputValue(), 'First\n\nSecond');
  });

  it('keeps what was typed while a session began, without the words that the session has', async () => {
    await show();
    await resolves();
    await composer().fill('First');
    await composer().press('Enter');
    await view.next('startSession');
    await composer().fill('Second');
    await leave();
    await view.send({ type: 'startEnded', session: { hostId: 'embedded', uri: 'demo:/1' } });
    await show();
    assert.equal(await composer().inputValue(), 'Second');
    await view.page.getByText('Starting the session…').waitFor({ state: 'detached' });
  });

  it('does not send words that wait to an agent that has taken the place of the chosen one', async () => {
    await show();
    await asked('resolveStart');
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Sent as soon as').waitFor();
    await show({ agents: [box], chosen: { ...box, folders: [{ uri: 'file:///srv', label: '/srv' }] } });
    await resolves();
    await view.page.getByText('Nothing was sent, because the agent has changed. Look at it and press Enter again.').waitFor();
    assert.equal(isSent(), false);
    await composer().press('Enter');
    assert.equal((await started()).hostId, 'box');
  });

  it('does not send words that wait to another folder', async () => {
    await show();
    await asked('resolveStart');
    await composer().fill('Go');
    await composer().press('Enter');
    await view.page.getByText('Sent as soon as').waitFor();
    await show({ folders: offer.folders.slice(1) });
    await resolves();
    await view.page.getByText('Nothing was sent, because the folder has changed. Look at it and press Enter again.').waitFor();
    assert.equal(isSent(), false);
  });

  it('begins one with a loop once it was shown what that does', async () => {
    await show();
    await resolves();
    await composer().fill('/loop 1m $ ./x.sh');
    await composer().press('Enter');
    await view.page.getByText('Nothing was started yet').waitFor();
    assert.equal(isSent(), false);
    assert.equal(await composer().inputValue(), '/loop 1m $ ./x.sh');
    await view.page.getByRole('group', { name: 'What Enter does' }).getByText('Enter runs this command every 1 min.').waitFor();
    await view.page.locator('.loop-hint[data-read="true"]').waitFor();
    await composer().press('Enter');
    const { emitter } = await started();
    assert.deepEqual([emitter?.command, emitter?.runInterval], ['./x.sh', '1m']);
  });

  it('begins none with a loop that is wrong, and says why', async () => {
    await show();
    await resolves();
    await composer().fill('/loop soon npm test');
    await view.page.getByText('“soon” is not how often').waitFor();
    await composer().press('Enter');
    await view.page.getByRole('status').getByText('“soon” is not how often').waitFor();
    assert.equal(isSent(), false);
  });

  it('sends the words of a new session as soon as it is there', async () => {
    await show();
    await resolves();
    await composer().fill('Go');
    await composer().press('Enter');
    await view.next('startSession');
    await view.show(active([], { activeTurn: undefined }), { drafts: { 'demo:/1': { text: 'Go', attachments: [] } } } as never);
    await composer().fill('Go');
    await view.send({ type: 'command', command: 'sendDraft', model: { id: 'b' } });
    const { message } = (await view.nextAction('chat/turnStarted')) as { message: { text: string; model?: object } };
    assert.deepEqual([message.text, message.model], ['Go', { id: 'b' }]);
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
      await open({ theme, width: theme === 'light' ? 640 : 300, height: 600 });
      await show({ agents: [withModels, box], chosen: withModels });
      const config = settings();
      config.schema.required = ['ticket'];
      await resolvesAll(config);
      await composer().fill('Fix the login');
      await view.screenshot(`new-session-${theme}`);
      assert.deepEqual(await violations(), []);
      await composer().press('Enter');
      await view.page.getByText('Nothing was sent yet').waitFor();
      await view.screenshot(`new-session-form-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
