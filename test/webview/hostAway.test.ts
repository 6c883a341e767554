/** What a session shows while its host is away, and after the reconnect. */
import assert from 'node:assert/strict';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import type { SessionGesture } from '../../src/webviews/session/protocol.ts';
import { said } from '../fakes/models.ts';
import type { Unsettled } from './sessionPage.ts';
import { open, text, useSessionPage, view, violations } from './currentPage.ts';
import { active, completed, markdown, reasoning, root, session, toolCall, turn, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';

describe('While its host is away, a session', function () {
  this.timeout(60_000);
  useSessionPage();

  const ofCall = { turnId: 't', toolCallId: 'c' };
  const approve: SessionGesture = { type: 'chat/toolCallConfirmed', ...ofCall, approved: true, confirmed: 'user-action' };
  const deny: SessionGesture = { type: 'chat/toolCallConfirmed', ...ofCall, approved: false, reason: 'denied' };
  const held = (action: SessionGesture, clientSeq = 1): Unsettled => ({ clientSeq, action, held: true });
  const row = () => view.page.locator('.tool-call');
  const spinning = () => view.page.locator('.codicon-modifier-spin').count();
  const pendingIs = (...pending: Unsettled[]) => view.send({ type: 'actions', uri, actions: [], now: Date.now(), pending });

  /** Loses the connection for longer than a moment. */
  async function lose(): Promise<void> {
    await view.send(
      {
        type: 'connection',
        connection: {
          kind: 'reconnecting',
          message: 'This computer cannot be reached. Start the agent host there, or correct the address.',
          brief: 'Connection refused',
          retryIn: 4,
          action: { label: 'Try now', command: 'reconnectHost' },
        },
      },
      { type: 'status', uri, status: { kind: 'stale', since: Date.now() } },
    );
    await view.page.locator('.banner').waitFor();
    await view.settle();
  }
  const comeBack = (confirmed: SessionState, ...pending: Unsettled[]) =>
    view.send(
      { type: 'connection', connection: { kind: 'connected' } },
      { type: 'snapshot', uri, confirmed, pending, status: { kind: 'live' } },
    );
  const told = (action: SessionGesture, reason: string, outcome?: 'unknown') =>
    view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, clientSeq: 1, reason, action, ...(outcome && { outcome }) });

  for (const [name, action] of [
    ['approval', approve],
    ['denial', deny],
  ] as const) {
    it(`says of a given ${name} that it will be sent, not what it would lead to`, async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await lose();
      assert.equal(await view.page.locator('.waiting-card').count(), 1);
      await pendingIs(held(action));
      await row().getByText(`Your ${name} will be sent when the host is back.`).waitFor();
      assert.equal(await spinning(), 0);
      assert.doesNotMatch(await row().innerText(), /Running|denied|\d s/);
      assert.match(await row().innerText(), /rm -rf build/);
    });
  }

  it('says of an approval that was on its way that the host has not answered', async () => {
    await view.show(active([toolCall(waitingCall('c'))]), { pending: [{ clientSeq: 1, action: approve }] });
    await row().getByText('Sending your approval.').waitFor();
    await lose();
    await row().getByText('Your approval was sent. The host went away before it answered.').waitFor();
    assert.equal(await spinning(), 0);
  });

  it('tells on its return what became of an approval, at the call', async () => {
    const cancelled = completed('c');
    const { success: _, pastTenseMessage: __, ...rest } = cancelled;
    const after = session({
      turns: [turn('t', 'Go', [toolCall({ ...rest, status: 'cancelled', reason: 'skipped' } as never)], { state: 'cancelled' })],
    });
    for (const [reason, outcome] of [
      ['Not sent. The call was cancelled.', undefined],
      ['The connection was lost before the host replied. The call was cancelled.', 'unknown'],
    ] as const) {
      await view.show(active([toolCall(waitingCall('c'))]));
      await lose();
      await pendingIs(held(approve));
      await comeBack(after);
      await told(approve, reason, outcome);
      await row().getByRole('alert').getByText(`Your approval: ${reason}`).waitFor();
      assert.equal(await view.page.getByText(reason).count(), 1, 'once');
      assert.match(await row().innerText(), /^No result: /);
      await view.page.getByRole('button', { name: 'Dismiss' }).click();
    }
  });

  it('tells it above the composer where the call is not shown any more', async () => {
    await view.show(active([toolCall(waitingCall('c'))]));
    await told(approve, 'Not sent. The turn of the call has ended.');
    await view.actions({ type: 'session/turnComplete', session: uri, turnId: 't' });
    await comeBack(session());
    await view.page.getByRole('alert').getByText('Not sent. The turn of the call has ended.').waitFor();
  });

  it('turns nothing, and says of nothing that it works', async () => {
    const running = { ...completed('r'), status: 'running' as const };
    const { success: _, pastTenseMessage: __, ...call } = running;
    const states: SessionState[] = [
      active([]),
      active([reasoning('Hm')]),
      active([markdown('x'), toolCall(call as never)]),
      active([], { lifecycle: 'creating' }),
    ];
    for (const state of states) {
      await view.show(state);
      assert.notEqual(await spinning(), 0, 'it does while the host is there');
      await lose();
      assert.equal(await spinning(), 0);
      const said = await view.page.locator('main').innerText();
      assert.doesNotMatch(said, /Working|Thinking|Creating/);
      assert.match(said, /Not connected/);
    }
  });

  it('does not say that a turn is stopped before it is', async () => {
    await view.show(active([markdown('x')]));
    await lose();
    const stop: SessionGesture = { type: 'chat/turnCancelled', turnId: 't', duration: 0 };
    await pendingIs(held(stop));
    assert.match(await text(), /Will be stopped when the host is back/);
    assert.doesNotMatch(await text(), /Stopped/);
  });

  it('lists what it holds back that can be seen nowhere else', async () => {
    await view.show(active([], { inputRequests: [{ id: 'q', message: 'Which?' }] }));
    await lose();
    await pendingIs(
      held({ type: 'chat/inputCompleted', requestId: 'q', response: 'accept' }),
      held({ type: 'session/titleChanged', title: 'New' }, 2),
    );
    await view.page.getByRole('status').getByText('Will be sent when the host is back: your answers, the new title.').waitFor();
  });

  it('says of its queue that it waits for the host', async () => {
    await view.show(active([markdown('x')], { queuedMessages: [{ id: 'q', userMessage: { text: 'Then the tests' } }] }));
    assert.equal(await view.page.locator('.queue').getByText('waiting for the host').count(), 0);
    await lose();
    await pendingIs(held({ type: 'chat/pendingMessageSet', kind: 'queued', id: 'r', message: said('And the docs') }));
    await view.page.locator('.queue').getByText('waiting for the host').first().waitFor();
    const unsent = view.page.locator('.queue-item', { hasText: 'And the docs' });
    assert.match(await unsent.innerText(), /not sent/);
  });

  describe('says on its return of a turn that it', () => {
    const after = (state: 'cancelled' | 'complete') => session({ turns: [turn('t', 'Go', [markdown('x')], { state })] });

    it('ended with the host', async () => {
      await view.show(active([markdown('x')]));
      await lose();
      await comeBack(after('cancelled'));
      assert.match(await text(), /Stopped while the host was away/);
    });

    const stop: SessionGesture = { type: 'chat/turnCancelled', turnId: 't', duration: 0 };
    for (const [title, pending, how] of [
      ['ended with the host, also where the user wanted to stop it then', held(stop), /Stopped while the host was away/],
      ['was stopped, when the user had asked for it before', { clientSeq: 1, action: stop }, /Stopped\n/],
    ] as const) {
      it(title, async () => {
        await view.show(active([markdown('x')]));
        await lose();
        await pendingIs(pending);
        await comeBack(after('cancelled'));
        assert.match(await text(), how);
      });
    }

    it('was stopped, when it was by the user or later', async () => {
      await view.show(active([markdown('x')]));
      await lose();
      await comeBack(active([markdown('x')]));
      await view.actions({ type: 'session/turnCancelled', session: uri, turnId: 't' });
      assert.match(await text(), /Stopped/);
      assert.doesNotMatch(await text(), /while the host was away/);
    });

    it('is gone, when the host has forgotten it', async () => {
      await view.show(active([markdown('x')]));
      await lose();
      await comeBack(session());
      await view.page.getByText('The turn that was running when the connection was lost is no longer in the session.').waitFor();
      await view.actions({ type: 'session/turnStarted', session: uri, turnId: 'u', userMessage: { text: 'Again' } });
      assert.equal(await view.page.getByText('no longer in the session').count(), 0);
    });

    it('is complete, when it went on', async () => {
      await view.show(active([markdown('x')]));
      await lose();
      await comeBack(after('complete'));
      assert.doesNotMatch(await text(), /Stopped|away|not in the session/);
    });
  });

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`looks as it should, ${theme}`, async () => {
      await view.close();
      await open({ theme, width: 300 });
      const parts = [markdown('The redirect trusts what it is given. I will fix that.'), toolCall(waitingCall('c'))];
      const queuedMessages = [
        { id: 'q', userMessage: { text: 'Then run the tests' } },
        { id: 'r', userMessage: { text: 'And write the docs' } },
      ];
      await view.show(active(parts, { queuedMessages }), { root });
      await lose();
      await view.screenshot(`away-waiting-${theme}`);
      assert.deepEqual(await violations(), []);
      const write: SessionGesture = {
        type: 'chat/pendingMessageSet',
        kind: 'queued',
        id: 's',
        message: said('Last'),
      };
      await pendingIs(held(approve), held(write, 2));
      await view.settle();
      await view.screenshot(`away-approved-${theme}`);
      assert.deepEqual(await violations(), []);
      const {
        success: _,
        pastTenseMessage: __,
        ...rest
      } = completed('c', { toolInput: 'rm -rf build', invocationMessage: 'Run rm -rf build' });
      const call = toolCall({ ...rest, status: 'cancelled', reason: 'skipped' } as never);
      await comeBack(session({ turns: [turn('t', 'Go', [markdown('x'), call], { state: 'cancelled' })] }));
      await told(approve, 'Not sent. The call was cancelled.');
      await view.settle();
      await view.screenshot(`away-returned-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
