/** `tapline/ahp` as somebody else uses it: the built package, plain Node, no VS Code. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type HostProcess, startHostProcess } from '../support/hostProcess.ts';

const root = join(import.meta.dirname, '../..');

const PROGRAM = `
import { AgentHostClient, reduceAll, sessionReducer } from 'tapline/ahp';
const [url, token, workingDirectory] = process.argv.slice(2);
const client = await AgentHostClient.connect({ url, token, clientId: 'library-test' });
const session = 'demo:/library';
await client.request('createSession', { session, provider: 'demo', workingDirectory });
const subscription = client.subscribe(session);
const done = new Promise((resolve) => subscription.onDidChange(() => subscription.confirmed?.turns.length && resolve()));
client.dispatch(session, { type: 'session/turnStarted', session, turnId: 't1', userMessage: { text: 'help' } });
await done;
const own = reduceAll(sessionReducer, subscription.confirmed, [{ type: 'session/titleChanged', session, title: 'mine' }], 1);
console.log(JSON.stringify({ state: client.state.kind, turn: subscription.confirmed.turns[0].state, title: own.summary.title, listed: (await client.listSessions()).length }));
subscription.dispose();
client.close();
`;

const TYPED = `
import { AgentHostClient, type ConnectionState, type SessionState, sessionReducer } from 'tapline/ahp';
export async function use(url: string): Promise<ConnectionState> {
  const client = await AgentHostClient.connect({ url, token: 'x' });
  const subscription = client.subscribeSession('demo:/1');
  const state: SessionState | undefined = subscription.state;
  if (state) sessionReducer(state, { type: 'session/titleChanged', session: 'demo:/1', title: 'x' }, 0);
  const { items } = await client.request('listSessions', {});
  // @ts-expect-error a command that does not exist
  await client.request('noSuchCommand', {});
  return items.length ? client.state : { kind: 'closed' };
}
`;

describe('library tapline/ahp', () => {
  let folder: string;
  let host: HostProcess;

  before(async () => {
    assert.ok(existsSync(join(root, 'dist/lib/ahp.js')), 'dist/lib is missing: run `npm run build` first');
    folder = mkdtempSync(join(tmpdir(), 'tapline-library-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/tapline'), 'dir');
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    host = await startHostProcess();
  });
  after(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  it('drives a session from a plain Node program', async () => {
    writeFileSync(join(folder, 'program.js'), PROGRAM);
    const { stdout } = await promisify(execFile)(process.execPath, ['program.js', host.url, host.token, `file://${folder}`], {
      cwd: folder,
    });
    assert.deepEqual(JSON.parse(stdout), { state: 'connected', turn: 'complete', title: 'mine', listed: 1 });
  });

  it('has types that a strict program compiles against', async () => {
    writeFileSync(join(folder, 'typed.ts'), TYPED);
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false', '--types', 'node'];
    const typeRoots = ['--typeRoots', join(root, 'node_modules/@types')];
    await promisify(execFile)(process.execPath, [tsc, ...options, ...typeRoots, 'typed.ts'], { cwd: folder }).catch(
      (error: { stdout: string }) => assert.fail(error.stdout),
    );
  });
});
