/**
 * What the start of a window costs with Tapline: its activation beside that of the Git extension that VS Code brings, which every window of the
 * sample workspace has, and how much code that takes.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedTapline, startTapline, Workbench } from '../test/support/startedTapline.ts';

const WINDOWS = 4;
/** All extensions are active by then, also on a machine that is busy. */
const SETTLED_MS = 6_000;
const COPIED_MS = 500;
const COPY_ATTEMPTS = 10;
const MAX_RATIO = 1;
const MAX_KIB = 400;
const dist = join(import.meta.dirname, '../dist');

export async function run(): Promise<void> {
  for (const { name, bytes, ...target } of sizes()) console.log(JSON.stringify({ name, KiB: Math.round(bytes / 1024), ...target }));
  const tapline = await startTapline();
  try {
    const windows: Map<string, Times>[] = [];
    for (let count = 0; count < WINDOWS; count++) windows.push(await activationsOf(tapline));
    const least = (extension: string, of: (times: Times) => number) =>
      Math.min(...windows.map((times) => of(times.get(extension) ?? { load: NaN, call: NaN, finish: NaN })));
    // Another program of this computer only adds to a figure, so that the least one is that of the extension.
    const ratio = (of: (times: Times) => number) => Number((least('tapline.tapline', of) / least('vscode.git', of)).toPrecision(3));
    const all = ratio(({ load, call, finish }) => load + call + finish);
    console.log(JSON.stringify({ name: 'activation ÷ that of the Git extension', ratio: all, atMost: MAX_RATIO }));
    console.log(
      JSON.stringify({ name: '  what keeps the window from going on: load and call', ratio: ratio(({ load, call }) => load + call) }),
    );
  } finally {
    await tapline.stop();
  }
}

/** In ms, as the workbench has measured them. */
interface Times {
  load: number;
  call: number;
  finish: number;
}

/** By extension, in a window that has just been opened. */
async function activationsOf(tapline: StartedTapline): Promise<Map<string, Times>> {
  const workbench = await Workbench.open(tapline);
  const { page } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.waitForTimeout(SETTLED_MS);
  await workbench.run('Developer: Startup Performance');
  // The editor renders only the lines on screen, so that its text is read from the clipboard.
  await page.locator('.editor-group-container.active .monaco-editor .view-line').first().click();
  let rows: [string, Times][] = [];
  for (let attempt = 0; rows.length === 0 && attempt < COPY_ATTEMPTS; attempt++) {
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    await page.waitForTimeout(COPIED_MS);
    rows = rowsIn(await page.evaluate<string>('navigator.clipboard.readText()'));
  }
  await workbench.close();
  if (rows.length === 0) throw new Error('the workbench does not say how long the activation took');
  return new Map(rows);
}

/** Of the table: extension, eager, load code, call activate, finish activate. */
function rowsIn(text: string): [string, Times][] {
  return Array.from(
    text.matchAll(/^\| (vscode\.git|tapline\.tapline) +\| \w+ +\| (\d+) +\| (\d+) +\| (\d+) +\|/gm),
    ([, extension, ...ms]) => {
      const [load, call, finish] = ms.map(Number) as [number, number, number];
      return [extension as string, { load, call, finish }];
    },
  );
}

/** Of the code that is loaded for the activation, and for the parts of the window after it. */
function sizes(): { name: string; bytes: number; atMost?: number }[] {
  const window = readdirSync(join(dist, 'extension')).find((name) => /^startWindow-\w+\.cjs$/.test(name));
  const activation = loadedBy('extension.cjs');
  const started = loadedBy(`extension/${window}`);
  const bytesOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
  return [
    { name: 'code for the activation', bytes: bytesOf(activation), atMost: MAX_KIB },
    { name: 'code for the parts of the window, after it', bytes: bytesOf([...started].filter((file) => !activation.has(file))) },
  ];
}

/** The file of `dist/` and all parts that it cannot do without. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(join(dist, file), 'utf8');
  // A part that is loaded later is required in a function that waits for a promise.
  for (const [, earlier = '', name = ''] of text.matchAll(
    /(\.then\(\(\)\s*=>\s*)?(?:\w+\()?require\("\.\/((?:extension\/)?[\w-]+\.cjs)"\)/g,
  )) {
    if (earlier === '') loadedBy(name.startsWith('extension/') ? name : join('extension', name), found);
  }
  return found;
}
