// Builds everything that runs: dist/extension.cjs with its parts in dist/extension/, dist/host.cjs, dist/portal.cjs, dist/tapline.cjs, dist/gateway.cjs with dist/gatewayRecords.cjs and dist/gatewayTraces.cjs, dist/mcp.cjs, dist/openctx.cjs, a module and style a webview with the parts that they load, the schemas of
// tap.config.json and of the portal's entry, and the library with its types.
// `--watch` keeps the bundles fresh, but not the types of the library; `--production` minifies.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { billOfMaterials } from './billOfMaterials.mjs';
import { partsOf, translateParts } from './commonJsParts.mjs';
import { engineInstallation } from './engineLock.mjs';
import { digestOfSources, noteBuild } from './ensureBuilt.mjs';
import { emitLibraryTypes } from './libraryTypes.mjs';
import { OutputFolder } from './outputFolder.mjs';
import { pageOptions } from './pageBundles.mjs';
import { iconsNamedIn } from './pageIcons.mjs';
import { bundledPackages, thirdPartyNotices } from './thirdPartyNotices.mjs';
import { WatchReport } from './watchReport.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);
const { values: options } = parseArgs({ options: { watch: { type: 'boolean' }, production: { type: 'boolean' } } });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

const shared = {
  absWorkingDir: root,
  bundle: true,
  logLevel: 'warning',
  sourcemap: options.production ? false : 'linked',
  minify: Boolean(options.production),
  // Otherwise libraries, such as immer, check what is checked in their own development.
  define: { TAPLINE_VERSION: JSON.stringify(manifest.version), 'process.env.NODE_ENV': '"production"' },
};
// Node 20 is in the oldest VS Code that we support, and is the oldest version that we promise for the host.
const node = { ...shared, platform: 'node', target: 'node20', format: 'cjs' };
/** No page of which only the first picture is drawn loads anything. */
const withoutLateParts = {
  name: 'without-late-parts',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};
const page = { ...shared, ...pageOptions };

const bundles = [
  // What a window does not need at its start is loaded when it is used.
  partsOf(
    {
      ...node,
      entryPoints: ['src/extension/extension.ts'],
      outdir: 'dist',
      external: ['vscode', 'bufferutil', 'utf-8-validate'],
      // Its other form loads its parts in a way that cannot be bundled.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    },
    'extension',
  ),
  // The first picture of a page, made by the page's own parts.
  {
    ...node,
    format: 'esm',
    // What a page loads later is not in it.
    splitting: false,
    plugins: [withoutLateParts],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: ['src/webviews/session/picture.tsx'],
    outfile: 'dist/extension/sessionPicture.mjs',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  },
  { ...node, entryPoints: ['src/host/main.ts'], outfile: 'dist/host.cjs', external: ['@lydell/node-pty', 'bufferutil', 'utf-8-validate'] },
  {
    ...node,
    entryPoints: ['src/portalProcess/main.ts'],
    outfile: 'dist/portal.cjs',
    external: ['@lydell/node-pty', 'bufferutil', 'utf-8-validate', 'pg-native'],
    // Graphile Worker looks for settings of its own in the folder in which it is started, and would run what it finds there.
    alias: { cosmiconfig: './scripts/noConfigFiles.cjs' },
  },
  { ...node, entryPoints: ['src/cli/main.ts'], outfile: 'dist/tapline.cjs' },
  { ...node, entryPoints: ['src/gateway/main.ts'], outfile: 'dist/gateway.cjs', external: ['bufferutil', 'utf-8-validate'] },
  { ...node, entryPoints: ['src/gateway/records/recordsWorker.ts'], outfile: 'dist/gatewayRecords.cjs', external: ['node-sqlite3-wasm'] },
  // Nearly all of it is of others.
  { ...node, minify: true, entryPoints: ['src/gateway/traces/export/spanExport.ts'], outfile: 'dist/gatewayTraces.cjs' },
  { ...node, entryPoints: ['src/openctxServer/main.ts'], outfile: 'dist/openctx.cjs', external: ['bufferutil', 'utf-8-validate'] },
  { ...node, entryPoints: ['src/mcp/main.ts'], outfile: 'dist/mcp.cjs', external: ['bufferutil', 'utf-8-validate'] },
  ...['session', 'inbox', 'jobPanel', 'entryChart', 'hostConfig', 'controlTower'].map((name) => ({
    ...page,
    entryPoints: { [name]: `src/webviews/${name}/main.tsx` },
    outdir: 'dist/webviews',
  })),
  {
    ...page,
    // A linked map would be loaded from the server, which does not have it.
    sourcemap: false,
    entryPoints: { index: 'src/webviews/portal/main.tsx' },
    outdir: 'dist/portal',
  },
  // A page loads them when it shows code, and when a picture is to be made smaller. The portal's own page takes no pictures.
  ...['webviews/codeWorker', 'portal/codeWorker', 'webviews/pictureWorker'].map((name) => ({
    ...page,
    // It is started from a blob, beside which there is nothing to import.
    format: 'iife',
    splitting: false,
    sourcemap: false,
    minify: true,
    entryPoints: [`src/webviews/${name.endsWith('codeWorker') ? 'code/codeWorker' : 'picture/pictureWorker'}.ts`],
    outfile: `dist/${name}.js`,
  })),
  {
    ...shared,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    entryPoints: {
      ahp: 'src/ahp/index.ts',
      provider: 'src/tap/provider/providerNode.ts',
      openctx: 'src/openctx/index.ts',
      openctxWorker: 'src/openctx/transports/moduleWorker.ts',
    },
    outdir: 'dist/lib',
  },
  {
    ...shared,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // Its packages are bundled, unlike those of the other modules: it holds a gateway, whose packages (such as Ajv) are devDependencies,
    // so they are not installed with Tapline.
    entryPoints: ['src/gateway/testing/testGateway.ts'],
    outfile: 'dist/lib/providerTesting.js',
  },
  {
    ...shared,
    platform: 'browser',
    target: 'chrome120',
    format: 'esm',
    // Programs download it, so its size matters.
    minify: true,
    entryPoints: ['src/tap/provider/providerBrowser.ts'],
    outfile: 'dist/lib/providerBrowser.js',
  },
  // For providers that are copied out of the extension: all in one file.
  {
    ...node,
    entryPoints: ['src/tap/provider/providerNode.ts'],
    outfile: 'dist/providers/sdk.cjs',
    sourcemap: false,
    external: ['bufferutil', 'utf-8-validate'],
  },
];

const sources = digestOfSources();
const output = new OutputFolder(join(root, 'dist'));

/** The folders of packages whose files are shipped as they are. */
const copied = [];

function copyAssets() {
  const icons = dirname(require.resolve('@vscode/codicons/package.json'));
  const codicons = join(icons, 'dist');
  copied.push(icons);
  for (const file of ['codicon.css', 'codicon.ttf']) output.put(join(output.path, 'webviews', file), readFileSync(join(codicons, file)));
  output.put(join(output.path, 'portal/pageTheme.css'), readFileSync(join(root, 'src/webviews/portal/pageTheme.css')));
  output.put(join(output.path, 'portal/index.html'), readFileSync(join(root, 'src/webviews/portal/index.html')));
  // The only native module. It is put beside the bundle that needs it, so that a .vsix holds it without the rest of node_modules.
  const lydell = dirname(dirname(require.resolve('@lydell/node-pty')));
  for (const name of readdirSync(lydell).filter((entry) => entry.startsWith('node-pty'))) {
    output.copy(join(lydell, name), join(output.path, 'node_modules/@lydell', name));
    copied.push(join(lydell, name));
  }
  // Its WebAssembly module must lie beside it.
  const sqlite = dirname(dirname(require.resolve('node-sqlite3-wasm')));
  output.copy(sqlite, join(output.path, 'node_modules/node-sqlite3-wasm'));
  copied.push(sqlite);
}

/** The examples, which the extension gives to copy. */
function copyExamples() {
  const examples = join(root, 'examples/providers');
  for (const file of ['node.mjs', 'python.py', 'browser.html'])
    output.put(join(output.path, 'providers', file), readFileSync(join(examples, file)));
}

/** What the extension installs the Copilot engine by. */
function writeEngineLock() {
  const engine = engineInstallation(lock);
  output.put(join(output.path, 'engine/package.json'), JSON.stringify(engine.manifest, undefined, 2));
  output.put(join(output.path, 'engine/package-lock.json'), JSON.stringify(engine.lock, undefined, 2));
}

async function putAll(options, outputFiles, into) {
  const files = options.splitting && options.platform === 'node' ? await translateParts(outputFiles, options) : outputFiles;
  for (const { path, contents } of files) into.put(path, contents);
}

/** Its files, and the folders of the packages whose files it holds. */
async function bundle(options) {
  const { outputFiles, metafile } = await esbuild.build({ ...options, write: false, metafile: true });
  await putAll(options, outputFiles, output);
  return { outputFiles, packages: bundledPackages(root, metafile) };
}

/** What stands in the documents of pages. The controls, which come later, load all icons. `scripts`: of the pages; absent: they are not known yet. */
function writePageIcons(scripts) {
  const folder = join(output.path, 'webviews');
  const all = readFileSync(join(folder, 'codicon.css'), 'utf8');
  output.put(join(folder, 'icons.css'), scripts ? iconsNamedIn(all, scripts) : all);
}

async function watch() {
  const report = new WatchReport(console.log);
  const contexts = await Promise.all(
    bundles.map((options) => {
      const [entryPoint] = Object.values(options.entryPoints);
      return esbuild.context({
        ...options,
        write: false,
        logLevel: 'silent',
        plugins: [...(options.plugins ?? []), report.plugin(entryPoint, (files) => putAll(options, files, new OutputFolder(output.path)))],
      });
    }),
  );
  await Promise.all(contexts.map((context) => context.watch()));
}

/** What the editor knows of a file comes from the schema that reads it: `entryPoint` exports a function that returns it. */
async function writeSchema(entryPoint, name) {
  const built = await esbuild.build({
    ...node,
    entryPoints: [entryPoint],
    format: 'esm',
    sourcemap: false,
    write: false,
  });
  const [schema] = Object.values(
    await import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`),
  );
  output.put(join(output.path, name), JSON.stringify(schema(), undefined, 2));
}

copyAssets();
copyExamples();
writeEngineLock();
await writeSchema('src/tap/owner/config/tapConfigSchema.ts', 'tap.config.schema.json');
await writeSchema('src/portal/entry/entryJsonSchema.ts', 'portal.entry.schema.json');
if (options.watch) {
  writePageIcons();
  await watch();
} else {
  const bundled = await Promise.all(bundles.map(bundle));
  const files = bundled.flatMap(({ outputFiles }) => outputFiles);
  const scripts = files.filter(({ path }) => path.endsWith('.js') && dirname(path) === join(output.path, 'webviews'));
  writePageIcons(scripts.map(({ text }) => text));
  const taken = [...bundled.flatMap(({ packages }) => packages), ...copied];
  output.put(join(output.path, 'ThirdPartyNotices.txt'), thirdPartyNotices(taken));
  output.put(join(output.path, 'sbom.cdx.json'), JSON.stringify(billOfMaterials(taken, manifest, lock), undefined, 2));
  emitLibraryTypes(root, output);
  output.removeOthers();
  noteBuild(sources);
}
