/**
 * How soon a session of 50 turns is drawn in the real workbench, as a multiple of an empty webview of the same window: from the click
 * to what the browser calls the first paint with content. The same picture as HTML without a script says how much of it is the browser’s work.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { Locator } from 'playwright-core';
import { nullLogger } from '../src/base/log.ts';
import { DemoAgent } from '../src/host/agents/demo/demoAgent.ts';
import { startHostServer } from '../src/host/server/hostServer.ts';
import { manyTurns, writeLongSession } from '../test/support/longSession.ts';
import { startTapline, Workbench } from '../test/support/startedTapline.ts';
import { installVsix } from '../tools/vscode-web/server.mjs';
import { report } from './measure.ts';

const TURNS = 50;
const ROUNDS = 8;
const MAX_RATIO = 1.2;
const EMPTY = 'nothing else';
const EMPTY_COMMAND = 'Bench: Open an Empty Webview';
const PICTURE_COMMAND = 'Bench: Open a Picture of the Session';

/** An extension with nothing but a webview that shows a line, and one that shows the HTML of the file. */
async function installOtherWebviews(data: string, picture: string): Promise<void> {
  const cwd = join(data, 'empty-webview');
  mkdirSync(cwd);
  const manifest = {
    ...{
      name: 'empty-webview',
      publisher: 'bench',
      version: '0.0.1',
      engines: { vscode: '^1.99.0' },
      main: 'extension.js',
      license: 'UNLICENSED',
    },
    ...{ repository: 'https://localhost', activationEvents: ['onStartupFinished'] },
    contributes: {
      commands: [
        { command: 'bench.emptyWebview', title: EMPTY_COMMAND, icon: '$(empty-window)' },
        { command: 'bench.picture', title: PICTURE_COMMAND, icon: '$(device-camera)' },
      ],
      menus: {
        'view/item/context': ['bench.emptyWebview', 'bench.picture'].map((command) => ({
          ...{ command, when: 'view == tapline.sessions', group: 'inline@0' },
        })),
      },
    },
  };
  const extension = `const vscode = require('vscode');
const { readFileSync } = require('node:fs');
const show = (html) => {
  vscode.window.createWebviewPanel('bench', 'Bench', vscode.ViewColumn.Active, { enableScripts: true }).webview.html = html();
};
exports.activate = (context) => context.subscriptions.push(
  vscode.commands.registerCommand('bench.emptyWebview', () => show(() => '<p>${EMPTY}</p>')),
  vscode.commands.registerCommand('bench.picture', () => show(() => readFileSync(${JSON.stringify(picture)}, 'utf8'))),
);`;
  for (const [name, text] of Object.entries({
    'package.json': JSON.stringify(manifest),
    'extension.js': extension,
    'README.md': 'Of a benchmark.',
    'LICENSE.md': 'None.',
  }))
    writeFileSync(join(cwd, name), text);
  const packagePath = join(data, 'empty-webview.vsix');
  await createVSIX({ cwd, packagePath, dependencies: false, rewriteRelativeLinks: false });
  await installVsix(packagePath, join(data, 'extensions'));
}

/** Milliseconds from the click until the browser has painted something of the page with `shown`. */
async function firstPaint(button: Locator, shown: Locator): Promise<number> {
  await button.hover();
  const begin = Date.now();
  await button.click();
  await shown.waitFor();
  const painted = await shown.evaluate((element) => {
    const { performance } = (element as unknown as { ownerDocument: { defaultView: typeof globalThis } }).ownerDocument.defaultView;
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return paint && performance.timeOrigin + paint.startTime;
  });
  if (painted === undefined) throw new Error('the browser does not say when the page was painted');
  return painted - begin;
}

/** What is in view of the page with `shown`, without its scripts. */
async function pictureOf(shown: Locator): Promise<string> {
  const html = await shown.evaluate((element) => {
    const { documentElement, defaultView } = element.ownerDocument;
    const copy = documentElement.cloneNode(true) as HTMLElement;
    const turns = copy.querySelectorAll('.turn');
    for (const [at, turn] of documentElement.querySelectorAll('.turn').entries()) {
      const { bottom, top } = turn.getBoundingClientRect();
      if (bottom < 0 || top > (defaultView?.innerHeight ?? 0)) turns[at]?.remove();
    }
    for (const other of copy.querySelectorAll('script, meta[http-equiv]')) other.remove();
    return copy.outerHTML;
  });
  return `<!DOCTYPE html>${html}`;
}

export async function run(): Promise<void> {
  // As it is shipped.
  execFileSync(process.execPath, ['scripts/build.mjs', '--production'], { cwd: join(import.meta.dirname, '..'), stdio: 'inherit' });
  const data = mkdtempSync(join(tmpdir(), 'tapline-first-paint-'));
  const sessions = join(data, 'sessions');
  mkdirSync(sessions);
  writeLongSession(sessions, 'demo', 'fifty', manyTurns(TURNS), data);
  const server = await startHostServer({ agents: [new DemoAgent({ logger: nullLogger })], logger: nullLogger, sessionsFolder: sessions });
  try {
    const picture = join(data, 'picture.html');
    await installOtherWebviews(data, picture);
    const tapline = await startTapline(['--data', data, '--no-walkthrough']);
    try {
      const workbench = await Workbench.open(tapline);
      await workbench.openTapline();
      await workbench.addHost(server.url, 'paint-box', server.token);
      const row = workbench.page.getByRole('treeitem', { name: /^fifty, / }).first();
      await row.click();
      const last = `Question ${TURNS - 1}`;
      await workbench.session.getByText(last).waitFor();
      const shown = (text: string) => workbench.editorSession.getByText(text, { exact: true });
      const open = async (title: string, text: string) => {
        await row.hover();
        return firstPaint(row.getByRole('button', { name: title }), shown(text));
      };
      const close = async (text: string) => {
        await workbench.run('View: Close All Editors');
        await shown(text).waitFor({ state: 'detached' });
      };
      await open('Open Session in Editor', last);
      writeFileSync(picture, await pictureOf(shown(last)));
      await close(last);
      const best = { empty: Infinity, session: Infinity, picture: Infinity };
      // They alternate, so that all meet the same load of the machine. The first of each loads what the others find loaded.
      for (let round = 0; round < ROUNDS; round++) {
        for (const [kind, title, text] of [
          ['empty', EMPTY_COMMAND, EMPTY],
          ['session', 'Open Session in Editor', last],
          ['picture', PICTURE_COMMAND, last],
        ] as const) {
          best[kind] = Math.min(best[kind], await open(title, text));
          await close(text);
        }
      }
      report(`first paint of a session of ${TURNS} turns ÷ that of an empty webview`, best.session / best.empty, { atMost: MAX_RATIO });
      report('first paint of what is in view of it, as HTML without a script ÷ that of an empty webview', best.picture / best.empty);
    } finally {
      await tapline.stop();
    }
  } finally {
    await server.close();
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
