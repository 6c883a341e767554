import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);
/** What has passed may be thousands of elements, of which axe would write a selector and Playwright would carry all of it. */
const RUN = `axe.run(document, { preload: false, resultTypes: ['violations'] }).then(({ violations }) => violations)`;

/** The accessibility violations that axe finds. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = (await page.evaluate(RUN)) as AxeResults['violations'];
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join(' | ')}`,
  );
}
