// Builds everything that runs: dist/extension.cjs, dist/host.cjs, dist/gateway.cjs, one script and style a webview, and the library with its types.
// `--watch` keeps the bundles fresh; `--production` minifies.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { OutputFolder } from './outputFolder.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { values: options } = parseArgs({ options: { watch: { type: 'boolean' }, production: { type: 'boolean' } } });
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const shared = {
  absWorkingDir: root,
  bundle: true,
  logLevel: 'warning',
  sourcemap: options.production ? false : 'linked',
  minify: Boolean(options.production),
  define: { TAPLINE_VERSION: JSON.stringify(version) },
};
// Node 20: the extension host of the oldest VS Code that we support, and what we promise for the host.
const node = { ...shared, platform: 'node', target: 'node20', format: 'cjs' };

const bundles = [
  {
    ...node,
    entryPoints: ['src/extension/extension.ts'],
    outfile: 'dist/extension.cjs',
    external: ['vscode', 'bufferutil', 'utf-8-validate'],
  },
  { ...node, entryPoints: ['src/host/main.ts'], outfile: 'dist/host.cjs', external: ['@lydell/node-pty', 'bufferutil', 'utf-8-validate'] },
  { ...node, entryPoints: ['src/gateway/main.ts'], outfile: 'dist/gateway.cjs', external: ['bufferutil', 'utf-8-validate'] },
  {
    ...shared,
    platform: 'browser',
    target: 'chrome120',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: ['src/webviews/session/main.tsx'],
    outfile: 'dist/webviews/session.js',
  },
  {
    ...shared,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    entryPoints: { ahp: 'src/ahp/index.ts', provider: 'src/tap/provider/providerNode.ts' },
    outdir: 'dist/lib',
  },
  {
    ...shared,
    platform: 'browser',
    target: 'chrome120',
    format: 'esm',
    // Its size is part of what it offers.
    minify: true,
    entryPoints: ['src/tap/provider/providerBrowser.ts'],
    outfile: 'dist/lib/providerBrowser.js',
  },
];

const output = new OutputFolder(join(root, 'dist'));

function copyAssets() {
  const codicons = join(dirname(require.resolve('@vscode/codicons/package.json')), 'dist');
  for (const file of ['codicon.css', 'codicon.ttf']) output.put(join(output.path, 'webviews', file), readFileSync(join(codicons, file)));
  // The one native module, beside the bundle that needs it, so that a .vsix holds it without the rest of node_modules.
  const lydell = dirname(dirname(require.resolve('@lydell/node-pty')));
  for (const name of readdirSync(lydell).filter((entry) => entry.startsWith('node-pty'))) {
    output.copy(join(lydell, name), join(output.path, 'node_modules/@lydell', name));
  }
}

async function bundle(options) {
  const { outputFiles } = await esbuild.build({ ...options, write: false });
  for (const { path, contents } of outputFiles) output.put(path, contents);
}

function emitTypes() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const emitted = mkdtempSync(join(tmpdir(), 'tapline-types-'));
  try {
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.lib.json', '--outDir', emitted], { cwd: root, stdio: 'inherit' });
    output.copy(emitted, join(output.path, 'lib/types'));
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

copyAssets();
if (options.watch) {
  const contexts = await Promise.all(bundles.map((one) => esbuild.context(one)));
  await Promise.all(contexts.map((context) => context.watch()));
  console.log('watching');
} else {
  await Promise.all(bundles.map(bundle));
  emitTypes();
  output.removeOthers();
}
