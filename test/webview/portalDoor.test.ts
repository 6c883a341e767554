/** What other pages of the user's browser can do at a portal, and where links in its page lead. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { TestPortal } from '../integration/portal/portalHarness.ts';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';

const entry = {
  ...{ models: { driving: 'one' }, promptVariables: {}, grid: [{ keyword: 'all', jobs: [{ name: 'hangs', jobName: 'Hangs' }] }] },
  tasks: { hangs: { prompt: ['hang'], requireUserInput: false, model: { category: 'driving' } } },
  jobs: { Hangs: { work: { kind: 'Ref', taskId: 'hangs' } } },
};
/** Ways to ask without being allowed to read the answer. Each sends one request to the address. */
const attacks: Record<string, (url: string) => string> = {
  'a frame': (url) => `<iframe src="${url}"></iframe>`,
  'an image': (url) => `<img src="${url}">`,
  'a script': (url) => `<script src="${url}"></script>`,
  'a style sheet': (url) => `<link rel="stylesheet" href="${url}">`,
  'an object': (url) => `<object data="${url}"></object>`,
  'a form that sends GET': (url) =>
    `<iframe name="f"></iframe><form target="f" action="${url}"></form><script>document.forms[0].submit()</script>`,
  'a form that sends POST': (url) =>
    `<iframe name="f"></iframe><form target="f" method="post" enctype="text/plain" action="${url}"><input name="a" value="b"></form><script>document.forms[0].submit()</script>`,
  'fetch with GET': (url) => `<script>fetch("${url}", { mode: 'no-cors', credentials: 'include' })</script>`,
  'fetch with POST': (url) => `<script>fetch("${url}", { mode: 'no-cors', method: 'POST', credentials: 'include', body: 'x' })</script>`,
  'a beacon': (url) => `<script>navigator.sendBeacon("${url}", 'x')</script>`,
  'going there': (url) => `<script>onload = () => setTimeout(() => (location.href = "${url}"))</script>`,
  'a form in its own tab': (url) =>
    `<form method="post" action="${url}"></form><script>onload = () => setTimeout(() => document.forms[0].submit())</script>`,
};
/** These show the answer in the tab. */
const leaving = new Set(['going there', 'a form in its own tab']);
const paths = ['/api/stop', '/%61pi/stop', '/%61pi/copilot/job/start/Hangs', '/api/copilot/session/ID/stop'];

for (const withoutToken of [false, true])
  describe(`another page, and a portal ${withoutToken ? 'without' : 'with'} a token`, function () {
    this.timeout(120_000);
    let browser: TakenChromium;
    let context: BrowserContext;
    let test: TestPortal;
    let stranger: Server;
    let strangerPort: number;
    let body = '';
    let own: Page;
    let sessionId: string;
    /** Headers of a page like its own. */
    let session: Record<string, string>;

    before(async () => {
      browser = await takeChromium();
      test = await TestPortal.start({ withoutToken });
      test.agent.onTurn = async (turn) => {
        const { text } = turn.message;
        if (text === 'hang') await new Promise((_, reject) => turn.signal.addEventListener('abort', () => reject(turn.signal.reason)));
        turn.markdown(text);
      };
      assert.deepEqual(await test.install(entry), { result: 'OK' });
      stranger = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end(`<!doctype html>${body}`));
      await once(stranger.listen(0, '127.0.0.1'), 'listening');
      strangerPort = (stranger.address() as AddressInfo).port;
      context = await browser.newContext();
      context.setDefaultTimeout(15_000);
      own = await context.newPage();
      await own.goto(withoutToken ? test.server.url : `${test.server.url}/?token=${test.server.token}`);
      await own.getByRole('heading', { name: 'Tapline portal' }).waitFor();
      session = withoutToken ? {} : await test.openPage();
      sessionId = await own.evaluate(
        async ([body, headers]) => {
          const response = await fetch('/api/copilot/session/start/one', { method: 'POST', body, headers });
          return ((await response.json()) as { sessionId: string }).sessionId;
        },
        [test.folder, session] as const,
      );
      assert.ok(test.portal.sessions.get(sessionId));
    });
    after(async () => {
      await browser?.close();
      stranger?.close();
      await test?.close();
    });

    for (const [name, attack] of Object.entries(attacks))
      it(`is refused: ${name}`, async () => {
        const page = await context.newPage();
        // Of another port, to which cookies go, and of another site.
        for (const origin of [`http://127.0.0.1:${strangerPort}`, `http://localhost:${strangerPort}`])
          for (const path of paths) {
            const url = test.server.url + path.replace('ID', sessionId);
            body = attack(url);
            const isIt = (one: { url(): string }) => one.url().replace(/\?.*/, '') === url;
            // What is no image, script or style sheet is kept even from the browser's own tools.
            const kept = page.waitForEvent('requestfailed', (one) => isIt(one) && one.failure()?.errorText === 'net::ERR_BLOCKED_BY_ORB');
            const answered = Promise.any([page.waitForResponse(isIt).then((one) => one.status()), kept.then(() => 403)]);
            await page.goto(origin);
            assert.equal(await answered, 403, `${origin} ${path}`);
            if (leaving.has(name)) await page.waitForURL(url);
          }
        assert.equal(test.stops, 0);
        assert.ok(test.portal.sessions.get(sessionId), 'the session goes on');
        assert.deepEqual(test.portal.runs.jobStates(), []);
      });

    it('may lead to the page of the portal, and not show it in a frame', async () => {
      const page = await context.newPage();
      body = `<a href="${test.server.url}/">portal</a><iframe src="${test.server.url}/"></iframe>`;
      const framed = page.waitForResponse((response) => response.url() === `${test.server.url}/`);
      await page.goto(`http://localhost:${strangerPort}`);
      assert.equal((await framed).status(), 403);
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url() === `${test.server.url}/` && one.frame() === page.mainFrame()),
        page.getByRole('link').click(),
      ]);
      assert.equal(response.status(), 200);
      await page.close();
    });

    it('gets nothing from the browser that is good at the portal', async () => {
      const page = await context.newPage();
      body = '<p>elsewhere</p>';
      const asked = page.waitForRequest((one) => one.url() === `http://127.0.0.1:${strangerPort}/`);
      await page.goto(`http://127.0.0.1:${strangerPort}`);
      assert.equal((await (await asked).allHeaders())['cookie'], undefined);
      assert.deepEqual(await context.cookies(), []);
      assert.deepEqual(await page.evaluate(async () => (await indexedDB.databases()).length), 0);
      await page.close();
    });

    it('does not keep the user from reading what an address says where no token is needed, and from nothing else', async () => {
      const page = await context.newPage();
      assert.equal((await page.goto(`${test.server.url}/api/copilot/job`))?.status(), withoutToken ? 200 : 401);
      for (const path of ['/api/stop', '/%61pi/stop'])
        assert.equal((await page.goto(`${test.server.url}${path}`))?.status(), withoutToken ? 403 : 401);
      assert.equal(test.stops, 0);
      await page.close();
    });

    it('is not the page of the portal, which starts and stops', async () => {
      await own.getByRole('link', { name: 'Jobs' }).click();
      await own.getByRole('button', { name: 'hangs', exact: true }).click();
      await own.getByLabel('Folder').first().fill(test.folder);
      await own.getByRole('button', { name: 'Start Hangs' }).click();
      await own.getByRole('button', { name: 'Stop Hangs' }).click();
      await own.getByRole('status').getByText('Hangs: Stopped.').waitFor({ state: 'attached' });
      assert.deepEqual(
        test.portal.runs.jobStates().map(({ status }) => status),
        ['Stopped'],
      );
    });

    it('has links to other places only, however they are written', async () => {
      const { port } = test.server;
      const hosts = ['127.0.0.1', 'localhost', 'localhost.', '[::1]', '127.1', '2130706433', 'user@127.0.0.1', 'good.example@localhost'];
      const targets = [
        ...hosts.map((host) => `http://${host}:${port}/api/stop`),
        'http:/api/stop',
        'http:api/stop',
        `HTTP://LOCALHOST:${port}`,
      ];
      const text = [...targets, `http://localhost:${strangerPort}/`].map((url, at) => `[link ${at}](<${url}>)`).join('\n\n');
      const parts = [text, `![image](http://localhost:${port}/api/stop)`, `[by name][own]\n\n[own]: http://localhost:${port}/api/stop`];
      await own.evaluate(
        async ([id, body, headers]) => void (await fetch(`/api/copilot/session/${id}/query`, { method: 'POST', body, headers })),
        [sessionId, parts.join('\n\n'), session] as const,
      );
      await own.getByRole('link', { name: 'Sessions' }).click();
      await own.getByRole('list', { name: 'Sessions that run' }).getByRole('link').first().click();
      const message = own.frameLocator('iframe.page-frame').locator('.markdown');
      await message.getByText('by name').waitFor();
      assert.deepEqual(await message.locator('a[href]').allTextContents(), [`link ${targets.length}`]);
      body = 'elsewhere';
      const before = context.pages();
      for (const at of targets.keys()) await message.getByText(`link ${at}`, { exact: true }).click({ button: at % 2 ? 'middle' : 'left' });
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        message.getByText(`link ${targets.length}`, { exact: true }).click(),
      ]);
      await opened.getByText('elsewhere').waitFor();
      assert.equal(await opened.evaluate(() => window.opener as unknown), null);
      assert.deepEqual(
        context.pages().filter((page) => !before.includes(page)),
        [opened],
      );
      assert.equal(test.stops, 0);
    });

    it('is not the page of the portal, which ends everything', async () => {
      assert.equal(await own.evaluate(async (headers) => (await fetch('/api/stop', { method: 'POST', headers })).status, session), 200);
      assert.equal(test.stops, 1);
    });
  });
