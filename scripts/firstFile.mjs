// Puts what a page imports at its start into its own file. A page whose parts are loaded later is cut into dozens of files by what it shares with them,
// and each is asked for through the service worker of VS Code's webviews. Here the page keeps it all, and hands the later parts what they share.
import { basename, join, resolve } from 'node:path';
import * as esbuild from 'esbuild';

/** Where a page keeps it, by the name of the file that it was in. */
const SHARED = 'globalThis.taplineShared';

/** What a file of a build imports at its start, at any depth. */
function importsAtStart(metafile, file, found = new Set()) {
  for (const { kind, path } of metafile.outputs[file]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(path)) continue;
    found.add(path);
    importsAtStart(metafile, path, found);
  }
  return found;
}

/** Of a build with one page, which is not written by esbuild itself. */
export const firstFile = {
  name: 'first-file',
  setup(build) {
    build.onEnd(async ({ metafile, outputFiles, errors }) => {
      const options = build.initialOptions;
      // A worker is one file already.
      if (errors.length > 0 || !options.splitting) return;
      const scripts = Object.keys(metafile.outputs).filter((file) => file.endsWith('.js'));
      const pages = scripts.filter((file) => metafile.outputs[file].entryPoint?.endsWith('/main.tsx'));
      if (pages.length !== 1) throw new Error(`${pages.length} pages in one build, whose later parts could not tell them apart`);
      const [page] = pages;
      const first = importsAtStart(metafile, page);
      if (first.size === 0) return;
      const pathOf = (file) => resolve(options.absWorkingDir, file);
      const files = new Map(outputFiles.map((file) => [file.path, file]));
      const made = await Promise.all(
        scripts.filter((file) => !first.has(file)).map((file) => joined(file, { options, files, pathOf, isPage: file === page, first })),
      );
      const replaced = new Set(scripts.flatMap((file) => [pathOf(file), `${pathOf(file)}.map`]));
      outputFiles.splice(0, outputFiles.length, ...outputFiles.filter(({ path }) => !replaced.has(path)), ...made.flat());
    });
  },
};

/** A file with what it imports of those in `first`: in itself where it is the page, else taken from the page. */
async function joined(file, { options, files, pathOf, isPage, first }) {
  const { minify, target, platform, format, sourcemap } = options;
  const names = new Set([...first].map((one) => basename(one)));
  const outdir = join(pathOf(file), '..');
  const { outputFiles } = await esbuild.build({
    ...{ minify, target, platform, format, sourcemap },
    bundle: true,
    write: false,
    logLevel: 'silent',
    entryPoints: [pathOf(file)],
    outfile: pathOf(file),
    plugins: [
      {
        name: 'shared',
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ kind, path }) => {
            if (kind === 'entry-point') return { path, namespace: 'built' };
            if (kind !== 'import-statement' || !names.has(basename(path))) return { path, external: true };
            return { path: join(outdir, basename(path)), namespace: isPage ? 'built' : 'shared' };
          });
          build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
            contents: `module.exports = ${SHARED}[${JSON.stringify(basename(path))}];`,
          }));
          build.onLoad({ filter: /.*/, namespace: 'built' }, ({ path }) => ({ contents: textOf(files, path, names), resolveDir: outdir }));
        },
      },
    ],
  });
  return outputFiles;
}

/** Those with what is shared keep it before they run, because a part may be loaded while they do. */
function textOf(files, path, shared) {
  const map = files.get(`${path}.map`);
  const name = basename(path);
  const text = files.get(path).text;
  const mapped = map
    ? text.replace(
        /\/\/# sourceMappingURL=.*\s*$/,
        `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map.contents).toString('base64')}\n`,
      )
    : text;
  if (!shared.has(name)) return mapped;
  const specifier = JSON.stringify(`./${name}`);
  // On one line with what is there, so that the map still fits.
  return `import * as taplineOwn from ${specifier};(${SHARED} ??= {})[${JSON.stringify(name)}] = taplineOwn;${mapped}`;
}
