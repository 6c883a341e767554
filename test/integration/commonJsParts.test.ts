/** How the build splits a program. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { partsOf, translateParts } from '../../scripts/commonJsParts.mjs';

const TARGET = 'node20';

describe('A program in parts', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-parts-'));
    writeFileSync(join(folder, 'shared.ts'), "import { sep } from 'node:path'; export const said: string[] = [sep.length.toString()];");
    writeFileSync(
      join(folder, 'later.ts'),
      "import { said } from './shared.ts'; said.push('later'); export const later = (): string[] => said;",
    );
    writeFileSync(
      join(folder, 'program.ts'),
      "import { said } from './shared.ts'; said.push('begun'); void import('./later.ts').then(({ later }) => console.log(later().join()));",
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function build(sourcemap: boolean): Promise<string> {
    const outdir = join(folder, 'dist');
    const options: esbuild.BuildOptions = {
      absWorkingDir: folder,
      entryPoints: ['program.ts'],
      outdir,
      bundle: true,
      platform: 'node',
      target: TARGET,
      minify: true,
      ...(sourcemap && { sourcemap: 'linked' }),
    };
    const { outputFiles = [] } = await esbuild.build({ ...partsOf(options, 'parts'), write: false });
    for (const { path, contents } of await translateParts(outputFiles, options)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, contents);
    }
    return outdir;
  }

  it('shares what both of its parts import, and loads the later one where it is used', async () => {
    const outdir = await build(false);
    const program = join(outdir, 'program.cjs');
    assert.equal(execFileSync(process.execPath, [program], { encoding: 'utf8' }).trim(), '1,begun,later');
    const later = readdirSync(join(outdir, 'parts')).find((name) => name.startsWith('later-')) ?? '';
    rmSync(join(outdir, 'parts', later));
    // It begins without it.
    assert.match(
      execFileSync(
        process.execPath,
        ['-e', `process.on('unhandledRejection', ({ code }) => console.log(code)); require(${JSON.stringify(program)})`],
        { encoding: 'utf8' },
      ),
      /MODULE_NOT_FOUND/,
    );
  });

  it('has maps that lead to its sources', async () => {
    const outdir = await build(true);
    for (const file of [join(outdir, 'program.cjs'), ...readdirSync(join(outdir, 'parts')).map((name) => join(outdir, 'parts', name))]) {
      if (!file.endsWith('.cjs')) continue;
      assert.ok(readFileSync(file, 'utf8').endsWith(`//# sourceMappingURL=${basename(file)}.map\n`), file);
      const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
      if (file.includes('program'))
        assert.deepEqual(
          sources.map((source) => basename(source)),
          ['program.ts'],
        );
      if (file.includes('later'))
        assert.deepEqual(
          sources.map((source) => join(dirname(file), source)),
          [join(folder, 'later.ts')],
        );
    }
  });
});
