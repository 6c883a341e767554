/** The session webview in a headless Chromium, with the test in place of the extension. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { StateAction } from '../../src/ahp/v1/actions.ts';
import { ROOT_URI, type RootState } from '../../src/ahp/v1/root.ts';
import type { SessionState } from '../../src/ahp/v1/session.ts';
import { parseWebviewMessage } from '../../src/webviews/session/parseWebviewMessage.ts';
import type {
  Draft,
  ExtensionMessage,
  PendingAction,
  SessionGesture,
  ShownSession,
  WebviewMessage,
} from '../../src/webviews/session/protocol.ts';
import { launchChromium } from '../support/chromium.ts';
import { themeCss, type ThemeName } from './themes.ts';

const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
const ORIGIN = 'https://webview.test';
/** Everything here happens within the page; what takes longer is broken. */
export const WAIT_MS = 10_000;

export interface Harness {
  open(options?: PageOptions): Promise<SessionPage>;
  close(): Promise<void>;
}
export interface PageOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  reducedMotion?: boolean;
}

/** Builds the bundle and starts the browser. */
export async function startHarness(): Promise<Harness> {
  const out = await mkdtemp(join(tmpdir(), 'tapline-webview-'));
  await esbuild.build({
    absWorkingDir: projectRoot,
    bundle: true,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: ['src/webviews/session/main.tsx'],
    outfile: join(out, 'session.js'),
  });
  const browser = await launchChromium();
  return {
    open: (options) => SessionPage.open(browser, out, options ?? {}),
    close: async () => {
      await browser.close();
      await rm(out, { recursive: true });
    },
  };
}

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** What VS Code puts into every webview and a page has to live with, in short. */
const webviewDefaults = `body { padding: 0 20px; color: var(--vscode-editor-foreground); font-size: var(--vscode-font-size); }
code { color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }`;

function html(theme: ThemeName): string {
  const csp = `default-src 'none'; script-src 'nonce-test'; style-src ${ORIGIN} 'unsafe-inline'; font-src ${ORIGIN}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Session</title>
<meta http-equiv="Content-Security-Policy" content="${csp}">
<style>${themeCss(theme)} ${webviewDefaults}</style>
<link rel="stylesheet" href="${ORIGIN}/codicon.css" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${ORIGIN}/session.css"></head>
<body><script nonce="test" src="${ORIGIN}/session.js"></script></body></html>`;
}

export class SessionPage {
  /** Everything that the page posted, checked by the parser. */
  readonly posted: WebviewMessage[] = [];
  /** Uncaught errors and refused loads; a test that expects none asserts on it. */
  readonly troubles: string[] = [];
  /** Requests that left the page; there must be none. */
  readonly requests: string[] = [];
  private readonly listeners = new Set<() => void>();
  private read = 0;
  private shown = '';

  private constructor(readonly page: Page) {}

  static async open(
    browser: Browser,
    folder: string,
    { theme = 'dark', width = 420, height = 800, reducedMotion = true }: PageOptions,
  ): Promise<SessionPage> {
    const context = await browser.newContext({
      viewport: { width, height },
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    });
    const page = await context.newPage();
    const self = new SessionPage(page);
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => self.troubles.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') self.troubles.push(message.text());
    });
    await page.exposeFunction('tellTest', (message: unknown) => {
      const parsed = parseWebviewMessage(message);
      if (!parsed) self.troubles.push(`refused message: ${JSON.stringify(message)}`);
      else self.posted.push(parsed);
      for (const listener of self.listeners) listener();
    });
    // As text: tsx would put helpers into a function that the page does not have.
    await page.addInitScript({
      content: `window.acquireVsCodeApi = () => ({
        postMessage: (message) => window.tellTest(message),
        getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
      });`,
    });
    await page.route('**/*', async (route) => {
      const url = new URL(route.request().url());
      if (url.origin !== ORIGIN) {
        self.requests.push(url.href);
        return route.abort();
      }
      if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: html(theme) });
      const name = url.pathname.slice(1);
      const file = existsSync(join(folder, name))
        ? join(folder, name)
        : join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist', name);
      return route.fulfill({ contentType: contentTypes[extname(name)] ?? 'application/octet-stream', body: await readFile(file) });
    });
    await page.goto(`${ORIGIN}/`);
    await self.next('ready');
    return self;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async send(...messages: ExtensionMessage[]): Promise<void> {
    await this.page.evaluate((list) => window.postMessage(list, '*'), messages);
    await this.settle();
  }

  /** Two frames: what was sent is drawn. */
  async settle(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))));
  }

  /** Shows a session live, as a fresh extension would. */
  async show(
    session: SessionState,
    { root, shown, draft, pending }: { root?: RootState; shown?: Partial<ShownSession>; draft?: Draft; pending?: PendingAction[] } = {},
  ): Promise<void> {
    const uri = session.summary.resource;
    this.shown = uri;
    await this.send(
      { type: 'show', session: { hostId: 'embedded', uri, hostLabel: 'This computer', ...shown }, ...(draft && { draft }) },
      { type: 'connection', connection: { kind: 'connected' } },
      ...(root ? [{ type: 'snapshot' as const, uri: ROOT_URI, confirmed: root, pending: [], status: { kind: 'live' as const } }] : []),
      { type: 'snapshot', uri, confirmed: session, pending: pending ?? [], status: { kind: 'live' } },
    );
  }

  /** Confirmed actions of the shown session. */
  async actions(...actions: StateAction[]): Promise<void> {
    await this.send({ type: 'actions', uri: this.shown, actions, now: Date.now(), pending: [] });
  }

  /** The next posted message of a type that was not taken by an earlier call. */
  async next<T extends WebviewMessage['type']>(type: T): Promise<WebviewMessage & { type: T }> {
    return (await this.until(`a ${type} message`, (message) => message.type === type)) as WebviewMessage & { type: T };
  }

  async nextAction<T extends SessionGesture['type']>(type: T): Promise<Extract<SessionGesture, { type: T }>> {
    const message = await this.until(
      `a dispatch of ${type}`,
      (candidate) => candidate.type === 'dispatch' && candidate.action.type === type,
    );
    return (message as { action: SessionGesture }).action as Extract<SessionGesture, { type: T }>;
  }

  private until(what: string, test: (message: WebviewMessage) => boolean): Promise<WebviewMessage> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const index = this.posted.findIndex((message, at) => at >= this.read && test(message));
        if (index < 0) return;
        this.read = index + 1;
        finish();
        resolve(this.posted[index] as WebviewMessage);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`No ${what} within ${WAIT_MS} ms. Troubles: ${this.troubles.join('\n') || 'none'}`));
      }, WAIT_MS);
      const finish = () => {
        clearTimeout(timer);
        this.listeners.delete(look);
      };
      this.listeners.add(look);
      look();
    });
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(projectRoot, 'artifacts/webview', `${name}.png`) });
  }
}
