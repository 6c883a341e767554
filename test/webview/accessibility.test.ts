import assert from 'node:assert/strict';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { cardName } from '../../src/views/session/waiting/waiting.ts';
import { composer, focusedId, open, useSessionPage, view, violations } from './currentPage.ts';
import { active, richSession, root, toolCall, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('The session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  it('can be used with the keyboard alone', async () => {
    await view.show(active([toolCall(waitingCall('c'))]), { root });
    await view.send({ type: 'focus', target: 'needsYou' });
    for (let focus = await view.next('focus'); focus.place !== 'card';) focus = await view.next('focus');
    const reached = new Set<string>();
    for (let step = 0; step < 12; step++) {
      await view.page.keyboard.press('Tab');
      reached.add(
        await view.page.evaluate(() => {
          const element = document.activeElement;
          return (
            element?.getAttribute('aria-label') ??
            element?.shadowRoot?.activeElement?.getAttribute('aria-label') ??
            element?.textContent ??
            ''
          );
        }),
      );
    }
    for (const name of ['Approve', 'Deny', 'More ways to deny', 'Message', 'Model', 'Stop'])
      assert.ok(reached.has(name), `${name} in ${[...reached].join(', ')}`);
    await view.send({ type: 'focus', target: 'needsYou' });
    await view.send({ type: 'command', command: 'deny' });
    assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, false);
  });

  it('focuses what needs the user of a session that is still loading', async () => {
    const session = active([toolCall(waitingCall('c'))]);
    await view.send(
      { type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer' } },
      { type: 'connection', connection: { kind: 'connected' } },
      { type: 'focus', target: 'needsYou' },
    );
    await view.settle();
    await view.send({ type: 'snapshot', uri, confirmed: session, pending: [], status: { kind: 'live' } });
    await view.page.locator('.waiting-card:focus').waitFor();
  });

  it('focuses what needs the user of a session that comes in the same moment', async () => {
    await view.send(
      { type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer' } },
      { type: 'connection', connection: { kind: 'connected' } },
      { type: 'snapshot', uri, confirmed: active([toolCall(waitingCall('c'))]), pending: [], status: { kind: 'live' } },
      { type: 'focus', target: 'needsYou' },
    );
    await view.page.locator('.waiting-card:focus').waitFor();
  });

  it('marks only the main button of a card, where a theme has another border for the others', async () => {
    await view.show(active([toolCall(waitingCall('c'))]));
    const borderOf = (name: string) =>
      view.page
        .getByRole('button', { name, exact: true })
        .and(view.page.locator('vscode-button'))
        .evaluate((element) => getComputedStyle(element.shadowRoot?.querySelector('.base') ?? element).borderTopColor);
    await view.page.addStyleTag({ content: ':root { --vscode-button-border: #0069cc; --vscode-button-secondaryBorder: #eaeaea; }' });
    const borders = { approve: await borderOf('Approve'), deny: await borderOf('Deny'), more: await borderOf('More ways to deny') };
    assert.deepEqual(borders, { approve: 'rgb(0, 105, 204)', deny: 'rgb(234, 234, 234)', more: 'rgb(234, 234, 234)' });
  });

  it('focuses the card that was asked for and no other one', async () => {
    const calls = ['c', 'd'].map((id) => waitingCall(id));
    await view.show(active(calls.map(toolCall)));
    const names = calls.map((call) => cardName({ kind: 'call', turnId: 't', call }));
    await composer().focus();
    await view.send({ type: 'focus', target: 'needsYou', card: { chat: uri, name: names[1]! } });
    assert.equal(await view.page.locator('.waiting-card:focus').getAttribute('data-card'), names[1]);
    for (const gone of [
      { chat: uri, name: 'gone' },
      { chat: `${uri}/subagent/gone`, name: names[0]! },
    ]) {
      await view.page.locator('.waiting-card').first().focus();
      await view.send({ type: 'focus', target: 'needsYou', card: gone });
      assert.equal(await focusedId(), 'composer');
    }
  });

  it('tells screen readers what needs the user and what ended, not the stream', async () => {
    await view.show(active([{ kind: 'markdown', id: 'p', content: 'x' }]));
    const live = view.page.locator('[aria-live=polite]');
    await view.actions({ type: 'session/delta', session: uri, turnId: 't', partId: 'p', content: 'a secret' });
    assert.equal(await live.innerText(), '');
    await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: toolCall(waitingCall('c')) });
    await live.getByText('Needs you: Run in terminal').waitFor({ state: 'attached' });
    const hidden = waitingCall('d', { confirmationTitle: `Run \u202ethis?${' '.repeat(400)}.` });
    await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: toolCall(hidden) });
    await live.getByText(/^Needs you: Run U\+202Ethis\?\s*…$/).waitFor({ state: 'attached' });
    await view.actions({ type: 'session/turnComplete', session: uri, turnId: 't' });
    await live.getByText('Finished').waitFor({ state: 'attached' });
  });

  it('tells screen readers of each thing once, also after a reload or another session', async () => {
    const said = () => view.page.locator('[aria-live=polite]').textContent();
    const session = (...ids: string[]) => active(ids.map((id) => toolCall(waitingCall(id, { confirmationTitle: `Do ${id}` }))));
    await view.show(session('a', 'b'));
    assert.equal(await said(), 'Needs you: Do a, and 1 other thing');
    await view.show({ ...session('z'), summary: { ...session().summary, resource: `${uri}-other` } });
    assert.equal(await said(), 'Needs you: Do z');
    await view.show(session('a', 'b'));
    assert.equal(await said(), '');
    await view.page.reload();
    await view.next('ready');
    await view.show(session('a', 'b', 'c'));
    assert.equal(await said(), 'Needs you: Do c');
    // A turn later, the host uses the same id for another call.
    const later = session('a');
    await view.show({ ...later, activeTurn: { ...later.activeTurn!, id: 't2' } });
    assert.equal(await said(), 'Needs you: Do a');
  });

  it('tells screen readers no more that something needs the user once it does not', async () => {
    await view.show(active([]));
    const said = () => view.page.locator('[aria-live=polite]').textContent();
    const ask = (id: string, confirmationTitle: string) =>
      view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: toolCall(waitingCall(id, { confirmationTitle })) });
    const answer = (toolCallId: string) =>
      view.actions({ type: 'session/toolCallConfirmed', session: uri, turnId: 't', toolCallId, approved: true, confirmed: 'user-action' });
    await ask('a', 'First');
    await ask('b', 'Second');
    assert.equal(await said(), 'Needs you: Second');
    await answer('b');
    assert.equal(await said(), '', 'the first was said before');
    await answer('a');
    assert.equal(await said(), '');
    await ask('c', 'Third');
    assert.equal(await said(), 'Needs you: Third');
    // It runs, and asks for something else.
    await answer('c');
    const again = { toolCallId: 'c', invocationMessage: '', confirmationTitle: 'Fourth' };
    await view.actions({ type: 'session/toolCallReady', session: uri, turnId: 't', ...again });
    assert.equal(await said(), 'Needs you: Fourth');
    await view.actions({ type: 'session/turnComplete', session: uri, turnId: 't' });
    assert.equal(await said(), 'Finished');
  });

  describe('passes axe', () => {
    // A sidebar, an editor, and something in between.
    const widths: Record<ThemeName, number> = { dark: 300, light: 900, highContrast: 420 };
    const states: Record<string, SessionState> = {
      rich: richSession(),
      waiting: active([toolCall(waitingCall('c', { editable: true }))], { queuedMessages: [{ id: 'q', userMessage: { text: 'Next' } }] }),
      questions: active([], {
        inputRequests: [
          {
            id: 'i',
            message: 'Setting up',
            questions: [
              { kind: 'text', id: 'a', message: 'Name', required: true },
              { kind: 'boolean', id: 'b', message: 'Start?' },
              { kind: 'single-select', id: 'c', message: 'Which?', options: [{ id: 'x', label: 'X' }], allowFreeformInput: true },
            ],
          },
        ],
      }),
    };
    for (const theme of Object.keys(themes) as ThemeName[]) {
      for (const [name, state] of Object.entries(states)) {
        it(`${name}, ${theme}`, async () => {
          await view.close();
          await open({ theme, width: widths[theme] });
          await view.show(state, { root });
          if (name === 'rich') for (const fold of await view.page.locator('.tool-call summary').all()) await fold.click();
          await view.settle();
          await view.screenshot(`${name}-${theme}`);
          assert.deepEqual(await violations(), []);
        });
      }
    }
  });
});
