/** One page of the session webview a test, and what every test of it says at its end. */
import assert from 'node:assert/strict';
import { startHarness, type Harness, type PageOptions, type SessionPage } from './sessionPage.ts';

/** The page of the test that runs. */
export let view: SessionPage;
let harness: Harness;

/** For a `describe`: starts the browser, and gives each test its page. */
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
