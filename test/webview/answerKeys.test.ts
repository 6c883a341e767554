/** The answer keys act on the focused card, and never while the user is typing. VS Code sends them to the page as commands. */
import assert from 'node:assert/strict';
import { composer, useSessionPage, view } from './currentPage.ts';
import { active, completed, toolCall, waitingCall } from './sessions.ts';
import { buttonsCount, denyWithReason } from './webviewPage.ts';

describe('The answer keys of the session webview', function () {
  this.timeout(60_000);
  useSessionPage();

  const keys = { approve: 'Control+Enter', deny: 'Control+Backspace' } as const;
  const card = (index = 0) => view.page.locator('.waiting-card').nth(index);
  const answers = () =>
    view.posted.filter(({ type }) => type === 'dispatch').map((message) => message.type === 'dispatch' && message.action);
  const inputRequests = [
    {
      id: 'i',
      message: 'Setting up',
      questions: [
        { kind: 'text' as const, id: 'name', message: 'Name' },
        { kind: 'boolean' as const, id: 'ok', message: 'Sure?' },
      ],
    },
  ];
  const isForKeys = () => view.posted.findLast((message) => message.type === 'focus')?.place === 'card';
  /** Like VS Code: the key is pressed in the page, and if it is bound, a command comes back. `late`: it was bound a moment ago. */
  async function press(how: keyof typeof keys, { late = false } = {}): Promise<void> {
    await view.page.keyboard.press(keys[how]);
    await view.settle();
    if (late || isForKeys()) await view.send({ type: 'command', command: how, byKey: true });
  }
  async function showAll(): Promise<void> {
    await view.show(
      active(
        [toolCall(waitingCall('one', { editable: true, toolInput: 'echo one' })), toolCall(waitingCall('two', { toolInput: 'echo two' }))],
        {
          inputRequests,
        },
      ),
    );
  }

  for (const [how, approved] of [
    ['approve', true],
    ['deny', false],
  ] as const) {
    it(`${how} from the card, its text and its links`, async () => {
      for (const place of ['.waiting-card', '.waiting-card pre', '.waiting-card .card-buttons > button']) {
        const before = answers().length;
        await view.show(active([]));
        // Of the answer before, which would be followed by the next call.
        await view.page.keyboard.press('ArrowDown');
        await showAll();
        await view.page.locator(place).first().focus();
        await view.settle();
        await press(how);
        const action = await view.nextAction('chat/toolCallConfirmed');
        assert.deepEqual([action.toolCallId, action.approved, answers().length - before], ['one', approved, 1], place);
      }
    });

    const fields: Record<string, () => Promise<void>> = {
      'the reason of a denial': async () => {
        await denyWithReason(card());
        await card().getByRole('textbox', { name: 'Reason' }).fill('not this one');
      },
      'what to do instead': async () => {
        await denyWithReason(card());
        await card()
          .getByRole('textbox', { name: /instead/ })
          .fill('echo less');
      },
      'the buttons of a denial': async () => {
        await denyWithReason(card());
        await card().getByRole('button', { name: 'Deny', exact: true }).focus();
      },
      'the input that is edited': async () => {
        await card().getByRole('button', { name: 'Edit input' }).click();
        await card().getByRole('textbox').fill('echo mine');
      },
      'the field of a question': () => view.page.getByRole('textbox', { name: 'Name' }).fill('Ada'),
      'a choice of a question': () => view.page.getByRole('radio', { name: 'Yes' }).check(),
      'the buttons of questions': () => view.page.getByRole('button', { name: 'Send answers' }).focus(),
      'the composer': () => composer().fill('and then'),
    };
    for (const [place, go] of Object.entries(fields)) {
      it(`${how} nothing from ${place}, even when the key comes late`, async () => {
        await showAll();
        await card().focus();
        await view.settle();
        assert.equal(isForKeys(), true);
        await go();
        await press(how, { late: true });
        await view.settle();
        assert.equal(isForKeys(), false);
        assert.deepEqual(
          answers().filter((action) => action && action.type !== 'chat/inputAnswerChanged'),
          [],
        );
      });
    }

    it(`${how} nothing from another page, or another part of the window`, async () => {
      await showAll();
      await card().focus();
      await view.settle();
      assert.equal(isForKeys(), true);
      await view.page.evaluate(() => {
        document.hasFocus = () => false;
        window.dispatchEvent(new Event('blur'));
      });
      for (let frame = 0; frame < 60 && isForKeys(); frame++) await view.settle();
      assert.equal(isForKeys(), false);
      await press(how, { late: true });
      assert.deepEqual(answers(), []);
    });

    it(`${how} nothing out of sight: the card is brought there first`, async () => {
      const more = Array.from({ length: 12 }, (_, index) => toolCall(waitingCall(`more${index}`)));
      await view.show(active([toolCall(waitingCall('one')), ...more]));
      await card().focus();
      await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = box.scrollHeight));
      await view.settle();
      await press(how);
      assert.deepEqual(answers(), []);
      await press(how);
      assert.equal((await view.nextAction('chat/toolCallConfirmed')).toolCallId, 'one');
    });
  }

  it('have no Escape in a card: it leaves a field, and the turn goes on', async () => {
    const fields: Record<string, () => Promise<void>> = {
      'Input of the tool': async () => {
        await view.show(active([toolCall(waitingCall('one', { editable: true }))]));
        await card().getByRole('button', { name: 'Edit input' }).click();
      },
      Name: () => view.show(active([], { inputRequests })),
    };
    for (const [name, open] of Object.entries(fields)) {
      await open();
      const field = card().getByRole('textbox', { name });
      await field.fill('what was typed');
      await view.page.keyboard.press('Escape');
      await view.settle();
      assert.equal(await card().evaluate((element) => element === document.activeElement), true, name);
      assert.equal(await field.inputValue(), 'what was typed');
      await view.page.keyboard.press('Escape');
      await view.settle();
    }
    assert.deepEqual(
      answers().filter((action) => action && action.type === 'chat/turnCancelled'),
      [],
    );
  });

  describe('in the empty composer', () => {
    const shown = { shown: { composerAnswers: true as const } };
    const pressHere = async () => {
      await composer().press('Control+Enter');
      await view.settle();
    };
    const problem = () => view.page.locator('.composer').getByRole('alert');
    /** Until a key counts for what has been in view from the start. */
    const untilAnswered = async () => {
      while (answers().length === 0) await pressHere();
    };

    it('give the first answer of the one call that waits, once all of it has been in view for a moment', async () => {
      // The moment would be over before the key, on a busy machine.
      await view.page.evaluate(`{ const now = performance.now(); performance.now = () => now; }`);
      await view.show(active([toolCall(waitingCall('one', { toolInput: 'echo one' }))]), shown);
      await composer().focus();
      await view.page.getByText('Ctrl+Enter answers “Approve”').waitFor();
      await pressHere();
      assert.deepEqual(answers(), [], 'it has only just come');
      await view.page.evaluate(`delete performance.now`);
      await untilAnswered();
      const [action] = answers();
      assert.ok(action && action.type === 'chat/toolCallConfirmed' && action.approved);
      assert.equal(action.toolCallId, 'one');
      assert.equal(await composer().evaluate((element) => element === document.activeElement), true);
    });

    it('show the rest of it first', async () => {
      const toolInput = Array.from({ length: 100 }, (_, index) => `echo ${index}`).join('\n');
      await view.show(active([toolCall(waitingCall('one', { toolInput }))]), shown);
      await buttonsCount(card());
      await pressHere();
      await card().getByText('not all of this has been in view').waitFor();
      assert.equal(
        await card()
          .getByRole('button', { name: /^Show all/ })
          .count(),
        0,
      );
      assert.deepEqual(answers(), []);
      await untilAnswered();
      assert.equal(await view.page.locator('.transcript').evaluate((box) => box.scrollTop > 500), true);
    });

    it('answer nothing with text in it, and say so until that is gone', async () => {
      await view.show(active([toolCall(waitingCall('one', { toolInput: 'echo one' }))]), shown);
      await buttonsCount(card());
      await composer().fill('and then');
      await pressHere();
      await problem().getByText('because you are writing a message').waitFor();
      assert.equal(await composer().inputValue(), 'and then');
      await composer().fill('');
      await problem().waitFor({ state: 'detached' });
      assert.deepEqual(answers(), []);
      await untilAnswered();
    });

    it('answer nothing while a denial is written', async () => {
      await view.show(active([toolCall(waitingCall('one', { toolInput: 'echo one' }))]), shown);
      await denyWithReason(card());
      await composer().focus();
      await pressHere();
      await card().getByText('you are writing why you deny this').waitFor();
      assert.deepEqual(answers(), []);
    });

    it('answer none of several, no question, no result and no sign-in: the focus goes to the first', async () => {
      const call = waitingCall('one', { toolInput: 'echo one' });
      const result = { ...completed('r'), status: 'pending-result-confirmation' as const };
      const cases: Record<string, () => Promise<void>> = {
        several: () => view.show(active([toolCall(call), toolCall(waitingCall('two'))]), shown),
        question: () => view.show(active([], { inputRequests }), shown),
        result: () => view.show(active([toolCall(result)]), shown),
      };
      for (const [name, show] of Object.entries(cases)) {
        await show();
        await buttonsCount(card());
        await composer().focus();
        await pressHere();
        assert.equal(await card().evaluate((element) => element === document.activeElement), true, name);
        await problem().getByText('The card that has the focus now takes the keys').waitFor();
        assert.deepEqual(answers(), [], name);
      }
    });

    it('answer nothing when the setting is off, and once when the key is held', async () => {
      await view.show(active([toolCall(waitingCall('one', { toolInput: 'echo one' }))]));
      await buttonsCount(card());
      await composer().focus();
      await pressHere();
      await problem().getByText('Nothing was answered').waitFor();
      assert.deepEqual(answers(), []);
    });
  });

  it('go on with the next call of the same turn, and not of another one', async () => {
    const calls = (...ids: string[]) => active(ids.map((id) => toolCall(waitingCall(id, { toolInput: `echo ${id}` }))));
    const focusedCall = () => view.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['card'] ?? '');
    await view.show(calls('one', 'two'));
    // The focus returns there. In the composer it would stay, which has a key of its own.
    await view.page.locator('.transcript').focus();
    await card().focus();
    // Both have been in view for long. What counts for the next one is since when it has the focus.
    await buttonsCount(card());
    await press('approve');
    await view.nextAction('chat/toolCallConfirmed');
    const shownAt = performance.now();
    await view.show(calls('two'));
    assert.match(await focusedCall(), /two/);
    await press('approve');
    // A crowded machine may take longer than the half second in which it counts as new.
    if (performance.now() - shownAt < 500) assert.equal(answers().length, 1, 'it has only just got the focus');
    while (answers().length === 1) await press('approve');
    // The next one comes later.
    await view.show(active([]));
    await view.show(calls('three'));
    assert.match(await focusedCall(), /three/);
    while (answers().length === 2) await press('approve');
    await view.show(active([]));
    await view.page.keyboard.press('ArrowDown');
    await view.show(calls('four'));
    assert.equal(await focusedCall(), '', 'the user has done something else');
  });

  it('are not also clicks on the button that has the focus', async () => {
    await showAll();
    await card().getByRole('button', { name: 'Deny', exact: true }).focus();
    await view.settle();
    await press('approve');
    assert.deepEqual(
      answers().map((action) => action && 'approved' in action && action.approved),
      [true],
    );
  });

  it('answer once when they are held, also where the focus goes to another card', async () => {
    await showAll();
    await card(1).focus();
    await card(0).focus();
    await view.settle();
    await view.page.keyboard.down('Control');
    await view.page.keyboard.down('Enter');
    await view.send({ type: 'command', command: 'approve', byKey: true });
    const action = await view.nextAction('chat/toolCallConfirmed');
    await view.actions(action);
    assert.equal(isForKeys(), true, 'the focus has gone back to the other card');
    await view.page.keyboard.down('Enter');
    await view.send({ type: 'command', command: 'approve', byKey: true });
    assert.equal(answers().length, 1);
    await view.page.keyboard.up('Enter');
    await view.page.keyboard.up('Control');
    // The focus came there by itself, so a key counts only after a moment.
    while (answers().length === 1) await press('approve');
    assert.equal(answers().length, 2);
  });

  it('and commands of the palette answer nothing while a denial is written, and say so', async () => {
    await showAll();
    await denyWithReason(card());
    for (const how of ['approve', 'deny'] as const) {
      await card().focus();
      await view.send({ type: 'command', command: how, byKey: true });
      await view.send({ type: 'command', command: how });
      await card().getByRole('alert').getByText('you are writing why you deny this').waitFor();
      assert.deepEqual(answers(), []);
    }
    await card().getByRole('textbox', { name: 'Reason' }).press('Enter');
    const action = await view.nextAction('chat/toolCallConfirmed');
    assert.equal(action.approved, false);
  });

  it('leave a command of the palette to the card that has the focus, and otherwise to nobody', async () => {
    await showAll();
    await composer().focus();
    for (const [how, said] of [
      ['approve', 'Nothing was approved. See this first, then approve it.'],
      ['deny', 'Nothing was denied. See this first, then deny it.'],
    ] as const) {
      await composer().focus();
      await view.send({ type: 'command', command: how });
      await card().first().getByRole('alert').getByText(said).waitFor();
      assert.equal(
        await card()
          .first()
          .evaluate((element) => element === document.activeElement),
        true,
      );
      assert.deepEqual(answers(), []);
    }
    // VS Code takes the focus from the element while the palette is open.
    await card()
      .first()
      .evaluate((element) => (element as HTMLElement).blur());
    await view.send({ type: 'command', command: 'approve' });
    const { turnId, toolCallId, approved } = await view.nextAction('chat/toolCallConfirmed');
    assert.deepEqual([turnId, toolCallId, approved], ['t', 'one', true]);
  });

  it('and a double click answers one card, also where the next takes its place', async () => {
    await showAll();
    await buttonsCount(card());
    const place = (await card().getByRole('button', { name: 'Approve' }).boundingBox())!;
    await view.page.mouse.move(place.x + 5, place.y + 5);
    await view.page.mouse.down({ clickCount: 1 });
    await view.page.mouse.up({ clickCount: 1 });
    const action = await view.nextAction('chat/toolCallConfirmed');
    await view.actions(action);
    const next = (await card().getByRole('button', { name: 'Approve' }).boundingBox())!;
    await view.page.mouse.move(next.x + 5, next.y + 5);
    await view.page.mouse.down({ clickCount: 2 });
    await view.page.mouse.up({ clickCount: 2 });
    await view.settle();
    assert.equal(answers().length, 1);
    await buttonsCount(card());
    await view.page.mouse.down({ clickCount: 1 });
    await view.page.mouse.up({ clickCount: 1 });
    await view.settle();
    assert.equal(answers().length, 2);
  });
});
