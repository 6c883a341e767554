/** What waits for a person, answered in the portal's page in a real browser. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { whenLive } from '../../src/ahp/index.ts';
import type { SessionInputQuestion } from '../../src/ahp/v1/inputRequest.ts';
import { Emitter } from '../../src/base/event.ts';
import { MAX_ITEM_LENGTH } from '../../src/portal/attention/portalAttention.ts';
import { pagePicture } from '../support/pictures.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { until } from '../support/until.ts';
import { gate } from '../integration/host/hostHarness.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import type { V1Client } from '../support/v1Client.ts';
import { linesOf } from './linesOf.ts';
import { violationsOf } from './violationsOf.ts';

const pictures = join(import.meta.dirname, '../../artifacts/webview');
const options = [
  { id: 'once', label: 'Run once', kind: 'approve' as const },
  { id: 'always', label: 'Always\u200b', kind: 'approve' as const },
  { id: 'no', label: 'Deny', kind: 'deny' as const },
];
const choices = [
  { id: 'a', label: 'SQLite', description: 'One file' },
  { id: 'b', label: 'PostgreSQL' },
];
const questions: SessionInputQuestion[] = [
  { kind: 'text', id: 'name', title: 'Name', message: 'Name of the project?', required: true, min: 2 },
  { kind: 'number', id: 'ratio', message: 'Which ratio?' },
  { kind: 'integer', id: 'count', message: 'How many?', min: 1, max: 9 },
  { kind: 'boolean', id: 'sure', message: 'Are you sure?' },
  { kind: 'single-select', id: 'db', message: 'Which database?', options: choices, allowFreeformInput: true },
  { kind: 'multi-select', id: 'more', message: 'What else?', options: choices, allowFreeformInput: true },
];

describe('answers in the page of the portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let other: V1Client;
  let page: Page;
  let sessions = 0;
  const made: string[] = [];
  /** What turns that only say something wait for. */
  let held: Promise<void> | undefined;
  let entry: { tasks: Record<string, object>; [rest: string]: unknown };
  const problems: string[] = [];
  /** What the agent got, in order. */
  const decisions: unknown[] = [];
  const didDecide = new Emitter<void>();
  const deciding = () => until('a decision', didDecide.event, () => decisions.shift() as Record<string, unknown> | undefined);

  before(async () => {
    browser = await takeChromium();
    test = await TestPortal.start();
    other = await test.v1Client();
    test.agent.onTurn = async (turn) => {
      const [, what = '', rest = ''] = /^(\w+) ?([^]*)$/.exec(turn.message.text) ?? [];
      const decided = (decision: unknown) => (decisions.push(decision), didDecide.fire());
      if (what === 'say') {
        await held;
        return turn.markdown(rest);
      }
      if (what === 'fail') throw new Error('on purpose');
      if (what === 'link') return decided(await turn.ask({ message: 'Review this', url: rest }));
      if (what === 'ask') return decided(await turn.ask({ message: 'Tell me', questions }));
      if (what === 'result') {
        const call = turn.toolCall({ toolName: 'read', displayName: 'Read' });
        const ready = { invocationMessage: 'Reading', toolInput: '{"path":"a"}' };
        await call.check(ready);
        call.run(ready, 'not-needed');
        const content = [{ type: 'text' as const, text: rest }];
        return decided(await call.completeWithResultConfirmation({ success: true, pastTenseMessage: 'Read', content }));
      }
      const call = turn.toolCall({ toolName: 'bash', displayName: 'Run command', _meta: { toolKind: 'terminal' } });
      const toolInput = what === 'Remove' ? 'rm -r build' : rest;
      const words = { invocationMessage: 'It runs in the folder of the session.', confirmationTitle: 'Run this?' };
      const decision = await call.confirm({ ...words, toolInput, options });
      if (decision.approved) call.complete({ success: true, pastTenseMessage: 'Ran' });
      return decided(decision);
    };
    const task = (prompt: string) => ({ prompt: [prompt], requireUserInput: false, model: { category: 'driving' } });
    entry = {
      models: { driving: 'one' },
      promptVariables: {},
      tasks: { 'tidy up': task('Remove what the last build has left.'), 'go round': task('say hello') },
      jobs: {
        Clean: { work: { kind: 'Ref', taskId: 'tidy up' } },
        Round: {
          work: { kind: 'Loop', body: { kind: 'Ref', taskId: 'go round' }, postCondition: [true, { kind: 'Ref', taskId: 'go round' }] },
        },
      },
      grid: [],
    };
    assert.deepEqual(await test.install(entry), { result: 'OK' });
    page = await open();
  });
  after(async () => {
    await browser?.close();
    other?.close();
    await test?.close();
  });

  afterEach(async function () {
    // What a failed test has left waiting is in the way of those after it.
    for (const session of this.currentTest?.isFailed() ? made.splice(0) : []) await other.request('disposeSession', { session });
    decisions.length = 0;
    await page.evaluate(() => (location.hash = '#/needs-you'));
  });

  async function open(viewport = { width: 1100, height: 900 }): Promise<Page> {
    const one = await (await browser.newContext({ viewport, reducedMotion: 'reduce' })).newPage();
    one.setDefaultTimeout(15_000);
    one.on('pageerror', (error) => problems.push(error.message));
    one.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await one.goto(`${test.server.url}/?token=${test.server.token}`);
    await one.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    await one.getByRole('navigation').getByRole('link', { name: 'Needs You' }).click();
    return one;
  }
  const shot = async (name: string) => {
    mkdirSync(pictures, { recursive: true });
    // The heads of cards stay in view while the page scrolls, which is not what the picture is of.
    await page.evaluate(() => window.scrollTo({ top: 0 }));
    await page.screenshot({ path: join(pictures, `portal-answers-${name}.png`), fullPage: true });
  };
  /** A turn in a session of another client. Returns its URI. */
  async function say(text: string, title: string): Promise<string> {
    const session = `scripted:/of-another-${++sessions}`;
    await other.request('createSession', { session, provider: 'scripted', workingDirectory: pathToFileURL(test.folder).href });
    await whenLive(other.subscribeSession(session));
    made.push(session);
    await rename(session, title);
    const action = { type: 'session/turnStarted' as const, session, turnId: 't', userMessage: { text } };
    assert.deepEqual(await other.dispatch(session, action).settled, { kind: 'confirmed' });
    return session;
  }
  async function rename(session: string, title: string): Promise<void> {
    const settlement = await other.dispatch(session, { type: 'session/titleChanged', session, title }).settled;
    assert.deepEqual(settlement, { kind: 'confirmed' });
  }
  const needsYou = () => page.getByRole('region', { name: /^Needs you/ });
  const row = (title: string) => needsYou().locator('[data-row]').filter({ hasText: title });
  /** The page of VS Code's views that is shown. */
  const view = () => page.frameLocator('iframe.page-frame');
  const card = () => view().locator('.waiting-card');
  const button = (name: string) => card().getByRole('button', { name, exact: true });
  /** Back at the portal's own page, where nothing waits. */
  const nothing = async () => {
    await page.evaluate(() => (location.hash = '#/needs-you'));
    await needsYou().getByText('Nothing needs you right now.').waitFor();
  };
  /** Opens its card with the keyboard. */
  const show = async (title: string) => {
    await row(title).press('Enter');
    await card().waitFor();
  };
  const press = (one: Locator) => one.press('Enter');
  /** A button that lets something happen, once it does so. */
  const agree = async (name: string) => {
    await card().locator('vscode-button:not([aria-disabled])', { hasText: name }).waitFor();
    await press(button(name));
  };

  it('says how many wait, and runs exactly what was shown once it is approved', async () => {
    await nothing();
    assert.equal(await page.title(), 'Tapline portal');
    const command = 'rm -rf a \\\n  \u202eb\u200b';
    await say(`call ${command}`, 'Cleaning');
    await page.getByRole('heading', { name: 'Needs you (1)' }).waitFor();
    await page.getByRole('status').getByText('Needs you: Cleaning.').waitFor({ state: 'attached' });
    assert.equal(await page.title(), '(1) Tapline portal');
    await row('Cleaning').getByText(test.folder).waitFor();
    await row('Cleaning').click();
    await card().and(view().locator(':focus')).waitFor();
    assert.match((await card().locator('pre').first().textContent()) ?? '', /^rm -rf a \\\n {2}.*U\+202E.*b.*U\+200B/);
    await button('Run once').and(view().locator(':not([aria-disabled])')).waitFor();
    await shot('call');
    assert.deepEqual(await violationsOf(page), []);
    // The second click of a double click is none.
    await button('Run once').dblclick();
    const { approved, toolInput, option } = await deciding();
    assert.deepEqual([approved, toolInput, (option as { id: string }).id], [true, command, 'once']);
    await nothing();
    assert.deepEqual(decisions, []);
  });

  it('ends the lines of a command at spaces, however narrow the page is', async () => {
    const command =
      'rm -rf --no-preserve-root --one-file-system ./build-output && npm run build-all -- --no-cache --keep-going-after-errors';
    const title = 'Cleaning with --no-preserve-root --one-file-system --keep-going-after-errors --in-the-folder --of-all-builds';
    await say(`call ${command}`, title);
    try {
      await page.setViewportSize({ width: 320, height: 900 });
      await row('Cleaning').waitFor();
      const inList = await linesOf(row('Cleaning'));
      assert.ok(inList.length > 2, 'the title has more than one line');
      assert.ok(!inList.some((line) => line.endsWith('-')), inList.join('\n'));
      await show('Cleaning');
      for (const width of [320, 420, 900]) {
        await page.setViewportSize({ width, height: 900 });
        const lines = await linesOf(card().locator('pre code'));
        assert.equal(lines.join(''), command);
        assert.ok(lines.length > 1);
        for (const line of lines.slice(0, -1)) assert.match(line, / $/, lines.join('\n'));
      }
    } finally {
      await page.setViewportSize({ width: 1100, height: 900 });
    }
    await press(button('Deny'));
    await deciding();
    await nothing();
  });

  it('gives or withholds a result', async () => {
    await say('result secret', 'Result');
    await show('Result');
    await card().getByText('secret').first().waitFor();
    await press(button('Withhold'));
    assert.deepEqual(await deciding(), { approved: false });
    await nothing();
  });

  it('takes answers to questions of every kind, and says what is wrong with one', async () => {
    await say('ask', 'Questions');
    await show('Questions');
    const form = card();
    await form.getByRole('textbox', { name: /Name of the project/ }).fill('x');
    await form.getByRole('textbox', { name: /How many/ }).fill('12');
    await press(form.getByRole('button', { name: 'Send answers' }));
    await form.getByText('Enter at least 2 characters.').waitFor();
    await form.getByText('Enter 9 or less.').waitFor();
    await shot('questions');
    await form.getByRole('textbox', { name: /Name of the project/ }).fill('portal');
    await form.getByRole('textbox', { name: /Which ratio/ }).fill('0.5');
    await form.getByRole('textbox', { name: /How many/ }).fill('3');
    await form.getByRole('radio', { name: 'No' }).check();
    await form.getByLabel('Something else').fill('DuckDB');
    await form.getByRole('checkbox', { name: 'PostgreSQL' }).check();
    await form.getByLabel('Also').fill('Redis');
    // What was typed is there again after the page was loaded anew.
    await page.reload();
    await form.waitFor();
    assert.equal(await form.getByRole('textbox', { name: /Name of the project/ }).inputValue(), 'portal');
    for (const part of await form.locator('.question').all()) await part.scrollIntoViewIfNeeded();
    const early = form.getByText('Nothing was sent yet');
    await press(form.getByRole('button', { name: 'Send answers' }));
    // The last part may only just have come into view.
    if ((await early.count()) > 0) {
      await early.waitFor({ state: 'detached' });
      await press(form.getByRole('button', { name: 'Send answers' }));
    }
    const { response, answers } = await deciding();
    assert.equal(response, 'accept');
    const values = Object.entries(answers as Record<string, { value: unknown }>).map(([id, { value }]) => [id, value]);
    assert.deepEqual(Object.fromEntries(values), {
      name: { kind: 'text', value: 'portal' },
      ratio: { kind: 'number', value: 0.5 },
      count: { kind: 'number', value: 3 },
      sure: { kind: 'boolean', value: false },
      db: { kind: 'selected', value: '', freeformValues: ['DuckDB'] },
      more: { kind: 'selected-many', value: ['b'], freeformValues: ['Redis'] },
    });
    await nothing();
  });

  it('shows what is chosen where the browser forces its colours', async () => {
    await say('ask', 'Colours');
    await say('call ls', 'Other');
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
    await show('Colours');
    /** How a browser draws it, which is what it computes while it forces its colours. */
    const drawn = (one: Locator, property: string, part?: string) =>
      one.evaluate((element, [name, pseudo]) => getComputedStyle(element, pseudo).getPropertyValue(name), [property, part] as const);
    assert.notEqual(await drawn(row('Colours'), 'background-color'), await drawn(row('Other'), 'background-color'));
    const yes = card().getByRole('radio', { name: 'Yes' });
    await yes.check();
    assert.deepEqual(
      [await drawn(yes, 'border-top-width', '::before'), await drawn(yes, 'border-top-style', '::before')],
      ['4px', 'solid'],
      'a background would not be drawn',
    );
    const link = (name: string) => page.getByRole('navigation').getByRole('link', { name });
    const canvas = await drawn(page.locator('body'), 'background-color');
    assert.equal(await drawn(link('Runs'), 'border-left-color'), canvas);
    assert.notEqual(await drawn(link('Needs You'), 'border-left-color'), canvas);
    assert.match(await drawn(view().locator('.link-button').first(), 'text-decoration'), /underline/);
    await shot('forced');
    assert.deepEqual(await violationsOf(page), []);
    await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
    assert.equal(await drawn(row('Colours'), 'outline-style'), 'solid');
    await shot('contrast');
    assert.deepEqual(await violationsOf(page), []);
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
    for (const session of made.splice(-2)) await other.request('disposeSession', { session });
    await nothing();
    decisions.length = 0;
  });

  it('shows the whole address of a page, and no link that runs something', async () => {
    await say('link javascript:alert(1)', 'Link');
    await show('Link');
    await card().getByText('javascript:alert(1)').waitFor();
    assert.equal(await card().getByRole('link').count(), 0);
    await press(button('Decline'));
    assert.equal((await deciding())['response'], 'decline');
    await nothing();
  });

  it('lets what is too long for programs be read and allowed', async () => {
    await say(`call ${'x'.repeat(MAX_ITEM_LENGTH)}`, 'Huge');
    await show('Huge');
    await press(button('Deny'));
    assert.equal((await deciding())['approved'], false);
    await nothing();
  });

  it('marks a failed turn as read in the list of all', async () => {
    await say('fail', 'Failed');
    await row('Failed').waitFor();
    await say('call ls', 'Next');
    await row('Next').waitFor();
    await row('Failed').press('Enter');
    const failed = view().locator('.inbox-item').filter({ hasText: 'Failed' });
    await press(failed.getByRole('button', { name: 'Mark as read' }));
    await failed.waitFor({ state: 'detached' });
    await press(view().getByRole('button', { name: 'Open' }));
    await page.getByRole('heading', { name: 'Next' }).waitFor();
    await press(button('Deny'));
    await deciding();
    await nothing();
  });

  it('shows the next card with the focus after an answer, and none when somebody else has answered', async () => {
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      await say(`call echo ${title}`, title);
      await row(title).waitFor();
    }
    const { items } = test.portal.attention.list();
    const idOf = (title: string) => items.find((item) => item.title === title)?.id ?? assert.fail(title);
    const titles = items.map(({ title }) => title);
    const [first = '', second = '', third = '', fourth = ''] = titles;
    await show(first);
    await agree('Run once');
    assert.equal((await deciding())['toolInput'], `echo ${first}`);
    await card().getByText(`echo ${second}`).waitFor();
    await card().and(view().locator(':focus')).waitFor();
    assert.match(page.url(), new RegExp(`/needs-you/item/${idOf(second)}$`));
    assert.equal(await row(second).getAttribute('aria-current'), 'true');
    await press(button('Deny'));
    assert.equal((await deciding())['approved'], false);
    await card().getByText(`echo ${third}`).waitFor();
    // The next key would be for something that the user has not chosen.
    await row(third).focus();
    const item = test.portal.attention.list().items.find(({ id }) => id === idOf(third)) ?? assert.fail();
    assert.deepEqual(await test.portal.attention.answer(item.id, item.revision, { decision: 'deny' }), { result: 'Answered' });
    await deciding();
    await page.getByText('This does not wait any more.').waitFor();
    assert.match(page.url(), new RegExp(`/needs-you/item/${idOf(third)}$`));
    await page.getByRole('link', { name: 'Show the next' }).press('Enter');
    await card().getByText(`echo ${fourth}`).waitFor();
    await press(button('Deny'));
    await deciding();
    await nothing();
  });

  it('shows when somebody else has answered', async () => {
    await say('call ls', 'Elsewhere');
    await show('Elsewhere');
    const [{ id, revision } = assert.fail()] = test.portal.attention.list().items;
    assert.deepEqual(await test.portal.attention.answer(id, revision, { decision: 'deny' }), { result: 'Answered' });
    await deciding();
    await card().waitFor({ state: 'detached' });
    await nothing();
  });

  it('leads from the step of a job to its session and back, in every theme and on a phone', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('button', { name: 'Clean', exact: true }).click();
    await page.getByLabel('Folder').first().fill(test.folder);
    await page.getByRole('button', { name: 'Start Clean' }).click();
    const step = page.locator('.step-details');
    await step.getByText('waits for you.').waitFor();
    const run = page.url();
    await page.getByRole('navigation').getByRole('link', { name: 'Needs You' }).click();
    await row('tidy up')
      .getByText(/^job Clean · run of .* · step 1 of 1 · task tidy up$/)
      .waitFor();
    await page.goto(run);
    await step.getByText('waits for you.').waitFor();
    await pagePicture(page, 'portal', 620);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await shot(`step-${colorScheme}`);
      assert.deepEqual(await violationsOf(page), [], colorScheme);
    }
    await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
    await shot('step-forced');
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await page.setViewportSize({ width: 360, height: 800 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut on a phone');
    await press(step.getByRole('link', { name: 'Answer it' }));
    await card().waitFor();
    await shot('phone');
    await view().locator('.card-buttons:not([aria-disabled])').waitFor();
    await pagePicture(page, 'portal-phone', 620);
    await page.setViewportSize({ width: 1100, height: 900 });
    await agree('Run once');
    assert.deepEqual((await deciding())['toolInput'], 'rm -r build');
    await page.goBack();
    await page.getByRole('listitem').filter({ hasText: 'Clean' }).getByText('Succeeded').first().waitFor();
  });

  it('starts a job only as it was shown', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('button', { name: 'Round', exact: true }).click();
    await page.getByLabel('Folder').first().fill(test.folder);
    const start = page.getByRole('button', { name: 'Start Round' });
    await start.and(page.locator(':enabled')).waitFor();
    // The page does not hear of it before it is too late.
    await page.route('**/api/copilot/job', (route) => route.abort());
    const approving = { ...entry.tasks['go round'], approve: ['job-tools'] };
    assert.deepEqual(await test.install({ ...entry, tasks: { ...entry.tasks, 'go round': approving } }), { result: 'OK' });
    await start.click();
    await page.getByRole('alert').getByText('Nothing was started, because the job has changed').waitFor();
    assert.ok(!test.portal.runs.jobStates().some(({ definition }) => definition.jobName === 'Round'));
    await page.unroute('**/api/copilot/job');
    await page.getByRole('alert').getByText('This job has changed since you chose it.').waitFor();
    assert.equal(await start.isDisabled(), true);
    await page.getByText('“go round” calls the job tools').waitFor();
    await page.getByRole('button', { name: 'I have looked at it' }).click();
    const waiting = gate();
    held = waiting.promise;
    await start.click();
    await page.getByRole('button', { name: 'Stop Round' }).click();
    await page.getByRole('button', { name: 'Continue Round' }).waitFor();
    waiting.open();
    assert.deepEqual(await test.install(entry), { result: 'OK' });
  });

  it('goes on with a higher cap after a loop went round too often', async () => {
    const job = test.portal.runs.jobStates().find(({ definition }) => definition.jobName === 'Round');
    assert.ok(job);
    const { jobId } = job;
    await test.call(`copilot/job/${jobId}/continue`, '{"loopCap":2}');
    await page.evaluate((hash) => (location.hash = hash), `#/run/${jobId}`);
    const cap = page.getByLabel('How often a loop may go round, in all');
    await cap.waitFor();
    assert.equal(Number(await cap.inputValue()) > 2, true);
    await shot('cap');
    assert.deepEqual(await violationsOf(page), []);
    await cap.fill('2');
    await page.keyboard.press('Enter');
    assert.equal(test.portal.runs.jobState(jobId)?.attempt, 2, 'the browser says that it is too low');
    await cap.fill('6');
    await page.keyboard.press('Enter');
    await page.getByText('a loop has run 6 times').first().waitFor();
    assert.equal(test.portal.runs.jobState(jobId)?.attempt, 3);
  });

  it('says when the portal does not tell what waits any more, and takes it up again', async () => {
    // The stream that is open goes on, so the page is loaded again.
    await page.route('**/api/attention/events', (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The portal does not tell what waits any more.').waitFor();
    await say('call ls', 'Unheard');
    await page.unroute('**/api/attention/events');
    await show('Unheard');
    assert.equal(await page.getByText('does not tell').count(), 0);
    await press(button('Deny'));
    await deciding();
    await nothing();
    assert.deepEqual(
      problems.filter((text) => !text.includes('net::ERR_')),
      [],
    );
  });

  it('says when the portal hangs, and takes it up again', async () => {
    await page.clock.install();
    await page.reload();
    await nothing();
    // Nothing comes as fast as this clock goes. It stands still then, because the page would try again.
    await page.clock.pauseAt(Date.now() + 45_000);
    await page.getByRole('alert').getByText('The portal does not answer any more.').waitFor();
    await page.clock.resume();
    await page.clock.fastForward(1_000);
    await page.getByText('does not answer any more').waitFor({ state: 'detached' });
    await say('call ls', 'Heard');
    await show('Heard');
    await press(button('Deny'));
    await deciding();
    await nothing();
  });
});
