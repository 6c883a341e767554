/** What a page loads before it can draw: its script and all that this imports, minified. What it loads later is not counted. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { importsAtStart, pageOptions } from '../scripts/pageBundles.mjs';

const TARGET_KB = 350;
const pages = ['session', 'inbox', 'controlTower'];
const root = join(import.meta.dirname, '..');

export async function run(): Promise<void> {
  const { metafile } = await build({
    ...pageOptions,
    absWorkingDir: root,
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    entryPoints: Object.fromEntries(pages.map((page) => [page, `src/webviews/${page}/main.tsx`])),
    outdir: 'dist/webviews',
    write: false,
    metafile: true,
  });
  for (const page of pages) {
    const script = `dist/webviews/${page}.js`;
    const first = new Set([script, ...importsAtStart(metafile, script)]);
    const bytes = [...first].reduce((sum, file) => sum + (metafile.outputs[file]?.bytes ?? NaN), 0);
    console.log(
      JSON.stringify({
        name: `script before the first picture: ${page}`,
        kB: Math.round(bytes / 1000),
        files: first.size,
        target: TARGET_KB,
      }),
    );
  }
  const late = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) => entryPoint !== undefined && !entryPoint.endsWith('main.tsx'),
  );
  for (const [file, { bytes }] of late)
    console.log(
      JSON.stringify({
        name: `script that is loaded later: ${basename(file).split('-').slice(0, -1).join('-')}`,
        kB: Math.round(bytes / 1000),
      }),
    );
}
