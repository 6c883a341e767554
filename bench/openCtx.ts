/** Typing in the real workbench with 1,000 items of five context providers in the file, compared with the same without them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTapline, Workbench } from '../test/support/startedTapline.ts';
import { report } from './measure.ts';

const PROVIDERS = 5;
const ITEMS = 200;
const ROUNDS = 3;
const BURSTS = 4;
const TEXT = 'some words that are typed ';
const KEY_MS = 40;
/** Longer than providers are left alone after an edit, so that each burst is answered. */
const REST_MS = 1_200;

interface Seen {
  /** Milliseconds from a key to the frame after the next one. */
  perKey: number;
  /** Of 50 ms and more. */
  longTasks: number;
}

const observe = `(() => {
  const seen = window.taplineSeen = { keys: [], longTasks: 0 };
  seen.onKey = () => { const at = performance.now(); requestAnimationFrame(() => requestAnimationFrame(() => seen.keys.push(performance.now() - at))); };
  window.addEventListener('keydown', seen.onKey, true);
  seen.observer = new PerformanceObserver((list) => { seen.longTasks += list.getEntries().length; });
  seen.observer.observe({ type: 'longtask' });
})()`;
const read = `(() => {
  const { keys, longTasks, onKey, observer } = window.taplineSeen;
  window.removeEventListener('keydown', onKey, true);
  observer.disconnect();
  return { perKey: keys.reduce((sum, ms) => sum + ms, 0) / keys.length, longTasks };
})()`;

function startProvider(number: number): Promise<Server> {
  const items = Array.from({ length: ITEMS }, (_, index) => ({
    title: `Item ${number} ${index}`,
    url: 'https://example.com/',
    range: { start: { line: index * 2, character: 0 }, end: { line: index * 2, character: 5 } },
    ui: { hover: { markdown: 'about **it** '.repeat(20) } },
  }));
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => response.end(JSON.stringify({ result: body.includes('"method":"capabilities"') ? {} : items })));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

export async function run(): Promise<void> {
  const servers = await Promise.all(Array.from({ length: PROVIDERS }, (_, number) => startProvider(number)));
  const data = mkdtempSync(join(tmpdir(), 'tapline-typing-'));
  mkdirSync(join(data, 'user/User'), { recursive: true });
  const providers = Object.fromEntries(servers.map((server) => [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, true]));
  const settings = { 'workbench.startupEditor': 'none', 'chat.disableAIFeatures': true, 'openctx.providers': providers };
  writeFileSync(join(data, 'user/User/settings.json'), JSON.stringify(settings));
  const tapline = await startTapline(['--data', data, '--no-walkthrough']);
  try {
    await measure(tapline);
  } finally {
    await tapline.stop();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function measure(tapline: Awaited<ReturnType<typeof startTapline>>): Promise<void> {
  const workbench = await Workbench.open(tapline);
  const { page } = workbench;
  const lens = page.locator('.codelens-decoration a', { hasText: `Item ${PROVIDERS - 1}` }).first();
  mkdirSync(join(tapline.workspace, '.vscode'), { recursive: true });
  async function enable(isOn: boolean): Promise<void> {
    writeFileSync(join(tapline.workspace, '.vscode/settings.json'), JSON.stringify({ 'openctx.enable': isOn }));
    await lens.waitFor({ state: isOn ? 'visible' : 'detached' });
  }
  async function type(): Promise<Seen> {
    await page.locator('.view-line', { hasText: 'line 1 of' }).first().click();
    await page.evaluate(observe);
    for (let burst = 0; burst < BURSTS; burst++) {
      await page.keyboard.type(TEXT, { delay: KEY_MS });
      await page.waitForTimeout(REST_MS);
    }
    return page.evaluate<Seen>(read);
  }
  writeFileSync(join(tapline.workspace, 'long.txt'), Array.from({ length: 500 }, (_, line) => `line ${line} of a text`).join('\n'));
  await workbench.openFile('long.txt');
  await enable(true);
  await type();
  // Another program of this computer only adds to a figure, so that the least one is that of Tapline.
  const least: { with?: Seen; without?: Seen } = {};
  const keep = (kind: keyof typeof least, { perKey, longTasks }: Seen) => {
    const { perKey: keys, longTasks: tasks } = least[kind] ?? { perKey, longTasks };
    least[kind] = { perKey: Math.min(keys, perKey), longTasks: Math.min(tasks, longTasks) };
  };
  for (let round = 0; round < ROUNDS; round++) {
    keep('with', await type());
    await enable(false);
    keep('without', await type());
    await enable(true);
  }
  report('typing a key: 1,000 items of context ÷ none', (least.with?.perKey ?? NaN) / (least.without?.perKey ?? NaN));
  for (const [kind, seen] of Object.entries(least))
    console.log(JSON.stringify({ name: `long tasks while typing ${kind} 1,000 items of context`, count: seen.longTasks }));
  await workbench.close();
}
