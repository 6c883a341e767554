import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

interface Workflow {
  jobs: Record<string, { strategy: { matrix: { node?: number[]; vscode?: string[] } }; steps: { run?: string }[] }>;
}

const root = join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
const { jobs } = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')) as Workflow;
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

describe('the workflows', () => {
  it('run suites that there are', () => {
    const named = commands.flatMap((command) => /npm test -- (.+)/.exec(command)?.[1]?.split(' ') ?? []);
    assert.ok(named.includes('vscode') && named.includes('unit'), named.join(' '));
    const { stderr } = spawnSync(process.execPath, ['scripts/test.mjs', 'none'], { cwd: root, encoding: 'utf8' });
    const suites = /There are: (.+)\./.exec(stderr)?.[1]?.split(', ') ?? [];
    assert.deepEqual(
      named.filter((name) => !suites.includes(name)),
      [],
    );
  });

  it('run what CI runs, with the oldest Node.js that package.json allows', () => {
    const all = jobs['all'];
    assert.ok(all?.steps.some(({ run }) => run === '.ci/run') && existsSync(join(root, '.ci/run')));
    assert.equal(`>=${all?.strategy.matrix.node?.[0]}`, manifest.engines.node);
  });

  it('run in the oldest VS Code and the newest', () => {
    assert.deepEqual(jobs['vscode']?.strategy.matrix.vscode, ['oldest', 'stable']);
  });
});
