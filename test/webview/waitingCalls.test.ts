import assert from 'node:assert/strict';
import { composer, focusedId, open, text, useSessionPage, view } from './currentPage.ts';
import { active, completed, toolCall, uri, waitingCall } from './sessions.ts';

describe('The session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  describe('lets the user answer a call', () => {
    const options = [
      { id: 'once', label: 'Allow once', kind: 'approve' as const, group: 1 },
      { id: 'always', label: 'Always allow', kind: 'approve' as const, group: 1 },
      { id: 'no', label: 'Reject', kind: 'deny' as const, group: 2 },
      { id: 'odd', label: 'Beam up', kind: 'transport' as never },
    ];

    it('with the host’s options in their order', async () => {
      await view.show(active([toolCall(waitingCall('c', { options }))]));
      const buttons = view.page.locator('.waiting-card vscode-button');
      assert.deepEqual(await buttons.allInnerTexts(), ['Allow once', 'Always allow', 'Reject']);
      assert.equal(await view.page.locator('.waiting-card [role=separator]').count(), 1);
      assert.ok((await text()).includes('rm -rf build && npm run build'), 'the command in full');
      await view.page.getByRole('button', { name: 'Always allow' }).click();
      assert.deepEqual(await view.nextAction('session/toolCallConfirmed'), {
        type: 'session/toolCallConfirmed',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        selectedOptionId: 'always',
        approved: true,
        confirmed: 'user-action',
      });
    });

    it('in the narrowest sidebar, with every word of the options', async () => {
      await view.close();
      await open({ width: 280 });
      const long = { id: 'all', label: 'Run commands in this session without asking again', kind: 'approve' as const, group: 1 };
      await view.show(active([toolCall(waitingCall('c', { options: [...options, long], editable: true }))]));
      const outside = await view.page.evaluate(() => {
        const card = document.querySelector('.waiting-card')?.getBoundingClientRect();
        return [...document.querySelectorAll('.waiting-card *')]
          .filter((element) => element.getBoundingClientRect().right > (card?.right ?? 0))
          .map((element) => element.textContent);
      });
      assert.deepEqual(outside, []);
      const clipped = await view.page
        .locator('.waiting-card vscode-button')
        .evaluateAll((buttons) => buttons.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
      assert.equal(clipped, 0);
    });

    it('with another input', async () => {
      await view.show(active([toolCall(waitingCall('c', { editable: true }))]));
      await view.page.getByRole('button', { name: 'Edit input' }).click();
      await view.page.getByRole('textbox', { name: 'Input of the tool' }).fill('rm -rf build/tmp');
      await view.send({ type: 'command', command: 'approve' });
      const action = await view.nextAction('session/toolCallConfirmed');
      assert.equal(action.approved && action.editedToolInput, 'rm -rf build/tmp');
    });

    it('with a reason and a suggestion, and the focus goes back to where it was', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await composer().focus();
      await view.page.getByRole('button', { name: 'Deny…' }).click();
      await view.page.getByRole('textbox', { name: 'Reason' }).fill('Too much');
      await view.page.getByRole('textbox', { name: /instead/ }).fill('Remove build/tmp only');
      await view.page.getByRole('button', { name: 'Deny', exact: true }).focus();
      await view.page.keyboard.press('Enter');
      const action = await view.nextAction('session/toolCallConfirmed');
      assert.ok(!action.approved);
      assert.equal(action.reasonMessage, 'Too much');
      assert.deepEqual(action.userSuggestion, { text: 'Remove build/tmp only' });
      await view.actions(action);
      assert.equal(await view.page.locator('.waiting-card').count(), 0);
      assert.equal(await focusedId(), 'composer');
      assert.match(await text(), /denied/);
    });

    it('after seeing the change it would make', async () => {
      const side = (content: string) => ({ uri: 'file:///home/ada/web-app/src/a.ts', content: { uri: content } });
      const edit = { before: side('session-db://before'), after: side('session-db://after') };
      const toolInput = '{"path":"src/a.ts","new_str":"2"}';
      await view.show(active([toolCall(waitingCall('c', { edits: { items: [edit] }, toolInput, _meta: { toolKind: 'edit' } }))]));
      for (let count = 0; count < 2; count++) {
        const request = await view.next('request');
        assert.equal(request.method, 'readResource');
        const data = JSON.stringify(request.params).includes('before') ? 'one\ntwo\n' : 'one\n2\n';
        await view.send({ type: 'response', id: request.id, result: { encoding: 'utf-8', data } });
      }
      assert.equal(await view.page.locator('.diff-removed').innerText(), '− two\n');
      assert.ok(!(await text()).includes('new_str'), 'the input is folded beside the change');
      await view.page.getByText('Input of the tool').click();
      assert.ok((await text()).includes('"new_str": "2"'));
      assert.equal(await view.page.locator('.diff-added').innerText(), '+ 2\n');
      await view.page.getByRole('button', { name: 'Open diff of a.ts' }).click();
      assert.deepEqual((await view.next('openDiff')).edit, edit);
    });

    it('again when the host refused the answer, and says why', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).click();
      const action = await view.nextAction('session/toolCallConfirmed');
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'Another client owns it', action });
      await view.page.locator('.waiting-card').getByText('Another client owns it').waitFor();
    });

    it('whether the model gets a result', async () => {
      await view.show(
        active([toolCall({ ...completed('c'), status: 'pending-result-confirmation', content: [{ type: 'text', text: 'secret' }] })]),
      );
      assert.match(await text(), /secret/);
      await view.page.getByRole('button', { name: 'Withhold' }).click();
      assert.deepEqual(await view.nextAction('session/toolCallResultConfirmed'), {
        type: 'session/toolCallResultConfirmed',
        session: uri,
        turnId: 't',
        toolCallId: 'c',
        approved: false,
      });
    });

    it('once, however often the button is pressed, and again after a refusal', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).dblclick();
      const action = await view.nextAction('session/toolCallConfirmed');
      await view.send({ type: 'rejected', clientSeq: 1, reason: 'Busy', action });
      await view.page.getByRole('button', { name: 'Approve' }).click();
      await view.nextAction('session/toolCallConfirmed');
      assert.equal(view.posted.filter((message) => message.type === 'dispatch').length, 2);
    });

    it('of another client’s session not at all', async () => {
      await view.show(active([toolCall(waitingCall('c'))]), { shown: { readOnly: 'You only watch this session.' } });
      assert.equal(await view.page.locator('.waiting-card vscode-button').count(), 0);
      assert.equal(await composer().getAttribute('placeholder'), 'You only watch this session.');
    });
  });
});
