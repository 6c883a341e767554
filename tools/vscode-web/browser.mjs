// A Chromium for the workbench: the one that CHROMIUM names, an installed one, or the one of an npm package.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

async function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const playwrights = chromium.executablePath();
  const found = [playwrights, ...INSTALLED].find((path) => path && existsSync(path));
  if (found) return found;
  const packaged = await import('@sparticuz/chromium');
  return packaged.default.executablePath();
}

/** Nothing leaves the computer: names resolve to loopback only, and background requests are switched off. */
export async function launchBrowser() {
  return chromium.launch({
    executablePath: await executable(),
    headless: true,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    ],
  });
}
