/** Providers in a real tab with a real gateway: the unmodified program of the specification, and a page of our own with the SDK. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { takeChromium, type TakenChromium } from '../support/sharedChromium.ts';
import { GatewayHome, type GatewayProcess, startGatewayProcess } from '../support/gatewayProcess.ts';
import { describeShared } from '../support/shared.ts';
import { earlyTimeouts, timeOutOldest } from '../support/earlyTimeout.ts';
import { TestOwner } from '../integration/gateway/gatewayHarness.ts';
import { tapTools } from '../support/tapTools.ts';

const root = join(import.meta.dirname, '../..');
const WAIT_MS = 15_000;
const sdkFile = 'dist/lib/providerBrowser.js';

/** Serves pages by path, on an origin of their own. */
class PageServer {
  readonly pages = new Map<string, { type: string; body: string; policy?: string }>();
  readonly #server: Server = createServer((request, response) => {
    const page = this.pages.get((request.url ?? '').split('?')[0] ?? '');
    if (!page) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': page.type, ...(page.policy && { 'Content-Security-Policy': page.policy }) }).end(page.body);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('providers in a browser tab', () => {
  let browser: TakenChromium;
  let server: PageServer;
  let home: GatewayHome;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  let page: Page;

  before(async () => {
    server = new PageServer();
    await server.start();
    browser = await takeChromium();
  });
  after(async () => {
    await browser.close();
    await server.stop();
  });
  const startGateway = async (args?: string[], env?: Record<string, string>) => {
    gateway = await startGatewayProcess(home, args, env);
    owner = await TestOwner.of(gateway);
  };
  /** Replaces the running gateway, on the same port. */
  const restartGateway = async () => {
    owner.dispose();
    await gateway.stop('SIGKILL');
    await startGateway(['--port', String(gateway.port)]);
  };
  beforeEach(async () => {
    home = new GatewayHome();
    page = await browser.newPage();
    page.setDefaultTimeout(WAIT_MS);
  });
  afterEach(async () => {
    await page.context().close();
    owner?.dispose();
    await gateway?.stop();
    home.remove();
  });
  /** Of our own pages. */
  const state = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const pair = async () => {
    await page.getByText('Enter the pairing code').waitFor();
    const { code } = await owner.next('pairing/started');
    await page.locator('#code').fill(code);
    await page.getByRole('button', { name: 'Pair' }).click();
  };
  const providers = async () => (await owner.client.request('diagnostics', {})).providers.filter(({ name }) => name !== 'tap');

  describeShared('the printed program', (shared) => {
    const text = readFileSync(join(shared, 'spec/seeds/provider-interface-v2.md'), 'utf8');
    const program = /```js\n(const GATEWAY = [\s\S]*?)```/.exec(text)?.[1] ?? '';
    const tools = [...tapTools, 'page_title', 'screenshot'];

    // The program expects two elements of a page's user interface, a library, and a call that starts it. And
    // its port is 9400.
    /** `typed`: what the user types for the code that the session shows, each time the page asks. */
    const open = async (typed = (code: string, _asked: number) => code) => {
      server.pages.set('/printed.js', { type: 'text/javascript', body: program });
      server.pages.set('/', {
        type: 'text/html',
        body: `<!doctype html><title>The tab</title><body><script>
          window.captures = [];
          window.showOverlay = (text) => (document.body.textContent = text);
          window.showSessionPicker = (sessions, choose) => (window.picker = { sessions, choose });
          window.html2canvas = () => new Promise((resolve) => captures.push((image) => resolve({ toDataURL: () => image })));
          const Socket = WebSocket;
          window.WebSocket = class extends Socket {
            constructor(url) { super(url.replace(':9400', ':${gateway.port}')); }
          };
          const request = fetch;
          window.fetch = (url) => request(url.replace(':9400', ':${gateway.port}'));
        </script><script src="/printed.js"></script><script>connect();</script>`,
      });
      page.removeAllListeners('dialog');
      let asked = 0;
      page.on('dialog', (dialog) => {
        const accepted = owner.next('pairing/started').then(({ code }) => dialog.accept(typed(code, ++asked)));
        accepted.catch((error: unknown) => assert.fail(String(error)));
      });
      await page.goto(`${server.origin}/`);
    };
    const capture = (index: number, image: string) => page.evaluate(`captures[${index}](${JSON.stringify(image)})`);
    const captures = (count: number) => page.waitForFunction(`captures.length === ${count}`);

    it('is found', () => assert.match(program, /function connect\(\)/));

    it('waits for a session, then answers calls side by side, with progress', async () => {
      await startGateway();
      await open();
      await page.getByText('Waiting for Copilot session').waitFor();
      const session = await owner.session('a');
      await owner.tools('a', tools, WAIT_MS);
      const screenshot = session.call('screenshot', {});
      assert.equal((await owner.next('tool/progress')).message, 'Capturing...');
      assert.deepEqual(await session.call('page_title', {}), { ok: true, data: 'The tab' });
      await captures(1);
      await capture(0, 'data:image/jpeg;base64,AAAA');
      assert.deepEqual(await screenshot, { ok: true, data: { image: 'data:image/jpeg;base64,AAAA' } });
      const [{ trust, instance, metadata } = { trust: '', instance: '', metadata: {} }] = await providers();
      assert.equal(trust, 'external');
      assert.match(instance ?? '', /^tab-/);
      assert.deepEqual(metadata, { url: `${server.origin}/`, title: 'The tab' });
    });

    it('asks for the same code again after a wrong one', async () => {
      await startGateway();
      await owner.session('a');
      await open((code, asked) => (asked > 1 ? code : code === '000000' ? '000001' : '000000'));
      await owner.tools('a', tools, WAIT_MS);
      assert.equal(owner.events.filter(({ event }) => event === 'pairing/started').length, 1);
    });

    it('lets the user choose among several sessions', async () => {
      await startGateway();
      await owner.session('a');
      await owner.session('b');
      await open();
      await page.waitForFunction('window.picker');
      assert.equal(await page.evaluate('picker.sessions.map(({ id }) => id).join()'), 'a,b');
      await page.evaluate('picker.choose(picker.sessions[1])');
      await owner.tools('b', tools, WAIT_MS);
    });

    it('answers a call that is pending while another times out, and its late answers harm nothing', async () => {
      await startGateway(undefined, earlyTimeouts(home.folder, 15_000));
      const session = await owner.session('a');
      await open();
      await owner.tools('a', tools, WAIT_MS);
      const before = await providers();
      const late = session.call('screenshot', {});
      const pending = session.call('screenshot', {});
      const timedOut = await timeOutOldest(gateway, late, () => owner.client.request('diagnostics', {}));
      assert.ok(!timedOut.ok && timedOut.errorCode === 'TIMEOUT', JSON.stringify(timedOut));
      await captures(2);
      await capture(0, 'too late');
      await capture(1, 'in time');
      assert.deepEqual(await pending, { ok: true, data: { image: 'in time' } });
      assert.deepEqual(await session.call('page_title', {}), { ok: true, data: 'The tab' });
      assert.equal((await providers())[0]?.id, before[0]?.id);
      assert.deepEqual((await owner.client.request('diagnostics', {})).lastErrors, []);
    });

    it('reconnects by its tokens when its connection is lost', async () => {
      await startGateway();
      await owner.session('a');
      await open();
      await owner.tools('a', tools, WAIT_MS);
      const before = await providers();
      owner.events.length = 0;
      await page.evaluate('ws.close()');
      await owner.tools('a', tapTools, WAIT_MS);
      owner.events.length = 0;
      await owner.tools('a', tools, WAIT_MS);
      assert.equal((await providers())[0]?.id, before[0]?.id);
      assert.ok(!owner.events.some(({ event }) => event === 'pairing/started'));
    });

    it('pairs again when it is loaded again after a restart of the gateway, and after a shutdown', async () => {
      await startGateway();
      await owner.session('a');
      await open();
      await owner.tools('a', tools, WAIT_MS);
      await restartGateway();
      const session = await owner.session('b');
      await open();
      await owner.tools('b', tools, WAIT_MS);
      await session.end(200);
      assert.deepEqual(await providers(), []);
      owner.events.length = 0;
      await owner.session('c');
      await open();
      await owner.tools('c', tools, WAIT_MS);
    });
  });

  describe('examples/providers/browser.html', () => {
    const tools = [...tapTools, 'page_title', 'page_selection', 'page_highlight'];
    before(() => {
      assert.ok(existsSync(join(root, sdkFile)), 'dist/lib is missing: run `npm run build` first');
      const read = (path: string) => readFileSync(join(root, path), 'utf8');
      server.pages.set('/examples/providers/browser.html', { type: 'text/html', body: read('examples/providers/browser.html') });
      server.pages.set(`/${sdkFile}`, { type: 'text/javascript', body: read(sdkFile) });
    });
    const open = () => page.goto(`${server.origin}/examples/providers/browser.html?gateway=${gateway.url}`);
    const bound = async (sessionId: string) => {
      await page.getByRole('button', { name: 'Connect' }).click();
      await pair();
      await owner.tools(sessionId, tools, WAIT_MS);
      await state('bound');
    };

    it('pairs by its own form, waits for a session, answers, and tells the session something', async () => {
      await startGateway();
      await open();
      await page.getByRole('button', { name: 'Connect' }).click();
      const { code } = await owner.next('pairing/started');
      await page.locator('#code').fill(code === '000000' ? '000001' : '000000');
      await page.getByRole('button', { name: 'Pair' }).click();
      await page.getByText('the code is wrong').first().waitFor();
      await page.locator('#code').fill(code);
      await page.getByRole('button', { name: 'Pair' }).click();
      await state('waiting for a session');
      const session = await owner.session('a');
      await owner.tools('a', tools, WAIT_MS);
      assert.deepEqual(await session.call('page_title', {}), { ok: true, data: 'A page that lends its tools' });
      await page.evaluate("getSelection().selectAllChildren(document.querySelector('h2'))");
      assert.deepEqual(await session.call('page_selection', {}), { ok: true, data: 'What has happened' });
      await page.getByLabel('Tell the session').fill('look at the title');
      await page.getByRole('button', { name: 'Tell' }).click();
      assert.equal((await owner.next('push/inject')).text, 'look at the title');
    });

    it('points at elements with progress, and stops when it is cancelled', async () => {
      await startGateway();
      const session = await owner.session('a');
      await open();
      await bound('a');
      assert.deepEqual(await session.call('page_highlight', { selector: 'h1, h2' }), { ok: true, data: { found: 2 } });
      assert.equal((await owner.next('tool/progress')).message, '2 of 2');
      const failed = await session.call('page_highlight', { selector: '???' });
      assert.ok(!failed.ok && failed.errorCode === 'INTERNAL');
      await page.evaluate("document.body.append(...Array.from({ length: 200 }, () => document.createElement('hr')))");
      const controller = new AbortController();
      const endless = session.call('page_highlight', { selector: 'hr' }, controller.signal);
      await owner.next('tool/progress', ({ message }) => message === '1 of 200');
      controller.abort('enough');
      const cancelled = await endless;
      assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
      await page.waitForFunction("!document.querySelector('.pointed')");
    });

    it('keeps its token when it is loaded again, and pairs again after a restart of the gateway', async () => {
      await startGateway();
      await owner.session('a');
      await open();
      await bound('a');
      owner.events.length = 0;
      await page.reload();
      // The session need not hear that its tools were gone for a moment.
      await state('bound');
      assert.deepEqual((await providers())[0]?.tools, tools.slice(tapTools.length));
      assert.ok(!owner.events.some(({ event }) => event === 'pairing/started'));
      await restartGateway();
      await owner.session('b');
      await pair();
      await owner.tools('b', tools, WAIT_MS);
    });

    it('goes through a shutdown and takes the next session', async () => {
      await startGateway();
      const session = await owner.session('a');
      await open();
      await bound('a');
      await session.end(60_000); // longer than the time limit of this test: the provider is ready earlier
      await owner.session('b');
      await owner.tools('b', tools, WAIT_MS);
    });
  });

  describe('examples/providers/recipes/table.html', () => {
    const tools = [...tapTools, 'table_rows', 'table_filter', 'table_highlight'];
    const path = '/examples/providers/recipes/table.html';
    before(() => {
      assert.ok(existsSync(join(root, sdkFile)), 'dist/lib is missing: run `npm run build` first');
      server.pages.set(path, { type: 'text/html', body: readFileSync(join(root, path), 'utf8') });
      server.pages.set(`/${sdkFile}`, { type: 'text/javascript', body: readFileSync(join(root, sdkFile), 'utf8') });
    });
    const lend = async () => {
      await startGateway();
      const session = await owner.session('a');
      await page.goto(`${server.origin}${path}?gateway=${gateway.url}`);
      await page.getByRole('button', { name: 'Lend this table' }).click();
      await pair();
      await owner.tools('a', tools, WAIT_MS);
      await state('bound');
      return session;
    };
    /** What the page shows. */
    const orders = () => page.locator('tbody tr:visible td:first-child').allTextContents();
    const grace = { row: 2, Order: '1002', Customer: 'Grace', City: 'New York', Total: '12.50', Status: 'late' };

    it('lends the rows that it shows, also after the user has shown all again', async () => {
      const session = await lend();
      assert.deepEqual(await session.call('table_rows', { from: 2, limit: 1 }), { ok: true, data: { all: 4, shown: 4, rows: [grace] } });
      assert.deepEqual(await session.call('table_filter', { column: 'Status', contains: 'LATE' }), { ok: true, data: { shown: 2 } });
      assert.deepEqual(await orders(), ['1002', '1004']);
      await page.getByText('Status contains “LATE”: 2 of 4 rows.').waitFor();
      const { data } = (await session.call('table_rows', {})) as { data: { shown: number; rows: unknown[] } };
      assert.deepEqual([data.shown, data.rows[0]], [2, grace]);
      const wrong = await session.call('table_filter', { column: 'Secret', contains: '' });
      assert.ok(!wrong.ok && wrong.errorCode === 'INVALID_ARGUMENTS');
      await page.getByRole('button', { name: 'Show all rows' }).click();
      assert.equal((await orders()).length, 4);
      assert.equal(await page.getByRole('button', { name: 'Show all rows' }).isVisible(), false);
    });

    it('points at one row at a time, and at none that it does not show', async () => {
      const session = await lend();
      const pointed = () => page.locator('[aria-current] td:first-child').allTextContents();
      await session.call('table_highlight', { row: 1 });
      assert.deepEqual(await session.call('table_highlight', { row: 2 }), { ok: true, data: grace });
      assert.deepEqual(await pointed(), ['1002']);
      await session.call('table_filter', { column: 'Customer', contains: 'ada' });
      const hidden = await session.call('table_highlight', { row: 4 });
      assert.ok(!hidden.ok && /row 4 is not shown/.test(hidden.error), JSON.stringify(hidden));
      const none = await session.call('table_highlight', { row: 5 });
      assert.ok(!none.ok && none.errorCode === 'INVALID_ARGUMENTS');
    });

    it('keeps its token when it is loaded again, and can be left alone when it asks for the code', async () => {
      await lend();
      owner.events.length = 0;
      await page.reload();
      await page.getByRole('button', { name: 'Lend this table' }).click();
      await state('bound');
      assert.ok(!owner.events.some(({ event }) => event === 'pairing/started'));
      await page.evaluate('sessionStorage.clear()');
      await page.reload();
      await page.getByRole('button', { name: 'Lend this table' }).click();
      await page.getByRole('button', { name: 'Not now' }).click();
      await state('closed');
      await page.getByRole('button', { name: 'Lend this table' }).waitFor();
    });
  });

  it('the SDK is one small file that runs under a strict policy without a report', async () => {
    assert.ok(statSync(join(root, sdkFile)).size < 60_000);
    await startGateway();
    await owner.session('a');
    server.pages.set('/sdk.js', { type: 'text/javascript', body: readFileSync(join(root, sdkFile), 'utf8') });
    server.pages.set('/reports.js', {
      type: 'text/javascript',
      body: `window.reports = [];
        document.addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective));`,
    });
    server.pages.set('/strict.js', {
      type: 'text/javascript',
      body: `import { createProvider } from './sdk.js';
        createProvider('strict', { url: ${JSON.stringify(gateway.url)}, tools: [{ name: 'strict_tool' }], onError: (error) => reports.push(error.message) });`,
    });
    server.pages.set('/strict', {
      type: 'text/html',
      body: '<!doctype html><script src="/reports.js"></script><script type="module" src="/strict.js"></script>',
      policy: `default-src 'none'; script-src 'self'; connect-src ${gateway.url}`,
    });
    // A page without a form of its own uses `prompt`.
    page.once('dialog', (dialog) => {
      const typed = owner.next('pairing/started').then(({ code }) => dialog.accept(code));
      typed.catch((error: unknown) => assert.fail(String(error)));
    });
    await page.goto(`${server.origin}/strict`);
    await owner.tools('a', [...tapTools, 'strict_tool'], WAIT_MS);
    assert.deepEqual(await page.evaluate('reports'), []);
    // Proves that the check above notices code that is created at run time.
    await page.evaluate("setTimeout('1')");
    await page.waitForFunction("reports.join() === 'script-src'");
  });
});
