/** The way back in a chat: a message edited and sent again, a turn tried again, the conversation taken back. The test is the extension, which asks. */
import assert from 'node:assert/strict';
import type { Turn } from '../../src/ahp/channels/chat/state.ts';
import type { WebviewRequestMessage } from '../../src/webviews/session/protocol.ts';
import { said } from '../fakes/models.ts';
import { asks, call, chat, MAIN, session, SESSION, show, SIDE, summary, tab, tell, words } from './channelSession.ts';
import { composer, focusedId, open, useSessionPage, view, violations } from './currentPage.ts';

describe('The way back', function () {
  this.timeout(60_000);
  useSessionPage();

  type GoBack = Extract<WebviewRequestMessage, { method: 'goBack' }>;
  const turn = (id: string, text: string, fields: object = {}): Turn => ({
    id,
    message: { ...said(text), ...fields },
    responseParts: [words(`Answer to ${text}`)],
    state: 'complete',
  });
  const file = { type: 'resource' as const, uri: 'file:///w/a.ts', label: 'a.ts' };
  const turns = [turn('a', 'Add a test'), turn('b', 'Fix the login redirect', { attachments: [file], model: { id: 'big' } })];
  const alone = session({ chats: [summary(MAIN, 'Main')] });
  const both = async (fields: object = {}) => {
    await show(alone);
    await tell('chat', MAIN, chat(MAIN, { turns, ...fields }));
  };
  const message = (text: string) => view.page.locator('.user-message', { hasText: text });
  const button = (text: string, name: RegExp) => message(text).getByRole('button', { name });
  const editor = () => view.page.getByRole('textbox', { name: 'Edited message' });
  const asked = async () => (await view.until('goBack', (one) => one.type === 'request' && one.method === 'goBack')) as unknown as GoBack;
  const answer = async ({ id }: GoBack, isDone: boolean) => view.send({ type: 'response', id, result: { isDone } });

  it('is at each message, by mouse and by keyboard', async () => {
    await both();
    await message('Add a test').hover();
    await button('Add a test', /^Go back/).click();
    const first = await asked();
    assert.deepEqual(first.params, { chat: MAIN, turnId: 'a', how: 'back' });
    await answer(first, false);
    await button('Fix the login', /^Edit/).focus();
    const names = [];
    for (let index = 0; index < 4; index++) {
      names.push(await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label')));
      await view.page.keyboard.press('Tab');
    }
    assert.deepEqual(names, [
      ...['Edit this message and send it again', 'Try again from this message', 'Go back to before this message', 'Copy this message'],
    ]);
    assert.deepEqual(await violations(), []);
  });

  it('puts the message with its files and its model back before what was typed meanwhile', async () => {
    await both();
    await composer().fill('Half a thought');
    await button('Fix the login', /^Go back/).focus();
    await view.page.keyboard.press('Enter');
    const request = await asked();
    await tell('chat', MAIN, chat(MAIN, { turns: turns.slice(0, 1) }));
    await answer(request, true);
    assert.equal(await composer().inputValue(), 'Fix the login redirect\n\nHalf a thought');
    assert.equal(await focusedId(), 'composer');
    await view.page.locator('.composer', { hasText: 'a.ts' }).waitFor();
    const { action } = await view.nextDispatch('chat/draftChanged');
    assert.deepEqual(action.draft?.model, { id: 'big' });
  });

  it('leaves all as it is when the user leaves the question, and asks once at a time', async () => {
    await both();
    const again = button('Fix the login', /^Try again/);
    await again.focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.press('Enter');
    const request = await asked();
    assert.deepEqual(request.params, { chat: MAIN, turnId: 'b', how: 'retry' });
    await answer(request, false);
    assert.equal(view.posted.filter((one) => one.type === 'request' && one.method === 'goBack').length, 1);
    assert.equal(await composer().inputValue(), '');
    await view.page.keyboard.press('Enter');
    await asked();
  });

  it('edits a message in its place: Shift+Enter breaks a line, Enter sends, and the words stay until they are sent', async () => {
    await both();
    await button('Fix the login', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    assert.equal(await editor().inputValue(), 'Fix the login redirect');
    await editor().press('End');
    await view.page.keyboard.type(' at once');
    await view.page.keyboard.press('Shift+Enter');
    await view.page.keyboard.type('Please');
    assert.deepEqual(await violations(), []);
    await view.page.keyboard.press('Enter');
    const left = await asked();
    assert.deepEqual(left.params, { chat: MAIN, turnId: 'b', how: 'edit', words: 'Fix the login redirect at once\nPlease' });
    await answer(left, false);
    assert.equal(await editor().inputValue(), 'Fix the login redirect at once\nPlease');
    await view.page.reload();
    await view.next('ready');
    await both();
    assert.equal(await editor().inputValue(), 'Fix the login redirect at once\nPlease');
    await editor().press('Enter');
    const request = await asked();
    // The turns go before the extension answers. The words are not put into the composer for that.
    await tell('chat', MAIN, chat(MAIN, { turns: turns.slice(0, 1) }));
    await answer(request, true);
    assert.equal(await editor().count(), 0);
    assert.equal(await composer().inputValue(), '');
    assert.equal(await focusedId(), 'composer');
  });

  it('ends an edit by Escape, which stops no turn', async () => {
    await both({ activeTurn: { id: 'c', message: said('Running'), responseParts: [] } });
    await button('Add a test', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    await editor().fill('Other');
    await editor().press('Escape');
    assert.equal(await editor().count(), 0);
    await message('Add a test').waitFor();
    assert.equal(view.posted.filter(({ type }) => type === 'dispatch').length, 0);
  });

  it('keeps what was typed for a message that another client has taken away, or when another one is edited', async () => {
    await both();
    await view.send({ type: 'command', command: 'editMessage' });
    await editor().fill('Mine');
    await button('Add a test', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    assert.equal(await composer().inputValue(), 'Mine');
    await editor().fill('Also mine');
    await tell('chat', MAIN, chat(MAIN));
    await view.settle();
    assert.equal(await composer().inputValue(), 'Also mine\n\nMine');
  });

  it('has the words back in the draft of the chat that was left while the way back was asked for', async () => {
    await show(session({ chats: [summary(MAIN, 'Main'), summary(SIDE, 'Side')] }));
    await tell('chat', MAIN, chat(MAIN, { turns }));
    await button('Fix the login', /^Go back/).focus();
    await view.page.keyboard.press('Enter');
    const request = await asked();
    await tab('Side').click();
    await tell('chat', SIDE, chat(SIDE));
    await tell('chat', MAIN, chat(MAIN, { turns: turns.slice(0, 1) }));
    await answer(request, true);
    assert.equal(await composer().inputValue(), '');
    await tab('Main').click();
    await tell('chat', MAIN, chat(MAIN, { turns: turns.slice(0, 1) }));
    await view.settle();
    assert.equal(await composer().inputValue(), 'Fix the login redirect');
  });

  it('takes nothing that is typed or edited while the edited message is on its way', async () => {
    await both();
    await button('Fix the login', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    await editor().fill('Other');
    await editor().press('Enter');
    const request = await asked();
    await view.page.keyboard.type(' more');
    assert.equal(await editor().inputValue(), 'Other');
    await button('Add a test', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    assert.equal(await editor().inputValue(), 'Other');
    await answer(request, false);
    await editor().press('End');
    await view.page.keyboard.type(' more');
    assert.equal(await editor().inputValue(), 'Other more');
  });

  it('does not send by an Enter that is held down', async () => {
    await both();
    await button('Fix the login', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    await editor().focus();
    const press = (repeat: boolean) =>
      editor().evaluate((field, isHeld) => {
        field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, repeat: isHeld }));
      }, repeat);
    await press(true);
    await view.settle();
    assert.equal(view.posted.filter((one) => one.type === 'request').length, 0);
    await press(false);
    assert.equal((await asked()).params.how, 'edit');
  });

  it('leaves its keys to VS Code while a message is edited, and has the focus at the pencil after Escape', async () => {
    await both();
    await button('Fix the login', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    await view.page.evaluate(() => {
      document.title = '';
      window.addEventListener('keydown', ({ key }) => (document.title += `${key}/`));
    });
    for (const key of ['F1', 'Alt+ArrowUp', 'Control+k', 'Escape']) await view.page.keyboard.press(key);
    assert.equal(await view.page.title(), 'F1/Alt/Control/k/');
    assert.equal(await editor().count(), 0);
    const label = await view.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    assert.equal(label, 'Edit this message and send it again');
  });

  it('keeps an edit while its message is among older turns that are not loaded', async () => {
    await both();
    await button('Add a test', /^Edit/).focus();
    await view.page.keyboard.press('Enter');
    await editor().fill('Mine');
    await tell('chat', MAIN, chat(MAIN, { turns: turns.slice(1), turnsNextCursor: 'older' }));
    await view.settle();
    assert.equal(await composer().inputValue(), '');
    await both();
    assert.equal(await editor().inputValue(), 'Mine');
  });

  it('is reached from the palette for the last message', async () => {
    await both();
    await view.send({ type: 'command', command: 'goBack' });
    const first = await asked();
    assert.deepEqual(first.params, { chat: MAIN, turnId: 'b', how: 'back' });
    await answer(first, false);
    await view.send({ type: 'command', command: 'retryTurn' });
    assert.equal((await asked()).params.how, 'retry');
    const offers = view.posted.flatMap((one) => (one.type === 'context' ? [one.offers] : [])).at(-1) ?? [];
    assert.deepEqual(
      offers.filter((offer) => ['goBack', 'editMessage', 'retryTurn'].includes(offer)),
      ['goBack', 'editMessage', 'retryTurn'],
    );
  });

  it('is not offered where nothing can be sent, while the host is away, and for messages of others only as far as they can be taken back', async () => {
    await both({ interactivity: 'read-only' });
    assert.equal(await button('Add a test', /^(Edit|Try|Go back)/).count(), 0);
    assert.equal(await button('Add a test', /^Copy/).count(), 1);
    await both({ turns: [turn('a', 'By an agent', { origin: { kind: 'agent' } })] });
    assert.equal(await button('By an agent', /^(Edit|Try)/).count(), 0);
    assert.equal(await button('By an agent', /^Go back/).count(), 1);
    await view.send({ type: 'connection', connection: { kind: 'reconnecting', message: 'Away.' } });
    await button('By an agent', /^Go back/).waitFor({ state: 'detached' });
    assert.equal(
      view.inSession.every(({ session: { uri } }) => uri === SESSION),
      true,
    );
  });

  it('has one line at the end of a turn that changed files, which shows all of them', async () => {
    const edit = { type: 'fileEdit', after: { uri: 'file:///w/a.ts', content: { uri: 'x:1' } }, diff: { added: 4 } };
    const toolCall = {
      ...asks(),
      status: 'completed',
      success: true,
      pastTenseMessage: 'Edited',
      confirmed: 'not-needed',
      content: [edit],
    };
    await both({ turns: [{ ...turn('a', 'Edit it'), responseParts: [call(toolCall as never), words('Done')] }] });
    await view.page.getByText('1 file changed +4').waitFor();
    await view.page.getByRole('button', { name: 'View all' }).focus();
    await view.page.keyboard.press('Enter');
    const { chat: of, turnId } = await view.next('showTurnChanges');
    assert.deepEqual([of, turnId], [MAIN, 'a']);
    await view.screenshot('way-back-turn-files');
  });

  for (const theme of ['dark', 'light', 'highContrast'] as const)
    for (const width of [320, 700])
      it(`can be read in ${theme} at ${width} pixels`, async () => {
        await view.close();
        await open({ theme, width, height: 700 });
        await both();
        await button('Add a test', /^Edit/).focus();
        await view.page.keyboard.press('Enter');
        await button('Fix the login', /^Try/).focus();
        await view.screenshot(`way-back-${theme}-${width}`);
        assert.deepEqual(await violations(), []);
      });
});
