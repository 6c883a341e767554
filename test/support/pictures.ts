/** Pictures of the documents, light and dark, in docs/pictures. They are taken where `npm run pictures` asks for them, and nowhere else. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = join(import.meta.dirname, '../../docs/pictures');

export const takesPictures = Boolean(process.env.TAPLINE_PICTURES);

export function pictureFile(name: string): string {
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}

/** Of a page whose colours follow the browser's, at this height of its window. Leaves it light. */
export async function pagePicture(page: Page, name: string, height: number): Promise<void> {
  if (!takesPictures) return;
  const size = page.viewportSize();
  if (size) await page.setViewportSize({ ...size, height });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: pictureFile(`${name}-${colorScheme}`), animations: 'disabled' });
  }
  if (size) await page.setViewportSize(size);
}
