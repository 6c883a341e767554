/** A job that may edit, in the folder in which its own entry lies, with the real Copilot engine and the real process. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { whenLive } from '../../../src/ahp/index.ts';
import { ModelServer, type ReplyPiece } from '../../fixtures/modelServer.ts';
import { startPrintingProcess } from '../../support/printingProcess.ts';
import { childrenOf, untilGone } from '../../support/processes.ts';
import { until } from '../../support/until.ts';
import { V1Client } from '../../support/v1Client.ts';

const script = join(import.meta.dirname, '../../../dist/portal.cjs');
type Json = Record<string, unknown>;

describe('the modules of a portal’s entry', function () {
  this.timeout(60_000);

  it('are asked about like the entry itself, wherever it imports them from, and other files are not', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-modules-')));
    const server = await ModelServer.start();
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const task = { model: { category: 'driving' }, prompt: ['WRITE'], requireUserInput: false, approve: ['edits'] };
    put(
      'jobs/lib/tasks.mjs',
      `import { prompt } from '../../shared/words.mjs'; export const tasks = { write: { ...${JSON.stringify(task)}, prompt } };`,
    );
    put(
      'shared/words.mjs',
      `import { createRequire } from 'node:module'; export const prompt = createRequire(import.meta.url)('../old/words.cjs');`,
    );
    put('old/words.cjs', `module.exports = ['WRITE'];`);
    const jobs = { write: { work: { kind: 'Ref', taskId: 'write' } } };
    const rest = JSON.stringify({ models: { driving: 'scripted' }, promptVariables: {}, jobs, grid: [] });
    const entry = put('jobs/night.mjs', `import { tasks } from './lib/tasks.mjs'; export const entry = { ...${rest}, tasks };`);
    const models = put('models.json', JSON.stringify([{ id: 'scripted', name: 'Scripted', baseUrl: server.baseUrl }]));
    put('src/main.mjs', 'old\n');

    const create = (name: string): ReplyPiece => ({ tool: 'create', args: { path: join(folder, name), file_text: 'x\n' } });
    const edit = (name: string, from: string): ReplyPiece => ({
      tool: 'edit',
      args: { path: join(folder, name), old_str: from, new_str: 'new' },
    });
    const asked = [
      ...['jobs/lib/tasks.mjs', 'shared/words.mjs', 'old/words.cjs', 'jobs/lib/more.mjs', 'jobs/lib/tasks', 'jobs/night.mjs'],
      'models.json',
    ];
    const before = asked.map((name) => existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8'));
    server.reply(
      [edit('src/main.mjs', 'old')],
      [create('src/new.mjs')],
      [create('jobs/notes.md')],
      [edit('jobs/lib/tasks.mjs', 'import')],
      [edit('shared/words.mjs', 'import {')],
      [edit('old/words.cjs', 'module')],
      [create('jobs/lib/more.mjs')],
      [create('jobs/lib/tasks')],
      [edit('jobs/night.mjs', 'import')],
      [edit('models.json', 'Scripted')],
      [{ text: 'Done.' }],
    );
    const args = ['--port', '0', '--agent', 'copilot', '--data', join(folder, 'data'), '--entry', entry, '--models', models];
    const portal = await startPrintingProcess<{ url: string; token: string; host: { url: string; token: string } }>(
      'portal',
      script,
      args,
      {
        TAPLINE_HOME: join(folder, 'home'),
      },
    );
    const user = await V1Client.connect({ url: portal.said.host.url, token: portal.said.host.token });
    try {
      const call = async (path: string, body?: string): Promise<Json> => {
        const headers = { Authorization: `Bearer ${portal.said.token}` };
        const init = { ...(body !== undefined && { method: 'POST', body }), headers };
        return (await (await fetch(`${portal.said.url}/api/${path}`, init)).json()) as Json;
      };
      const { jobId } = await call('copilot/job/start/write', folder);
      const { taskId } = await call(`copilot/job/${String(jobId)}/live`);
      let told: Json = {};
      while (told['callback'] !== 'taskSessionStarted') told = await call(`copilot/task/${String(taskId)}/live`);
      const uri = `copilot:/${String(told['sessionId'])}`;
      const session = user.subscribeSession(uri);
      await whenLive(session);
      const titles: string[] = [];
      for (let count = 1; count <= asked.length; count++) {
        const { turnId, call: waiting } = await until('a call that waits', session.onDidChange, () => {
          const { activeTurn } = session.state ?? {};
          const calls = activeTurn?.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : [])) ?? [];
          const found = calls.find(({ status }) => status === 'pending-confirmation');
          const isNext = found && calls.filter(({ status }) => status === 'cancelled').length === titles.length;
          return activeTurn && isNext ? { turnId: activeTurn.id, call: found } : undefined;
        });
        titles.push(JSON.stringify('confirmationTitle' in waiting && waiting.confirmationTitle));
        const denial = { approved: false, reason: 'denied' } as const;
        const { toolCallId } = waiting;
        await user.dispatch(uri, { type: 'session/toolCallConfirmed', session: uri, turnId, toolCallId, ...denial }).settled;
      }
      for (const [index, name] of asked.entries()) {
        assert.ok(
          titles[index]?.includes(`\`${name}\`? It can make Tapline run programs later, so you are asked each time.`),
          titles[index],
        );
        assert.equal(existsSync(join(folder, name)) && readFileSync(join(folder, name), 'utf8'), before[index], name);
      }
      assert.equal(readFileSync(join(folder, 'src/main.mjs'), 'utf8'), 'new\n');
      for (const name of ['src/new.mjs', 'jobs/notes.md']) assert.ok(existsSync(join(folder, name)), name);
      while ((await call(`copilot/job/${String(jobId)}/live`))['error'] !== 'JobsClosed') continue;
      assert.match(portal.stderr(), /Modules in .*jobs, .*shared, .*old are part of the entry/);
    } finally {
      user.close();
      // The engine writes for a moment after the portal has ended.
      const engine = childrenOf(portal.pid);
      await portal.stop();
      await untilGone(...engine);
      await server.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
  });
});
