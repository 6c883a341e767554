import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSessionHost } from '../../agent.ts';
import { SessionFiles } from './sessionFiles.ts';

describe('The files of a session', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tapline-files-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const host = { state: { summary: {} }, storeContent: () => 'session-db:x' } as unknown as AgentSessionHost;
  async function counted(before: readonly string[], after: readonly string[]) {
    const path = join(folder, 'a.ts');
    writeFileSync(path, `${before.join('\n')}\n`);
    return (await new SessionFiles(host).plan(path, `${after.join('\n')}\n`)).edit.diff;
  }
  const lines = Array.from({ length: 2100 }, (_, index) => `line ${index}`);

  it('count two changed lines that are far apart as two', async () => {
    assert.deepEqual(await counted(lines, lines.with(1, 'import').with(2096, 'use')), { added: 2, removed: 2 });
  });

  it('count a rewritten file exactly, and do not count what cannot be compared', async () => {
    assert.deepEqual(
      await counted(
        lines,
        lines.map((line) => `new ${line}`),
      ),
      { added: 2100, removed: 2100 },
    );
    assert.equal(await counted(lines, lines.toReversed()), undefined);
  });
});
