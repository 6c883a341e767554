/** The commands of `tapline` about what a run has brought about, as real processes. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as pty from '@lydell/node-pty';
import type { TestPortal } from './portalHarness.ts';
import { ranWork, startResultPortal } from './resultHarness.ts';

const tapline = join(import.meta.dirname, '../../../dist/tapline.cjs');

describe('tapline and the result of a run', function () {
  this.timeout(60_000);
  let test: TestPortal;
  let folder: string;
  let id: string;
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();

  before(async () => {
    test = await startResultPortal({
      edit: ['write a.ts const one = 1;\\nconst two = 2;\\n', 'write notes.md # Notes\\n', 'report notes.md'],
      tidy: ['delete old.txt'],
    });
    folder = join(test.folder, 'work');
    mkdirSync(folder);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Me');
    git('config', 'user.email', 'me@example.org');
    writeFileSync(join(folder, 'a.ts'), 'const one = 1;\nlet two;\n');
    writeFileSync(join(folder, 'old.txt'), 'old\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'first');
    git('init', '--quiet', '--bare', join(test.folder, 'remote.git'));
    git('remote', 'add', 'origin', join(test.folder, 'remote.git'));
    id = await ranWork(test, folder);
  });
  after(() => test?.close());

  async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const env = { ...process.env, TAPLINE_PORTAL_URL: test.server.url, TAPLINE_PORTAL_TOKEN: test.server.token };
    const child = spawn(process.execPath, [tapline, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
  }

  it('is told by step, with what has changed in each file if that is wanted', async () => {
    const files = [
      'edit',
      '  changed   a.ts  +1 −1',
      '  created   notes.md  +1 −0',
      '  document  notes.md',
      'tidy',
      '  deleted   old.txt  +0 −1',
    ];
    const last = '3 files changed, +2 −2';
    assert.deepEqual(await run('result', id.slice(0, 8)), { code: 0, stdout: [...files, last, ''].join('\n'), stderr: '' });
    const { stdout } = await run('result', id, '--diff');
    assert.ok(stdout.includes('a.ts  +1 −1\n@@ -1,2 +1,2 @@\n const one = 1;\n-let two;\n+const two = 2;\n'), stdout);
    assert.ok(stdout.includes('notes.md  +1 −0\n@@ -0,0 +1,1 @@\n+# Notes\n'), stdout);
    const lines = (await run('result', id, '--diff', '--json')).stdout.trim().split('\n');
    const [first, ...changes] = lines.map((line) => JSON.parse(line) as { jobId?: string; path?: string; after?: string });
    assert.equal(first?.jobId, id);
    assert.deepEqual(
      changes.map(({ path, after }) => [path, after]),
      [
        ['a.ts', 'const one = 1;\nconst two = 2;\n'],
        ['notes.md', '# Notes\n'],
        ['old.txt', ''],
      ],
    );
  });

  it('is not committed where a person in a terminal says no, which Enter means', async () => {
    const env = { ...process.env, TAPLINE_PORTAL_URL: test.server.url, TAPLINE_PORTAL_TOKEN: test.server.token };
    const terminal = pty.spawn(process.execPath, [tapline, 'commit', id], { env: env as Record<string, string>, cols: 200 });
    let text = '';
    terminal.onData((data) => {
      if (!text.includes('Commit this? yes/No') && (text + data).includes('Commit this? yes/No')) terminal.write('\r');
      text += data;
    });
    const code = await new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    assert.equal(code, 1, text);
    assert.match(text, /Commits 3 files[^]*Commit this\? yes\/No[^]*Nothing was committed\./);
    assert.equal(git('branch', '--format=%(refname:short)'), 'main');
  });

  it('is committed as it was told before, and only where somebody said yes', async () => {
    const asked = await run('commit', id, '--branch', 'night');
    assert.equal(asked.code, 2);
    assert.match(asked.stdout, /^Commits 3 files of .*work\non the new branch night, after [0-9a-f]+\. The folder stays on main,/);
    assert.match(asked.stderr, /Nothing was done, because this is no terminal\. --yes does it\./);
    const plan = JSON.parse((await run('commit', id, '--json')).stdout) as { files: { path: string }[] };
    assert.deepEqual(
      plan.files.map(({ path }) => path),
      ['a.ts', 'notes.md', 'old.txt'],
    );
    assert.equal(git('branch', '--format=%(refname:short)'), 'main', 'nothing is done yet');
    const done = await run('commit', id, '--branch', 'night', '--message', 'What the night has done', '--yes');
    assert.equal(done.code, 0, done.stderr);
    assert.match(
      done.stdout,
      /\nMessage: What the night has done\nCommitted as \w+ on the branch night, in .*work\. Nothing was pushed\.\n$/,
    );
    assert.equal(git('log', '--format=%s', 'night'), 'What the night has done\nfirst');
    const again = await run('commit', id, '--branch', 'night', '--yes');
    assert.equal(again.code, 3);
    assert.match(again.stderr, /There is such a branch already/);
    const unknown = await run('commit', id, '--worktree', 'run', '--yes');
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /The run has no such work tree/);
  });

  it('is pushed as it was told before, and only where somebody said yes', async () => {
    const asked = await run('pull-request', id);
    assert.equal(asked.code, 2);
    assert.match(asked.stdout, /^Pushes \w+ to the branch night of .*remote\.git, and never over what is there\./);
    assert.match(asked.stdout, /Opens no pull request: gh, the program that opens pull requests, has none for such an address\./);
    assert.equal(git('ls-remote', 'origin'), '');
    for (const more of [[], ['--json']]) {
      const refused = await run('pull-request', id, '--yes', ...more);
      assert.deepEqual([refused.code, refused.stdout], [3, '']);
      assert.match(refused.stderr, /^Nothing was pushed, .* has none for such an address\. --push-only pushes alone\.\n$/);
    }
    assert.equal(git('ls-remote', 'origin'), '', 'no request can be opened, so nothing is pushed');
    const done = await run('pull-request', id, '--yes', '--push-only');
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /\nPushed \w+ to the branch night of .*remote\.git\.\n$/);
    assert.match(git('ls-remote', 'origin'), /refs\/heads\/night$/);
  });

  it('may be pushed where no answer has come, and that is said', async () => {
    const { hostname, port } = new URL(test.server.url);
    const cutting = createServer((request, response) => {
      const { method, url: path } = request;
      const headers = { ...request.headers, host: `${hostname}:${port}` };
      const asked = forward({ hostname, port, method, path, headers }, (answer) => {
        if (/\/result\/pullRequest$/.test(path ?? '')) return void response.destroy();
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(asked);
    });
    await once(cutting.listen(0, '127.0.0.1'), 'listening');
    try {
      const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`;
      const { code, stderr } = await run('pull-request', id, '--yes', '--push-only', '--url', url, '--token', test.server.token ?? '');
      assert.equal(code, 1);
      assert.match(stderr, /^It is not known whether it was done, because the portal at http:.* has not answered: /);
    } finally {
      cutting.close();
    }
  });

  it('is none of a run that is not there', async () => {
    for (const command of ['result', 'commit', 'pull-request']) {
      assert.equal((await run(command)).code, 2);
      const { code, stderr } = await run(command, 'nothing');
      assert.equal(code, 3);
      assert.match(stderr, /The portal has no run “nothing”/);
    }
  });
});
