// npm start: builds Tapline, installs it into a VS Code workbench of its own on a loopback port, opens the sample workspace and prints
// the URL. Everything that it starts ends with it. `--desktop` uses the `code` on the PATH; `--data <folder>` keeps settings and sessions.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { ensureBuilt } from './ensureBuilt.mjs';
import { packageExtension } from './package.mjs';
import { ensureWorkbenchTools, root } from './workbenchTools.mjs';

const HELP = `npm start: a VS Code workbench with Tapline, on this computer.

  --data FOLDER     keep settings and sessions there between runs
  --port N          port on 127.0.0.1; without it any free one
  --desktop         open the \`code\` on the PATH instead of printing a URL
  --skip-build      start what was built before
  --no-walkthrough  do not open the walkthrough on the first start
  --few-extensions  leave out most of VS Code's own extensions, so that a window loads faster`;
const DAEMON_END_TIMEOUT_MS = 10_000;
const DAEMON_END_POLL_MS = 50;

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'visible',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.openRepositoryInParentFolders': 'never',
};

// All at the start: Ctrl+C also ends the process that compiles what is imported.
const { readDaemonRecord } = await tsImport('../src/base/daemon/daemonLock.ts', import.meta.url);
const { isRunning } = await tsImport('../src/base/daemon/processIdentity.ts', import.meta.url);
const { wholeNumber } = await tsImport('../src/base/server/serverArguments.ts', import.meta.url);
const { portTaken } = await tsImport('../src/base/server/portTaken.ts', import.meta.url);
const options = await readOptions().catch((error) => {
  console.error(portTaken(error) ?? error.message);
  process.exit(2);
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}
const data = options.data ? resolve(options.data) : mkdtempSync(join(tmpdir(), 'tapline-start-'));
const home = join(data, 'home');
const workspace = join(data, 'sample');
mkdirSync(home, { recursive: true, mode: 0o700 });
if (!existsSync(workspace)) cpSync(join(root, 'samples/workspace'), workspace, { recursive: true });

let stopWorkbench = async () => undefined;
let stopping = false;
async function stop(code) {
  if (stopping) return;
  stopping = true;
  await stopWorkbench();
  for (const [name, lockFile] of [
    ['agent host', 'host.lock.json'],
    ['tap gateway', 'gateway.lock.json'],
  ]) {
    await stopDaemon(name, join(home, lockFile));
  }
  if (!options.data) rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.exit(code);
}
// The agent host and the gateway are processes of their own that would go on for a while. The host writes its sessions to the end, so both ends are
// waited for.
async function stopDaemon(name, lockFile) {
  const daemon = readDaemonRecord(lockFile);
  // Kept data may name a process that has ended, and whose number another one has by now.
  const runs = () => Boolean(daemon?.process && isRunning(daemon.pid, daemon.process));
  if (!runs()) return;
  process.kill(daemon.pid, 'SIGTERM');
  const deadline = Date.now() + DAEMON_END_TIMEOUT_MS;
  while (runs()) {
    if (Date.now() > deadline) {
      console.error(`The ${name} (pid ${daemon.pid}) did not end within ${DAEMON_END_TIMEOUT_MS / 1000} s and is killed.`);
      process.kill(daemon.pid, 'SIGKILL');
      return;
    }
    await new Promise((done) => setTimeout(done, DAEMON_END_POLL_MS));
  }
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop(0));

try {
  if (!options['skip-build']) ensureBuilt();
  if (options.desktop) startDesktop();
  else await startWeb();
  console.log(
    `This line leads another terminal to the data of this Tapline, for gateway status, MCP and configuration files:\n\n  ${homeLine()}\n`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  await stop(1);
}

async function readOptions() {
  const { values } = parseArgs({
    options: {
      desktop: { type: 'boolean' },
      data: { type: 'string' },
      port: { type: 'string' },
      'skip-build': { type: 'boolean' },
      'no-walkthrough': { type: 'boolean' },
      'few-extensions': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const port = wholeNumber('--port', values.port, 65_535) ?? 0;
  if (port !== 0) {
    // The server tells of a port that is taken only after the build and its own start.
    const probe = createServer().listen(port, '127.0.0.1');
    await once(probe, 'listening');
    probe.close();
  }
  return { ...values, port };
}

async function startWeb() {
  ensureWorkbenchTools();
  const { installVsix, startServer } = await import('../tools/vscode-web/server.mjs');
  const vsix = join(data, 'tapline.vsix');
  const extensionsDir = join(data, 'extensions');
  await packageExtension(vsix, { isKept: true });
  await installVsix(vsix, extensionsDir);
  const server = await startServer({
    extensionsDir,
    userDataDir: join(data, 'user'),
    settings: SETTINGS,
    machineSettings: options['no-walkthrough'] ? { 'workbench.welcomePage.walkthroughs.openOnInstall': false } : undefined,
    env: { TAPLINE_HOME: home },
    fewExtensions: options['few-extensions'],
    port: options.port,
  });
  stopWorkbench = () => server.stop();
  server.exited.then((why) => {
    if (!stopping) console.error(`The VS Code server ended (${why}).`);
    void stop(1);
  });
  console.log(`\nTapline is ready. Open this URL in a browser on this computer (Ctrl+C ends everything):\n`);
  console.log(`  ${server.origin}/?folder=${encodeURIComponent(workspace)}&tkn=${server.token}\n`);
}

/** For a shell, or for PowerShell on Windows. */
function homeLine() {
  return process.platform === 'win32'
    ? `$env:TAPLINE_HOME='${home.replaceAll("'", "''")}'`
    : `export TAPLINE_HOME='${home.replaceAll("'", "'\\''")}'`;
}

function startDesktop() {
  const args = ['--wait', '--new-window', `--extensionDevelopmentPath=${root}`, `--user-data-dir=${join(data, 'user')}`, workspace];
  const code = spawn('code', args, { stdio: 'inherit', env: { ...process.env, TAPLINE_HOME: home }, shell: process.platform === 'win32' });
  stopWorkbench = async () => void code.kill();
  code.once('error', (error) => {
    const missing = error.code === 'ENOENT';
    console.error(
      missing ? '`code` is not on the PATH. Install it from VS Code (Shell Command: Install), or leave --desktop out.' : error.message,
    );
    void stop(1);
  });
  code.once('exit', (exitCode) => void stop(exitCode ?? 0));
}
