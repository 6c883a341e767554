/** `npm start` as a user runs it, and its URL opened in a real Chromium. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { withTimeout } from '../../src/base/errors.ts';
import { launchBrowser } from '../../tools/vscode-web/browser.mjs';
import { animatedPng, type Frame } from './animatedPng.ts';
import { pictureFile, takesPictures } from './pictures.ts';

const root = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 20_000;
const PALETTE_ATTEMPTS = 10;
const PALETTE_TIMEOUT_MS = 3_000;
const STORED_ATTEMPTS = 40;
const shots = join(root, 'artifacts/e2e');
const FILM_SIZE = { width: 1100, height: 620 };
const PICTURE_SIZE = { width: 1440, height: 800 };
const PICTURE_THEMES = [
  { kind: 'dark', theme: 'Dark Modern', shown: '.monaco-workbench.vs-dark' },
  { kind: 'light', theme: 'Light Modern', shown: '.monaco-workbench.vs' },
];

export interface StartedTapline {
  readonly url: string;
  /** The copy of the sample workspace that it opened. */
  readonly workspace: string;
  /** Where its gateway puts the token for tool providers. */
  readonly copilotHome: string;
  /** Of `npm start`. */
  readonly pid: number;
  readonly browser: Browser;
  stop(): Promise<void>;
}

interface PictureOptions {
  readonly of?: Locator;
  /** Of the window, in pixels. */
  readonly height?: number;
  readonly ready?: () => Promise<void>;
}

/** `npm start` without a browser. `url` rejects with what was printed when it ends before, or takes too long. */
export function spawnTapline(args: string[] = ['--no-walkthrough']) {
  // Where its gateway puts the token for tool providers: not into the folder of whoever runs the tests.
  const copilotHome = mkdtempSync(join(tmpdir(), 'tapline-copilot-home-'));
  const child = spawn(process.execPath, ['scripts/start.mjs', '--skip-build', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, COPILOT_HOME: copilotHome },
  });
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => {
      rmSync(copilotHome, { recursive: true, force: true });
      resolve(code);
    }),
  );
  let output = '';
  const url = new Promise<string>((resolve, reject) => {
    const read = (chunk: unknown) => {
      output += String(chunk);
      const found = /http:\/\/127\.0\.0\.1:\S+/.exec(output);
      if (found) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });
  return { child, exited, copilotHome, url: withTimeout(url, START_TIMEOUT_MS, 'npm start'), output: () => output };
}

export async function startTapline(args: string[] = ['--no-walkthrough']): Promise<StartedTapline> {
  const { child, exited, copilotHome, url, output } = spawnTapline(args);
  const [started, launched] = await Promise.allSettled([url, launchBrowser()]);
  if (started.status === 'rejected' || launched.status === 'rejected') {
    // What is there when the other one has failed would keep the tests from ending.
    if (launched.status === 'fulfilled') await launched.value.close();
    child.kill('SIGINT');
    throw started.status === 'rejected' ? started.reason : (launched as PromiseRejectedResult).reason;
  }
  const { value: ready } = started;
  const { value: browser } = launched;
  return {
    url: ready,
    workspace: new URL(ready).searchParams.get('folder') ?? '',
    copilotHome,
    pid: child.pid!,
    browser,
    async stop() {
      await browser.close();
      child.kill('SIGINT');
      const code = await withTimeout(exited, STOP_TIMEOUT_MS, 'ending npm start');
      if (code !== 0) throw new Error(`npm start ended with ${code}:\n${output()}`);
    },
  };
}

/** A window on the workbench, with what a test does in it. */
export class Workbench {
  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
  ) {}

  /** `language`: what VS Code tells extensions. Its own texts stay English, because they are in language packs. */
  static async open({ browser, url }: StartedTapline, viewport = { width: 1400, height: 900 }, language = 'en'): Promise<Workbench> {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    await context.addInitScript({ content: showTitle });
    if (language !== 'en') await context.addInitScript({ content: `globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};` });
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    const workbench = new Workbench(page, context);
    await page.locator('.activitybar a[aria-label^="Tapline"]').waitFor();
    return workbench;
  }

  /** The page of the session view in the secondary side bar. */
  get session() {
    return this.viewTitled('Conversation');
  }
  /** The page of the inbox. */
  get inbox() {
    return this.viewTitled('Needs You');
  }
  viewTitled(title: string) {
    const view = `iframe.webview.ready[src*="purpose=webviewView"][data-title="${title}"]`;
    return this.page.frameLocator(view).frameLocator('iframe#active-frame');
  }
  /** The page of the session, or of what else is shown, in the editor tab in front. */
  get editorSession() {
    return this.page.frameLocator('iframe.webview.ready:not([src*="purpose=webviewView"])').frameLocator('iframe#active-frame');
  }

  async openTapline(): Promise<void> {
    // Its badge lies over the link.
    await this.page.locator('.activitybar .action-item', { has: this.page.locator('a[aria-label^="Tapline"]') }).click();
  }

  async run(command: string): Promise<void> {
    await this.#pickFromPalette(`>${command}`);
  }

  async addHost(url: string, name: string, token = ''): Promise<void> {
    await this.run('Tapline: Add Agent Host…');
    const input = this.page.locator('.quick-input-widget input');
    for (const [step, text] of [url, name, token].entries()) {
      await this.page.locator('.quick-input-title', { hasText: `Add Agent Host (${step + 1}/3)` }).waitFor();
      await input.fill(text);
      await input.press('Enter');
    }
    await this.page.getByRole('treeitem', { name: new RegExp(`^Agent host ${name}, connected`) }).waitFor();
  }

  /** A webview that is just loading swallows the key, and one that VS Code gives the focus back to after a dialog closes the palette. */
  async #pickFromPalette(text: string): Promise<void> {
    const input = this.page.locator('.quick-input-widget input');
    const row = this.#rowOf(text);
    for (let attempt = 0; attempt < PALETTE_ATTEMPTS; attempt++) {
      await this.page.keyboard.press('F1');
      try {
        await input.fill(text, { timeout: PALETTE_TIMEOUT_MS });
        await row.click({ timeout: PALETTE_TIMEOUT_MS });
        return;
      } catch (error) {
        if (attempt === PALETTE_ATTEMPTS - 1) throw error;
      }
    }
  }

  /** VS Code in a browser writes its storage every few seconds, because it cannot when the page goes. */
  async untilStored(...texts: string[]): Promise<void> {
    for (let attempt = 0; !(await this.page.evaluate<boolean>(`(${isStored})(${JSON.stringify(texts)})`)); attempt++) {
      if (attempt === STORED_ATTEMPTS) throw new Error(`“${texts.join(', ')}” was not stored within ${STORED_ATTEMPTS / 2} s`);
      await this.page.waitForTimeout(500);
    }
  }

  /** Loads the window again, as a user does with the browser's key. */
  async reload(): Promise<void> {
    await this.page.reload({ waitUntil: 'domcontentloaded' });
    await this.page.locator('.activitybar a[aria-label^="Tapline"]').waitFor();
  }

  /** With the focus in it: when the palette closes, VS Code may give the focus back to the webview that had it. */
  async openFile(name: string): Promise<void> {
    await this.#pickFromPalette(name);
    await this.page.locator('.tab.active', { hasText: name }).first().waitFor();
    await this.page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
  }

  /** Picks from the list that is open. */
  async choose(text: string): Promise<void> {
    await this.page.locator('.quick-input-widget input').fill(text);
    await this.#rowOf(text).click();
  }
  #rowOf(text: string) {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text.replace(/^>/, '') }).first();
  }

  /** By the keyboard: for a click, Playwright may scroll a button that sticks to the end of a card, and a button that has just moved takes no click. */
  async press(button: Locator): Promise<void> {
    await button.focus();
    await this.page.keyboard.press('Enter');
  }

  async setTheme(theme: string): Promise<void> {
    await this.run('Preferences: Color Theme');
    await this.choose(theme);
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  async shot(name: string): Promise<void> {
    mkdirSync(shots, { recursive: true });
    await this.page.screenshot({ path: join(shots, `${name}.png`), animations: 'disabled' });
  }

  /**
   * A picture of the documents, dark and light, where `npm run pictures` asks for it. `of`: a part of the window, instead of all of it. `ready`
   * brings back what the palette has closed, and is there for each of the two.
   */
  async picture(name: string, { of, height = PICTURE_SIZE.height, ready }: PictureOptions = {}): Promise<void> {
    if (!takesPictures) return;
    const size = this.page.viewportSize();
    await this.page.setViewportSize({ ...PICTURE_SIZE, height });
    await this.run('Notifications: Clear All Notifications');
    for (const { kind, theme, shown } of PICTURE_THEMES) {
      await this.setTheme(theme);
      await this.page.locator(shown).waitFor();
      await ready?.();
      await (of ?? this.page).screenshot({ path: pictureFile(`${name}-${kind}`), animations: 'disabled' });
    }
    if (size) await this.page.setViewportSize(size);
  }

  /**
   * An animation of the documents, where `npm run pictures` asks for it. `act` calls its argument where there is something to see, with how long it
   * stays and the key that is pressed next.
   */
  async film(name: string, act: (frame: (ms: number, key?: string) => Promise<void>) => Promise<void>): Promise<void> {
    if (!takesPictures) return act(async () => {});
    const size = this.page.viewportSize();
    await this.page.setViewportSize(FILM_SIZE);
    await this.run('Notifications: Clear All Notifications');
    const frames: Frame[] = [];
    await act(async (ms, key) => {
      await this.page.evaluate(showKey, key);
      frames.push({ png: await this.page.screenshot({ animations: 'disabled' }), ms });
      await this.page.evaluate(showKey, undefined);
    });
    writeFileSync(pictureFile(name), animatedPng(frames));
    if (size) await this.page.setViewportSize(size);
  }

  /** Makes the secondary side bar wider, by dragging its border. */
  async widenSession(pixels: number): Promise<void> {
    const bar = await this.page.locator('.part.auxiliarybar').boundingBox();
    const sashes = await Promise.all((await this.page.locator('.monaco-sash.vertical').all()).map((sash) => sash.boundingBox()));
    const distance = (x: number) => Math.abs(x - (bar?.x ?? 0));
    const sash = sashes.flatMap((box) => box ?? []).sort((a, b) => distance(a.x) - distance(b.x))[0];
    if (!sash) throw new Error('There is no secondary side bar.');
    const y = sash.y + sash.height / 2;
    await this.page.mouse.move(sash.x + sash.width / 2, y);
    await this.page.mouse.down();
    await this.page.mouse.move(sash.x - pixels, y, { steps: 5 });
    await this.page.mouse.up();
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

/** The frames of all views look alike from outside. This puts the title of a view on its outer frame. */
const showTitle = `if (location.search.includes('purpose=')) new MutationObserver(() => {
  const title = document.querySelector('#active-frame')?.title;
  if (title && window.frameElement) window.frameElement.dataset.title = title;
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['title', 'id'] });`;

/** As text: tsx would put helpers into a function that the page does not have. */
const isStored = `async (texts) => {
  const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  for (const { name } of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name));
    try {
      for (const store of db.objectStoreNames) {
        const values = await done(db.transaction(store).objectStore(store).getAll());
        if (values.some((value) => typeof value === 'string' && texts.every((text) => value.includes(text)))) return true;
      }
    } finally {
      db.close();
    }
  }
  return false;
}`;

/** In the page: says which key is pressed, at the bottom of the window. */
function showKey(key: string | undefined): void {
  document.querySelector('#pressed-key')?.remove();
  if (key === undefined) return;
  const label = document.createElement('div');
  label.id = 'pressed-key';
  label.textContent = key;
  Object.assign(label.style, {
    position: 'fixed',
    left: '50%',
    bottom: '48px',
    transform: 'translateX(-50%)',
    padding: '8px 20px',
    borderRadius: '8px',
    background: '#1f6feb',
    color: '#ffffff',
    font: '600 24px sans-serif',
    zIndex: '100000',
  });
  document.body.append(label);
}
