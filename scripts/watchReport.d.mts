import type { OutputFile, Plugin } from 'esbuild';

/** What the build prints while it watches. */
export class WatchReport {
  constructor(print: (line: string) => void);
  plugin(entryPoint: string, onBuilt: (outputFiles: OutputFile[]) => unknown): Plugin;
}
