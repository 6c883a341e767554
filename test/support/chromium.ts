/** A headless Chromium: that of `CHROMIUM`, else the one that comes with a package. */
import { chromium, type Browser } from 'playwright-core';

export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? (await (await import('@sparticuz/chromium')).default.executablePath());
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
