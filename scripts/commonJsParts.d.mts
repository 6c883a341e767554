import type { BuildOptions, OutputFile } from 'esbuild';

export function partsOf(options: BuildOptions, parts: string): BuildOptions;
export function translateParts(
  outputFiles: readonly Pick<OutputFile, 'path' | 'text'>[],
  options: Pick<BuildOptions, 'minify' | 'sourcemap' | 'target'>,
): Promise<{ path: string; contents: string }[]>;
