/** A page of the extension in a headless Chromium, with the test in place of the extension. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Locator, Page } from 'playwright-core';
import { pageOptions } from '../../scripts/pageBundles.mjs';
import { type DisplayLanguage, PAGE_LANGUAGE } from '../../src/base/l10n.ts';
import { takeChromium } from '../support/sharedChromium.ts';
import { themeCss, type ThemeName } from './themes.ts';
import { violationsOf } from './violationsOf.ts';

const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '../..');
const require = createRequire(import.meta.url);
const ORIGIN = 'https://webview.test';
/** Everything happens within the page, so nothing takes longer. */
export const WAIT_MS = 10_000;

/** Opens the form for the reason of a denial. */
export async function denyWithReason(within: Page | Locator): Promise<void> {
  await within.getByRole('button', { name: 'More ways to deny' }).click();
  await within.getByRole('button', { name: /with a reason…$/ }).click();
}

/** Shows the choices that stand behind the first one that approves. */
export async function showApprovals(within: Page | Locator): Promise<void> {
  await within.getByRole('button', { name: 'More ways to approve' }).click();
}

/** Until the buttons of a card have been in their place for long enough that a click counts. Playwright’s own click waits for that by itself. */
export async function buttonsCount(within: Page | Locator): Promise<void> {
  await within.locator('.card-buttons:not([aria-disabled])').waitFor();
}

/** By the mouse, once it counts. Playwright’s own click may scroll the page for a button that sticks to its end, which a user does not. */
export async function clickInPlace(button: Locator): Promise<void> {
  await button.scrollIntoViewIfNeeded();
  // The page sees in the next frame that it has moved.
  await button.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await button.and(button.page().locator(':not([aria-disabled], [aria-disabled] *)')).waitFor();
  const { x, y, width, height } = (await button.boundingBox())!;
  await button.page().mouse.click(x + width / 2, y + height / 2);
}

export interface Harness<T> {
  open(options?: PageOptions): Promise<T>;
  close(): Promise<void>;
}
export interface PageOptions {
  theme?: ThemeName;
  width?: number;
  height?: number;
  reducedMotion?: boolean;
  /** English, unless it is given. */
  language?: DisplayLanguage;
}

const bundles = new Map<string, Promise<string>>();

/** The folder with the bundle of a folder of `src/webviews`, which is built once for all files of a process. */
function bundleOf(name: string): Promise<string> {
  const made = bundles.get(name) ?? bundle(name);
  bundles.set(name, made);
  return made;
}
async function bundle(name: string): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), 'tapline-webview-'));
  process.once('exit', () => rmSync(out, { recursive: true, force: true }));
  const entryPoints = { [name]: `src/webviews/${name}/main.tsx` };
  const [page] = await Promise.all([
    esbuild.build({ ...pageOptions, absWorkingDir: projectRoot, entryPoints, outdir: out, write: false }),
    esbuild.build({
      ...pageOptions,
      absWorkingDir: projectRoot,
      format: 'iife',
      splitting: false,
      entryPoints: { codeWorker: 'src/webviews/code/codeWorker.ts', pictureWorker: 'src/webviews/picture/pictureWorker.ts' },
      outdir: out,
    }),
  ]);
  await Promise.all(page.outputFiles.map(({ path, contents }) => writeFile(path, contents)));
  return out;
}

/** Builds the bundle of a folder of `src/webviews` and starts the browser. */
export async function startWebview<T extends WebviewPage<{ type: string }>>(name: string, make: (page: Page) => T): Promise<Harness<T>> {
  const out = await bundleOf(name);
  const browser = await takeChromium();
  return {
    async open({ width = 420, height = 800, reducedMotion = true, theme = 'dark', language } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, reducedMotion: reducedMotion ? 'reduce' : 'no-preference' });
      const made = make(await context.newPage());
      await made.load(out, name, theme, language);
      return made;
    },
    close: () => browser.close(),
  };
}

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The most important of the default styles that VS Code adds to every webview. */
const webviewDefaults = `body { padding: 0 20px; color: var(--vscode-editor-foreground); font-size: var(--vscode-font-size); }
code { color: var(--vscode-textPreformat-foreground); background: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
a:focus, input:focus, select:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }`;

function html(name: string, theme: ThemeName, language: DisplayLanguage = { language: 'en' }): string {
  const csp = `default-src 'none'; script-src 'nonce-test'; style-src ${ORIGIN} 'unsafe-inline'; font-src ${ORIGIN}; img-src data:; connect-src ${ORIGIN}; worker-src blob:; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html><html lang="${language.language}"><head><meta charset="utf-8"><title>${name}</title>
<meta http-equiv="Content-Security-Policy" content="${csp}">
<style>${themeCss(theme)} ${webviewDefaults}</style>
<link rel="stylesheet" href="${ORIGIN}/codicon.css" id="vscode-codicon-stylesheet">
<link rel="stylesheet" href="${ORIGIN}/${name}.css"></head>
<body><script nonce="test">globalThis.${PAGE_LANGUAGE} = ${JSON.stringify(language)}</script>
<script type="module" nonce="test" src="${ORIGIN}/${name}.js"></script></body></html>`;
}

/** `P`: what the page posts, as `take` understands it. */
export abstract class WebviewPage<P extends { type: string }> {
  /** All messages of the page, checked by the parser. */
  readonly posted: P[] = [];
  /** Uncaught errors, console errors and invalid messages. Tests assert that there are none. */
  readonly troubles: string[] = [];
  /** Requests to other origins. There must be none. */
  readonly requests: string[] = [];
  readonly #listeners = new Set<() => void>();
  #read = 0;

  constructor(readonly page: Page) {}

  /** Undefined for what the extension would refuse. */
  protected abstract take(message: unknown): P | undefined;

  protected document(name: string, theme: ThemeName, language?: DisplayLanguage): string {
    return html(name, theme, language);
  }

  /** Before a file of the page is sent. False: it is not. */
  protected async serves(_asset: string): Promise<boolean> {
    return true;
  }

  async load(folder: string, name: string, theme: ThemeName, language?: DisplayLanguage): Promise<void> {
    const { page } = this;
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => this.troubles.push(error.stack ?? error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.troubles.push(message.text());
    });
    await page.exposeFunction('tellTest', (message: unknown) => {
      const taken = this.take(message);
      if (!taken) this.troubles.push(`refused message: ${JSON.stringify(message)}`);
      else this.posted.push(taken);
      for (const listener of this.#listeners) listener();
    });
    // A string, because tsx would add helpers to a function that the page does not have.
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
        this.requests.push(url.href);
        return route.abort();
      }
      if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: this.document(name, theme, language) });
      const asset = url.pathname.slice(1);
      if (!(await this.serves(asset))) return route.abort();
      const file = existsSync(join(folder, asset))
        ? join(folder, asset)
        : join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist', asset);
      return route.fulfill({ contentType: contentTypes[extname(asset)] ?? 'application/octet-stream', body: await readFile(file) });
    });
    await page.goto(`${ORIGIN}/`);
    await this.until('a ready message', ({ type }) => type === 'ready');
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  protected async sendAll(messages: readonly unknown[]): Promise<void> {
    await this.page.evaluate((list) => window.postMessage(list, '*'), messages);
    await this.settle();
  }

  /** Waits for two frames, so that everything sent before is rendered. */
  async settle(): Promise<void> {
    await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))));
  }

  /** The next message that no earlier call has returned. */
  until(what: string, test: (message: P) => boolean): Promise<P> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const index = this.posted.findIndex((message, at) => at >= this.#read && test(message));
        if (index < 0) return;
        this.#read = index + 1;
        finish();
        resolve(this.posted[index] as P);
      };
      const timer = setTimeout(() => {
        finish();
        reject(new Error(`No ${what} within ${WAIT_MS} ms. Troubles: ${this.troubles.join('\n') || 'none'}`));
      }, WAIT_MS);
      const finish = () => {
        clearTimeout(timer);
        this.#listeners.delete(look);
      };
      this.#listeners.add(look);
      look();
    });
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(projectRoot, 'artifacts/webview', `${name}.png`) });
  }

  /** The accessibility violations that axe finds. */
  violations(): Promise<string[]> {
    return violationsOf(this.page);
  }
}
