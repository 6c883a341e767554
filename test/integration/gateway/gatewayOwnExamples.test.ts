/**
 * Runs the programs in examples/providers/ as a user starts them, against a real gateway. The page is tested in
 * test/webview/gatewayBrowser.test.ts.
 */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayProcess, startGatewayProcess } from '../../support/gatewayProcess.ts';
import { type Program, Programs, WAIT_MS } from '../../support/programs.ts';
import { pythonOrSkip, type Python } from '../../support/python.ts';
import { eventually } from '../../fakes/eventually.ts';
import { TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const root = join(import.meta.dirname, '../../..');

describe('examples/providers', () => {
  let programs: Programs;
  let gateway: GatewayProcess;
  let owner: TestOwner;
  const startGateway = async () => {
    gateway = await startGatewayProcess(programs.home);
    owner = await TestOwner.of(gateway);
  };
  beforeEach(async () => {
    assert.ok(existsSync(join(root, 'dist/lib/provider.js')), 'dist/lib is missing: run `npm run build` first');
    programs = new Programs();
    await startGateway();
  });
  afterEach(async () => {
    owner.dispose();
    await programs.stop();
    await gateway.stop();
    programs.home.remove();
  });

  for (const { file, prefix } of [
    { file: 'node.mjs', prefix: 'example' },
    { file: 'python.py', prefix: 'python' },
  ]) {
    describe(file, () => {
      const all = (...more: string[]) => [...tapTools, ...['greet', 'count', ...more].map((name) => `${prefix}_${name}`)];
      let python: Python | undefined;
      before(function () {
        if (file.endsWith('.py')) python = pythonOrSkip(this);
      });
      const start = (env: Record<string, string> = {}): Program => {
        copyFileSync(join(root, 'examples/providers', file), join(programs.folder, file));
        return programs.start(file, gateway, { TAP_PROVIDER_TOKEN: '', TAP_GATEWAY_URL: '', ...env }, python);
      };

      it('finds the gateway and its token by itself, answers, counts with progress, and can be cancelled', async () => {
        const session = await owner.session('a');
        start();
        await owner.tools('a', all(), WAIT_MS);
        assert.deepEqual(await session.call(`${prefix}_greet`, { name: 'Alice' }), { ok: true, data: 'Hello, Alice!' });
        const count = session.call(`${prefix}_count`, { to: 2 });
        assert.deepEqual(await session.call(`${prefix}_greet`, { name: 'Bob' }), { ok: true, data: 'Hello, Bob!' }); // both at once
        assert.deepEqual(await count, { ok: true, data: { counted: 2 } });
        const name = 'x'.repeat(1_500_000); // nearly the longest message
        assert.deepEqual(await session.call(`${prefix}_greet`, { name }), { ok: true, data: `Hello, ${name}!` });
        assert.equal((await owner.next('tool/progress', ({ message }) => message.startsWith('2'))).message, '2 of 2');

        const controller = new AbortController();
        const endless = session.call(`${prefix}_count`, { to: 100 }, controller.signal);
        await owner.next('tool/progress', ({ message }) => message === '1 of 100');
        controller.abort('enough');
        const cancelled = await endless;
        assert.ok(!cancelled.ok && cancelled.errorCode === 'CANCELLED');
        // It has stopped, says so, and can say how far it came.
        assert.match((await owner.next('push/surfaced')).event, /^stopped at \d+ of 100$/);
        await owner.tools('a', all('last_stop'), WAIT_MS);
        const stop = await session.call(`${prefix}_last_stop`, {});
        assert.ok(stop.ok && 'data' in stop && Number(stop.data) >= 1 && Number(stop.data) < 100, JSON.stringify(stop));
      });

      it('lends its tools to every session, also to one that begins later, and prints to which', async () => {
        await owner.session('a');
        const program = start();
        await owner.tools('a', all(), WAIT_MS);
        const second = await owner.session('b');
        await owner.tools('b', all(), WAIT_MS);
        assert.deepEqual(await second.call(`${prefix}_greet`, { name: 'Ada' }), { ok: true, data: 'Hello, Ada!' });
        await eventually(() => program.output.includes('lends its tools to “label of b”'), 'what it prints', WAIT_MS);
        assert.match(program.output, new RegExp(`lends ${prefix}_greet, ${prefix}_count to all sessions`));
        const controller = new AbortController();
        const endless = second.call(`${prefix}_count`, { to: 100 }, controller.signal);
        await owner.next('tool/progress', ({ message }) => message === '1 of 100');
        controller.abort('enough');
        await endless;
        assert.equal((await owner.next('push/surfaced')).sessionId, 'b', 'it tells the session of the call alone');
        assert.deepEqual((await owner.client.request('diagnostics', {})).lastErrors, []);
      });

      it('reconnects when the gateway was killed, and when it was started again with another token', async function () {
        this.timeout(60_000);
        await owner.session('a');
        const { token } = gateway;
        start({ TAP_PROVIDER_TOKEN: token });
        await owner.tools('a', all(), WAIT_MS);
        for (const [signal, sessionId] of [
          ['SIGKILL', 'b'],
          ['SIGTERM', 'c'],
        ] as const) {
          owner.dispose();
          await gateway.stop(signal);
          await startGateway(); // on another port: the lock file says where
          await owner.session(sessionId);
          await owner.tools(sessionId, all(), WAIT_MS);
        }
        assert.notEqual(gateway.token, token);
      });

      it('goes through a shutdown, takes the next session, and leaves when it is stopped', async () => {
        const session = await owner.session('a');
        const program = start();
        await owner.tools('a', all(), WAIT_MS);
        await session.end(60_000); // longer than this test may take: it is ready by itself
        await owner.session('b');
        await owner.tools('b', all(), WAIT_MS);
        assert.deepEqual((await owner.client.request('diagnostics', {})).lastErrors, []);
        program.child.kill('SIGINT');
        assert.equal(await program.ended(), 0, program.output);
        await owner.tools('b', tapTools, WAIT_MS);
      });
    });
  }
});
