// What the build prints while it watches: a line when building begins, all errors there are, and a line when every bundle is up to date.
// The problem matcher in .vscode/tasks.json reads these lines.

export class WatchReport {
  /** Bundles that are being built, by entry point. */
  #building = new Set();
  /** Lines about the last build of each bundle, by entry point. */
  #problems = new Map();

  /** `print` gets one line at a time. */
  constructor(print) {
    this.print = print;
  }

  /** An esbuild plugin. `onBuilt` gets the output files of each build without errors. */
  plugin(entryPoint, onBuilt) {
    this.#begin(entryPoint);
    return {
      name: 'watch-report',
      setup: (build) => {
        build.onStart(() => this.#begin(entryPoint));
        build.onEnd(async ({ errors, warnings, outputFiles }) => {
          if (errors.length === 0) await onBuilt(outputFiles);
          const lines = [
            ...errors.map((message) => this.#line('error', message, entryPoint)),
            ...warnings.map((message) => this.#line('warning', message, entryPoint)),
          ];
          this.#end(entryPoint, lines);
        });
      },
    };
  }

  #begin(entryPoint) {
    if (this.#building.size === 0) this.print('[watch] build started');
    this.#building.add(entryPoint);
  }

  #end(entryPoint, lines) {
    this.#problems.set(entryPoint, lines);
    this.#building.delete(entryPoint);
    if (this.#building.size > 0) return;
    // All of them, not only the new ones: VS Code forgets the earlier ones when a build begins.
    for (const line of new Set([...this.#problems.values()].flat())) this.print(line);
    this.print('[watch] build finished');
  }

  #line(severity, { text, location }, entryPoint) {
    // esbuild names files relative to its working folder.
    return `${location?.file ?? entryPoint}:${location?.line ?? 1}:${(location?.column ?? 0) + 1}: ${severity}: ${text.replaceAll('\n', ' ')}`;
  }
}
