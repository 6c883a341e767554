/** What a page loads before it can draw: its script, minified. What it loads later is not counted. */
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { pageOptions } from '../scripts/pageBundles.mjs';

const TARGET_KB = 350;
const pages = ['session', 'inbox'];
const root = join(import.meta.dirname, '..');

export async function run(): Promise<void> {
  const builds = await Promise.all(
    pages.map((page) =>
      build({
        ...pageOptions,
        absWorkingDir: root,
        minify: true,
        define: { 'process.env.NODE_ENV': '"production"' },
        entryPoints: { [page]: `src/webviews/${page}/main.tsx` },
        outdir: 'dist/webviews',
        write: false,
      }),
    ),
  );
  for (const [at, { outputFiles }] of builds.entries()) {
    const page = pages[at] as string;
    for (const { path, contents } of outputFiles) {
      const file = basename(path);
      if (!file.endsWith('.js')) continue;
      const kB = Math.round(contents.length / 1000);
      if (file === `${page}.js`) console.log(JSON.stringify({ name: `script before the first picture: ${page}`, kB, target: TARGET_KB }));
      else console.log(JSON.stringify({ name: `script that ${page} loads later: ${file.replace(/-\w+\.js$/, '')}`, kB }));
    }
  }
}
