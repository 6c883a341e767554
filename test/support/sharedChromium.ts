/** One Chromium for the files of a process, one after the other: a start of it costs as much as several pages. What a file opens is its own. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from './chromium.ts';

let shared: Promise<Browser> | undefined;

// For the root of all files, because this module is loaded before any `describe`. Benchmarks have no such hook.
if ('after' in globalThis) after(endChromium);

export async function endChromium(): Promise<void> {
  await (await shared)?.close();
}

/** `close` gives it back, and closes what was opened in it. */
export async function takeChromium(): Promise<Browser> {
  shared ??= start();
  const browser = await shared;
  const contexts: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
  return Object.assign(Object.create(browser) as Browser, {
    newContext,
    newPage: async (options?: BrowserContextOptions) => (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  });
}

/** One that has ended, as by a crash, is replaced by another one. */
async function start(): Promise<Browser> {
  const browser = await launchChromium();
  browser.once('disconnected', () => (shared = undefined));
  return browser;
}
