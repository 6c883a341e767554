import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SessionInputAnswerValue, SessionInputQuestion, SessionInputRequest } from '../../src/ahp/v1/inputRequest.ts';
import { open, useSessionPage, view, violations } from './currentPage.ts';
import { active, markdown, uri } from './sessions.ts';
import { themes, type ThemeName } from './themes.ts';
import { clickInPlace } from './webviewPage.ts';

describe('The session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  describe('asks the agent’s questions', () => {
    const request: SessionInputRequest = {
      id: 'i',
      message: 'Setting up',
      questions: [
        { kind: 'text', id: 'name', message: 'Name', required: true, min: 2, max: 8 },
        { kind: 'number', id: 'ratio', message: 'Ratio', min: 0, max: 1 },
        { kind: 'integer', id: 'port', message: 'Port', required: true, defaultValue: 5432 },
        { kind: 'boolean', id: 'start', message: 'Start now?', required: true },
        { kind: 'single-select', id: 'db', message: 'Database', required: true, options: [{ id: 'pg', label: 'PostgreSQL' }, { id: 'my', label: 'MySQL' }], allowFreeformInput: true }, // prettier-ignore
        { kind: 'multi-select', id: 'more', message: 'Extras', min: 1, options: [{ id: 'a', label: 'Migrations' }, { id: 'b', label: 'Seeds' }], allowFreeformInput: true }, // prettier-ignore
        { kind: 'hologram' as never, id: 'holo', message: 'Wave' },
      ],
    };
    const described = (control: Locator) =>
      control.evaluate((element) =>
        (element.getAttribute('aria-describedby') ?? '')
          .split(' ')
          .map((id) => document.getElementById(id)?.textContent)
          .join(' '),
      );
    const card = () => view.page.getByRole('region', { name: 'Setting up' });

    it('of every kind, checks the answers and sends them', async () => {
      await view.show(active([markdown('Some questions.')], { inputRequests: [request] }));
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      assert.equal(await card().locator('.problem').count(), 3);
      assert.equal(
        await view.page.evaluate(() => document.activeElement?.closest('[data-question]')?.getAttribute('data-question')),
        'name',
      );
      await card().getByLabel('Name').fill('x');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('1.5');
      await card().getByLabel('Port').fill('80.5');
      await clickInPlace(view.page.getByRole('button', { name: 'Send answers' }));
      const problems = await card().locator('.problem').allInnerTexts();
      assert.deepEqual(problems.slice(0, 3), ['Enter at least 2 characters.', 'Enter 1 or less.', 'Enter a whole number.']);
      await card().getByLabel('Name').fill('shop');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('0.5');
      await card().getByLabel('Port').fill('80');
      await card().getByLabel('No', { exact: true }).check();
      await card().getByLabel('MySQL').check();
      await card().getByLabel('Seeds').check();
      await card().getByLabel('Also').fill('Fixtures');
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      const action = await view.nextAction('chat/inputCompleted');
      const answered = (value: unknown) => ({ state: 'submitted', value });
      assert.deepEqual(action, {
        type: 'chat/inputCompleted',
        requestId: 'i',
        response: 'accept',
        answers: {
          name: answered({ kind: 'text', value: 'shop' }),
          ratio: answered({ kind: 'number', value: 0.5 }),
          port: answered({ kind: 'number', value: 80 }),
          start: answered({ kind: 'boolean', value: false }),
          db: answered({ kind: 'selected', value: 'my' }),
          more: answered({ kind: 'selected-many', value: ['b'], freeformValues: ['Fixtures'] }),
          holo: { state: 'skipped' },
        },
      });
      await view.actions(action);
      assert.equal(await card().count(), 0);
    });

    it('shares drafts, shows those of other windows, and keeps its own over a reload', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await card().getByLabel('Name').pressSequentially('sho');
      const draft = await view.nextAction('chat/inputAnswerChanged');
      assert.deepEqual(draft.answer, { state: 'draft', value: { kind: 'text', value: 'sho' } });
      await view.actions({
        type: 'session/inputAnswerChanged',
        session: uri,
        requestId: 'i',
        questionId: 'port',
        answer: { state: 'draft', value: { kind: 'number', value: 81 } },
      });
      assert.equal(await card().getByLabel('Port').inputValue(), '81');
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('-');
      await view.page.reload();
      await view.next('ready');
      await view.show(active([], { inputRequests: [request] }));
      assert.equal(
        await card()
          .getByRole('textbox', { name: /^Ratio/ })
          .inputValue(),
        '-',
      );
      assert.equal(await card().getByLabel('Name').inputValue(), 'sho');
    });

    it('takes in what another window changes, but nothing away from under the user', async () => {
      await view.show(active([], { inputRequests: [request] }));
      const name = card().getByLabel('Name');
      await name.fill('shop');
      await view.actions(await view.nextAction('chat/inputAnswerChanged'));
      await card().getByLabel('Port').fill('80');
      await view.actions(await view.nextAction('chat/inputAnswerChanged'));
      await card()
        .getByRole('textbox', { name: /^Ratio/ })
        .fill('0.5');
      await view.actions(await view.nextAction('chat/inputAnswerChanged'));
      await card().getByLabel('Port').focus();
      // The user is elsewhere in the form, and so the answers of the other window are shown.
      const set = (questionId: string, value: SessionInputAnswerValue) =>
        ({ type: 'session/inputAnswerChanged', session: uri, requestId: 'i', questionId, answer: { state: 'draft', value } }) as const;
      await view.actions(set('name', { kind: 'text', value: 'Ann' }), set('ratio', { kind: 'number', value: 0.25 }));
      await view.settle();
      assert.equal(await name.inputValue(), 'Ann');
      assert.equal(
        await card()
          .getByRole('textbox', { name: /^Ratio/ })
          .inputValue(),
        '0.25',
      );
      // The user is in it: what was typed stays, and counts.
      await view.actions(set('port', { kind: 'number', value: 81 }));
      const use = card().getByRole('button', { name: 'Use the other answer' });
      await use.waitFor();
      assert.equal(await card().getByLabel('Port').inputValue(), '80');
      await use.click();
      assert.equal(await card().getByLabel('Port').inputValue(), '81');
      await use.waitFor({ state: 'detached' });
      await card().getByLabel('Port').fill('82');
      assert.deepEqual((await view.nextAction('chat/inputAnswerChanged')).answer, { state: 'draft', value: { kind: 'number', value: 82 } });
    });

    it('and skips an optional one with a reason, until it is answered after all', async () => {
      const questions: SessionInputQuestion[] = [
        { kind: 'text', id: 'why', message: 'Why?' },
        { kind: 'boolean', id: 'start', message: 'Start now?', required: true },
      ];
      await view.show(active([], { inputRequests: [{ id: 'i', message: 'Setting up', questions }] }));
      const why = card().getByRole('textbox', { name: 'Why? optional' });
      await why.fill('Because');
      const skip = card().getByRole('button', { name: /^Skip/ });
      assert.equal(await skip.count(), 1, 'what is required cannot be skipped');
      await skip.click();
      const reason = card().locator('input:focus');
      assert.match((await reason.getAttribute('aria-label')) ?? '', /^Why you skip “Why\?”/);
      await view.page.keyboard.type('no idea');
      await card().getByLabel('Yes', { exact: true }).check();
      assert.deepEqual(await violations(), []);
      await card().getByRole('button', { name: 'Answer it: “Why?”' }).click();
      assert.equal(await why.inputValue(), 'Because');
      await skip.click();
      await reason.waitFor();
      await view.page.keyboard.type('no idea');
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      assert.deepEqual((await view.nextAction('chat/inputCompleted')).answers!.why, { state: 'skipped', freeformValues: ['no idea'] });
    });

    it('and takes back a choice that is optional, and no other', async () => {
      const options = [{ id: 'pg', label: 'PostgreSQL' }];
      const [boolean, select] = [{ kind: 'boolean' as const }, { kind: 'single-select' as const, options }];
      const questions: SessionInputQuestion[] = [
        { ...select, id: 'db', message: 'Database' },
        { ...boolean, id: 'start', message: 'Start now?', required: true },
      ];
      await view.show(active([markdown('Some questions.')], { inputRequests: [{ id: 'i', message: 'Setting up', questions }] }));
      const clear = card().getByRole('button', { name: 'Clear the choice' });
      assert.equal(await clear.count(), 0);
      await card().getByLabel('PostgreSQL').check();
      await card().getByLabel('No', { exact: true }).check();
      await clear.click();
      assert.equal(await card().getByLabel('PostgreSQL').isChecked(), false);
      assert.equal(
        await card()
          .getByLabel('PostgreSQL')
          .evaluate((radio) => radio === document.activeElement),
        true,
      );
      assert.equal(await clear.count(), 0);
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      assert.deepEqual((await view.nextAction('chat/inputCompleted')).answers, {
        db: { state: 'skipped' },
        start: { state: 'submitted', value: { kind: 'boolean', value: false } },
      });
    });

    it('and can be declined or cancelled', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await clickInPlace(view.page.getByRole('button', { name: 'Decline' }));
      const declined = await view.nextAction('chat/inputCompleted');
      assert.equal(declined.response, 'decline');
      await view.actions(declined, { type: 'session/inputRequested', session: uri, request: { ...request, id: 'again' } });
      await clickInPlace(view.page.getByRole('button', { name: 'Cancel' }));
      assert.equal((await view.nextAction('chat/inputCompleted')).response, 'cancel');
    });

    it('with names, duties and mistakes that a screen reader can tell', async () => {
      await view.show(active([], { inputRequests: [request] }));
      const name = card().getByRole('textbox', { name: 'Name' });
      assert.equal(await name.getAttribute('aria-required'), 'true');
      assert.equal(await described(name), '2 to 8 characters');
      assert.equal(await described(card().getByRole('textbox', { name: 'Port' })), 'A whole number');
      const start = card().getByRole('radiogroup', { name: 'Start now?' });
      assert.equal(await start.getAttribute('aria-required'), 'true');
      assert.equal(await start.getByRole('radio').count(), 2);
      assert.equal(await described(card().getByRole('group', { name: 'Extras optional' })), 'Choose at least 1');
      assert.equal(await card().getByRole('textbox', { name: 'Ratio optional' }).getAttribute('aria-required'), 'false');
      await view.page.getByRole('button', { name: 'Send answers' }).click();
      assert.equal(await described(name), '2 to 8 characters This needs an answer.');
      assert.equal(await name.getAttribute('aria-invalid'), 'true');
      assert.equal(await start.getAttribute('aria-invalid'), 'true');
      assert.deepEqual(await card().getByRole('alert').allInnerTexts(), Array(3).fill('This needs an answer.'));
    });

    it('and takes the click on its button, though the mistake in the field before is only seen now', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await card().getByLabel('Name').fill('x');
      await clickInPlace(view.page.getByRole('button', { name: 'Send answers' }));
      await card().getByText('Enter at least 2 characters.').waitFor();
      assert.deepEqual(await card().getByRole('alert').allInnerTexts(), [
        'Enter at least 2 characters.',
        ...Array(2).fill('This needs an answer.'),
      ]);
    });

    it('that can be answered with the keyboard alone', async () => {
      await view.show(active([], { inputRequests: [{ ...request, questions: request.questions?.slice(0, 6) }] }));
      await view.send({ type: 'focus', target: 'needsYou' });
      const press = async (...keys: string[]) => {
        for (const key of keys) await view.page.keyboard.press(key);
      };
      const write = (words: string) => view.page.keyboard.insertText(words);
      await press('Tab');
      await write('shop');
      await press('Tab', 'Tab', 'Tab'); // The ratio is optional, which can be skipped in words; the port has a default.
      await press('Tab', 'Space'); // Yes
      await press('Tab', 'Space', 'ArrowDown'); // MySQL
      await press('Tab', 'Tab', 'Space', 'Tab', 'Space'); // Past the field for something else: both extras
      await press('Enter');
      const { answers } = await view.nextAction('chat/inputCompleted');
      const values = Object.fromEntries(
        Object.entries(answers ?? {}).map(([id, answer]) => [id, 'value' in answer ? answer.value : answer.state]),
      );
      assert.deepEqual(values, {
        name: { kind: 'text', value: 'shop' },
        ratio: 'skipped',
        port: { kind: 'number', value: 5432 },
        start: { kind: 'boolean', value: true },
        db: { kind: 'selected', value: 'my' },
        more: { kind: 'selected-many', value: ['a', 'b'] },
      });
    });

    it('of a page to look at, whole, and opens it only on request', async () => {
      const url = 'https://login.example/authorize?client=tapline&scope=repo';
      await view.show(active([], { inputRequests: [{ id: 'i', message: 'Sign in to the tracker', url }] }));
      await view.page.getByRole('link', { name: url }).click();
      assert.equal((await view.next('openExternal')).url, url);
      await view.page.getByRole('button', { name: 'Continue' }).click();
      assert.deepEqual((await view.nextAction('chat/inputCompleted')).response, 'accept');
    });

    for (const theme of Object.keys(themes) as ThemeName[]) {
      it(`looks as it should, with mistakes, ${theme}`, async () => {
        await view.close();
        await open({ theme, width: theme === 'light' ? 700 : 340, height: 1000 });
        const described = [
          { id: 'pg', label: 'PostgreSQL', description: 'Runs in the container that the project has already', recommended: true },
          { id: 'my', label: 'MySQL', description: 'Needs a server' },
        ];
        const questions = (request.questions ?? []).map((question) =>
          question.id === 'db' ? { ...question, options: described } : question,
        );
        await view.show(
          active([markdown('I need to know a few things first.')], {
            inputRequests: [{ ...request, questions: questions as SessionInputQuestion[] }],
          }),
        );
        await card().getByLabel('Name').fill('x');
        await view.page.getByRole('button', { name: 'Send answers' }).click();
        assert.equal(await card().getByRole('alert').count(), 3);
        await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0));
        await view.settle();
        await view.screenshot(`questions-mistakes-${theme}`);
        assert.deepEqual(await violations(), []);
      });
    }
  });
});
