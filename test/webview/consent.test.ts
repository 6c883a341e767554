/** What the agent may do without asking is shown as long as it may, with a way back. */
import assert from 'node:assert/strict';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import type { TerminalState } from '../../src/ahp/v1/terminal.ts';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { root, session, toolCall, turn, uri } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('The session webview, about consent', function () {
  this.timeout(60_000);
  useSessionPage();

  const config = (values: Record<string, unknown>): SessionState['config'] => ({
    schema: {
      type: 'object',
      properties: {
        approvals: {
          type: 'string',
          title: 'Approvals',
          enum: ['ask', 'all'],
          enumLabels: ['Ask', 'Do everything without asking'],
          default: 'ask',
          sessionMutable: true,
        },
        autoApproveReads: {
          type: 'boolean',
          title: 'Read without asking',
          description: 'In the working directory.',
          default: true,
          sessionMutable: true,
        },
      },
    },
    values,
  });
  const unasked = () => view.page.getByText('The agent acts without asking you: Do everything without asking.');
  const allowed = () => view.page.getByRole('list', { name: 'Allowed in this session' });

  it('says that the agent acts without asking, also when another client has said so, until it asks again', async () => {
    await view.show(session({ config: config({ approvals: 'ask' }) }));
    assert.equal(await unasked().count(), 0);
    await view.actions({ type: 'session/configChanged', session: uri, config: { approvals: 'all' } });
    await unasked().waitFor();
    await view.page.getByRole('button', { name: 'Ask me again' }).click();
    const action = await view.nextAction('session/configChanged');
    assert.deepEqual(action.config, { approvals: 'ask' });
    await unasked().waitFor();
    await view.actions(action);
    assert.equal(await unasked().count(), 0);
  });

  it('does not claim that the agent asks again before its host has said so', async () => {
    const state = session({ config: config({ approvals: 'all' }) });
    const action = { type: 'session/configChanged', config: { approvals: 'ask' } } as const;
    await view.show(state, { pending: [{ clientSeq: 1, action, held: true }] });
    await view.page.getByText('The agent still acts without asking you').waitFor();
    assert.equal(await unasked().count(), 0);
    await view.actions(action);
    assert.equal(await view.page.getByText('acts without asking you').count(), 0);
  });

  it('shows it in a recording too, with nothing to press', async () => {
    await view.show(session({ config: config({ approvals: 'all' }), _meta: { 'tapline.grants': [{ kind: 'command', text: 'ls' }] } }), {
      shown: { readOnly: 'This is a recording.' },
    });
    await unasked().waitFor();
    assert.equal(await view.page.getByRole('button', { name: 'Ask me again' }).count(), 0);
    await view.page.getByText('You have allowed 1 thing in this session').click();
    await allowed().getByText('ls').waitFor();
    assert.equal(await view.page.getByRole('button', { name: /Take back/ }).count(), 0);
  });

  it('switches reading without asking off and on', async () => {
    await view.show(session({ config: config({}) }));
    const settings = view.page.getByRole('combobox', { name: 'Settings of the session' });
    await settings.selectOption('Read without asking: on. Switch it off');
    const action = await view.nextAction('session/configChanged');
    assert.deepEqual(action.config, { autoApproveReads: false });
    assert.equal(await settings.getAttribute('title'), 'Read without asking: on', 'until the host confirms it');
    await view.actions(action);
    assert.equal(await settings.getAttribute('title'), 'Read without asking: off');
    await settings.selectOption('Read without asking: off. Switch it on');
    assert.deepEqual((await view.nextAction('session/configChanged')).config, { autoApproveReads: true });
  });

  it('lists what was allowed as text, and takes it back', async () => {
    const grants = [
      { kind: 'read', root: '/home/ada' },
      { kind: 'command', text: 'echo <b>\u202etxt' },
      { kind: 'everyCommand', turnId: 't' },
    ];
    await view.show(session({ _meta: { 'tapline.grants': [...grants, { kind: 'later', x: 1 }] } }));
    await view.page.getByText('You have allowed 3 things in this session').click();
    assert.equal(await allowed().getByRole('listitem').count(), 3);
    assert.equal(await allowed().locator('b').count(), 0);
    assert.match((await allowed().locator('pre').first().textContent()) ?? '', /echo <b>.*U\+202E.*txt/i);
    await view.page.getByRole('button', { name: 'Take back: Run this command' }).click();
    assert.deepEqual(await view.next('revokeGrants'), { type: 'revokeGrants', grants: [grants[1]] });
    await view.page.getByRole('button', { name: 'Take back all' }).click();
    assert.deepEqual(await view.next('revokeGrants'), { type: 'revokeGrants', grants: grants.toReversed() });
    await view.actions({ type: 'session/metaChanged', session: uri });
    assert.equal(await allowed().count(), 0);
  });

  it('does not draw more than a hundred of them', async () => {
    const grants = Array.from({ length: 400 }, (_, index) => ({ kind: 'command', text: `echo ${index}` }));
    await view.show(session({ _meta: { 'tapline.grants': grants } }));
    await view.page.getByText('You have allowed 400 things in this session').click();
    assert.equal(await allowed().getByRole('listitem').count(), 100);
    await view.page.getByText('300 older ones are not shown.').waitFor();
  });

  it('offers to type into a terminal while its command runs', async () => {
    const terminal = 'agenthost-terminal:/1';
    const state = {
      title: 'sh',
      content: [{ type: 'unclassified', value: 'name? ' }],
      claim: { kind: 'session', session: uri },
    } as TerminalState;
    const call = {
      toolCallId: 'c',
      toolName: 'run',
      displayName: 'Run',
      invocationMessage: 'Running',
      status: 'running',
      confirmed: 'user-action',
      content: [{ type: 'terminal', resource: terminal, title: 'sh' }],
    };
    const running = turn('a', 'Run', [toolCall(call as never)]);
    await view.show(session({ activeTurn: running as never }));
    await view.next('watch');
    await view.send({ type: 'snapshot', uri: terminal, confirmed: state, pending: [], status: { kind: 'live' } });
    await view.page.getByRole('button', { name: 'Type into it' }).click();
    assert.deepEqual(await view.next('openTerminal'), { type: 'openTerminal', uri: terminal });
    await view.send({ type: 'actions', uri: terminal, actions: [{ type: 'terminal/exited', terminal, exitCode: 0 }], now: 1 });
    await view.settle();
    assert.equal(await view.page.getByRole('button', { name: 'Type into it' }).count(), 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`looks as it should, ${theme}`, async () => {
      await view.close();
      await open({ theme, width: theme === 'light' ? 640 : 340, height: 600 });
      const grants = [
        { kind: 'everyCommand', turnId: 't' },
        { kind: 'command', text: 'npm test -- --grep "a long name of a test" && npm run lint' },
        { kind: 'write', root: '/home/ada/web-app' },
      ];
      await view.show(session({ config: config({ approvals: 'all' }), _meta: { 'tapline.grants': grants } }), { root });
      await view.page.getByText('You have allowed 3 things in this session').click();
      await view.settle();
      await view.screenshot(`consent-${theme}`);
      assert.deepEqual(await violations(), []);
    });
});
