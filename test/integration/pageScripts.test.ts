import assert from 'node:assert/strict';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pageOptions } from '../../scripts/pageBundles.mjs';

const MAX_BYTES = 350_000;
const root = join(import.meta.dirname, '../..');

describe('the first script of a page', () => {
  for (const page of ['session', 'inbox']) {
    it(`is small and checks no messages: ${page}`, async () => {
      const entry = `src/webviews/${page}/main.tsx`;
      const { metafile, outputFiles } = await build({
        ...pageOptions,
        absWorkingDir: root,
        minify: true,
        define: { 'process.env.NODE_ENV': '"production"' },
        entryPoints: { [page]: entry },
        outdir: 'dist/webviews',
        write: false,
        logLevel: 'silent',
        metafile: true,
      });
      const script = outputFiles.find(({ path }) => path.endsWith(`/${page}.js`));
      assert.ok(script && script.contents.length <= MAX_BYTES, `${script?.contents.length} bytes`);

      const atStart = new Set([entry]);
      for (const file of atStart)
        for (const { path, kind } of metafile.inputs[file]?.imports ?? []) if (kind === 'import-statement') atStart.add(path);
      assert.ok(atStart.has('src/webviews/session/page/sessionStore.ts'), 'what is imported at any depth');
      // A page posts what the other side checks. What it reads itself, it reads with `shapeChecks.ts`.
      assert.deepEqual(
        [...atStart].filter((file) => /node_modules\/zod\//.test(file)),
        [],
      );
    });
  }
});
