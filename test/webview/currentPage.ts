/** One page of the session webview for each test, and the checks at the end of each test. */
import assert from 'node:assert/strict';
import { startHarness, type SessionPage } from './sessionPage.ts';
import type { Harness, PageOptions } from './webviewPage.ts';

/** The page of the current test. */
export let view: SessionPage;
let harness: Harness<SessionPage>;

/** To be called in a `describe`: starts the browser and opens a page for each test. */
export function useSessionPage(): void {
  before(async () => {
    harness = await startHarness();
  });
  after(() => harness?.close());
  beforeEach(() => open());
  afterEach(async () => {
    assert.deepEqual(view.troubles, []);
    assert.deepEqual(view.requests, [], 'the page asked the network for something');
    await view.close();
  });
}

export const open = async (options?: PageOptions) => (view = await harness.open(options));
export const composer = () => view.page.locator('#composer');
export const text = () => view.page.locator('.transcript').innerText();
export const focusedId = () => view.page.evaluate(() => document.activeElement?.id);

/** Scrolls from the top of the transcript to its end in small steps. */
export async function readThrough(): Promise<void> {
  let more = await view.page.locator('.transcript').evaluate((box) => (box.scrollTop = 0) === 0);
  while (more) {
    await view.settle();
    more = await view.page.locator('.transcript').evaluate((box) => {
      const before = box.scrollTop;
      box.scrollTop += box.clientHeight / 3;
      return box.scrollTop > before;
    });
  }
}

export const violations = () => view.violations();
