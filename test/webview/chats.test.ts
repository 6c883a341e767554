/** The chats of a session: which one is shown, where what the user types goes, how chats are made and deleted. */
import assert from 'node:assert/strict';
import type { StateAction } from '../../src/ahp/channels/actions.ts';
import { ROOT_URI } from '../../src/ahp/common/root.ts';
import { said } from '../fakes/models.ts';
import { chat, MAIN, root, session, SESSION, show, SIDE, summary, tab, tell, words } from './channelSession.ts';
import { composer, focusedId, useSessionPage, view } from './currentPage.ts';

describe('The chats of a session', function () {
  this.timeout(60_000);
  useSessionPage();

  const happens = (...actions: StateAction[]) => view.send({ type: 'actions', uri: SESSION, now: 1, actions: actions as never[] });
  const note = () => view.page.locator('.note', { hasText: 'in a chat that was removed' });
  const both = async (state = session()) => {
    await show(state);
    await tell('chat', MAIN, chat(MAIN));
    await tell('chat', SIDE, chat(SIDE));
  };

  const changes: [string, object, StateAction][] = [
    ['calls another chat the default', {}, { type: 'session/defaultChatChanged', defaultChat: SIDE }],
    ['sorts the chats', { defaultChat: undefined }, { type: 'session/chatsReordered', chats: [SIDE, MAIN] }],
  ];
  for (const [what, fields, action] of changes)
    it(`stay where the user types when the host ${what}`, async () => {
      await both(session(fields));
      await composer().fill('Deploy this');
      await happens(action);
      assert.equal(await tab('Main').getAttribute('aria-selected'), 'true');
      await view.page.keyboard.press('Enter');
      assert.equal((await view.nextDispatch('chat/turnStarted')).uri, MAIN);
    });

  it('take over what was typed before they were known, without a jump of the focus', async () => {
    await view.send(
      {
        type: 'show',
        session: { hostId: 'today', uri: SESSION, hostLabel: 'today' },
        drafts: { [MAIN]: { text: 'Kept', attachments: [] } },
      },
      { type: 'connection', connection: { kind: 'connected' } },
    );
    await composer().fill('Early');
    await tell('session', SESSION, session());
    await tell('chat', MAIN, chat(MAIN));
    assert.equal(await focusedId(), 'composer');
    assert.equal(await composer().inputValue(), 'Early\n\nKept');
    await view.page.keyboard.press('Enter');
    const { uri, action } = await view.nextDispatch('chat/turnStarted');
    assert.deepEqual([uri, action.message.text], [MAIN, 'Early\n\nKept']);
    await tab('Aside').click();
    await tab('Main').click();
    assert.equal(await composer().inputValue(), '');
  });

  it('have the drafts that were kept for them', async () => {
    await view.send({
      type: 'show',
      session: { hostId: 'today', uri: SESSION, hostLabel: 'today' },
      drafts: { [SESSION]: { text: 'Of the session', attachments: [] }, [SIDE]: { text: 'Of the side chat', attachments: [] } },
    });
    await both();
    assert.equal(await composer().inputValue(), 'Of the session');
    await tab('Aside').click();
    assert.equal(await composer().inputValue(), 'Of the side chat');
    const moved = view.inSession.flatMap(({ session: { uri }, message }) => (message.type === 'draft' ? [[uri, message.draft.text]] : []));
    assert.deepEqual(moved[0], [SESSION, ''], 'the draft is that of the chat from now on');
  });

  it('leave the words of the user behind when the host removes one', async () => {
    await both();
    await tab('Aside').click();
    await composer().fill('Half a thought');
    await tell('chat', SIDE, chat(SIDE, { queuedMessages: [{ id: 'q', message: said('Queued') }] }));
    await happens({ type: 'session/chatRemoved', chat: SIDE });
    await view.page.getByText('The chat “Aside” was removed. Another chat is shown now.').waitFor();
    assert.notEqual(await focusedId(), 'composer', 'an Enter sends nothing');
    assert.equal(await composer().inputValue(), '');
    await note().getByText('Half a thought').waitFor();
    await note().getByRole('button', { name: 'Copy' }).click();
    assert.equal((await view.next('copy')).text, 'Queued\n\nHalf a thought');
    await note().getByRole('button', { name: 'Use it here' }).click();
    await note().waitFor({ state: 'detached' });
    assert.equal(await composer().inputValue(), 'Queued\n\nHalf a thought');
  });

  it('leave words behind also after the page was loaded again, and where they were not shown', async () => {
    await both();
    await tab('Aside').click();
    await composer().fill('Half a thought');
    await tab('Main').click();
    await composer().fill('Mine');
    await happens({ type: 'session/chatRemoved', chat: SIDE });
    await note().waitFor();
    assert.equal(await composer().inputValue(), 'Mine');
    await view.page.reload();
    await view.next('ready');
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    await tell('chat', MAIN, chat(MAIN));
    assert.equal(await composer().inputValue(), 'Half a thought\n\nMine');
  });

  it('leave behind what the host refuses after it has removed one', async () => {
    await both();
    await tab('Aside').click();
    await composer().fill('Sent');
    await composer().press('Enter');
    const { action } = await view.nextDispatch('chat/turnStarted');
    await happens({ type: 'session/chatRemoved', chat: SIDE });
    await view.send({ type: 'rejected', session: { hostId: 'today', uri: SESSION }, uri: SIDE, clientSeq: 5, reason: 'Gone.', action });
    await note().getByText('Sent').waitFor();
    await note().getByRole('button', { name: 'Discard' }).click();
    await note().waitFor({ state: 'detached' });
  });

  it('are made one at a time, and the page says so', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }), root({ fork: true }));
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { turns: [{ id: 't', message: said('Hi'), responseParts: [words('Hello.')], state: 'complete' }] }),
    );
    const fork = view.page.getByRole('button', { name: 'Fork from here' });
    const add = view.page.getByRole('button', { name: 'New chat' });
    await fork.dblclick();
    await view.page.getByRole('status').getByText('Making the chat…').waitFor({ state: 'attached' });
    await view.page.locator('.turn-chats').getByText('Making the chat…').waitFor();
    for (const button of [fork, add]) assert.equal(await button.getAttribute('aria-disabled'), 'true');
    await add.dispatchEvent('click');
    await view.send({ type: 'command', command: 'newChat' });
    const asked = view.posted.filter((message) => message.type === 'request');
    assert.equal(asked.length, 1);
    await view.send({ type: 'response', id: asked[0]!.id, error: 'The host is busy.' });
    await view.page.getByRole('alert').getByText('The host is busy.').waitFor();
    assert.equal(await view.page.getByText('Making the chat…').count(), 0);
    assert.equal(await view.page.evaluate(() => document.activeElement?.textContent), 'Fork from here', 'it keeps the focus');
    await add.click();
    await view.until('a second request', (message) => message.type === 'request' && message.id !== asked[0]!.id);
  });

  it('are deleted with a button or a key, but for the session’s own', async () => {
    await both();
    const trash = view.page.getByRole('button', { name: 'Delete this chat' });
    await tab('Main').press('Delete');
    assert.equal(await trash.count(), 0);
    await tab('Aside').click();
    await tab('Aside').press('Delete');
    assert.deepEqual(await view.next('deleteChat'), { type: 'deleteChat', chat: SIDE });
    await trash.click();
    assert.equal((await view.next('deleteChat')).chat, SIDE);
    assert.equal(view.posted.filter(({ type }) => type === 'deleteChat').length, 2);
  });

  it('are renamed and deleted with dialogs of the page where the shell has none', async () => {
    await view.send({ type: 'show', session: { hostId: 'today', uri: SESSION, hostLabel: 'today' }, drafts: {}, lacks: ['chats'] });
    await view.send({ type: 'connection', connection: { kind: 'connected', renamesChats: true } });
    await tell('session', SESSION, session());
    await tell('chat', MAIN, chat(MAIN));
    await tell('chat', SIDE, chat(SIDE));
    await tab('Aside').click();
    const dialog = view.page.getByRole('dialog');
    const rename = view.page.getByRole('button', { name: 'Rename this chat' });
    await rename.click();
    const name = dialog.getByLabel('Name of this chat');
    assert.equal(await name.inputValue(), 'Aside');
    await name.fill('  ');
    await name.press('Enter');
    await name.fill(' Other ');
    await name.press('Enter');
    const named = await view.next('request');
    assert.equal(named.method, 'nameChat');
    assert.deepEqual(named.params, { chat: SIDE, title: 'Other' });
    await view.send({ type: 'response', id: named.id, error: 'The host is busy.' });
    await dialog.getByRole('alert').getByText('The host is busy.').waitFor();
    await name.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await tab('Aside').press('Delete');
    await dialog.getByRole('button', { name: 'Cancel' }).and(view.page.locator(':focus')).waitFor();
    await view.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(!view.posted.some((message) => message.type === 'request' && message.method === 'removeChat'), 'Enter alone deletes nothing');
    await tab('Aside').press('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const removed = await view.next('request');
    assert.equal(removed.method, 'removeChat');
    assert.deepEqual(removed.params, { chat: SIDE });
    await view.send({ type: 'response', id: removed.id, result: {} });
    await dialog.waitFor({ state: 'detached' });
    assert.ok(!view.posted.some(({ type }) => type === 'renameChat' || type === 'deleteChat'));
    // What becomes of it once the dialog is gone is said all the same.
    await tab('Aside').press('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const late = await view.next('request');
    await view.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await view.send({ type: 'response', id: late.id, error: 'The host is busy.' });
    await view.page.getByText('The chat “Aside” was not deleted: The host is busy.').waitFor();
  });

  it('that can only be read say so, and offer nothing that cannot be done', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const error = { kind: 'error' as const, error: { errorType: 'x', message: 'The line was cut.' }, resumable: true };
    const turns = [{ id: 't', message: said('Hi'), responseParts: [words('Half'), error], state: 'error' as const }];
    const queuedMessages = [{ id: 'p', message: said('Later') }];
    await tell('chat', MAIN, chat(MAIN, { interactivity: 'read-only', turns, queuedMessages }));
    await view.page.getByText('The line was cut.').waitFor();
    assert.equal(await composer().getAttribute('placeholder'), 'This chat can only be read.');
    await composer().fill('hello?');
    const hint = view.page.locator('#composer-hint', { hasText: 'This chat can only be read.' });
    assert.deepEqual(await hint.getAttribute('class'), 'hint composer-hint');
    await composer().press('Enter');
    assert.equal(await composer().inputValue(), 'hello?');
    assert.equal(await view.page.locator('.queue', { hasText: 'Later' }).getByRole('button').count(), 0);
    assert.equal(await view.page.locator('.remedies').count(), 0);
    assert.ok(!view.posted.some(({ type }) => type === 'dispatch'));
  });

  it('are chosen, made and read further back from the palette, which offers what can be done', async () => {
    await both();
    await tell('root', ROOT_URI, root({ fork: true }));
    const turns = [{ id: 't', message: said('Hi'), responseParts: [words('Hello.')], state: 'complete' as const }];
    await tell('chat', MAIN, chat(MAIN, { turns, turnsNextCursor: 'older' }));
    const offers = () => view.posted.flatMap((message) => (message.type === 'context' ? [message.offers] : [])).at(-1);
    await view.settle();
    const ofTurns = ['goBack', 'editMessage', 'retryTurn'];
    assert.deepEqual(offers(), ['newChat', 'chooseChat', 'deleteChat', 'forkChat', ...ofTurns, 'loadOlderTurns']);
    await view.send({ type: 'command', command: 'loadOlderTurns' });
    const older = await view.next('request');
    assert.deepEqual([older.method, older.params], ['fetchTurns', { chat: MAIN }]);
    await view.send({ type: 'command', command: 'newChat', source: { kind: 'fork', chat: MAIN, turnId: 't' } });
    assert.deepEqual((await view.next('request')).params, { source: { kind: 'fork', chat: MAIN, turnId: 't' } });
    await view.send({ type: 'command', command: 'chooseChat', chat: SIDE });
    assert.equal(await tab('Aside').getAttribute('aria-selected'), 'true');
    assert.deepEqual(offers(), ['newChat', 'chooseChat', 'deleteChat']);
  });

  it('say while something is found that older turns are not searched, and load them with a way to stop', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const turn = (id: string, text: string) => ({ id, message: said(text), responseParts: [], state: 'complete' as const });
    await tell('chat', MAIN, chat(MAIN, { turnsNextCursor: 'one', turns: [turn('t', 'Hi')] }));
    await view.send({ type: 'command', command: 'find' });
    await view.page.getByText('Older turns are not loaded, so they are not searched.').waitFor();
    await view.page.getByRole('textbox', { name: 'Find' }).fill('long ago');
    await view.page.getByText('No results').waitFor();
    await view.page.getByRole('button', { name: 'Load and search them' }).click();
    const asked = async () => {
      const request = await view.next('request');
      assert.equal(request.method, 'fetchTurns');
      return request.id;
    };
    const loaded = async (id: string, turnsNextCursor?: string) =>
      view.send({
        type: 'actions',
        uri: MAIN,
        now: 1,
        actions: [{ type: 'chat/turnsLoaded', turns: [turn(id, `Long ago ${id}`)], ...(turnsNextCursor && { turnsNextCursor }) } as never],
      });
    await asked();
    await loaded('p', 'two');
    await view.page.getByText('1 of 1').waitFor();
    // It goes on by itself until it is stopped.
    await asked();
    await view.page.getByRole('button', { name: 'Stop', exact: true }).click();
    await loaded('o', 'three');
    await view.page.getByText('2 of 2').waitFor();
    await view.page.getByText('Older turns are not loaded, so they are not searched.').waitFor();
    await view.page.getByRole('button', { name: 'Load and search them' }).click();
    const last = await asked();
    await view.send({ type: 'response', id: last, error: 'The host is busy.' });
    await view.page.getByRole('alert').filter({ hasText: 'They could not be loaded: The host is busy.' }).first().waitFor();
  });

  it('load older turns until the one is there that was found elsewhere, and ask once for each page', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const turn = (id: string, text: string) => ({ id, message: said(text), responseParts: [], state: 'complete' as const });
    await tell('chat', MAIN, chat(MAIN, { turnsNextCursor: 'one', turns: [turn('t', 'Hi')] }));
    await view.send({ type: 'command', command: 'showTurn', chat: MAIN, turn: 'o' });
    for (const [id, next] of [
      ['p', 'two'],
      ['o', 'three'],
    ] as const) {
      const { method, params } = await view.next('request');
      assert.deepEqual([method, params], ['fetchTurns', { chat: MAIN }]);
      await view.send({ type: 'actions', uri: MAIN, now: 1, actions: [{ type: 'chat/activityChanged', activity: 'busy' } as never] });
      const loaded = { type: 'chat/turnsLoaded', turns: [turn(id, `Long ago ${id}`)], turnsNextCursor: next };
      await view.send({ type: 'actions', uri: MAIN, now: 1, actions: [loaded as never] });
    }
    await view.page.locator('[data-turn="o"]:focus').waitFor();
    await view.page.getByRole('button', { name: 'Load older turns' }).waitFor();
  });

  it('load older turns again for a second wish, and no more once the host gives a page without turns', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const turn = (id: string, text: string) => ({ id, message: said(text), responseParts: [], state: 'complete' as const });
    await tell('chat', MAIN, chat(MAIN, { turnsNextCursor: 'one', turns: [turn('t', 'Hi')] }));
    const wish = () => view.send({ type: 'command', command: 'showTurn', chat: MAIN, turn: 'o' });
    const asked = async () => {
      const { id, method } = await view.next('request');
      assert.equal(method, 'fetchTurns');
      return id;
    };
    await wish();
    await view.send({ type: 'response', id: await asked(), error: 'The host is busy.' });
    await view.page.getByText('The host is busy.').first().waitFor();
    await wish();
    await asked();
    const loaded = { type: 'chat/turnsLoaded', turns: [], turnsNextCursor: 'two' };
    await view.send({ type: 'actions', uri: MAIN, now: 1, actions: [loaded as never] });
    await view.page.getByRole('button', { name: 'Load older turns' }).waitFor();
    await view.settle();
    assert.equal(view.posted.filter((message) => message.type === 'request' && message.method === 'fetchTurns').length, 2);
  });

  it('keep the focus in the transcript when the button for older turns goes', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const turn = (id: string, text: string) => ({ id, message: said(text), responseParts: [], state: 'complete' as const });
    await tell('chat', MAIN, chat(MAIN, { turnsNextCursor: 'older', turns: [turn('t', 'Hi')] }));
    const button = view.page.getByRole('button', { name: 'Load older turns' });
    await button.focus();
    await button.press('Enter');
    await view.page.getByRole('button', { name: 'Loading older turns…' }).and(view.page.locator(':focus')).waitFor();
    const loaded = { type: 'chat/turnsLoaded', turns: [turn('o', 'Long ago'), turn('p', 'Later')] };
    await view.send({ type: 'actions', uri: MAIN, now: 1, actions: [loaded as never] });
    await view.page.locator('.turn:focus', { hasText: 'Long ago' }).waitFor();
  });
});
