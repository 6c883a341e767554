import assert from 'node:assert/strict';
import type { ErrorInfo } from '../../src/ahp/v1/common.ts';
import type { RootState } from '../../src/ahp/v1/root.ts';
import { composer, open, text, useSessionPage, view, violations } from './currentPage.ts';
import { markdown, root, rootWithout, session, turn, uri } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('What is wrong with a session', function () {
  this.timeout(60_000);
  useSessionPage();

  const failed = (error: ErrorInfo) =>
    session({ turns: [turn('t', 'Fix it', [markdown('Half of the answer')], { state: 'error', error })] });
  const button = (name: string) => view.page.getByRole('button', { name, exact: true });
  const buttons = () => view.page.locator('.error-row .remedies button').allInnerTexts();
  const models = (state: RootState) =>
    view.send({ type: 'snapshot', uri: 'agenthost:/root', confirmed: state, pending: [], status: { kind: 'live' } });

  it('a turn that needs an account: each way to one, then again', async () => {
    await view.show(failed({ errorType: 'authRequired', message: 'GitHub Copilot needs you to sign in' }), {
      root: rootWithout('models'),
      shown: { ownHost: true },
    });
    assert.deepEqual(await buttons(), ['Sign in to GitHub', 'Add a model…', 'Retry']);
    await button('Sign in to GitHub').first().click();
    assert.equal((await view.next('runCommand')).command, 'signInToGitHub');
    await button('Add a model…').first().click();
    assert.equal((await view.next('runCommand')).command, 'addModel');
    await button('Retry').click();
    assert.deepEqual((await view.nextAction('chat/turnStarted')).message, {
      text: 'Fix it',
      origin: { kind: 'user' },
      model: { id: 'gpt-5' },
    });
  });

  it('a turn on another host that needs an account: no keys of one’s own for it', async () => {
    await view.show(failed({ errorType: 'authRequired', message: 'Sign in' }), { root: rootWithout('models') });
    assert.deepEqual(await buttons(), ['Sign in to GitHub', 'Retry']);
  });

  it('a turn that the end of the host cut off: to go on, or again', async () => {
    await view.show(failed({ errorType: 'hostRestarted', message: 'The agent host ended while this turn was running.' }), { root });
    assert.deepEqual(await buttons(), ['Continue', 'Retry']);
    assert.equal(await view.page.locator('.error-row .codicon-debug-disconnect').count(), 1);
    await button('Continue').click();
    assert.match((await view.nextAction('chat/turnStarted')).message.text, /interrupted/);
  });

  it('that cannot be saved: why, and that nothing is taken until it can', async () => {
    const state = failed({ errorType: 'notSaved', message: 'The session cannot be saved (no space left on device).' });
    await view.show({ ...state, _meta: { 'tapline.notSaved': 'no space left on device' } }, { root });
    await view.page.getByRole('alert').getByText('This session cannot be saved: no space left on device.').waitFor();
    assert.deepEqual(await buttons(), []);
    await composer().fill('And then');
    await composer().press('Enter');
    assert.ok(await button('Send').isDisabled());
    assert.equal(await composer().inputValue(), 'And then');
    assert.ok(!view.posted.some((message) => message.type === 'dispatch'));
    await view.actions({ type: 'session/metaChanged', session: uri });
    assert.equal(await view.page.getByRole('alert').count(), 0);
    assert.deepEqual(await buttons(), ['Retry']);
    await composer().press('Enter');
    assert.equal((await view.nextAction('chat/turnStarted')).message.text, 'And then');
  });

  it('whose model is gone: said in the picker and beside it, until another one is chosen', async () => {
    const state = failed({ errorType: 'UserError', message: 'The model “gpt-5” is not offered any more.' });
    await view.show(state, { root });
    const picker = view.page.getByRole('combobox', { name: 'Model' });
    assert.equal(await picker.getAttribute('aria-invalid'), null);
    await models(rootWithout('gpt-5'));
    await view.page.getByRole('status').getByText('The model “gpt-5” is not offered any more.').waitFor();
    assert.deepEqual(await picker.locator('option').allInnerTexts(), ['gpt-5 · not offered any more', 'Claude Sonnet 4.5']);
    assert.equal(await picker.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await buttons(), ['Choose another model']);
    await button('Choose another model').last().click();
    assert.equal(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Model');
    await view.page.keyboard.press('Escape');
    await picker.selectOption('claude-sonnet-4.5');
    await view.actions(await view.nextAction('chat/draftChanged'));
    assert.deepEqual(await buttons(), ['Retry']);
    assert.equal(await view.page.getByText('not offered any more.', { exact: false }).count(), 1, 'only what the turn said is left');
  });

  it('that has no model at all: said, with the ways to one', async () => {
    await view.show(session(), { root: rootWithout('models'), shown: { ownHost: true } });
    await view.page.getByRole('status').getByText('Copilot CLI has no model to work with.').waitFor();
    await button('Add a model…').click();
    assert.equal((await view.next('runCommand')).command, 'addModel');
    await models(root);
    assert.equal(await view.page.getByText('has no model').count(), 0);
  });

  it('not what is over within a moment, as the list of models that the extension has yet to give', async () => {
    await view.show(session(), { root: rootWithout('models'), shown: { ownHost: true } });
    assert.equal(await view.page.getByText('has no model').count(), 0);
    await models(root);
    assert.equal((await text()).includes('has no model'), false);
  });

  it('tells the models apart by what the host says of them', async () => {
    const [agent] = root.agents;
    const effort = { type: 'string' as const, title: 'Reasoning effort', enum: ['low', 'high'], default: 'low' };
    const able = {
      id: 'gpt-5',
      provider: 'copilot',
      name: 'GPT-5',
      maxContextWindow: 128_000,
      supportsVision: true,
      configSchema: { type: 'object' as const, properties: { reasoningEffort: effort } },
    };
    await view.show(session(), {
      root: { agents: [{ ...agent, models: [able, { id: 'tiny', provider: 'copilot', name: 'Tiny' }] }] } as RootState,
    });
    const picker = view.page.getByRole('combobox', { name: 'Model' });
    assert.deepEqual(await picker.locator('option').allInnerTexts(), ['GPT-5 · 128K tokens · sees images · reasoning effort', 'Tiny']);
    assert.equal(await picker.getAttribute('title'), 'Model: GPT-5 · 128K tokens · sees images · reasoning effort');
    assert.deepEqual(await view.page.locator('.picker-text').allInnerTexts(), ['GPT-5', 'Reasoning effort: low']);
    await view.screenshot('models');
    await view.page.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('high');
    assert.deepEqual((await view.nextAction('chat/draftChanged')).draft?.model, { id: 'gpt-5', config: { reasoningEffort: 'high' } });
  });

  describe('that the host does not have any more', () => {
    const working = () =>
      session({
        activeTurn: { id: 't', userMessage: { text: 'Fix the login' }, responseParts: [markdown('I look.')] },
        queuedMessages: [{ id: 'q', userMessage: { text: 'Then the logout' } }],
      });
    const remove = (canReopen: boolean) => view.send({ type: 'status', uri, status: { kind: 'removed', canReopen } });
    const banner = () => view.page.locator('.banner');

    it('works no more, and says so; what is typed is kept, and goes along to a new session', async () => {
      await view.show(working(), { root, shown: { hostLabel: 'build-box' } });
      await view.page.locator('.state-running').waitFor();
      await remove(false);
      await banner().getByText('This session was removed from build-box. It is shown as it was last known.').waitFor();
      assert.equal(await view.page.locator('.state-label').innerText(), 'Removed');
      assert.equal(await view.page.locator('.codicon-loading').count(), 0);
      assert.match(await text(), /The session was removed while this turn was running\./);
      assert.deepEqual(await buttons(), []);
      assert.equal(await button('Open again').count(), 0);
      assert.equal(await button('Stop').count(), 0);
      await composer().fill('And write a test');
      await composer().press('Enter');
      assert.ok(await button('Send').isDisabled());
      await button('New session with the same words').click();
      const { draft } = await view.next('newSessionWith');
      assert.equal(draft.text, 'Fix the login\n\nThen the logout\n\nAnd write a test');
      assert.equal(await composer().inputValue(), 'And write a test');
      assert.ok(!view.posted.some((message) => message.type === 'dispatch'));
    });

    it('is opened again where the host lists it still', async () => {
      await view.show(session({ turns: [turn('t', 'Hello', [markdown('Hi')])] }), { root });
      await remove(true);
      await button('New session').waitFor();
      await button('Open again').click();
      await view.next('reopen');
      await view.show(session({ turns: [turn('t', 'Hello', [markdown('Hi again')])] }), { root });
      assert.equal(await banner().count(), 0);
      await composer().fill('Go on');
      await composer().press('Enter');
      assert.equal((await view.nextAction('chat/turnStarted')).message.text, 'Go on');
    });

    it('asks for no words where nothing was said', async () => {
      await view.show(session(), { root });
      await view.page.getByText('Write what you want done below.').waitFor();
      await remove(false);
      await view.page.getByText('Nothing was said.', { exact: true }).waitFor();
    });

    it('and of which nothing is known', async () => {
      await view.send(
        { type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'build-box' } },
        { type: 'connection', connection: { kind: 'connected' } },
        { type: 'snapshot', uri, pending: [], status: { kind: 'removed', canReopen: false } },
      );
      await banner().getByText('This session was removed from build-box.', { exact: true }).waitFor();
      assert.equal(await view.page.getByText('Loading').count(), 0);
    });

    it('loads nothing while the host is not there', async () => {
      await view.send(
        { type: 'show', session: { hostId: 'b', uri, hostLabel: 'build-box' } },
        { type: 'connection', connection: { kind: 'connecting' } },
        { type: 'snapshot', uri, pending: [], status: { kind: 'loading' } },
      );
      await view.page.getByText('Loading the session').waitFor();
      await view.send({ type: 'connection', connection: { kind: 'failed', message: 'The token is wrong.' } });
      await banner().getByText('The token is wrong.').waitFor();
      assert.equal(await view.page.getByText('Loading the session').count(), 0);
    });

    it('says first that there is no connection', async () => {
      await view.show(working(), { root });
      await remove(true);
      await view.send({ type: 'connection', connection: { kind: 'failed', message: 'Nobody answers.' } });
      await banner().getByText('Nobody answers.').waitFor();
      assert.equal(await button('Open again').count(), 0);
    });
  });

  describe('that the host shows to those only who are signed in', () => {
    const refused = { kind: 'failed', message: 'Authentication is required to use Copilot', needsSignIn: true } as const;

    it('offers to sign in, and says it once', async () => {
      await view.send(
        { type: 'show', session: { hostId: 'b', uri, hostLabel: 'build-box' } },
        { type: 'connection', connection: { kind: 'connected' } },
        { type: 'snapshot', uri, pending: [], status: refused },
      );
      await view.page.getByText('Sign in to see this session.').waitFor();
      await view.settle();
      assert.equal(await view.page.getByText(/sign in|authentication/i).count(), 2, 'the sentence and its button');
      assert.equal(await view.page.locator('.banner').count(), 0);
      assert.equal(await button('Reconnect').count(), 0);
      await button('Sign in to GitHub').click();
      assert.equal((await view.next('runCommand')).command, 'signInToGitHub');
    });

    it('also where it was shown before', async () => {
      await view.show(session(), { root });
      await view.send({ type: 'status', uri, status: refused });
      await view.page.locator('.banner').getByText('Authentication is required to use Copilot').waitFor();
      await button('Sign in to GitHub').click();
      assert.equal((await view.next('runCommand')).command, 'signInToGitHub');
    });
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`looks as it should, ${theme}`, async () => {
      await view.close();
      await open({ theme });
      const interrupted = turn('t0', 'Fix it', [markdown('I begin.')], {
        state: 'error',
        error: {
          errorType: 'hostRestarted',
          message: 'The agent host ended while this turn was running. What had arrived until then is kept; send a message to go on.',
        },
      });
      await view.show(session({ turns: [interrupted] }), { root });
      await view.screenshot(`interrupted-${theme}`);
      await view.show(
        {
          ...failed({ errorType: 'UserError', message: 'The model “gpt-5” is not offered any more. Choose one of: Claude Sonnet 4.5.' }),
          _meta: { 'tapline.notSaved': 'no space left on device' },
        },
        { root: rootWithout('gpt-5') },
      );
      await view.page.getByRole('status').getByText('not offered').waitFor();
      await view.screenshot(`problems-${theme}`);
      assert.deepEqual(await violations(), []);
      await view.show(failed({ errorType: 'authRequired', message: 'GitHub Copilot needs you to sign in' }), {
        root: rootWithout('models'),
        shown: { ownHost: true },
      });
      await view.page.getByRole('status').getByText('has no model').waitFor();
      await view.screenshot(`no-model-${theme}`);
      await view.show(session({ activeTurn: { id: 't', userMessage: { text: 'Fix it' }, responseParts: [markdown('I begin.')] } }), {
        root,
        shown: { hostLabel: 'build-box' },
      });
      await view.send({ type: 'status', uri, status: { kind: 'removed', canReopen: true } });
      await view.page.locator('.banner').getByText('was removed').waitFor();
      await view.screenshot(`removed-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
