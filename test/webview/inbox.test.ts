import assert from 'node:assert/strict';
import type { FileEdit } from '../../src/ahp/v1/common.ts';
import type { SessionInputRequest } from '../../src/ahp/v1/inputRequest.ts';
import type { InboxItem } from '../../src/webviews/inbox/protocol.ts';
import { callItem, type InboxPage, plainItem, questionItem, resultItem, startInbox } from './inboxPage.ts';
import { themes, type ThemeName } from './themes.ts';
import { buttonsCount, clickInPlace, denyWithReason, type Harness, type PageOptions } from './webviewPage.ts';

describe('The inbox', function () {
  this.timeout(60_000);
  let harness: Harness<InboxPage>;
  let inbox: InboxPage;
  const open = async (options?: PageOptions) => (inbox = await harness.open(options));
  before(async () => {
    harness = await startInbox();
  });
  after(() => harness?.close());
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(inbox.troubles, []);
    assert.deepEqual(inbox.requests, [], 'the page asked the network for something');
    await inbox.close();
  });

  const edit: FileEdit = {
    before: { uri: 'file:///home/ada/web-app/src/a.ts', content: { uri: 'c:before' } },
    after: { uri: 'file:///home/ada/web-app/src/a.ts', content: { uri: 'c:after' } },
    diff: { added: 1, removed: 1 },
  };
  const question: SessionInputRequest = {
    id: 'q',
    message: 'How many people?',
    questions: [{ kind: 'integer', id: 'n', message: 'How many people?' }],
  };
  const pressAnswer = (how: 'approve' | 'deny') => inbox.send({ type: 'answer', how });
  /** Until the guard against keys that come too early is over. */
  async function answerOnce(how: 'approve' | 'deny'): Promise<void> {
    const { length } = inbox.answers;
    while (inbox.answers.length === length) await pressAnswer(how);
  }

  const click = (host: string, name: string) => inbox.card(host).getByRole('button', { name, exact: true }).click();

  it('says what waits, where and since when', async () => {
    await inbox.show([callItem('embedded'), callItem('build-box', 'e', { edits: { items: [edit] } }), questionItem('embedded', question)]);
    const reads = await Promise.all([0, 1].map(() => inbox.until('a read', (message) => message.type === 'inSession')));
    for (const message of reads) {
      const { session, message: read } = message as Extract<typeof message, { type: 'inSession' }>;
      assert.equal(session.hostId, 'build-box');
      assert.ok(read.type === 'request' && read.method === 'readResource');
      const data = `${read.params.uri === 'c:before' ? 'old' : 'new'} line\n`;
      await inbox.send({ type: 'inSession', session, message: { type: 'response', id: read.id, result: { data, encoding: 'utf-8' } } });
    }
    const texts = await inbox.page.locator('.inbox-item').allInnerTexts();
    assert.match(texts[0] ?? '', /Fix the login redirect[^]*This computer web-app 3m[^]*Open[^]*rm -rf build && npm run build/);
    assert.match(texts[1] ?? '', /build-box[^]*a\.ts[^]*\+1[^]*−1[^]*old line[^]*new line/);
    assert.match(texts[2] ?? '', /How many people\?/);
    await inbox.screenshot('inbox');
  });

  it('names no host when there is only one', async () => {
    await inbox.show([callItem('embedded')], { severalHosts: false });
    assert.ok(!(await inbox.page.locator('.inbox').innerText()).includes('This computer'));
  });

  it('says that nothing waits, that it does not know yet, and of which host it cannot know', async () => {
    await inbox.page.getByText('Looking for what needs you…').waitFor();
    await inbox.show([], { hosts: { isLoading: true, away: [] } });
    await inbox.page.getByText('Looking for what needs you…').waitFor();
    await inbox.show([], { hosts: { isLoading: false, away: ['build-box'] } });
    await inbox.page.getByText('Nothing needs you right now.').waitFor();
    await inbox.page.getByText('build-box cannot be reached, so what waits there is not shown.').waitFor();
  });

  it('gives each answer to its own session, also where two hosts have equal ones', async () => {
    await inbox.show([callItem('embedded'), callItem('build-box')]);
    await click('build-box', 'Approve');
    const { session, message } = await inbox.answer();
    assert.deepEqual(session, { hostId: 'build-box', uri: 'demo:/1' });
    assert.ok(message.action.type === 'chat/toolCallConfirmed' && message.action.approved);
    await click('embedded', 'Deny');
    await inbox.answer();
    assert.deepEqual(inbox.answers, ['build-box approve c', 'embedded deny c']);
  });

  it('keeps forms of equal questions apart', async () => {
    await inbox.show([questionItem('embedded', question), questionItem('build-box', question)]);
    await click('embedded', 'Answer');
    await click('build-box', 'Answer');
    await inbox.card('embedded').getByRole('textbox').fill('12');
    assert.equal(await inbox.card('build-box').getByRole('textbox').inputValue(), '');
    await click('build-box', 'Decline');
    await inbox.answer();
    assert.deepEqual(inbox.answers, ['build-box decline q']);
  });

  it('keeps choices and labels of equal questions apart', async () => {
    const questions: SessionInputRequest['questions'] = [
      { kind: 'boolean', id: 'sure', message: 'Sure?' },
      { kind: 'integer', id: 'n', message: 'How many people?' },
    ];
    const request: SessionInputRequest = { id: 'q', message: 'Setting up', questions };
    await inbox.show([questionItem('embedded', request), questionItem('build-box', request)]);
    await click('embedded', 'Answer');
    await click('build-box', 'Answer');
    await inbox.card('embedded').getByText('Yes').click();
    await inbox.card('build-box').getByText('No', { exact: true }).click();
    await inbox.card('build-box').getByText('How many people?').click();
    await inbox.page.keyboard.type('7');
    await click('build-box', 'Send answers');
    await click('embedded', 'Send answers');
    const sent = [await inbox.answer(), await inbox.answer()].map(({ session, message: { action } }) => {
      assert.ok(action.type === 'chat/inputCompleted');
      const { sure, n } = action.answers ?? {};
      return [session.hostId, ...[sure, n].map((one) => one?.state === 'submitted' && (one.value as { value: unknown }).value)];
    });
    assert.deepEqual(sent, [
      ['build-box', false, 7],
      ['embedded', true, false],
    ]);
    assert.deepEqual(await inbox.violations(), []);
  });

  it('shares or withholds results, opens, signs in, and marks failures as read', async () => {
    const failed = plainItem('embedded', 'failed', 'Failed: The model is away');
    const signIn = plainItem('build-box', 'signIn', 'Sign in to GitHub', { uri: undefined, title: 'build-box', folder: undefined });
    await inbox.show([resultItem('embedded', 'r'), failed, signIn, plainItem('other', 'unknown', 'Needs you')]);
    await click('embedded result', 'Withhold');
    await inbox.answer();
    assert.deepEqual(inbox.answers, ['embedded withhold r']);
    await inbox.card('embedded failed').getByRole('button', { name: 'Mark as read' }).click();
    await inbox.card('build-box').getByRole('button', { name: 'Sign in' }).click();
    await inbox.card('other').getByRole('button', { name: 'Open' }).click();
    const done = inbox.posted.flatMap((message) => ('id' in message ? [`${message.type} ${message.id}`] : []));
    assert.deepEqual(done, ['markRead embedded failed ', 'signIn build-box signIn ', 'open other unknown ']);
  });

  it('leads to what is to be reviewed, or puts it off, and says nothing of a host', async () => {
    const what = 'A context provider, off until you allow it';
    await inbox.show([
      callItem('embedded', 'c'),
      plainItem('', 'review', what, { uri: undefined, title: './todos.mjs', folder: undefined }),
    ]);
    const card = inbox.card(' review');
    await card.getByText(what).waitFor();
    await card.getByRole('button', { name: 'Review…' }).click();
    await card.getByRole('button', { name: 'Not now' }).click();
    const done = inbox.posted.flatMap((message) => ('id' in message ? [`${message.type} ${message.id}`] : []));
    assert.deepEqual(done, ['open  review ', 'notNow  review ']);
    assert.deepEqual(await inbox.violations(), []);
  });

  it('approves nothing that was not in view as a whole', async () => {
    const toolInput = `echo start; ${'true; '.repeat(800)} rm -rf /`;
    await inbox.show([callItem('embedded', 'c', { toolInput }), callItem('build-box')]);
    await inbox.send({ type: 'focus', target: 'first' });
    await pressAnswer('approve');
    await inbox.card('embedded').getByRole('alert').getByText('not all of this has been in view').waitFor();
    await inbox.card('embedded').getByRole('button', { name: 'Approve' }).click({ force: true });
    assert.deepEqual(inbox.answers, []);
    await inbox.card('embedded').getByRole('button', { name: 'Show all' }).click();
    await pressAnswer('approve');
    assert.deepEqual(inbox.answers, []);
    await inbox.page.locator('.inbox').evaluate((box) => (box.scrollTop = 0));
    for (let more = true; more;) {
      await inbox.settle();
      more = await inbox.page.locator('.inbox').evaluate((box) => {
        const before = box.scrollTop;
        box.scrollTop += box.clientHeight / 3;
        return box.scrollTop > before;
      });
    }
    await inbox.send({ type: 'focus', target: 'first' });
    await answerOnce('approve');
    assert.deepEqual(inbox.answers, ['embedded approve c']);
  });

  it('looks at a command again when it has changed, even if it looks as long', async () => {
    await inbox.close();
    await open({ height: 300 });
    const first = callItem('a', 'c', { toolInput: 'echo 1' });
    const second = (toolInput: string) => callItem('b', 'c', { toolInput });
    await inbox.show([first, second('echo 2')]);
    await inbox.send({ type: 'focus', target: 'first' }, { type: 'focus', target: 'next' });
    await inbox.settle();
    const button = inbox.card('b').getByRole('button', { name: 'Approve' });
    await inbox.page.locator('.inbox').evaluate((box) => (box.scrollTop = box.scrollHeight));
    await inbox.page.waitForFunction(() => !document.querySelector('[data-item^=b] vscode-button[aria-disabled]'));
    await inbox.page.locator('.inbox').evaluate((box) => (box.scrollTop = 0));
    await inbox.show([first, second('halt  ')]);
    assert.equal(await button.getAttribute('aria-disabled'), 'true');
  });

  it('shows untrusted texts as texts', async () => {
    const evil = '<img src=x onerror=alert(1)> \u202e[link](http://evil.test) $(rocket)';
    await inbox.show([
      callItem(
        'embedded',
        'c',
        { confirmationTitle: evil, toolInput: `echo ${evil}`, displayName: evil },
        { title: evil, hostLabel: evil, folder: evil, what: evil },
      ),
      plainItem('embedded', 'failed', evil, { title: evil, hostLabel: evil }),
      questionItem('build-box', { id: evil, message: evil, questions: [{ kind: 'text', id: evil, message: evil }] }),
    ]);
    assert.equal(await inbox.page.locator('img').count(), 0);
    assert.equal(await inbox.page.locator('.inbox a').count(), 0);
    assert.match(await inbox.card('embedded call').innerText(), /U\+202E/);
  });

  it('keeps what is there in its place when something new appears or changes', async () => {
    const [a, b] = [callItem('a'), callItem('b')];
    await inbox.show([a, b]);
    const place = () => inbox.card('b').evaluate((card) => card.getBoundingClientRect().top);
    const before = await place();
    await denyWithReason(inbox.card('b'));
    await inbox.card('b').getByRole('textbox', { name: 'Reason' }).fill('Because');
    await inbox.show([a, b, callItem('d')].map((one) => structuredClone(one)));
    assert.equal(await place(), before);
    assert.equal(await inbox.card('b').getByRole('textbox', { name: 'Reason' }).inputValue(), 'Because');
  });

  it('goes from one to the next with the keyboard, and to the next after an answer', async () => {
    const items = [callItem('a'), questionItem('b', question), resultItem('c', 'r')];
    const ids = items.map(({ id }) => id);
    await inbox.show(items);
    await inbox.send({ type: 'focus', target: 'first' });
    for (const id of [...ids, ids[0]]) {
      assert.equal(await inbox.focused, id);
      await inbox.send({ type: 'focus', target: 'next' });
    }
    await inbox.send({ type: 'focus', target: 'first' });
    await pressAnswer('deny');
    await inbox.show(items.slice(1));
    assert.equal(await inbox.focused, ids[1]);
    await inbox.send({ type: 'focus', target: 'next' });
    await answerOnce('approve');
    await inbox.show(items.slice(1, 2));
    assert.equal(await inbox.focused, ids[1]);
    // To the button that opens the form, whose first field gets the focus.
    await inbox.page.keyboard.press('Tab');
    await inbox.page.keyboard.press('Enter');
    await inbox.card('b').locator('input:focus').waitFor();
    await inbox.page.keyboard.type('12');
    await inbox.page.keyboard.press('Enter');
    await inbox.answer();
    await inbox.show([]);
    await inbox.page.locator('#inbox-empty:focus').waitFor();
    assert.deepEqual(inbox.answers, ['a deny c', 'c share r', 'b accept q']);
  });

  it('goes to the next also after a failure was marked as read', async () => {
    const items = [plainItem('a', 'failed', 'Failed: The model is away'), callItem('b')];
    await inbox.show(items);
    await inbox.send({ type: 'focus', target: 'first' });
    for (const _ of ['Open', 'Mark as read']) await inbox.page.keyboard.press('Tab');
    await inbox.page.keyboard.press('Enter');
    await inbox.until('a mark', ({ type }) => type === 'markRead');
    await inbox.show(items.slice(1));
    await inbox.page.locator('[data-item^=b] section:focus').waitFor();
  });

  it('shows the beginning of a long item, and leaves one in place that is in view', async () => {
    await inbox.show([callItem('a'), callItem('b'), callItem('d', 'c', { toolInput: 'echo\n'.repeat(39) })]);
    const top = (host: string) => inbox.page.locator(`[data-item^="${host}"]`).evaluate((row) => row.getBoundingClientRect().top);
    const before = await top('b');
    await inbox.send({ type: 'focus', target: 'first' }, { type: 'focus', target: 'next' });
    assert.equal(await top('b'), before);
    await inbox.send({ type: 'focus', target: 'next' });
    const where = await top('d');
    assert.ok(where >= 0 && where < (await inbox.page.evaluate(() => window.innerHeight)), String(where));
    assert.equal(await inbox.page.evaluate(() => document.documentElement.scrollTop + document.body.scrollTop), 0);
  });

  it('shows the beginning of each item, and all of it once the user asks for it or has to see it', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `echo ${index}`).join('\n');
    await inbox.show([
      callItem('a', 'c', { toolInput: lines }),
      callItem('b', 'c', { toolInput: lines }),
      callItem('d', 'c', { toolInput: 'ls' }),
    ]);
    const isFolded = (host: string) => inbox.card(host).evaluate((card) => card.classList.contains('card-folded'));
    const height = (host: string) => inbox.card(host).evaluate((card) => card.getBoundingClientRect().height);
    assert.deepEqual([await isFolded('a'), await isFolded('b')], [true, true]);
    assert.ok((await height('a')) < 200, String(await height('a')));
    await click('a', 'Show all');
    assert.equal(await isFolded('a'), false);
    await click('a', 'Show less');
    assert.equal(await isFolded('a'), true);
    // The first press shows the rest, and the next one answers.
    await buttonsCount(inbox.card('b'));
    await inbox.card('b').getByRole('button', { name: 'Approve' }).click({ force: true });
    await inbox.card('b').getByText('not all of this has been in view').waitFor();
    assert.equal(await isFolded('b'), false);
    assert.deepEqual(inbox.answers, []);
    await clickInPlace(inbox.card('b').getByRole('button', { name: 'Approve' }));
    await inbox.answer();
    // All of what is short is there.
    assert.equal(await inbox.card('d').getByRole('button', { name: 'Show all' }).count(), 0);
    // It has moved when the refusal above it went, so the first click may count for nothing.
    while (inbox.answers.length === 1) {
      await clickInPlace(inbox.card('d').getByRole('button', { name: 'Approve' }));
      await inbox.settle();
    }
    assert.deepEqual(inbox.answers, ['b approve c', 'd approve c']);
    assert.deepEqual(await inbox.violations(), []);
  });

  it('says where to look when all that waits is on screen elsewhere', async () => {
    await inbox.show([], { onScreen: true });
    await inbox.page.getByText('What needs you is on screen, in its session.').waitFor();
  });

  it('approves nothing with a second press that comes when the next one has just got the focus', async () => {
    const items = [callItem('a'), callItem('b')];
    await inbox.show(items);
    await inbox.send({ type: 'focus', target: 'first' });
    await pressAnswer('approve');
    // In one task, so that no time passes between the two.
    await inbox.send(
      { type: 'items', items: items.slice(1), hosts: { isLoading: false, away: [] }, severalHosts: true, onScreen: false },
      { type: 'answer', how: 'approve' },
    );
    assert.equal(await inbox.focused, items[1]?.id);
    assert.deepEqual(inbox.answers, ['a approve c']);
    await answerOnce('approve');
    assert.deepEqual(inbox.answers, ['a approve c', 'b approve c']);
  });

  it('answers no other when the focused one is settled elsewhere, until the user goes there', async () => {
    const items = [callItem('a'), callItem('b'), callItem('d')];
    await inbox.show(items);
    await inbox.send({ type: 'focus', target: 'first' });
    await inbox.show(items.slice(1));
    await pressAnswer('approve');
    await pressAnswer('deny');
    assert.deepEqual(inbox.answers, []);
    await inbox.page.locator('[data-item^=b]:focus').waitFor();
    await inbox.send({ type: 'focus', target: 'next' });
    await inbox.page.locator('[data-item^=b] section:focus').waitFor();
    await pressAnswer('approve');
    assert.deepEqual(inbox.answers, ['b approve c']);
  });

  it('takes no click on a card that has just moved under the pointer', async () => {
    const items = [callItem('a'), callItem('b')];
    await inbox.show(items);
    const button = await inbox.card('a').getByRole('button', { name: 'Approve' }).boundingBox();
    assert.ok(button);
    await inbox.page.mouse.move(button.x + 5, button.y + 5);
    await inbox.show(items.slice(1));
    await inbox.page.mouse.down();
    await inbox.page.mouse.up();
    await inbox.settle();
    assert.deepEqual(inbox.answers, []);
    while (inbox.answers.length === 0) {
      await inbox.page.mouse.down();
      await inbox.page.mouse.up();
      await inbox.settle();
    }
    assert.deepEqual(inbox.answers, ['b approve c']);
  });

  it('says on the card that the host refused the answer, and takes another', async () => {
    const item = callItem('build-box');
    await inbox.show([item]);
    await click('build-box', 'Approve');
    const { session, message } = await inbox.answer();
    await inbox.show([]);
    const rejected = {
      type: 'rejected' as const,
      session,
      uri: message.uri,
      clientSeq: 1,
      reason: 'The disk is full',
      action: message.action,
    };
    await inbox.send({ type: 'inSession', session, message: rejected });
    await inbox.show([item]);
    await inbox.card('build-box').getByRole('alert').getByText('Your answer was not accepted: The disk is full').waitFor();
    await click('build-box', 'Deny');
    await inbox.answer();
    await inbox.show([]);
    await inbox.page.getByRole('alert').getByText('Your answer in “Fix the login redirect” was not accepted: The disk is full').waitFor();
    await inbox.page.getByRole('button', { name: 'Dismiss' }).click();
    await inbox.page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('says when it is not known whether an answer arrived', async () => {
    const item = callItem('build-box');
    await inbox.show([item]);
    await click('build-box', 'Approve');
    const { session, message } = await inbox.answer();
    await inbox.show([]);
    const reason = 'The connection was lost';
    const unknown = {
      type: 'rejected' as const,
      session,
      uri: message.uri,
      clientSeq: 1,
      reason,
      action: message.action,
      outcome: 'unknown' as const,
    };
    await inbox.send({ type: 'inSession', session, message: unknown });
    await inbox.page
      .getByText('It is not known whether your answer in “Fix the login redirect” arrived: The connection was lost')
      .waitFor();
    await inbox.show([item]);
    await inbox.page.getByText('It is not known whether your answer arrived: The connection was lost').waitFor();
    assert.equal(await inbox.page.getByRole('alert').count(), 1);
  });

  it('tells screen readers once what is new, and what needs them no more', async () => {
    const said = () => inbox.page.locator('[aria-live=polite]').textContent();
    const [a, b, d] = [callItem('a'), callItem('b', 'c', {}, { what: 'Approve or deny: Run ls' }), callItem('d')];
    await inbox.show([a]);
    assert.equal(await said(), '');
    await inbox.show([a, b]);
    assert.equal(await said(), 'Needs you: Fix the login redirect. Approve or deny: Run ls');
    await inbox.show([a, b, d, callItem('e')]);
    assert.equal(await said(), '2 new things need you');
    await inbox.show([a, b, d]);
    assert.equal(await said(), '1 thing no longer needs you');
    await inbox.show([]);
    assert.equal(await said(), '3 things no longer need you');
  });

  it('says where the focus is, for the keys', async () => {
    await inbox.show([callItem('a', 'c', { editable: true })]);
    await inbox.send({ type: 'focus', target: 'first' });
    const callFocused = (wanted: boolean) =>
      inbox.until('the focus', (message) => message.type === 'focus' && (message.place === 'card') === wanted);
    await callFocused(true);
    await inbox.card('a').getByRole('button', { name: 'Edit input' }).click();
    await callFocused(false);
    await pressAnswer('approve');
    assert.deepEqual(inbox.answers, []);
  });

  it('knows of the focus of a card that has just appeared', async () => {
    await inbox.send(
      { type: 'items', items: [callItem('a')], hosts: { isLoading: false, away: [] }, severalHosts: true, onScreen: false },
      { type: 'focus', target: 'first' },
    );
    await inbox.until('the focus', (message) => message.type === 'focus' && message.place === 'card');
  });

  describe('passes axe', () => {
    const options = [
      { id: 'once', label: 'Run once', kind: 'approve' as const, group: 0 },
      { id: 'all', label: 'Run commands in this session without asking', kind: 'approve' as const, group: 0 },
      { id: 'no', label: 'Deny', kind: 'deny' as const, group: 1 },
    ];
    const items: InboxItem[] = [
      callItem('embedded', 'c', { editable: true, options }),
      resultItem('build-box', 'r'),
      questionItem('embedded', question),
      plainItem('build-box', 'failed', 'Failed: The model is away'),
      plainItem('cloud', 'signIn', 'Sign in to GitHub', { uri: undefined, title: 'cloud', folder: undefined }),
    ];
    const widths: Record<ThemeName, number> = { dark: 300, light: 420, highContrast: 240 };
    for (const theme of Object.keys(themes) as ThemeName[]) {
      it(theme, async () => {
        await inbox.close();
        await open({ theme, width: widths[theme], height: 1100 });
        await inbox.show(items, { hosts: { isLoading: false, away: ['nas'] } });
        await inbox.screenshot(`inbox-${theme}`);
        assert.deepEqual(await inbox.violations(), []);
        const outside = await inbox.page
          .locator('.inbox *')
          .evaluateAll((all) =>
            all
              .filter((one) => !one.closest('.visually-hidden') && one.getBoundingClientRect().right > window.innerWidth)
              .map((one) => one.className),
          );
        assert.deepEqual(outside, []);
      });
    }
  });
});
