/** A session of a host of today: several chats, questions in their place, what the host can do and AHP v1 cannot. */
import assert from 'node:assert/strict';
import type { ChatState } from '../../src/ahp/channels/chat/state.ts';
import type { ToolCallPendingConfirmationState } from '../../src/ahp/channels/shapes/toolCall.ts';
import { ROOT_URI } from '../../src/ahp/common/root.ts';
import { cardName } from '../../src/views/session/waiting/waiting.ts';
import { said } from '../fakes/models.ts';
import { asks, call, card, chat, HELPER, MAIN, root, session, SESSION, show, SIDE, summary, tab, tell, words } from './channelSession.ts';
import { composer, open, readThrough, text, useSessionPage, view, violations } from './currentPage.ts';
import { themes, type ThemeName } from './themes.ts';

describe('A session of AHP 1.0', function () {
  this.timeout(60_000);
  useSessionPage();

  it('shows a call that waits for a sign-in, and leaves the question to VS Code', async () => {
    const auth = {
      reason: 'expired',
      resource: { resource: 'https://mcp.example/x', resource_name: 'Tickets' },
      description: 'Reads <b>tickets</b>',
    };
    const waits = asks({ status: 'auth-required', contributor: { kind: 'mcp', customizationId: 's' }, toolInput: '{"id":7}', auth });
    await show(session());
    await tell('chat', MAIN, chat(MAIN, { activeTurn: { id: 't', message: said('Look'), responseParts: [call(waits)] } }));
    await card().getByText('Sign in to Tickets?').waitFor();
    const shown = await card().innerText();
    for (const part of [
      'Your sign-in has ended.',
      'Run command',
      'Reads <b>tickets</b>',
      'https://mcp.example/x',
      'Stop the turn to end it.',
    ])
      assert.ok(shown.includes(part), shown);
    await view.page.locator('.header .state', { hasText: 'Needs you' }).waitFor();
    assert.deepEqual(await violations(), []);
    await card().getByRole('button', { name: 'Sign in…' }).click();
    assert.deepEqual(await view.next('signIn'), { type: 'signIn', uri: MAIN, turnId: 't', toolCallId: 'c' });
    // A key that approves does not sign in.
    await view.send({ type: 'command', command: 'approve' });
    await card().getByText('Nothing was approved.').waitFor();
  });

  describe('with a draft that other clients share', () => {
    const origin = { kind: 'user' as const };
    const type = (content: string, sharesDrafts?: true) =>
      showChat({ ...(content !== '' && { draft: { text: content, origin } }) }, sharesDrafts);
    async function showChat(fields: Partial<ChatState>, sharesDrafts?: true): Promise<void> {
      await view.send(
        { type: 'show', session: { hostId: 'today', uri: SESSION, hostLabel: 'today', ...(sharesDrafts && { sharesDrafts }) } },
        { type: 'connection', connection: { kind: 'connected' } },
      );
      await tell('root', ROOT_URI, root());
      await tell('session', SESSION, session());
      await tell('chat', MAIN, chat(MAIN, fields));
    }
    const value = () => composer().inputValue();
    const offer = () => view.page.locator('.shared-draft');

    it('follows another client while nobody is in the composer', async () => {
      await type('by an');
      await view.page.waitForFunction(() => document.querySelector('textarea')?.value === 'by an');
      await tell('chat', MAIN, chat(MAIN, { draft: { text: 'by another', origin } }));
      await view.page.waitForFunction(() => document.querySelector('textarea')?.value === 'by another');
      // The other client has sent it.
      await tell('chat', MAIN, chat(MAIN));
      await view.page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    });

    it('replaces nothing that the user types, and offers it', async () => {
      await type('');
      await composer().fill('mine');
      await tell('chat', MAIN, chat(MAIN, { draft: { text: 'by another', origin } }));
      await offer().getByText('by another').waitFor();
      assert.equal(await value(), 'mine');
      await offer().getByRole('button', { name: 'Use it' }).click();
      await offer().waitFor({ state: 'detached' });
      assert.equal(await value(), 'by another\n\nmine');
    });

    it('lets nothing of others come under the Enter of the user', async () => {
      await type('');
      await composer().focus();
      await tell('chat', MAIN, chat(MAIN, { draft: { text: 'delete all', origin } }));
      await offer().getByText('delete all').waitFor();
      await view.page.keyboard.press('Enter');
      assert.equal(await value(), '');
      await offer().getByRole('button', { name: 'Dismiss' }).click();
      await offer().waitFor({ state: 'detached' });
      assert.equal(await value(), '');
    });

    it('tells others what the user types only where the user wants it, and clears it once it is sent', async () => {
      await type('', true);
      await composer().fill('shared');
      const shared = await view.nextDispatch('chat/draftChanged');
      assert.deepEqual([shared.uri, shared.action], [MAIN, { type: 'chat/draftChanged', draft: { text: 'shared', origin } }]);
      await tell('chat', MAIN, chat(MAIN, { draft: { text: 'shared', origin } }));
      await composer().press('Enter');
      assert.equal((await view.nextDispatch('chat/turnStarted')).uri, MAIN);
      assert.deepEqual((await view.nextDispatch('chat/draftChanged')).action, { type: 'chat/draftChanged' });
    });
  });

  it('shows its own chat, and another one of which the user chooses the tab', async () => {
    await show(session());
    assert.deepEqual(await view.next('watch'), { type: 'watch', uri: MAIN, kind: 'chat' });
    await view.page.getByText('Loading the session…').waitFor();
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { turns: [{ id: 't', message: said('Hi'), responseParts: [words('Hello.')], state: 'complete', duration: 61_000 }] }),
    );
    await view.page.getByText('Hello.').waitFor();
    await view.page.locator('.turn-end', { hasText: '1 min' }).waitFor();
    await tab('Aside').click();
    assert.deepEqual(await view.next('watch'), { type: 'watch', uri: SIDE, kind: 'chat' });
    await tell('chat', SIDE, chat(SIDE, { activeTurn: { id: 's', message: said('Clean up'), responseParts: [call(asks())] } }));
    await card().getByText('rm -rf build').waitFor();
    assert.equal(await view.page.getByText('Hello.').count(), 0);
    await readThrough();
    await card().getByRole('button', { name: 'Approve' }).click();
    assert.equal((await view.nextDispatch('chat/toolCallConfirmed')).uri, SIDE);
    // The arrow keys go through the tabs.
    await tab('Aside').focus();
    await view.page.keyboard.press('ArrowLeft');
    await view.page.getByText('Hello.').waitFor();
    assert.equal(await tab('Main').getAttribute('aria-selected'), 'true');
  });

  it('shows the chat of a card that is to get the focus, and no other card gets it', async () => {
    const waits = (uri: string) =>
      tell('chat', uri, chat(uri, { activeTurn: { id: 't', message: said('Go'), responseParts: [call(asks())] } }));
    const place = { chat: SIDE, name: cardName({ kind: 'call', turnId: 't', call: asks() as ToolCallPendingConfirmationState }) };
    await show(session());
    await waits(MAIN);
    await card().focus();
    await view.send({ type: 'focus', target: 'needsYou', card: place });
    await tab('Aside').and(view.page.locator('[aria-selected=true]')).waitFor();
    assert.equal(await card().count(), 0, 'its chat is on its way');
    await waits(SIDE);
    await view.page.locator('.waiting-card:focus').waitFor();
    await view.send({ type: 'command', command: 'deny', byKey: true });
    assert.equal((await view.nextDispatch('chat/toolCallConfirmed')).uri, SIDE);
    const { chats } = view.posted.findLast((message) => message.type === 'context') ?? {};
    assert.deepEqual(chats, [SIDE]);
  });

  it('focuses the card of a subagent that is still loading, unless the user goes on meanwhile', async () => {
    const helper = summary(HELPER, 'Look', { origin: { kind: 'tool', chat: MAIN, toolCallId: 'a' } });
    const starts = asks({ status: 'running', confirmed: 'not-needed', content: [{ type: 'subagent', resource: HELPER, title: 'Look' }] });
    const main = chat(MAIN, { activeTurn: { id: 't', message: said('Go'), responseParts: [call(starts)] } });
    const below = chat(HELPER, { activeTurn: { id: 'h', message: said('Look'), responseParts: [call(asks())] } });
    const place = { chat: HELPER, name: cardName({ kind: 'call', turnId: 'h', call: asks() as ToolCallPendingConfirmationState }) };
    for (const goesOn of [false, true]) {
      if (goesOn) await open();
      await show(session({ chats: [summary(MAIN, 'Main'), helper] }));
      await view.send({ type: 'focus', target: 'needsYou', card: place });
      await tell('chat', MAIN, main);
      await composer().waitFor();
      if (goesOn) await composer().press('a');
      await tell('chat', HELPER, below);
      await card().waitFor();
      await view.settle();
      assert.equal(await card().and(view.page.locator(':focus')).count(), goesOn ? 0 : 1);
      assert.equal(await view.page.getByRole('tab').count(), 0, 'it stays below its call');
    }
  });

  it('sends what was written before the chat was known to that chat, unless it has an earlier draft', async () => {
    for (const earlier of [undefined, { text: 'From before', attachments: [] }]) {
      await open();
      await view.send(
        { type: 'show', session: { hostId: 'today', uri: SESSION, hostLabel: 'today' }, ...(earlier && { drafts: { [MAIN]: earlier } }) },
        { type: 'connection', connection: { kind: 'connected' } },
      );
      await composer().fill('Begin');
      await composer().press('Enter');
      await view.page.getByRole('alert').getByText('as soon as the session is loaded').waitFor();
      await tell('session', SESSION, session());
      await tell('chat', MAIN, chat(MAIN));
      if (earlier) {
        await view.page.getByRole('alert').getByText('Not sent yet, because the message has changed.').waitFor();
        assert.match(await composer().inputValue(), /From before/);
        await composer().press('Enter');
      }
      const { uri, action } = await view.nextDispatch('chat/turnStarted');
      assert.equal(uri, MAIN);
      assert.equal(action.message.text, earlier ? 'Begin\n\nFrom before' : 'Begin');
    }
  });

  it('sends to the chat that is shown, with a draft for each', async () => {
    await show(session());
    await tell('chat', MAIN, chat(MAIN));
    await composer().fill('For the main chat');
    await tab('Aside').click();
    await tell('chat', SIDE, chat(SIDE, { draft: { ...said(''), model: { id: 'gpt-5' } } }));
    assert.equal(await composer().inputValue(), '');
    await composer().fill('Aside');
    await composer().press('Enter');
    const { uri, action } = await view.nextDispatch('chat/turnStarted');
    assert.deepEqual([uri, action.message], [SIDE, { ...said('Aside'), model: { id: 'gpt-5' } }]);
    await tab('Main').click();
    assert.equal(await composer().inputValue(), 'For the main chat');
  });

  it('keeps a question where it was asked, with its answer after that, and shows notices of the host', async () => {
    const request = { id: 'q', message: 'Which one?', questions: [{ kind: 'text' as const, id: 'a', message: 'Which one?' }] };
    const parts = [words('Before.'), { kind: 'inputRequest' as const, request }, words('After.')];
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    await tell('chat', MAIN, chat(MAIN, { activeTurn: { id: 't', message: said('Ask'), responseParts: parts } }));
    await card().getByRole('textbox').fill('the second');
    assert.match((await text()).replace(/\s+/g, ' '), /Before\..*Which one\?.*After\./);
    await view.page.getByRole('button', { name: 'Send answers' }).click();
    const { uri, action } = await view.nextDispatch('chat/inputCompleted');
    assert.equal(uri, MAIN);
    await view.send({
      ...{ type: 'actions', uri: MAIN, now: 1 },
      actions: [
        action,
        { type: 'chat/responsePart', turnId: 't', part: { kind: 'systemNotification', content: 'The context was compacted.' } } as never,
      ],
      pending: [],
    });
    await card().waitFor({ state: 'detached' });
    await view.page.locator('.answered-question', { hasText: 'Which one? answered' }).getByText('the second').waitFor();
    await view.page.getByRole('note').getByText('The context was compacted.').waitFor();
    assert.match((await text()).replace(/\s+/g, ' '), /Before\..*Which one\?.*After\..*compacted/);
  });

  it('goes on with a turn that failed, where its host can', async () => {
    const error = { kind: 'error' as const, error: { errorType: 'x', message: 'The line was cut.' }, resumable: true };
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { turns: [{ id: 't', message: said('Go'), responseParts: [words('Half'), error], state: 'error' }] }),
    );
    await view.page.getByText('The line was cut.').waitFor();
    await view.page.getByRole('button', { name: 'Go on with this turn' }).click();
    assert.deepEqual(await view.nextDispatch('chat/turnResume'), {
      ...{ type: 'dispatch', uri: MAIN },
      action: { type: 'chat/turnResume', turnId: 't' },
    });
  });

  it('lets nobody approve a call whose input is not there', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const hidden = asks({ toolInput: { uri: 'file:///host/input.txt', sizeHint: 90_000 }, editable: true });
    await tell('chat', MAIN, chat(MAIN, { activeTurn: { id: 't', message: said('Go'), responseParts: [call(hidden)] } }));
    await card().getByText('it cannot be approved here').waitFor();
    assert.deepEqual(await card().locator('vscode-button').allInnerTexts(), ['Deny', '']);
    assert.equal(await card().getByRole('button', { name: 'Edit input' }).count(), 0);
    await card().focus();
    await view.send({ type: 'command', command: 'approve', byKey: true });
    await view.settle();
    assert.ok(!view.posted.some((message) => message.type === 'dispatch'));
    await card().getByRole('button', { name: 'Deny' }).first().click();
    assert.equal((await view.nextAction('chat/toolCallConfirmed')).approved, false);
  });

  it('says why the agent makes a call and how its host sees the risk, without losing what is typed', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    const show1 = (fields: object) =>
      tell(
        'chat',
        MAIN,
        chat(MAIN, {
          activeTurn: { id: 't', message: said('Go'), responseParts: [call(asks({ intention: 'To start\u202eafresh', ...fields }))] },
        }),
      );
    await show1({ riskAssessment: { status: 'loading', kind: 'judge' } });
    await card().getByText('The agent says why:').getByText('U+202E').waitFor();
    await card().getByText('judging the risk').waitFor();
    await card().getByRole('button', { name: 'More ways to deny' }).click();
    await card().getByRole('button', { name: 'Deny with a reason…' }).click();
    await view.page.getByRole('textbox', { name: 'Reason' }).fill('because');
    await show1({ riskAssessment: { status: 'complete', kind: 'judge', reason: 'It deletes **files**.', safety: 0.2 } });
    await card().getByText('The host judges the risk (safety 0.2)').waitFor();
    assert.equal(await view.page.getByRole('textbox', { name: 'Reason' }).inputValue(), 'because');
  });

  it('answers the call of a subagent in its place, if its chat is one of the session', async () => {
    const starts = (resource: string, id: string) =>
      call(asks({ toolCallId: id, status: 'running', confirmed: 'not-needed', content: [{ type: 'subagent', resource, title: 'Look' }] }));
    const helper = summary(HELPER, 'Look', { origin: { kind: 'tool', chat: MAIN, toolCallId: 'a' } });
    await show(session({ chats: [summary(MAIN, 'Main'), helper] }));
    assert.equal(await view.page.getByRole('tab').count(), 0, 'it belongs to its call');
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { activeTurn: { id: 't', message: said('Go'), responseParts: [starts(HELPER, 'a'), starts('ahp-chat://other/9', 'b')] } }),
    );
    for (const uri of [HELPER, 'ahp-chat://other/9'])
      await tell(
        'chat',
        uri,
        chat(uri, { activeTurn: { id: 'h', message: said('Look'), responseParts: [call(asks({ toolInput: `ls ${uri}` }))] } }),
      );
    await card().getByText(`ls ${HELPER}`).waitFor();
    assert.equal(await card().count(), 1);
    await readThrough();
    await card().getByRole('button', { name: 'Approve' }).click();
    assert.equal((await view.nextDispatch('chat/toolCallConfirmed')).uri, HELPER);
  });

  it('shows what waits in a chat once, also where its host calls it a subagent of itself or of one below', async () => {
    const starts = (resource: string) =>
      call(asks({ toolCallId: 'a', status: 'running', confirmed: 'not-needed', content: [{ type: 'subagent', resource, title: 'Look' }] }));
    const helper = summary(HELPER, 'Look', { origin: { kind: 'tool', chat: MAIN, toolCallId: 'a' } });
    await show(session({ chats: [summary(MAIN, 'Main'), helper] }));
    const runs = (uri: string, ...subagents: string[]) =>
      tell(
        'chat',
        uri,
        chat(uri, {
          activeTurn: {
            id: uri,
            message: said('Go'),
            responseParts: [...subagents.map(starts), call(asks({ toolInput: `ls ${uri}` }))],
          },
        }),
      );
    await runs(MAIN, MAIN);
    await card().getByText(`ls ${MAIN}`).waitFor();
    assert.equal(await card().count(), 1);
    await runs(HELPER, MAIN, HELPER);
    await runs(MAIN, HELPER);
    await card().getByText(`ls ${HELPER}`).waitFor();
    assert.equal(await card().count(), 2);
  });

  it('makes chats only where the agent has several, and says why one was not made', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { turns: [{ id: 't', message: said('Hi'), responseParts: [words('Hello.')], state: 'complete' }] }),
    );
    assert.equal(await view.page.getByRole('button', { name: /New chat|Fork|aside/ }).count(), 0);
    await view.send({ type: 'command', command: 'newChat' });
    await view.page.getByRole('alert').getByText('one chat only').waitFor();
    await tell('root', ROOT_URI, root({ fork: true }));
    await view.page.getByRole('button', { name: 'Fork from here' }).click();
    const asked = await view.next('request');
    assert.deepEqual([asked.method, asked.params], ['createChat', { source: { kind: 'fork', chat: MAIN, turnId: 't' } }]);
    await view.send({ type: 'response', id: asked.id, error: 'The host is busy.' });
    await view.page.getByRole('alert').getByText('No chat was made: The host is busy.').waitFor();
    await view.page.getByRole('button', { name: 'New chat' }).click();
    const again = await view.next('request');
    assert.deepEqual([again.method, again.params], ['createChat', {}]);
    await view.send({ type: 'response', id: again.id, result: { uri: SIDE } });
    await tell('session', SESSION, session());
    await tell('chat', SIDE, chat(SIDE));
    assert.equal(await tab('Aside').getAttribute('aria-selected'), 'true');
  });

  it('makes a side chat about what is selected in the turn, and renames chats where its host can', async () => {
    const turn = (id: string) => ({ id, message: said('Hi'), responseParts: [words(`Otters of ${id}.`)], state: 'complete' as const });
    await show(session({ chats: [summary(MAIN, 'Main'), summary(SIDE, 'Aside')] }), root({ fork: true, sideChat: true }));
    await tell('chat', MAIN, chat(MAIN, { turns: [turn('t'), turn('u')] }));
    const aside = (id: string) => view.page.locator(`.turn[data-turn=${id}]`).getByRole('button', { name: 'Ask aside' });
    const sources: unknown[] = [];
    await view.page.getByText('Otters of u.').dblclick({ position: { x: 5, y: 5 } });
    for (const id of ['u', 't']) {
      await aside(id).click();
      const asked = await view.next('request');
      sources.push(asked.params);
      await view.send({ type: 'response', id: asked.id, error: 'No.' });
      await view.page.getByRole('alert').waitFor();
    }
    assert.deepEqual(sources, [
      { source: { kind: 'sideChat', chat: MAIN, turnId: 'u', selection: { text: 'Otters' } } },
      { source: { kind: 'sideChat', chat: MAIN, turnId: 't' } },
    ]);
    const rename = view.page.getByRole('button', { name: 'Rename this chat' });
    assert.equal(await rename.count(), 0, 'this host cannot');
    await view.send({ type: 'connection', connection: { kind: 'connected', renamesChats: true } });
    await rename.click();
    assert.equal((await view.next('renameChat')).chat, MAIN);
    await view.page.getByRole('tab', { name: 'Main' }).press('F2');
    assert.equal((await view.next('renameChat')).chat, MAIN);
    await view.settle();
    await view.screenshot('rename-chat');
  });

  it('asks for the turns that its host has not sent', async () => {
    await show(session({ chats: [summary(MAIN, 'Main')] }));
    await tell(
      'chat',
      MAIN,
      chat(MAIN, { turnsNextCursor: 'older', turns: [{ id: 't', message: said('Hi'), responseParts: [], state: 'complete' }] }),
    );
    await view.page.getByRole('button', { name: 'Load older turns' }).click();
    const asked = await view.next('request');
    assert.deepEqual([asked.method, asked.params], ['fetchTurns', { chat: MAIN }]);
    const older = { id: 'o', message: said('Long ago'), responseParts: [], state: 'complete' };
    await view.send({ type: 'response', id: asked.id, result: {} });
    await view.send({ type: 'actions', uri: MAIN, now: 1, actions: [{ type: 'chat/turnsLoaded', turns: [older] } as never] });
    await view.page.getByText('Long ago').waitFor();
    assert.equal(await view.page.getByRole('button', { name: 'Load older turns' }).count(), 0);
  });

  for (const theme of Object.keys(themes) as ThemeName[])
    it(`passes axe with several chats, ${theme}`, async () => {
      await view.close();
      await open({ theme });
      await show(session({ chats: [summary(MAIN, 'Main'), summary(SIDE, 'Aside', { status: 24 })] }), root({ fork: true, sideChat: true }));
      await tell(
        'chat',
        MAIN,
        chat(MAIN, { turns: [{ id: 't', message: said('Hi'), responseParts: [words('Hello.')], state: 'complete', duration: 5_000 }] }),
      );
      await view.page.locator('.turn').hover();
      await view.settle();
      await view.screenshot(`channels-${theme}`);
      assert.deepEqual(await violations(), []);
    });
});
