// A real Chromium for the workbench: the one named by CHROMIUM, an installed one, or the one that npm brings.
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

/** Nothing leaves the machine: names resolve to loopback only, and what phones home is off. */
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
