// Splits a program for Node into the part that it starts with and parts that its `import()`s load. esbuild splits only ES modules, and our
// programs are CommonJS, so each part is translated after the split.
import { dirname, relative } from 'node:path';
import * as esbuild from 'esbuild';

/** How esbuild makes the parts: the first one in `outdir`, with the name of the entry point, and the others in its folder `parts`. */
export function partsOf(options, parts) {
  return {
    ...options,
    format: 'esm',
    splitting: true,
    metafile: true,
    // A map has to go through the translation with its code.
    sourcemap: options.sourcemap && 'inline',
    outExtension: { '.js': '.cjs' },
    chunkNames: `${parts}/[name]-[hash]`,
  };
}

/** The files of `partsOf` as CommonJS, with their maps beside them. */
export async function translateParts(outputFiles, { minify, sourcemap, target }) {
  const files = await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { code, map } = await esbuild.transform(text, {
        format: 'cjs',
        platform: 'node',
        target,
        minify,
        sourcemap: sourcemap && 'external',
        sourcefile: path,
      });
      if (!sourcemap) return [{ path, contents: code }];
      const name = relative(dirname(path), path);
      return [
        { path, contents: `${code}//# sourceMappingURL=${name}.map\n` },
        { path: `${path}.map`, contents: map },
      ];
    }),
  );
  return files.flat();
}
