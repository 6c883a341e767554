/** One Chromium for the files of a process, one after the other: a start of it costs as much as several pages. What a file opens is its own. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from './chromium.ts';

/** As much of a browser as does not reach what other files have opened. */
export type TakenChromium = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

let shared: Promise<Browser> | undefined;

// For the root of all files, because this module is loaded before any `describe`. Benchmarks have no such hook.
if ('after' in globalThis) after(endChromium);

export async function endChromium(): Promise<void> {
  await (await shared)?.close();
}

/** `close` gives it back, and closes what was opened in it. */
export async function takeChromium(): Promise<TakenChromium> {
  shared ??= start();
  const browser = await shared;
  const contexts: Promise<BrowserContext>[] = [];
  const newContext = (options?: BrowserContextOptions) => {
    const context = browser.newContext(options);
    contexts.push(context);
    return context;
  };
  return {
    newContext,
    newPage: async (options) => (await newContext(options)).newPage(),
    close: async () => {
      // One that could not be opened has said so.
      for (const context of await Promise.allSettled(contexts)) if (context.status === 'fulfilled') await context.value.close();
    },
  };
}

/** One that has ended, as by a crash, is replaced by another one, and so is one that did not start. */
async function start(): Promise<Browser> {
  try {
    const browser = await launchChromium();
    browser.once('disconnected', () => (shared = undefined));
    return browser;
  } catch (error) {
    shared = undefined;
    throw error;
  }
}
