/** What the user has let in, over a gateway that was killed and that a session owner has started again. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { nullLogger } from '../../../src/base/log.ts';
import type { DaemonRecord } from '../../../src/base/daemon/daemonLock.ts';
import { GatewayDaemon } from '../../../src/extension/bridge/gateway/bundledGateway.ts';
import { eventually } from '../../fakes/eventually.ts';
import { endDaemons } from '../../support/endDaemon.ts';
import { GatewayHome } from '../../support/gatewayProcess.ts';
import { untilGone } from '../../support/processes.ts';
import { RawProvider, TestOwner } from './gatewayHarness.ts';
import { tapTools } from '../../support/tapTools.ts';

const WAIT_MS = 15_000;
const script = join(import.meta.dirname, '../../fixtures/oneTokenProvider.mjs');

describe('a gateway that was killed while an owner lives', function () {
  this.timeout(60_000);
  let home: GatewayHome;
  let daemon: GatewayDaemon;
  let owner: TestOwner;
  const programs: ChildProcess[] = [];
  let said = '';
  const before = new Map<string, string | undefined>();
  beforeEach(() => {
    home = new GatewayHome();
    for (const name of Object.keys(home.env)) before.set(name, process.env[name]);
    Object.assign(process.env, home.env);
    daemon = new GatewayDaemon(join(import.meta.dirname, '../../..'), nullLogger, ['--port', '0', '--idle-seconds', '30']);
    owner = new TestOwner(() => daemon.find());
    said = '';
  });
  afterEach(async () => {
    owner.dispose();
    for (const program of programs.splice(0)) program.kill('SIGKILL');
    await endDaemons(home.lockFile);
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    home.remove();
  });
  const token = () => readFileSync(home.tokenFile, 'utf8');
  const startProgram = (url: string, given = token()) => {
    const program = spawn(process.execPath, [script], { env: { ...process.env, TAP_GATEWAY_URL: url, TAP_PROVIDER_TOKEN: given } });
    programs.push(program);
    program.stdout.on('data', (chunk) => (said += String(chunk)));
  };
  const kill = async ({ pid }: DaemonRecord) => {
    process.kill(pid, 'SIGKILL');
    await untilGone(pid);
    await eventually(() => owner.client.state.kind !== 'connected', 'the loss', WAIT_MS);
  };

  it('lets a program in again that knows the token of its start alone', async () => {
    await owner.connected(WAIT_MS);
    const session = await owner.session('a');
    const first = await daemon.find();
    const given = token();
    startProgram(first.url);
    await owner.tools('a', [...tapTools, 'greet'], WAIT_MS);
    for (let times = 1; times <= 2; times++) {
      await kill(await daemon.find());
      await eventually(() => said.split('bound').length === times + 2, 'the program is bound again', WAIT_MS);
      assert.deepEqual(await session.call('greet', {}), { ok: true, data: 'hello' });
      assert.equal(token(), given, 'the file has it too');
    }
    assert.doesNotMatch(said, /AUTH_FAILED/);
    assert.equal((await daemon.find()).url, first.url);
  });

  it('lets a paired page in again, and not one whose pairing was removed', async () => {
    await owner.connected(WAIT_MS);
    await owner.session('a');
    const { url } = await daemon.find();
    const pages = ['https://kept.example', 'https://removed.example'];
    const open = (origin: string) => RawProvider.open(url, { headers: { Origin: origin } });
    const tokens: string[] = [];
    for (const [at, origin] of pages.entries()) {
      const page = await open(origin);
      page.say({ type: 'auth', mode: 'pair' });
      page.say({ type: 'auth.confirm', code: (await owner.next('pairing/started', (started) => started.origin === origin)).code });
      tokens.push((await page.next('sessions')).token ?? '');
      page.say({ type: 'hello', name: `page ${at}`, protocolVersion: 2, session: 'a', tools: [{ name: `click_${at}` }] });
      await page.next('hello.ack');
    }
    const { pairings } = await owner.client.request('diagnostics', {});
    await owner.client.request('pairing/revoke', { pairing: pairings.find(({ origin }) => origin === pages[1])?.id });
    await kill(await daemon.find());
    await owner.connected(WAIT_MS);
    const again = await Promise.all(pages.map(open));
    for (const [at, page] of again.entries()) page.say({ type: 'auth', token: tokens[at] });
    await again[0]?.next('sessions');
    again[0]?.say({ type: 'hello', name: 'page 0', protocolVersion: 2, session: 'a', tools: [{ name: 'click_0' }] });
    await again[0]?.next('hello.ack');
    assert.equal((await again[1]?.next('error'))?.code, 'AUTH_FAILED');
    for (const page of again) page.dispose();
  });

  it('refuses the token after it has ended without an owner, and the user can let the program in', async () => {
    await owner.connected(WAIT_MS);
    await owner.session('a');
    const { url } = await daemon.find();
    const given = token();
    startProgram(url, given);
    await owner.next('tools/changed', ({ tools }) => tools.length > tapTools.length, WAIT_MS);
    owner.dispose();
    for (const program of programs) program.kill('SIGKILL');
    await daemon.stop();
    owner = new TestOwner(() => daemon.find());
    await owner.connected(WAIT_MS);
    await owner.session('a');
    const next = await daemon.find();
    said = '';
    startProgram(next.url, given);
    await eventually(() => said.includes(home.tokenFile), 'the refusal with the file of the token', WAIT_MS);
    assert.match(said, /AUTH_FAILED: the token is of an earlier gateway/);
    startProgram(next.url, `ptk-${'x'.repeat(43)}`);
    await eventually(() => said.includes('the token is not valid'), 'the refusal of another one', WAIT_MS);
    const { earlierTokens = [] } = await owner.client.request('diagnostics', {});
    assert.deepEqual(
      earlierTokens.map(({ names }) => names),
      [['one-token']],
    );
    const { id = '' } = earlierTokens[0] ?? {};
    assert.deepEqual(await owner.client.request('earlierToken/letIn', { id, name: 'one-token' }), { letIn: true, isFull: false });
    startProgram(next.url, given);
    await eventually(() => said.includes('bound'), 'it is bound', WAIT_MS);
  });

  it('refuses the token on another port', async () => {
    await owner.connected(WAIT_MS);
    const first = await daemon.find();
    const given = token();
    await kill(first);
    const taken = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
    await once(taken, 'listening');
    try {
      const next = await daemon.find();
      assert.notEqual(next.url, first.url);
      await eventually(() => owner.client.state.kind === 'connected' && owner.client.state.url === next.url, 'the new link', WAIT_MS);
      assert.notEqual(token(), given);
      const peer = await RawProvider.open(next.url);
      peer.say({ type: 'auth', token: given });
      assert.equal((await peer.next('error')).code, 'AUTH_FAILED');
    } finally {
      taken.close();
    }
  });
});
