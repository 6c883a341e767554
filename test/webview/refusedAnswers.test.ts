/** What the user has typed into a card is not lost when the answer is refused, or when Escape is pressed. */
import assert from 'node:assert/strict';
import { said } from '../fakes/models.ts';
import type { ResponsePart } from '../../src/ahp/channels/chat/state.ts';
import type { SessionGesture } from '../../src/views/session/sessionGesture.ts';
import { asks, call, card, chat, MAIN, session, SESSION, show, summary, tell } from './channelSession.ts';
import { readThrough, useSessionPage, view } from './currentPage.ts';

describe('A card', () => {
  useSessionPage();

  const turn = (part: ResponsePart, id = 't') => ({
    activeTurn: { id, message: said('Go'), startedAt: '2026-11-24T09:00:00Z', responseParts: [part] },
  });
  const request = { id: 'q', message: 'Which one?', questions: [{ kind: 'text' as const, id: 'a', message: 'Which one?' }] };
  const question: ResponsePart = { kind: 'inputRequest', request };
  let clientSeq = 0;
  beforeEach(() => show(session({ chats: [summary(MAIN, 'Main')] })));

  /** The host gets the action, and refuses it. */
  async function refuse(action: SessionGesture): Promise<void> {
    const ofChat = { type: 'actions' as const, uri: MAIN, now: 1, actions: [] };
    await view.send({ ...ofChat, pending: [{ clientSeq: ++clientSeq, action, asked: action }] });
    const rejected = { type: 'rejected' as const, session: { hostId: 'today', uri: SESSION }, uri: MAIN, clientSeq, reason: 'No.', action };
    await view.send({ ...ofChat, pending: [] }, rejected);
  }

  it('of a question has the answers again', async () => {
    await tell('chat', MAIN, chat(MAIN, turn(question)));
    await card().getByRole('textbox').fill('a long answer');
    await view.page.getByRole('button', { name: 'Send answers' }).click();
    await refuse((await view.nextDispatch('chat/inputCompleted')).action);
    assert.equal(await card().getByRole('textbox').inputValue(), 'a long answer');
  });

  it('of a call has the reason of a denial again, and leaves the focus where it is', async () => {
    await tell('chat', MAIN, chat(MAIN, turn(call(asks()))));
    await card().getByRole('button', { name: 'More ways to deny' }).click();
    await card()
      .getByRole('button', { name: /with a reason/ })
      .click();
    await card().getByRole('textbox', { name: 'Reason' }).fill('because I say so');
    await card()
      .getByRole('textbox', { name: /instead/ })
      .fill('do less');
    await card().getByRole('button', { name: 'Deny', exact: true }).click();
    const { action } = await view.nextDispatch('chat/toolCallConfirmed');
    await view.page.getByRole('textbox', { name: 'Message' }).focus();
    await refuse(action);
    assert.equal(await card().getByRole('textbox', { name: 'Reason' }).inputValue(), 'because I say so');
    assert.equal(
      await card()
        .getByRole('textbox', { name: /instead/ })
        .inputValue(),
      'do less',
    );
    assert.equal(await card().evaluate((element) => element.contains(document.activeElement)), false);
  });

  it('of a call has the edited input again, unless something else is asked', async () => {
    await tell('chat', MAIN, chat(MAIN, turn(call(asks({ editable: true })))));
    await card().getByRole('button', { name: 'Edit input' }).click();
    const input = card().getByRole('textbox', { name: 'Input of the tool' });
    await input.fill('rm -rf build/cache');
    await readThrough();
    await card().getByRole('button', { name: 'Approve' }).click();
    const { action } = await view.nextDispatch('chat/toolCallConfirmed');
    await refuse(action);
    assert.equal(await input.inputValue(), 'rm -rf build/cache');
    await tell('chat', MAIN, chat(MAIN, turn(call(asks({ editable: true, toolInput: 'rm -rf /' })))));
    assert.equal(await input.count(), 0);
  });

  it('of a call is not told of an answer to a call of another turn', async () => {
    await tell('chat', MAIN, chat(MAIN, turn(call(asks()))));
    await readThrough();
    await card().getByRole('button', { name: 'Approve' }).click();
    await refuse((await view.nextDispatch('chat/toolCallConfirmed')).action);
    await card().getByText('Your answer was not accepted').waitFor();
    await tell('chat', MAIN, chat(MAIN, turn(call(asks()), 'next')));
    await view.settle();
    assert.equal(await card().getByText('Your answer was not accepted').count(), 0);
  });

  it('keeps what is typed when Escape is pressed in it, and the turn runs on', async () => {
    await tell('chat', MAIN, chat(MAIN, turn(question)));
    await card().getByRole('textbox').fill('a long answer');
    await view.page.keyboard.press('Escape');
    assert.equal(await card().evaluate((element) => element === document.activeElement), true);
    assert.equal(await card().getByRole('textbox').inputValue(), 'a long answer');
    await view.page.keyboard.press('Escape');
    await view.settle();
    // What is typed is told to other clients after a while.
    const told = view.posted.flatMap((message) => (message.type === 'dispatch' ? [message.action.type] : []));
    assert.deepEqual(
      told.filter((type) => type !== 'chat/inputAnswerChanged'),
      [],
    );
  });
});
