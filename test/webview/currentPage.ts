/** One page of the session webview a test, and what every test of it says at its end. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { startHarness, type Harness, type PageOptions, type SessionPage } from './sessionPage.ts';

const require = createRequire(import.meta.url);

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

/** Scrolls from the top of the transcript to its end, as a reader does. */
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

/** What axe finds wrong with the page. */
export async function violations(): Promise<string[]> {
  await view.page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const results = (await view.page.evaluate('axe.run(document, { preload: false })')) as AxeResults;
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join(' | ')}`,
  );
}
