import assert from 'node:assert/strict';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { active, richSession, root, toolCall, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('The session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  it('can be used with the keyboard alone', async () => {
    await view.show(active([toolCall(waitingCall('c'))]), { root });
    await view.send({ type: 'focus', target: 'needsYou' });
    let context = await view.next('context');
    while (!context.callFocused) context = await view.next('context');
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
    for (const name of ['Approve', 'Deny', 'Deny with a reason…', 'Message', 'Model', 'Stop'])
      assert.ok(reached.has(name), `${name} in ${[...reached].join(', ')}`);
    await view.send({ type: 'focus', target: 'needsYou' });
    await view.send({ type: 'command', command: 'deny' });
    assert.equal((await view.nextAction('session/toolCallConfirmed')).approved, false);
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
    assert.equal(await said(), 'Needs you: First');
    await answer('a');
    assert.equal(await said(), '');
    await ask('c', 'Third');
    assert.equal(await said(), 'Needs you: Third');
    await view.actions({ type: 'session/turnComplete', session: uri, turnId: 't' });
    assert.equal(await said(), 'Finished');
  });

  describe('passes axe', () => {
    // A side bar, an editor, and between.
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
