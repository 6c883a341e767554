// Takes the place of the `code` executable for @vscode/test-electron. It has the same arguments and exit code, but runs the extension host of
// the VS Code server, with the web workbench in headless Chromium as window.
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launchBrowser } from './browser.mjs';
import { startServer } from './server.mjs';
import { openWorkbench } from './workbench.mjs';

const RESULT_TIMEOUT_MS = 10 * 60_000;
const OUTPUT_POLL_MS = 50;
const here = dirname(fileURLToPath(import.meta.url));

// Other options of the desktop are ignored.
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});

const run = mkdtempSync(join(tmpdir(), 'tapline-tests-'));
const outputFile = join(run, 'output');
writeFileSync(outputFile, '');
const output = openSync(outputFile, 'r');
const buffer = Buffer.alloc(65_536);
// The tests write to a file synchronously, so that no output is lost when the extension host crashes.
const copyOutput = () => {
  for (let n; (n = readSync(output, buffer, 0, buffer.length, null)) > 0; ) process.stdout.write(Buffer.from(buffer.subarray(0, n)));
};
const poll = setInterval(copyOutput, OUTPUT_POLL_MS);

let server;
let browser;
let page;
async function finish(code) {
  clearInterval(poll);
  copyOutput();
  closeSync(output);
  await browser?.close();
  await server?.stop();
  rmSync(run, { recursive: true, force: true });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void finish(130));

try {
  [server, browser] = await Promise.all([
    startServer({
      userDataDir: values['user-data-dir'] && resolve(values['user-data-dir']),
      extensionsDir: values['extensions-dir'] && resolve(values['extensions-dir']),
      env: { TAPLINE_TESTS: resolve(values.extensionTestsPath), TAPLINE_TESTS_OUTPUT: outputFile },
    }),
    launchBrowser(),
  ]);
  let ended;
  const end = new Promise((done) => (ended = done));
  server.onExtensionHostExit((why) => setTimeout(() => ended(`the extension host ended (${why})`), 3_000));
  server.exited.then((why) => ended(`the VS Code server ended (${why})`));
  browser.on('disconnected', () => ended('Chromium ended'));
  setTimeout(() => ended(`no result after ${RESULT_TIMEOUT_MS / 1000} s`), RESULT_TIMEOUT_MS).unref();
  page = await openWorkbench(server, browser, {
    folder: positionals[0],
    extensionPath: values.extensionDevelopmentPath,
    testsPath: join(here, 'testsEntry.cjs'),
    onTestsExit: () => ended(undefined),
  });
  page.on('crash', () => ended('the page crashed'));
  const problem = await end;
  const result = existsSync(`${outputFile}.result`) ? readFileSync(`${outputFile}.result`, 'utf8') : undefined;
  if (result === undefined) console.error(`${problem ?? 'the tests gave no result'}\n${server.output()}`);
  if (result !== '0' && process.env.TAPLINE_ARTIFACTS) {
    mkdirSync(process.env.TAPLINE_ARTIFACTS, { recursive: true });
    await page.screenshot({ path: join(process.env.TAPLINE_ARTIFACTS, 'extension-host-failure.png'), timeout: 5_000 });
  }
  await finish(result === '0' ? 0 : 1);
} catch (error) {
  console.error(error);
  await finish(1);
}
