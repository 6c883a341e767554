/** A click answers a card only if it was meant for it: the buttons have been in their place for a moment. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { useSessionPage, view } from './currentPage.ts';
import { active, markdown, toolCall, turn, waitingCall } from './sessions.ts';
import { buttonsCount } from './webviewPage.ts';

describe('The buttons of a card', function () {
  this.timeout(60_000);
  useSessionPage();

  const call = (id: string) => toolCall(waitingCall(id, { toolInput: `echo ${id}` }));
  const card = (command: string) => view.page.locator('.waiting-card', { hasText: command });
  const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true });
  const answers = () =>
    view.posted.flatMap((message) =>
      message.type === 'dispatch' && message.action.type === 'chat/toolCallConfirmed'
        ? [`${message.action.approved ? 'approve' : 'deny'} ${message.action.toolCallId}`]
        : [],
    );
  const pointAt = async (target: Locator) => {
    const box = await target.boundingBox();
    assert.ok(box);
    await view.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  };
  /** Unlike Playwright’s own click, it does not wait for anything. */
  const click = async () => {
    await view.page.mouse.down();
    await view.page.mouse.up();
    await view.settle();
  };
  const early = (within: Locator) => within.getByRole('alert').getByText('this has only just appeared or moved').waitFor();

  for (const name of ['Approve', 'Deny']) {
    it(`take no click on “${name}” that was meant for the card before it`, async () => {
      await view.show(active([call('one'), call('two')]));
      await buttonsCount(card('echo one'));
      await pointAt(button(card('echo one'), name));
      await view.show(active([call('two')]));
      await click();
      assert.deepEqual(answers(), []);
      await early(card('echo two'));
      await button(card('echo two'), name).click();
      assert.deepEqual(answers(), [`${name.toLowerCase()} two`]);
      assert.equal(await card('echo two').getByRole('alert').count(), 0);
    });
  }

  it('take no click on a card that has just appeared', async () => {
    await view.show(active([call('one')]));
    await pointAt(button(card('echo one'), 'Approve'));
    await view.show(active([]));
    await view.show(active([call('one')]));
    await click();
    assert.deepEqual(answers(), []);
    await early(card('echo one'));
    await button(card('echo one'), 'Approve').click();
    assert.deepEqual(answers(), ['approve one']);
  });

  it('take no click where other content has moved them', async () => {
    await view.show(active([markdown('Short.'), call('one'), call('two')]));
    await buttonsCount(card('echo two'));
    await pointAt(button(card('echo two'), 'Approve'));
    const { y: before = 0 } = (await card('echo two').boundingBox()) ?? {};
    await view.show(active([markdown('Longer.\n\n'.repeat(2)), call('one'), call('two')]));
    const { y: after = 0 } = (await card('echo two').boundingBox()) ?? {};
    assert.notEqual(Math.round(after), Math.round(before));
    await pointAt(button(card('echo two'), 'Approve'));
    await click();
    assert.deepEqual(answers(), []);
  });

  it('take clicks at once that follow what the user has scrolled, and keys', async () => {
    const past = Array.from({ length: 40 }, (_, at) => turn(`t${at}`, 'Go', [markdown('Done.')]));
    await view.show(active([call('one'), call('two')], { turns: past }));
    await buttonsCount(card('echo one'));
    const { y: before = 0 } = (await card('echo one').boundingBox()) ?? {};
    await pointAt(view.page.locator('.transcript'));
    // The page hears of the wheel on another way than of what it is to evaluate.
    const scrolled = await view.page
      .locator('.transcript')
      .evaluateHandle((box) => ({ is: new Promise((done) => box.addEventListener('scroll', done, { once: true })) }));
    await view.page.mouse.wheel(0, -40);
    await scrolled.evaluate(({ is }) => is);
    await view.settle();
    const { y: after = 0 } = (await card('echo one').boundingBox()) ?? {};
    assert.ok(after > before, `${after} > ${before}`);
    await pointAt(button(card('echo one'), 'Deny'));
    await click();
    assert.deepEqual(answers(), ['deny one']);
    await view.show(active([]));
    await view.show(active([call('three')]));
    await button(card('echo three'), 'Deny').focus();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(answers(), ['deny one', 'deny three']);
  });
});
