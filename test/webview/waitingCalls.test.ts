import assert from 'node:assert/strict';
import { ASKED, askedDigest } from '../../src/ahp/common/callQuestion.ts';
import { composer, focusedId, open, readThrough, text, useSessionPage, view, violations } from './currentPage.ts';
import { active, completed, markdown, permissions, root, toolCall, uri, waitingCall } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';
import { clickInPlace, denyWithReason, showApprovals } from './webviewPage.ts';

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
      const call = waitingCall('c', { options });
      await view.show(active([toolCall(call)]));
      const buttons = view.page.locator('.waiting-card vscode-button');
      assert.deepEqual(await buttons.allInnerTexts(), ['Allow once', '', 'Reject', '']);
      assert.equal(await buttons.nth(1).getAttribute('aria-label'), 'More ways to approve');
      assert.equal(await buttons.last().getAttribute('aria-label'), 'More ways to deny');
      await showApprovals(view.page);
      assert.deepEqual(await view.page.locator('.more-choices vscode-button').allInnerTexts(), ['Always allow']);
      assert.ok((await text()).includes('rm -rf build && npm run build'), 'the command in full');
      await view.page.getByRole('button', { name: 'Always allow' }).click();
      assert.deepEqual(await view.nextAction('chat/toolCallConfirmed'), {
        type: 'chat/toolCallConfirmed',
        turnId: 't',
        toolCallId: 'c',
        _meta: { [ASKED]: askedDigest(call) },
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
      const heights = await view.page
        .locator('.split')
        .evaluateAll((splits) =>
          splits.map((split) =>
            [...split.querySelectorAll('vscode-button')].map(
              (button) => button.shadowRoot?.querySelector('[part~="base"]')?.getBoundingClientRect().height,
            ),
          ),
        );
      assert.ok(heights.length > 0);
      for (const [first, ...others] of heights) {
        assert.ok(typeof first === 'number' && first > 0, 'a button has a height');
        assert.deepEqual(others, [first], 'both parts of a button are of one height');
      }
    });

    it('with another input', async () => {
      await view.show(active([toolCall(waitingCall('c', { editable: true }))]));
      await view.page.getByRole('button', { name: 'Edit input' }).click();
      await view.page.getByRole('textbox', { name: 'Input of the tool' }).fill('rm -rf build/tmp');
      await view.page.getByRole('button', { name: 'Approve' }).click();
      const action = await view.nextAction('chat/toolCallConfirmed');
      assert.equal(action.approved && action.editedToolInput, 'rm -rf build/tmp');
    });

    it('with a reason and a suggestion, and the focus goes back to where it was', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await composer().focus();
      await denyWithReason(view.page);
      await view.page.getByRole('textbox', { name: 'Reason' }).fill('Too much');
      await view.page.getByRole('textbox', { name: /instead/ }).fill('Remove build/tmp only');
      await view.page.getByRole('button', { name: 'Deny', exact: true }).focus();
      await view.page.keyboard.press('Enter');
      const action = await view.nextAction('chat/toolCallConfirmed');
      assert.ok(!action.approved);
      assert.equal(action.reasonMessage, 'Too much');
      assert.deepEqual(action.userSuggestion, { text: 'Remove build/tmp only', origin: { kind: 'user' } });
      await view.actions(action);
      assert.equal(await view.page.locator('.waiting-card').count(), 0);
      assert.equal(await focusedId(), 'composer');
      assert.match(await text(), /Denied: /);
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
      const action = await view.nextAction('chat/toolCallConfirmed');
      await view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, clientSeq: 1, reason: 'Another client owns it', action });
      await view.page.locator('.waiting-card').getByText('Another client owns it').waitFor();
    });

    it('that has the id of one of an earlier turn, whose refusal is not shown at it', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).click();
      const action = await view.nextAction('chat/toolCallConfirmed');
      const activeTurn = { id: 'u', userMessage: { text: 'Next' }, responseParts: [toolCall(waitingCall('c'))] };
      await view.show(active([], { activeTurn }));
      await view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, clientSeq: 1, reason: 'Too late', action });
      await view.page.getByText('Too late').waitFor();
      assert.ok(!(await text()).includes('Too late'));
    });

    it('whether the model gets a result', async () => {
      await view.show(
        active([toolCall({ ...completed('c'), status: 'pending-result-confirmation', content: [{ type: 'text', text: 'secret' }] })]),
      );
      assert.match(await text(), /secret/);
      await view.page.getByRole('button', { name: 'Withhold' }).click();
      assert.deepEqual(await view.nextAction('chat/toolCallResultConfirmed'), {
        type: 'chat/toolCallResultConfirmed',
        turnId: 't',
        toolCallId: 'c',
        approved: false,
      });
    });

    it('once, however often the button is pressed, and again after a refusal', async () => {
      await view.show(active([toolCall(waitingCall('c'))]));
      await view.page.getByRole('button', { name: 'Approve' }).dblclick();
      const action = await view.nextAction('chat/toolCallConfirmed');
      await view.send({ type: 'rejected', session: { hostId: 'embedded', uri }, clientSeq: 1, reason: 'Busy', action });
      await view.page.getByRole('button', { name: 'Approve' }).click();
      await view.nextAction('chat/toolCallConfirmed');
      assert.equal(view.posted.filter((message) => message.type === 'dispatch').length, 2);
    });

    it('of another client’s session not at all', async () => {
      await view.show(active([toolCall(waitingCall('c'))]), { shown: { readOnly: 'You only watch this session.' } });
      assert.equal(await view.page.locator('.waiting-card vscode-button').count(), 0);
      assert.equal(await composer().getAttribute('placeholder'), 'You only watch this session.');
    });

    it('of an edit, a command, a fetch and a read, each with all that will happen', async () => {
      await view.show(active(permissions().map((call) => toolCall(call))));
      const words: Record<string, string[]> = {
        'Change src/auth.ts?': ['auth.ts', 'Open diff'],
        'Run this command?': ['git push --force-with-lease origin fix/login-redirect'],
        'Fetch https://owasp.org': ['Following https://owasp.org/r/1', 'max_length'],
        'Read /etc/ssl/openssl.cnf, outside the working directory (/usr/lib/ssl/openssl.cnf)?': ['/etc/ssl/openssl.cnf'],
      };
      for (const [title, wanted] of Object.entries(words)) {
        const card = view.page.getByRole('region', { name: title });
        const shown = await card.innerText();
        for (const part of [...wanted, 'Allow once', 'Deny']) assert.ok(shown.includes(part), `${part} in ${shown}`);
        await showApprovals(card);
        assert.match(await card.innerText(), /in this session/);
      }
      await readThrough();
      await clickInPlace(view.page.getByRole('button', { name: 'Allow reading in /usr/lib/ssl in this session' }));
      const action = await view.nextAction('chat/toolCallConfirmed');
      assert.deepEqual([action.toolCallId, action.selectedOptionId, action.approved], ['read', 'folder', true]);
      const command = view.page.getByRole('region', { name: 'Run this command?' });
      const more = command.getByRole('button', { name: 'More ways to deny' });
      assert.equal(await more.getAttribute('aria-expanded'), 'false');
      await more.press('Enter');
      assert.equal(await more.getAttribute('aria-expanded'), 'true');
      await command.getByRole('button', { name: 'Deny with a reason…' }).press('Escape');
      assert.equal(await command.getByRole('button', { name: 'Deny and stop' }).count(), 0);
      assert.equal(await more.evaluate((element) => element === document.activeElement), true);
      await more.press('Enter');
      await clickInPlace(command.getByRole('button', { name: 'Deny and stop' }));
      const denied = await view.nextAction('chat/toolCallConfirmed');
      assert.deepEqual([denied.toolCallId, denied.selectedOptionId, denied.approved], ['shell', 'deny-stop', false]);
    });

    for (const theme of Object.keys(themes) as ThemeName[]) {
      it(`and looks as it should, ${theme}`, async () => {
        await view.close();
        await open({ theme, width: theme === 'light' ? 640 : 320, height: 1700 });
        await view.show(
          active([markdown('The redirect trusts what it is given. I will fix that.'), ...permissions().map((call) => toolCall(call))]),
          { root },
        );
        const before =
          'export function afterLogin(url: URL) {\n  const target = url.searchParams.get("returnTo") ?? "/home";\n  return redirect(target);\n}\n';
        const after = before.replace(
          'return redirect(target);',
          'if (!isOurs(target)) return redirect("/home");\n  // Kept over the login.\n  return redirect(safe(target));',
        );
        for (let count = 0; count < 2; count++) {
          const request = await view.next('request');
          const data = JSON.stringify(request.params).includes('before') ? before : after;
          await view.send({ type: 'response', id: request.id, result: { encoding: 'utf-8', data } });
        }
        await view.page.locator('.diff-added').first().waitFor();
        await denyWithReason(view.page.getByRole('region', { name: 'Run this command?' }));
        await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
        await view.settle();
        await view.screenshot(`permissions-${theme}`);
        assert.deepEqual(await violations(), []);
      });
    }
  });
});
