import assert from 'node:assert/strict';
import { CliError } from '../cliError.ts';
import type { Output } from '../output.ts';
import type { PortalClient } from '../portalClient.ts';
import { commitResult } from './commitResult.ts';

describe('tapline commit in a work tree of a run', () => {
  const plan = {
    ...{ folder: '/trees/j-1.run', base: 'tapline/j-1/run', head: 'abc', branch: 'tapline/j-1/run', worktree: 'run', message: 'Work' },
    ...{ files: [{ path: 'a.txt', change: 'changed' }], leftOut: [], revision: 'r' },
  };

  async function commit(branch?: string) {
    const asked: string[] = [];
    const said: string[] = [];
    const client = {
      call: async (path: string) => (path.endsWith('/runs') ? { runs: [{ jobId: 'j-1' }] } : { jobId: 'j-1' }),
      send: async (path: string) => {
        asked.push(path.replace('copilot/job/j-1/result', ''));
        return path.endsWith('/plan') ? plan : { commit: 'def', branch: plan.branch, folder: plan.folder };
      },
    } as unknown as PortalClient;
    const output: Output = {
      isJson: false,
      out: (text) => void said.push(text),
      json: () => assert.fail(),
      note: (text) => void said.push(text),
    };
    const consent = { yes: true, isTerminal: false, signal: new AbortController().signal };
    const end = await commitResult(client, output, 'j-1', { branch, worktree: 'run' }, consent).catch((error: unknown) => error);
    return { asked, said: said.join('\n'), end };
  }

  it('is on the branch of that tree', async () => {
    for (const branch of [undefined, plan.branch]) {
      const { asked, said, end } = await commit(branch);
      assert.deepEqual([asked, end], [['/commit/plan', '/commit'], 0]);
      assert.match(said, /\non tapline\/j-1\/run, the branch of this work tree, after abc\.\n/);
    }
  });

  it('says before the question that it can be on no other', async () => {
    const { asked, said, end } = await commit('night');
    assert.deepEqual([asked, said], [['/commit/plan'], '']);
    assert.ok(end instanceof CliError);
    assert.equal(end.code, 2);
    assert.match(end.message, /on its own branch, tapline\/j-1\/run: leave --branch out/);
  });
});
