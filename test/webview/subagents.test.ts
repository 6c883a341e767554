/** What waits in subagents of the shown session, and what waits out of view. */
import assert from 'node:assert/strict';
import type { ResponsePart, SessionState } from '../../src/ahp/v1/session.ts';
import { open, readThrough, useSessionPage, view, violations } from './currentPage.ts';
import { active, completed, markdown, root, toolCall, uri, waitingCall } from './sessions.ts';
import type { ThemeName } from './themes.ts';

describe('What waits in subagents and out of view', function () {
  this.timeout(60_000);
  useSessionPage();

  const subagent = `${uri}/subagent/c`;
  const starts = (resource: string, id = 'c'): ResponsePart =>
    toolCall({
      status: 'running',
      toolCallId: id,
      toolName: 'task',
      displayName: 'Task',
      invocationMessage: 'Asking a reviewer',
      confirmed: 'not-needed',
      content: [{ type: 'subagent', resource, title: 'Review the redirect', agentName: 'reviewer' }],
    });
  const sessionOf = (resource: string, parts: ResponsePart[], fields: Partial<SessionState> = {}): SessionState => {
    const session = active(parts, fields);
    return { ...session, summary: { ...session.summary, resource, title: 'Review' } };
  };
  const tell = (resource: string, state: SessionState) =>
    view.send({ type: 'snapshot', uri: resource, confirmed: state, pending: [], status: { kind: 'live' } });
  const card = () => view.page.locator('.waiting-card');
  const bar = () => view.page.locator('.out-of-sight');
  const long = markdown(Array.from({ length: 80 }, (_, line) => `Line ${line}`).join('\n\n'));

  it('answers a call of a subagent in its place, in the session of the subagent', async () => {
    await view.show(active([starts(subagent), markdown('Meanwhile')]), { root });
    assert.deepEqual(await view.next('watch'), { type: 'watch', uri: subagent, kind: 'chat' });
    await tell(subagent, sessionOf(subagent, [toolCall(waitingCall('x'))]));
    await card().getByText('Run in terminal').waitFor();
    await view.page.locator('.header .state', { hasText: 'Needs you' }).waitFor();
    assert.equal(view.posted.findLast((message) => message.type === 'context')?.needsYou, 1);
    await view.page.locator('[aria-live=polite]').getByText('Needs you: Run in terminal').waitFor({ state: 'attached' });
    await readThrough();
    await card().locator('vscode-button', { hasText: 'Approve' }).click();
    const { uri: where, action } = await view.nextDispatch('chat/toolCallConfirmed');
    assert.deepEqual([where, action.toolCallId, action.approved], [subagent, 'x', true]);
    await tell(subagent, sessionOf(subagent, []));
    await card().waitFor({ state: 'detached' });
  });

  it('asks questions of a subagent, and of a subagent of it', async () => {
    const inner = `${subagent}/subagent/d`;
    await view.show(active([starts(subagent)]), { root });
    const questions = [{ kind: 'text' as const, id: 'name', message: 'Name of the branch' }];
    await tell(subagent, sessionOf(subagent, [starts(inner, 'd')]));
    await tell(inner, sessionOf(inner, [], { inputRequests: [{ id: 'i', message: 'A question', questions }] }));
    await view.page.getByRole('textbox', { name: 'Name of the branch' }).fill('fix/login');
    await card().locator('vscode-button', { hasText: 'Send answer' }).click();
    assert.equal((await view.nextDispatch('chat/inputCompleted')).uri, inner);
  });

  it('shows a refusal at the card of the session in which it was', async () => {
    await view.show(active([starts(subagent), toolCall(waitingCall('x'))]), { root });
    await tell(subagent, sessionOf(subagent, [toolCall(waitingCall('x', { confirmationTitle: 'Of the subagent' }))]));
    const action = { type: 'chat/toolCallResultConfirmed', turnId: 't', toolCallId: 'x', approved: false } as const;
    await view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, uri: subagent, clientSeq: 1, reason: 'Too late.', action });
    assert.equal(await view.page.getByText('Too late.').count(), 1);
    assert.equal(await card().filter({ hasText: 'Of the subagent' }).getByText('Too late.').count(), 1);
  });

  it('answers nothing of a session that only claims to be a subagent, nor of a provider that this window knows', async () => {
    const other = 'copilot:/another';
    const bridge = {
      clientId: 'me',
      rows: [],
      pairings: [],
      calls: [{ turnId: 't', callId: 'x', provider: 'ci', trust: 'local' as const, origin: undefined }],
    };
    await view.show(active([starts(other), starts(subagent, 'e')]), { root });
    await view.send({ type: 'bridge', uri, bridge: bridge as never });
    await tell(other, sessionOf(other, [toolCall(waitingCall('y'))]));
    await tell(subagent, sessionOf(subagent, [toolCall(waitingCall('x', { toolClientId: 'me' }))]));
    assert.equal(await card().count(), 1);
    await card().getByText('Run by a provider of this window that is not known now').waitFor();
  });

  it('says what waits out of view, and brings it there with the focus', async () => {
    await view.show(active([starts(subagent), long]), { root });
    await tell(subagent, sessionOf(subagent, [toolCall(waitingCall('x'))]));
    // The page follows the end until the card comes, and stays at the card.
    await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = box.scrollHeight));
    await bar().getByText('1 call waits above').waitFor();
    await view.screenshot('out-of-sight');
    await bar().getByRole('button', { name: 'Show what waits' }).click();
    await view.page.locator('.waiting-card:focus').waitFor();
    await bar().waitFor({ state: 'detached' });
  });

  it('says nothing while all that waits is in view', async () => {
    await view.show(active([toolCall(waitingCall('x', { toolInput: 'ls' }))]), { root });
    await card().waitFor();
    await view.settle();
    assert.equal(await bar().count(), 0);
    await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: long });
    await view.actions({ type: 'session/responsePart', session: uri, turnId: 't', part: toolCall(waitingCall('y')) });
    await bar().getByText('1 call waits below').waitFor();
  });

  for (const theme of ['dark', 'light', 'highContrast'] as ThemeName[]) {
    it(`looks right and passes axe, ${theme}`, async () => {
      await view.close();
      await open({ theme, width: theme === 'light' ? 280 : 420 });
      const read = toolCall(completed('r', { content: [{ type: 'text', text: 'x' }] }));
      await view.show(active([read, starts(subagent), markdown('Meanwhile I look at the tests.'), long]), { root });
      await tell(
        subagent,
        sessionOf(subagent, [
          toolCall(waitingCall('x', { toolInput: 'npm test' })),
          toolCall(waitingCall('y', { confirmationTitle: 'Run another' })),
        ]),
      );
      await card().first().waitFor();
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = box.scrollHeight));
      await bar().waitFor();
      await view.screenshot(`out-of-sight-${theme}`);
      await bar().getByRole('button').click();
      await view.screenshot(`subagent-${theme}`);
      assert.deepEqual(await violations(), []);
    });
  }
});
