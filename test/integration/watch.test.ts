/** What `npm run watch` prints, as the problem matcher of `.vscode/tasks.json` reads it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { WatchReport } from '../../scripts/watchReport.mjs';

interface Matcher {
  pattern: { regexp: string; file: number; line: number; column: number; severity: number; message: number };
  background: { beginsPattern: string; endsPattern: string };
}

const { tasks } = JSON.parse(readFileSync(join(import.meta.dirname, '../../.vscode/tasks.json'), 'utf8')) as {
  tasks: { label: string; problemMatcher: Matcher }[];
};
const { pattern, background } = tasks.find(({ label }) => label === 'watch')!.problemMatcher;
const begins = new RegExp(background.beginsPattern);
const ends = new RegExp(background.endsPattern);
const problem = new RegExp(pattern.regexp);

/** The bundles of one build: none ends before all have begun, however slow the machine is. */
function startTogether(count: number): esbuild.Plugin {
  let arrived: (() => void)[] = [];
  return {
    name: 'start together',
    setup: ({ onStart }) =>
      onStart(
        () =>
          new Promise<void>((resolve) => {
            arrived.push(resolve);
            if (arrived.length < count) return;
            for (const begin of arrived) begin();
            arrived = [];
          }),
      ),
  };
}

describe('The problem matcher of the watch task', () => {
  let folder: string;
  let contexts: esbuild.BuildContext[];
  let lines: string[];
  let built: string[];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-watch-'));
    writeFileSync(join(folder, 'shared.ts'), 'export const shared = 1;');
    writeFileSync(join(folder, 'one.ts'), "import { shared } from './shared.ts'; console.log(shared);");
    writeFileSync(join(folder, 'two.ts'), "import { shared } from './shared.ts'; console.log(-shared);");
    lines = [];
    built = [];
    const report = new WatchReport((line) => lines.push(line));
    const together = startTogether(2);
    contexts = await Promise.all(
      ['one.ts', 'two.ts'].map((entryPoint) =>
        esbuild.context({
          absWorkingDir: folder,
          entryPoints: [entryPoint],
          outfile: join(folder, 'out', entryPoint),
          bundle: true,
          write: false,
          logLevel: 'silent',
          plugins: [report.plugin(entryPoint, (files) => built.push(...files.map(({ text }) => text))), together],
        }),
      ),
    );
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.dispose()));
    rmSync(folder, { recursive: true });
  });

  /** Builds both bundles; gives the lines that it printed. */
  async function build(): Promise<string[]> {
    const from = lines.length;
    await Promise.allSettled(contexts.map((context) => context.rebuild()));
    return lines.slice(from);
  }

  it('knows when all bundles are being built, and when all are done', async () => {
    // The first line comes before esbuild has started, so that nobody takes an old build for a new one.
    assert.deepEqual(
      lines.map((line) => begins.test(line)),
      [true],
    );
    assert.deepEqual(
      (await build()).map((line) => ends.test(line)),
      [true],
    );
    assert.equal(built.length, 2);
    const again = await build();
    assert.ok(begins.test(again[0]!) && ends.test(again.at(-1)!), again.join('\n'));
  });

  it('finds each error once, where it is, in every build that has it', async () => {
    writeFileSync(join(folder, 'shared.ts'), "export const shared = 1;\nimport './missing.ts';");
    for (const lines of [await build(), await build()]) {
      const found = lines.flatMap((line) => problem.exec(line) ?? []).slice(1);
      assert.deepEqual(found, ['shared.ts', '2', '8', 'error', 'Could not resolve "./missing.ts"']);
      assert.ok(ends.test(lines.at(-1)!));
    }
    assert.deepEqual(built, []);
  });

  it('finds warnings, and takes no other line for a problem', async () => {
    writeFileSync(join(folder, 'one.ts'), 'export const isNumber = (value: unknown) => typeof value === "nmber";');
    const found = (await build()).filter((line) => problem.test(line));
    assert.equal(found.length, 1);
    assert.equal(problem.exec(found[0]!)?.[pattern.severity], 'warning');
    assert.equal(problem.exec(found[0]!)?.[pattern.file], 'one.ts');
    assert.equal(built.length, 2);
  });
});
