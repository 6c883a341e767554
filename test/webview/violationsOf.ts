import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const require = createRequire(import.meta.url);

/** The accessibility violations that axe finds. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const results = (await page.evaluate('axe.run(document, { preload: false })')) as AxeResults;
  return results.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 120)} ${node.failureSummary}`).join(' | ')}`,
  );
}
