/** The page of the portal in a real browser. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { AgentHostClient, whenLive } from '../../src/ahp/index.ts';
import { nullLogger } from '../../src/base/log.ts';
import { DemoAgent } from '../../src/host/agents/demo/demoAgent.ts';
import { type HostServer, startHostServer } from '../../src/host/server/hostServer.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { until } from '../support/until.ts';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import type { V1Client } from '../support/v1Client.ts';
import { violationsOf } from './violationsOf.ts';

const root = join(import.meta.dirname, '../..');
const demo = JSON.parse(readFileSync(join(root, 'examples/portal/demo.json'), 'utf8'));
const ref = (taskId: string) => ({ kind: 'Ref', taskId });
const task = (prompt: string, more: object = {}) => ({
  model: { category: 'driving' },
  prompt: [prompt],
  requireUserInput: false,
  ...more,
});
const retrying = (retryTimes: number) => ({ criteria: { toolExecuted: ['job_boolean_true'], failureAction: { retryTimes } } });
const entry = {
  ...demo,
  tasks: {
    ...demo.tasks,
    'say what the demo agent can do': task('help'),
    'is it good?': task('help', retrying(0)),
    'never calls its tool': task('help', retrying(1)),
    fail: task('fail'),
    unasked: task('run ls', { approve: ['everything'] }),
    elsewhere: task('run ls', { host: 'build box' }),
  },
  jobs: {
    ...demo.jobs,
    Retries: { work: ref('never calls its tool') },
    Unasked: { work: ref('unasked') },
    Elsewhere: { work: ref('elsewhere') },
    '<b>Every kind</b>\u202e of step': {
      work: {
        kind: 'Seq',
        works: [
          { kind: 'Par', works: [ref('say what the demo agent can do'), { kind: 'Seq', works: [ref('confirm'), ref('confirm')] }] },
          { kind: 'Loop', postCondition: [false, ref('confirm')], body: ref('say what the demo agent can do') },
          { kind: 'Alt', condition: ref('is it good?'), trueWork: ref('fail') },
          ref('list the folder'),
        ],
      },
    },
  },
};

describe('the page of the portal', function () {
  this.timeout(60_000);
  let browser: TakenChromium;
  let test: TestPortal;
  let page: Page;
  /** Another client of the host, where a person approves. */
  let person: V1Client;
  let otherHost: HostServer;
  let ofPortal: AgentHostClient;
  const problems: string[] = [];

  before(async () => {
    browser = await takeChromium();
    otherHost = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger })], logger: nullLogger });
    ofPortal = await AgentHostClient.connect({ dialects: ['v1'], url: otherHost.url, token: otherHost.token });
    test = await TestPortal.start({ provider: 'demo', allowJobTools: true, hosts: new Map([['build box', ofPortal]]) });
    person = await test.v1Client();
    writeFileSync(join(test.folder, 'entry.json'), JSON.stringify(entry));
    assert.deepEqual(await test.call('copilot/test/installJobsEntry', join(test.folder, 'entry.json')), { result: 'OK' });
    page = await browser.newPage({ viewport: { width: 1100, height: 1000 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(10_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${test.server.url}/?token=${test.server.token}`);
  });
  after(async () => {
    await browser?.close();
    person?.close();
    await test?.close();
    ofPortal?.close();
    await otherHost?.close();
  });

  const shot = async (name: string) => {
    mkdirSync(join(root, 'artifacts/webview'), { recursive: true });
    await page.screenshot({ path: join(root, 'artifacts/webview', `portal-${name}.png`), fullPage: true });
  };
  const step = (name: string | RegExp) => page.getByRole('listbox').getByRole('option', { name });
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '');
  /** Goes on with the Tab key until something with the name has the focus. */
  const tabTo = async (name: RegExp) => {
    const passed: string[] = [];
    for (let at = 0; at < 60; at++) {
      await page.keyboard.press('Tab');
      passed.push(await focused());
      if (name.test(passed.at(-1) ?? '')) return;
    }
    assert.fail(`${name} was not reached: ${passed.join(', ')}`);
  };
  /** Approves the call that waits. */
  const approve = async () => {
    const waiting = test.portal.sessions.list().find((session) => session.waiting > 0);
    assert.ok(waiting);
    const session = person.subscribeSession(waiting.uri);
    await whenLive(session);
    const call = await until('a call that waits', session.onDidChange, () => {
      const { activeTurn } = session.state ?? {};
      const part = activeTurn?.responseParts.find((one) => one.kind === 'toolCall' && one.toolCall.status === 'pending-confirmation');
      return (
        part && activeTurn && { turnId: activeTurn.id, toolCallId: (part as { toolCall: { toolCallId: string } }).toolCall.toolCallId }
      );
    });
    const decision = { approved: true, confirmed: 'user-action' } as const;
    const action = { type: 'session/toolCallConfirmed' as const, session: session.uri, ...call, ...decision };
    assert.deepEqual(await person.dispatch(session.uri, action).settled, { kind: 'confirmed' });
  };
  /** Follows a link of the navigation. */
  const go = (name: RegExp | string) => page.getByRole('navigation').getByRole('link', { name }).click();
  /** Shows the jobs, and chooses one. */
  const choose = async (cell: string) => {
    await go('Jobs');
    await page.getByRole('button', { name: cell, exact: true }).click();
  };
  const start = async (cell: string, jobName: string) => {
    await choose(cell);
    await page.getByLabel('Folder').first().fill(test.folder);
    await page.getByRole('button', { name: `Start ${jobName}` }).click();
  };

  it('opens with the token, which leaves the address', async () => {
    await page.getByRole('heading', { name: 'Tapline portal' }).waitFor();
    await page.waitForURL(`${test.server.url}/`);
    assert.deepEqual(await page.context().cookies(), []);
  });

  it('lays the jobs out as the grid says, and says what one does before it starts', async () => {
    await go('Jobs');
    await page.getByRole('row', { name: 'demo' }).getByRole('cell').getByRole('button', { name: 'answer' }).click();
    const form = page.getByRole('form', { name: 'Start Answer' });
    await form.getByLabel('Your input').waitFor();
    await page.getByRole('button', { name: 'look around' }).click();
    const other = page.getByRole('form', { name: 'Start Look around' });
    await other.waitFor();
    assert.equal(await other.getByLabel('Your input').count(), 0, 'it takes none');
    await step('list the folder, Not started').waitFor();
    await other.getByText('Next: confirm').waitFor({ state: 'detached' });
    await step('list the folder, Not started').click();
    await other.getByText('Next: confirm').waitFor();
    await page.keyboard.press('Escape');
    await other.waitFor({ state: 'detached' });
    assert.equal(await focused(), 'look around', 'the focus is back in the cell');
  });

  it('says what a job does without asking, before it starts and in its run', async () => {
    await choose('Unasked');
    const words = /^“unasked” runs commands, which can do whatever you can, .* without asking\.$/;
    const form = page.getByRole('form', { name: 'Start Unasked' });
    await form.getByText(words).waitFor();
    await page.getByLabel('Folder').first().fill(test.folder);
    await form.getByRole('button', { name: 'Start Unasked' }).click();
    await step(/^unasked, Succeeded/).waitFor();
    await page.getByText('1 task acts without asking: unasked').click();
    await page.getByText(words).waitFor();
    const decisions = page.getByRole('list', { name: 'Decisions' });
    await decisions.getByRole('listitem').filter({ hasText: 'Ran ls · allowed by the entry' }).waitFor();
    await page.getByText('As recorded').click();
    await page.getByText('approve ["everything"] of the entry: run_command ran without a question').waitFor();
  });

  it('says at which other agent host a task runs, before it starts and while it does', async () => {
    await choose('Elsewhere');
    const form = page.getByRole('form', { name: 'Start Elsewhere' });
    await form.getByText('“elsewhere” runs at the agent host “build box”.').waitFor();
    await page.getByLabel('Folder').first().fill(test.folder);
    await form.getByRole('button', { name: 'Start Elsewhere' }).click();
    await page.getByRole('list', { name: 'Steps' }).getByText('at build box · Waits for you').waitFor();
    await page.getByRole('list', { name: 'Runs' }).getByText('Waits for you').waitFor();
    await page.getByText(`Model: demo-fast, at the agent host build box, in ${test.folder}`).waitFor();
    await shot('host');
    await page.getByRole('button', { name: 'Stop Elsewhere' }).click();
    await step(/^elsewhere, Stopped/).waitFor();
    await page.getByText('waits for your answer').waitFor({ state: 'detached' });
  });

  it('says why a job cannot start', async () => {
    await choose('look around');
    await page.getByLabel('Folder').first().fill('relative');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The folder must be an absolute path.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('starts a job from the grid and follows it to its end with the keyboard alone', async () => {
    await page.locator('h1').evaluate((heading) => {
      heading.tabIndex = -1;
      heading.focus();
    });
    await tabTo(/Jobs$/);
    await page.keyboard.press('Enter');
    await tabTo(/^look around$/);
    await page.keyboard.press('Enter');
    await page.getByRole('form').getByLabel('Folder').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(test.folder);
    await page.keyboard.press('Enter');
    await step(/^list the folder, Waits for you/).waitFor();
    assert.equal(await focused(), 'Look around', 'the heading of the job');
    await page.getByRole('link', { name: 'Needs You 1' }).waitFor();
    await step('confirm, Not started').waitFor();
    await tabTo(/^list the folder, Waits for you/);
    await shot('running');
    await approve();
    await step(/^confirm, Succeeded/).waitFor();
    await step(/^list the folder, Succeeded/).waitFor();
    await page.getByRole('status').getByText('The job Look around: Succeeded.').waitFor({ state: 'attached' });
    assert.match(await focused(), /^list the folder, Succeeded/, 'what changes does not move the focus');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^confirm, Succeeded/);
    await page.getByText('Criteria met: job_boolean_true was called').waitFor();
    await page.keyboard.press('Home');
    await page.getByText('Next: confirm').waitFor();
    assert.equal(await page.getByText('Criteria met').count(), 0, 'the step with the focus is the one that is open');
    assert.deepEqual(await violationsOf(page), []);
  });

  it('says why a task was retried, and what it said', async () => {
    await start('Retries', 'Retries');
    const decisions = page.getByRole('list', { name: 'Decisions' });
    await decisions.getByText('Retry 1 of 1').waitFor();
    await decisions.getByText('Criteria not met: job_boolean_true was not called in the last round').last().waitFor();
    await decisions.getByText('No retry is left of 1').waitFor();
    await step(/^never calls its tool, Failed/).waitFor();
    await page.getByText('Why: never calls its tool: Criteria not met: job_boolean_true was not called in the last round').waitFor();
    await page.getByRole('button', { name: 'Show the session' }).click();
    const session = page.frameLocator('iframe.page-frame');
    await page.getByText('The portal does not run this session, or not any more.').waitFor();
    await session.getByText('## Required Tool Not Called: job_boolean_true').waitFor();
    // It is Markdown: bold words and a table.
    await session.locator('strong', { hasText: 'demo agent' }).first().waitFor();
    await session.getByRole('cell', { name: 'This list' }).first().waitFor();
    await shot('retried');
    await page.goBack();
    await page.getByRole('button', { name: 'Continue Retries' }).click();
    await page.locator('.job-head').getByText('attempt 2').waitFor();
    await page.getByRole('button', { name: 'Continue Retries' }).waitFor();
    await page.getByText('done again since').waitFor();
  });

  it('draws every kind of step, in every theme and on a phone, and names as text', async () => {
    await start('<b>Every kind</b> of step', '<b>Every kind</b> of step');
    await step(/^list the folder, Waits for you/).waitFor();
    await step(/^is it good\?, Answered: false.*, condition$/).waitFor();
    await step(/^confirm, Answered: true.*, condition$/).waitFor();
    await step(/^fail, Not started/).waitFor();
    assert.equal(await page.locator('.arrow.back').count(), 1);
    for (const [name, media] of Object.entries({
      light: { colorScheme: 'light', forcedColors: 'none' },
      dark: { colorScheme: 'dark', forcedColors: 'none' },
      forced: { colorScheme: 'dark', forcedColors: 'active' },
    } as const)) {
      await page.emulateMedia(media);
      await shot(name);
      assert.deepEqual(await violationsOf(page), [], name);
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await page.setViewportSize({ width: 360, height: 800 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is cut on a phone');
    await shot('phone');
    assert.deepEqual(await violationsOf(page), []);
    await page.setViewportSize({ width: 1100, height: 1000 });
  });

  it('stops a job, and continues it', async () => {
    const stop = page.getByRole('button', { name: 'Stop <b>Every kind</b> of step' });
    const goOn = page.getByRole('button', { name: 'Continue <b>Every kind</b> of step' });
    await stop.click();
    await step(/^list the folder, Stopped/).waitFor();
    await page.getByRole('status').getByText('of step: Stopped.').waitFor({ state: 'attached' });
    await goOn.click();
    await step(/^list the folder, Waits for you.*2 runs/).waitFor();
    await approve();
    await page.getByRole('listitem').filter({ hasText: 'Every kind' }).getByText('Succeeded').waitFor();
    await stop.waitFor({ state: 'detached' });
    assert.equal(await goOn.count(), 0);
  });

  it('starts a session, talks to it, and runs tasks in it', async () => {
    await go('Sessions');
    await page.getByRole('link', { name: 'Start a session' }).click();
    await page.getByLabel('Folder').fill(test.folder);
    await page.getByLabel('Model').selectOption('demo-fast');
    await page.getByRole('button', { name: 'Start the session' }).click();
    const session = page.frameLocator('iframe.page-frame');
    // Before the session is known, Enter sends nothing.
    await session.getByText('Idle', { exact: true }).first().waitFor();
    await session.getByRole('textbox', { name: 'Message' }).fill('stream 1');
    await session.getByRole('textbox', { name: 'Message' }).press('Enter');
    await session.getByText('stream 1', { exact: true }).first().waitFor();
    await session.getByRole('heading', { name: 'Section 1 of 1' }).waitFor();
    await session.getByRole('link', { name: 'Markdown guide' }).waitFor();
    await page.getByText('Run a task in it').click();
    await page.getByRole('button', { name: 'Run fail' }).click();
    await session.getByText('The demo agent failed because you asked it to.').first().waitFor();
    await page.getByRole('heading', { name: 'fail: Failed' }).waitFor();
    await shot('session');
    assert.deepEqual(await violationsOf(page), []);
    await page.getByRole('button', { name: 'Stop the session' }).click();
    await page.getByText('The portal does not run this session, or not any more.').waitFor();
    await page.getByText('No session runs.').waitFor();
    assert.equal(test.portal.sessions.size, 0);
  });

  it('tells runs apart, finds them, and has an address for each and its steps', async () => {
    await go('Runs');
    const list = page.getByRole('list', { name: 'Runs' });
    await list
      .getByRole('link', { name: /Retries/ })
      .getByText(/^Failed · .* · tapline-portal-/)
      .waitFor();
    const all = await list.getByRole('link').count();
    await page.getByLabel('Search runs').fill('RETRIES failed');
    await page.waitForFunction((count) => document.querySelectorAll('.rows a').length < count, all);
    assert.equal(await list.getByRole('link').count(), 1);
    await page.getByLabel('Which runs').selectOption('Succeeded');
    await page.getByText('No run is like that.').waitFor();
    await page.getByLabel('Search runs').fill('');
    await list.getByRole('link', { name: /Look around/ }).click();
    await page.locator('.steps .step-head').filter({ hasText: 'list the folder' }).click();
    await page.waitForURL(/#\/run\/[^/]+\/step\/1$/);
    const address = page.url();
    await page.reload();
    await page.getByRole('heading', { name: 'Look around' }).waitFor();
    assert.equal(await step(/^list the folder/).getAttribute('aria-selected'), 'true');
    // Sent to somebody else, it shows the same.
    const theirs = await browser.newContext();
    const other = await theirs.newPage();
    await other.goto(`${test.server.url}/?token=${test.server.token}${new URL(address).hash.replace('/step/1', '/step/2')}`);
    await other.getByText('Criteria met: job_boolean_true was called').waitFor();
    await theirs.close();
  });

  it('goes through a list with the arrow keys, and past it with Tab', async () => {
    await go('Runs');
    const links = page.getByRole('list', { name: 'Runs' }).getByRole('link');
    const first = (await links.first().textContent()) ?? '';
    const last = (await links.last().textContent()) ?? '';
    await page.getByLabel('Which runs').focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), first, 'one that the page shows is the stop of the list');
    await page.keyboard.press('End');
    assert.equal(await focused(), last);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), last);
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle);
    assert.equal(outline, 'solid', 'the focus is visible');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.list')), null);
  });

  it('starts a job by Enter in its input', async () => {
    await choose('answer');
    await page.getByLabel('Folder').fill(test.folder);
    const input = page.getByLabel('Your input');
    const runs = async () => ((await test.call('copilot/job/runs'))['runs'] as unknown[]).length;
    const before = await runs();
    await input.press('Enter');
    assert.equal(await input.evaluate((one: HTMLTextAreaElement) => one.checkValidity()), false);
    await input.fill('  ');
    await input.press('Enter');
    await page.getByText('This needs your input.').waitFor();
    assert.equal(await runs(), before);
    await input.fill('1');
    await input.press('Shift+Enter');
    assert.equal(await input.inputValue(), '1\n');
    await input.fill('1');
    await input.press('Enter');
    await page.getByRole('heading', { name: 'Answer' }).waitFor();
    await step(/^answer, Succeeded/).waitFor();
  });

  it('shows the list and what is chosen of it side by side from 900 pixels, and one at a time below', async () => {
    await go('Runs');
    const list = page.getByRole('list', { name: 'Runs' });
    await list.getByRole('link', { name: /Look around/ }).click();
    const steps = page.locator('.steps');
    const size = page.viewportSize() ?? assert.fail();
    try {
      await page.setViewportSize({ width: 900, height: 700 });
      await steps.waitFor();
      const [left, right] = [(await list.boundingBox()) ?? assert.fail(), (await steps.boundingBox()) ?? assert.fail()];
      assert.ok(left.x + left.width <= right.x, 'beside it');
      await page.setViewportSize({ width: 899, height: 700 });
      await list.waitFor({ state: 'detached' });
      await steps.waitFor();
    } finally {
      await page.setViewportSize(size);
    }
  });

  for (const width of [390, 360, 320])
    it(`shows the list or what is chosen of it on a phone of ${width} pixels, with a bar at the bottom and room for fingers`, async () => {
      const context = await browser.newContext({
        viewport: { width, height: 844 },
        hasTouch: true,
        isMobile: true,
        reducedMotion: 'reduce',
      });
      const phone = await context.newPage();
      phone.setDefaultTimeout(10_000);
      await phone.goto(`${test.server.url}/?token=${test.server.token}`);
      const bar = phone.getByRole('navigation');
      const runs = phone.getByRole('list', { name: 'Runs' });
      await bar.getByRole('link', { name: 'Runs' }).tap();
      await runs.waitFor();
      const box = (await bar.boundingBox()) ?? assert.fail();
      assert.deepEqual([box.y + box.height, box.width], [844, width]);
      await runs.getByRole('link', { name: /Look around/ }).tap();
      await phone.getByRole('list', { name: 'Steps' }).waitFor();
      assert.equal(await runs.count(), 0);
      for (const area of ['Look around', 'Runs', 'Sessions', 'Jobs', 'Needs You']) {
        if (area !== 'Look around') await bar.getByRole('link', { name: area }).tap();
        await phone.getByRole('heading', { name: area === 'Needs You' ? 'Needs you' : area }).waitFor();
        const small = await phone.evaluate(() =>
          [...document.querySelectorAll<HTMLElement>('a, button, select, summary, input')]
            .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44)
            .map((one) => one.outerHTML),
        );
        assert.deepEqual(small, [], area);
        assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), area);
        assert.deepEqual(await violationsOf(phone), [], area);
      }
      await bar.getByRole('link', { name: 'Runs' }).tap();
      await runs.getByRole('link', { name: /Look around/ }).tap();
      await phone.getByRole('link', { name: '← Runs' }).tap();
      await runs.waitFor();
      await context.close();
    });

  it('says that what it shows may be out of date', async () => {
    await test.server.close();
    await page.getByRole('alert').getByText('The portal cannot be reached.').waitFor();
    // The browser reports each request that fails.
    assert.deepEqual(
      problems.filter((text) => !text.includes('net::ERR_')),
      [],
      'it runs nothing but its own script, and has no error',
    );
  });
});
