import type { BuildOptions, Metafile } from 'esbuild';

/** What a file of a build imports at its start, at any depth. */
export function importsAtStart(metafile: Metafile, file: string): Set<string>;
export const pageOptions: BuildOptions;
