import assert from 'node:assert/strict';
import type { SessionInputRequest } from '../../src/ahp/v1/inputRequest.ts';
import { useSessionPage, view } from './currentPage.ts';
import { active, markdown, uri } from './sessions.ts';

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
      await view.page.getByRole('button', { name: 'Send answers' }).click();
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
      const action = await view.nextAction('session/inputCompleted');
      const answered = (value: unknown) => ({ state: 'submitted', value });
      assert.deepEqual(action, {
        type: 'session/inputCompleted',
        session: uri,
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
      const draft = await view.nextAction('session/inputAnswerChanged');
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

    it('and can be declined or cancelled', async () => {
      await view.show(active([], { inputRequests: [request] }));
      await view.page.getByRole('button', { name: 'Decline' }).click();
      const declined = await view.nextAction('session/inputCompleted');
      assert.equal(declined.response, 'decline');
      await view.actions(declined, { type: 'session/inputRequested', session: uri, request: { ...request, id: 'again' } });
      await view.page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal((await view.nextAction('session/inputCompleted')).response, 'cancel');
    });
  });
});
