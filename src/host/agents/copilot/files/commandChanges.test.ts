import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { nullLogger } from '../../../../base/log.ts';
import { CommandChanges } from './commandChanges.ts';
import type { SessionFiles } from './sessionFiles.ts';

describe('what commands change, as git tells it', () => {
  let folder: string;
  const { PATH } = process.env;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-slow-git-')));
  });
  afterEach(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });

  it('is given up for good, and that is said once, where git takes longer than five seconds', async () => {
    const programs = join(folder, 'bin');
    mkdirSync(programs);
    const asked = join(folder, 'asked');
    writeFileSync(
      join(programs, 'git'),
      `#!/bin/sh\necho x >> '${asked}'\ncase "$*" in *--show-toplevel) echo '${folder}';; *) exec sleep 60;; esac\n`,
      {
        mode: 0o755,
      },
    );
    process.env.PATH = `${programs}${delimiter}${PATH}`;
    const warnings: unknown[] = [];
    const files = { changed: () => assert.fail('nothing is known') } as unknown as SessionFiles;
    const changes = new CommandChanges(folder, files, { ...nullLogger, warn: (text) => warnings.push(text) });
    const started = Date.now();
    await (await changes.follow()).close();
    const took = Date.now() - started;
    assert.ok(took > 4_500 && took < 9_000, `${took} ms`);
    const count = readFileSync(asked, 'utf8');
    await (await changes.follow()).close();
    assert.equal(readFileSync(asked, 'utf8'), count, 'git is not asked any more');
    assert.equal(warnings.length, 1);
    assert.match(String(warnings[0]), /not tracked any more/);
  }).timeout(20_000);
});
