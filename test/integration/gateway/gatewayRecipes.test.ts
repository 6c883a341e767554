/**
 * Runs the programs in examples/providers/recipes/ as a user starts them, against a real gateway and a stand-in of the service. The page is tested
 * in test/webview/gatewayBrowser.test.ts.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../fakes/eventually.ts';
import { GithubStandIn, type WorkflowRun } from '../../fakes/githubStandIn.ts';
import { type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type Program, Programs, WAIT_MS } from '../../support/programs.ts';
import { tapTools } from '../../support/tapTools.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import type { OwnerEvents } from '../../../src/tap/wire/owner/ownerMessages.ts';
import { TestOwner } from './gatewayHarness.ts';

const root = join(import.meta.dirname, '../../..');

describe('examples/providers/recipes', () => {
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  beforeEach(async () => {
    assert.ok(existsSync(join(root, 'dist/lib/provider.js')), 'dist/lib is missing: run `npm run build` first');
    programs = new Programs();
    gateway = await startGatewayProcess(programs.home);
    owner = await TestOwner.of(gateway);
  });
  afterEach(async () => {
    owner.dispose();
    await programs.stop();
    await gateway.stop();
    programs.home.remove();
  });

  const start = (file: string, args: string[], env: Record<string, string> = {}): Program => {
    copyFileSync(join(root, 'examples/providers/recipes', file), join(programs.folder, file));
    return programs.start(file, gateway, env, undefined, args);
  };
  /** What a call that succeeds answers. */
  const asked = async (session: OwnedSession, tool: string, args: object): Promise<unknown> => {
    const outcome = await session.call(tool, { ...args });
    assert.ok(outcome.ok && 'data' in outcome, JSON.stringify(outcome));
    return outcome.data;
  };
  /** Why a call fails. */
  const refused = async (session: OwnedSession, tool: string, args: object): Promise<string> => {
    const outcome = await session.call(tool, { ...args });
    assert.ok(!outcome.ok, JSON.stringify(outcome));
    return outcome.error;
  };
  const surfaced = (pattern: RegExp) => owner.next('push/surfaced', ({ event }) => pattern.test(event), WAIT_MS);
  const hintsOf = () =>
    Object.fromEntries(owner.last('tools/changed').tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint === true]));

  describe('with GitHub', () => {
    let github: GithubStandIn;
    beforeEach(async () => {
      github = new GithubStandIn();
      await github.start();
    });
    afterEach(() => github.stop());

    describe('github.mjs', () => {
      const tools = [...tapTools, 'github_list', 'github_read', 'github_comment'];
      const begin = async () => {
        const session = await owner.session('a');
        const program = start('github.mjs', [github.repository], github.env);
        await owner.tools('a', tools, WAIT_MS);
        return { session, program };
      };
      /** Of both kinds of comments the program knows the newest one. */
      const watches = () =>
        eventually(
          () => ['issues', 'pulls'].every((kind) => github.asked.some((one) => one.includes(`/${kind}/comments?`) && one.includes('asc'))),
          'that it watches the comments',
          WAIT_MS,
        );

      it('lists issues and pull requests over several pages, and not more than is asked for', async () => {
        for (const title of ['one', 'two', 'three', 'four', 'five']) github.addIssue(title);
        github.addIssue('six', { pull_request: {} });
        github.addIssue('seven', { state: 'closed', labels: [{ name: 'bug' }, { name: 'old' }] });
        const { session } = await begin();
        const numbers = async (args: object) =>
          ((await asked(session, 'github_list', { what: 'issues', ...args })) as { number: number }[]).map(({ number }) => number);
        assert.deepEqual(await numbers({}), [5, 4, 3, 2, 1]);
        assert.deepEqual(await numbers({ what: 'pull requests' }), [6]);
        assert.deepEqual(await numbers({ state: 'all', labels: ['bug', 'old'] }), [7]);
        github.asked.length = 0;
        assert.deepEqual(await numbers({ limit: 1 }), [5]);
        assert.equal(github.asked.filter((one) => one.includes('/issues?')).length, 1, 'it asks for no page that it does not need');
        assert.match(await refused(session, 'github_list', { what: 'wikis' }), /arguments/);
      });

      it('reads an issue with its newest comments, and of a pull request also its files and remarks', async () => {
        github.pageSize = 20;
        github.addIssue('one', { body: 'x'.repeat(5000), labels: [{ name: 'bug' }] });
        github.addIssue('two', { pull_request: {}, body: null });
        for (let index = 1; index <= 60; index++) github.comment(1, `comment ${index}`);
        github.comment(2, 'looks good');
        github.remark(2, 'why?', 'engine.ts', 7);
        const { session } = await begin();
        const issue = (await asked(session, 'github_read', { number: 1 })) as Record<string, unknown> & { comments: { text: string }[] };
        assert.equal(issue.title, 'one');
        assert.deepEqual(issue.labels, ['bug']);
        assert.match(String(issue.text), /^x{4000} … \(1000 more\)$/);
        assert.equal(issue.comments.length, 50);
        assert.equal(issue.comments.at(-1)?.text, 'comment 60');
        assert.equal(issue.earlierComments, 10);
        assert.equal('files' in issue, false);
        const pull = (await asked(session, 'github_read', { number: 2 })) as Record<string, unknown>;
        assert.deepEqual([pull.base, pull.head, pull.merged], ['main', 'steam', false]);
        assert.deepEqual(pull.files, [{ filename: 'engine.ts', status: 'modified', additions: 3, deletions: 1 }]);
        const [remark] = (pull.onLines as { comments: Record<string, unknown>[] }).comments;
        assert.deepEqual([remark?.text, remark?.file, remark?.line], ['why?', 'engine.ts', 7]);
        assert.match(await refused(session, 'github_read', { number: 3 }), /404.*Not Found/);
      });

      it('comments, which its hints do not call reading, and tells the comments of others as they come', async () => {
        github.addIssue('one');
        github.addIssue('two', { pull_request: {} });
        github.comment(1, 'was there before');
        const { session } = await begin();
        assert.deepEqual(
          ['github_list', 'github_read', 'github_comment'].map((name) => hintsOf()[name]),
          [true, true, false],
        );
        await watches();
        const { commented } = (await asked(session, 'github_comment', { number: 1, body: 'I look into it' })) as { commented: string };
        const [, own] = github.comments;
        assert.deepEqual([own?.body, own?.html_url], ['I look into it', commented]);
        for (const text of ['thanks', 'and this?', 'and that?']) github.comment(1, text);
        github.remark(2, 'why?', 'engine.ts', 7);
        await surfaced(/^#1: grace has commented: and that\?$/);
        await surfaced(/^#2: grace has commented: why\?$/);
        const told = owner.events
          .filter(({ event }) => event === 'push/surfaced')
          .map(({ params }) => (params as OwnerEvents['push/surfaced']).event);
        assert.deepEqual(
          told.filter((event) => event.startsWith('#1')),
          ['#1: grace has commented: thanks', '#1: grace has commented: and this?', '#1: grace has commented: and that?'],
        );
        assert.equal(told.length, 4, 'each once, neither its own nor those from before');
      });

      it('says until when GitHub takes no more requests, and leaves it alone until then', async () => {
        github.addIssue('one');
        const { session, program } = await begin();
        await watches();
        github.resetAt = Math.ceil(Date.now() / 1000) + 3600;
        const until = new Date(github.resetAt * 1000).toISOString();
        await eventually(
          () => program.output.includes(`new comments are not seen: GitHub takes no more requests until ${until}`),
          'it says so',
          WAIT_MS,
        );
        github.asked.length = 0;
        for (let time = 0; time < 3; time++)
          assert.match(await refused(session, 'github_list', { what: 'issues' }), new RegExp(`until ${until}`));
        assert.deepEqual(github.asked, []);
      });

      it('goes on when the time has passed that GitHub has asked for', async () => {
        github.addIssue('one');
        const { session } = await begin();
        await watches();
        github.retryAfter = 1;
        assert.match(await refused(session, 'github_read', { number: 1 }), /takes no more requests until/);
        github.retryAfter = undefined;
        await eventually(async () => (await session.call('github_read', { number: 1 })).ok, 'an answer', WAIT_MS);
        github.comment(1, 'still here?');
        await surfaced(/still here\?/);
      });

      it('sends its token to no other server', async () => {
        for (const title of ['one', 'two', 'three']) github.addIssue(title);
        const other = new GithubStandIn();
        await other.start();
        try {
          github.linkOrigin = other.url;
          const { session } = await begin();
          assert.equal(((await asked(session, 'github_list', { what: 'issues' })) as unknown[]).length, 2);
          assert.deepEqual(other.asked, []);
        } finally {
          await other.stop();
        }
      });

      it('says what it needs, and ends when it is stopped', async () => {
        const without = start('github.mjs', [github.repository], { ...github.env, GITHUB_TOKEN: '' });
        assert.equal(await without.ended(), 2);
        assert.match(without.output, /Usage: GITHUB_TOKEN=… node github.mjs OWNER\/REPOSITORY/);
        const { program } = await begin();
        program.child.kill('SIGINT');
        assert.equal(await program.ended(), 0, program.output);
        await owner.tools('a', tapTools, WAIT_MS);
      });
    });

    describe('ciReview.mjs', () => {
      const tools = [...tapTools, 'ci_runs', 'ci_jobs', 'ci_job_log'];
      let ids: number;
      beforeEach(() => (ids = 0));
      const begin = async () => {
        const session = owner.client.addSession({ sessionId: 'a', label: 'here', cwd: process.cwd() });
        const program = start('ciReview.mjs', [github.repository, 'main'], github.env);
        await owner.tools('a', tools, WAIT_MS);
        const seen = () => github.asked.filter((one) => one.includes('/actions/runs?')).length;
        await eventually(() => seen() > 1, 'that it watches the runs', WAIT_MS);
        return { session, program };
      };
      const addRun = (conclusion: string | null, more: Partial<WorkflowRun> = {}): WorkflowRun => {
        const id = ++ids;
        const about = {
          id,
          workflow_id: 1,
          name: 'Test',
          run_number: id,
          run_attempt: 1,
          head_branch: 'main',
          head_sha: 'abcdef0123456789',
          head_repository: { full_name: github.repository },
        };
        const status = conclusion === null ? ('in_progress' as const) : ('completed' as const);
        const run = { ...about, status, conclusion, html_url: `https://github.example/runs/${id}`, ...more };
        github.runs.push(run);
        return run;
      };
      const addJob = (run: number, conclusion: string, log?: string): number => {
        const id = 1001 + github.jobs.length;
        const steps = ['Set up job', 'npm test'].map((name, at) => ({ name, conclusion: at === 1 ? conclusion : 'success' }));
        github.jobs.push({ id, run_id: run, name: `unit ${run}`, status: 'completed', conclusion, steps });
        if (log !== undefined) github.logs.set(id, log);
        return id;
      };
      const stamped = (...lines: string[]) => lines.map((line) => `2026-01-01T00:00:00.0000000Z ${line}\n`).join('');
      const injected = async () => (await owner.next('push/inject', undefined, WAIT_MS)).text;

      it('begins a turn with the end of the log of a run that fails, and tells when it passes again', async () => {
        const before = addRun('failure');
        addJob(before.id, 'failure', 'an old failure');
        const { session } = await begin();
        const run = addRun(null);
        addJob(run.id, 'success');
        const noise = Array.from({ length: 1000 }, (_, at) => `ok ${at}`);
        addJob(
          run.id,
          'failure',
          stamped(
            ...noise,
            '\u001b[31m1 failing\u001b[0m',
            'boiler.test.ts: too hot',
            '##[error]Process completed with exit code 1.',
            'Cleaning up',
          ),
        );
        Object.assign(run, { status: 'completed', conclusion: 'failure' });
        const text = await injected();
        assert.match(
          text,
          /^CI has failed: Test, run 2, on main at abcdef0123\.\n\nJob “unit 2” \(1003\), failed at: npm test\. The end of its log:\n\nok /,
        );
        assert.match(text, /\nok 999\n1 failing\nboiler\.test\.ts: too hot\n##\[error\]Process completed with exit code 1\.\n\nA log is/);
        assert.doesNotMatch(text, /old failure|Cleaning up|ok 900/);
        assert.deepEqual(github.seenByLogs, [undefined], 'the token goes to GitHub alone');

        // The agent has answered. The run is started again and passes: nothing that begins a turn.
        await session.update({ idle: false });
        await session.update({ idle: true });
        owner.events.length = 0;
        Object.assign(run, { run_attempt: 2, conclusion: 'success' });
        await surfaced(/^Test passes again on main$/);
        assert.ok(!owner.events.some(({ event }) => event === 'push/inject'));
        Object.assign(run, { run_attempt: 3, conclusion: 'failure' });
        assert.match(await injected(), /^CI has failed: Test, run 2/);
      });

      it('tells of a failure without a log, and of many jobs the first', async () => {
        await begin();
        const ofFork = addRun('failure', { head_repository: { full_name: 'stranger/engine' } });
        addJob(ofFork.id, 'failure', stamped('do as I say', '##[error]x'));
        const run = addRun(null);
        for (let job = 0; job < 5; job++) addJob(run.id, 'failure');
        Object.assign(run, { status: 'completed', conclusion: 'failure' });
        const text = await injected();
        assert.equal(text.match(/There is no log: GitHub answers 404/g)?.length, 3);
        assert.match(text, /2 more jobs have failed: ci_jobs lists them\./);
        assert.ok(!github.asked.some((one) => one.includes(`/runs/${ofFork.id}/`)), 'a fork has a branch of that name too');
      });

      it('gives runs, jobs, and lines of a log of any length', async () => {
        const run = addRun('failure');
        addRun('success', { head_branch: 'other' });
        const line = 'a line that is not important at all\n';
        const job = addJob(
          run.id,
          'failure',
          `${line.repeat(200_000)}first mistake\n${'x'.repeat(9000)}\n##[error]last mistake\nPost job\n`,
        );
        const { session } = await begin();
        const runs = (await asked(session, 'ci_runs', {})) as Record<string, unknown>[];
        assert.deepEqual(
          runs.map(({ id, name, status, conclusion, commit }) => [id, name, status, conclusion, commit]),
          [[run.id, 'Test', 'completed', 'failure', 'abcdef0123']],
        );
        assert.deepEqual(await asked(session, 'ci_jobs', { run: run.id }), [
          { id: job, name: 'unit 1', status: 'completed', conclusion: 'failure', failed: ['npm test'] },
        ]);
        assert.equal(await asked(session, 'ci_job_log', { job, lines: 1 }), '##[error]last mistake');
        assert.equal(await asked(session, 'ci_job_log', { job, contains: 'mistake' }), 'first mistake\n##[error]last mistake');
        const all = String(await asked(session, 'ci_job_log', { job, lines: 1000 }));
        assert.ok(all.length < 50_000, `${all.length} characters`);
        assert.match(all, /\nx{500}\n##/);
        assert.match(await refused(session, 'ci_job_log', { job: 1 }), /404/);
      });

      it('lends its tools to the session that works in its folder', async () => {
        await owner.session('elsewhere');
        await begin();
        const { tools: there } = await owner.next('tools/changed', ({ sessionId }) => sessionId === 'elsewhere');
        assert.deepEqual(
          there.map(({ name }) => name),
          tapTools,
        );
      });
    });
  });

  describe('sarifTriage.mjs', () => {
    const tools = [...tapTools, 'sarif_findings', 'sarif_finding', 'sarif_mark_false_positive'];
    let folder: string;
    let sarif: string;
    beforeEach(() => {
      folder = join(realpathSync(programs.home.folder), 'project');
      sarif = join(folder, 'results.sarif');
      mkdirSync(join(folder, 'src'), { recursive: true });
      writeFileSync(join(folder, 'src/a.js'), Array.from({ length: 20 }, (_, at) => `line ${at + 1};`).join('\n'));
      writeFileSync(join(programs.home.folder, 'secret.js'), 'secret');
      symlinkSync(join(programs.home.folder, 'secret.js'), join(folder, 'src/link.js'));
    });
    const finding = (ruleId: string, uri: string, line: number, more: object = {}) => {
      const physicalLocation = { artifactLocation: { uri, uriBaseId: '%SRCROOT%' }, region: { startLine: line } };
      return { ruleId, message: { text: `${ruleId} at ${line}` }, locations: [{ physicalLocation }], ...more };
    };
    const rules = [
      { id: 'eval', defaultConfiguration: { level: 'error' }, fullDescription: { text: 'Runs any text as a program' } },
      { id: 'todo', defaultConfiguration: { level: 'note' } },
    ];
    const write = (results: object[]) =>
      writeFileSync(sarif, JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'scan', rules } }, results }] }));
    const four = () => [
      finding('todo', 'src/a.js', 2),
      finding('eval', 'src/a.js', 10),
      finding('other', 'src/b.js', 1),
      finding('eval', 'src/link.js', 1),
      finding('eval', 'src/a.js', 3, { kind: 'pass' }),
      finding('eval', 'src/a.js', 4, { suppressions: [{ kind: 'inSource' }] }),
    ];
    const begin = async (sessionId = 'a') => {
      const session = await owner.session(sessionId);
      const program = start('sarifTriage.mjs', [folder]);
      await owner.tools(sessionId, tools, WAIT_MS);
      return { session, program };
    };
    interface Listed {
      found: number;
      byRule: Record<string, number>;
      shown: { id: string; rule: string; path: string }[];
    }
    const list = async (session: OwnedSession, args: object = {}) => (await asked(session, 'sarif_findings', args)) as Listed;

    it('lists findings by rule, level and file, the worst first', async () => {
      write(four());
      const { session } = await begin();
      const all = await list(session);
      assert.deepEqual([all.found, all.byRule], [4, { eval: 2, other: 1, todo: 1 }]);
      assert.deepEqual(
        all.shown.map(({ rule, path }) => `${rule} ${path}`),
        ['eval src/a.js', 'eval src/link.js', 'other src/b.js', 'todo src/a.js'],
      );
      for (const [args, count] of [
        [{ rule: 'eval' }, 2],
        [{ level: 'note' }, 1],
        [{ file: 'a.js' }, 2],
        [{ rule: 'eval', file: 'b.js' }, 0],
      ] as const)
        assert.equal((await list(session, args)).found, count, JSON.stringify(args));
      assert.equal((await list(session, { limit: 1 })).shown.length, 1);
      assert.deepEqual([hintsOf().sarif_findings, hintsOf().sarif_mark_false_positive], [true, false]);
    });

    it('shows a finding with its code, of files in the folder alone', async () => {
      write([...four(), finding('eval', '../secret.js', 1)]);
      const { session } = await begin();
      const { shown } = await list(session);
      const one = (await asked(session, 'sarif_finding', { id: shown[0]?.id })) as Record<string, unknown>;
      assert.deepEqual([one.rule, one.level, one.line, one.help], ['eval', 'error', 10, 'Runs any text as a program']);
      assert.match(String(one.code), /^ {2}5 line 5;\n(?:.*\n){4}> 10 line 10;\n(?:.*\n){4} {2}15 line 15;$/);
      for (const path of ['src/link.js', '../secret.js'])
        assert.match(await refused(session, 'sarif_finding', { id: shown.find((each) => each.path === path)?.id }), /is not in the folder/);
      assert.match(await refused(session, 'sarif_finding', { id: 'nothing' }), /has no finding nothing/);
    });

    it('keeps what is marked in a file beside it, which it does not write over when it cannot read it', async () => {
      write(four());
      const { session, program } = await begin();
      const [first, second] = (await list(session)).shown.map(({ id }) => id);
      const reason = 'the text is a constant of ours';
      const elsewhere = join(folder, 'elsewhere.txt');
      writeFileSync(elsewhere, 'as it was');
      symlinkSync(elsewhere, `${sarif}.triage.json.new`);
      assert.deepEqual(await asked(session, 'sarif_mark_false_positive', { id: first, reason }), { marked: first, open: 3 });
      await asked(session, 'sarif_mark_false_positive', { id: second, reason });
      assert.match(await refused(session, 'sarif_mark_false_positive', { id: 'nothing', reason }), /has no finding/);
      const kept = JSON.parse(readFileSync(`${sarif}.triage.json`, 'utf8'));
      assert.deepEqual(Object.keys(kept), [first, second]);
      assert.equal(readFileSync(elsewhere, 'utf8'), 'as it was', 'no link is followed');
      assert.deepEqual([kept[first ?? ''].rule, kept[first ?? ''].reason], ['eval', reason]);
      program.child.kill('SIGTERM');
      assert.equal(await program.ended(), 0, program.output);

      const again = (await begin('b')).session;
      assert.equal((await list(again)).found, 2);
      assert.deepEqual(
        (await list(again, { marked: true })).shown.map(({ id }) => id),
        [first, second],
      );
      writeFileSync(`${sarif}.triage.json`, '{ half');
      assert.match(await refused(again, 'sarif_mark_false_positive', { id: second, reason }), /cannot be read, and is left as it is/);
      assert.equal(readFileSync(`${sarif}.triage.json`, 'utf8'), '{ half');
    });

    it('reads the file again when it changes, also when it was not there or half of it', async () => {
      const { session, program } = await begin();
      assert.equal((await list(session)).found, 0);
      write(four());
      await surfaced(/^results\.sarif: 4 new, 0 gone, 4 of 4 findings are open$/);
      writeFileSync(sarif, '{"version": "2.1.0", "runs": [');
      await eventually(() => /Unexpected end of JSON|Expected/.test(program.output), 'that it has seen the half', WAIT_MS);
      assert.equal((await list(session)).found, 4);
      write(four().slice(1, 3));
      await surfaced(/^results\.sarif: 0 new, 2 gone, 2 of 2 findings are open$/);
      assert.equal((await list(session)).found, 2);
    });
  });
});
