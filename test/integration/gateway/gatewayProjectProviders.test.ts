import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment, MAX_STARTS } from '../../../src/gateway/projectProviders/projectProvider.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Session } from '../../../src/gateway/sessions/session.ts';
import type { OwnedSession } from '../../../src/tap/owner/ownerClient.ts';
import type { OwnerEvents } from '../../../src/tap/wire/owner/ownerMessages.ts';
import type { ProjectProviderConfig } from '../../../src/tap/wire/projectProviders.ts';
import { eventually } from '../../fakes/eventually.ts';
import { FakeClock } from '../../fakes/fakeClock.ts';
import { isAlive, processesWith, untilGone } from '../../support/processes.ts';
import { TestGateway, type TestOwner } from './gatewayHarness.ts';

const script = join(import.meta.dirname, '../../fixtures/projectProvider.mjs');
const WAIT_MS = 15_000;
const config = (args: string[] = [], more: Partial<ProjectProviderConfig> = {}): ProjectProviderConfig => ({
  name: 'ci',
  command: process.execPath,
  args: [script, ...args],
  env: {},
  ...more,
});

describe('project providers', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-project-')))));
  afterEach(async () => {
    await test.stop();
    rmSync(folder, { recursive: true });
  });
  const start = async (options?: Parameters<TestGateway['start']>[0]) => {
    test = new TestGateway();
    await test.start(options);
    owner = await test.owner();
    return owner.session('a');
  };
  const state = (wanted: OwnerEvents['provider/state']['state'], name = 'ci') =>
    owner.next('provider/state', (params) => params.state === wanted && params.name === name, WAIT_MS);
  const printed = () =>
    owner.events.flatMap(({ event, params }) =>
      event === 'provider/output' ? params.lines.map((line) => `${params.stream}: ${line}`) : [],
    );
  const tokenOf = async (session: OwnedSession) => {
    const outcome = await session.call('where', { token: true });
    assert.ok(outcome.ok && 'data' in outcome && /^ptk-/.test(String(outcome.data)));
    return String(outcome.data);
  };
  const line = async (pattern: RegExp) => {
    await owner.next('provider/output', ({ lines }) => lines.some((text) => pattern.test(text)), WAIT_MS);
    return printed().find((text) => pattern.test(text)) as string;
  };

  it('run in their folder with a token of their own, offer their tools to the session, and end with it', async () => {
    const session = await start();
    mkdirSync(join(folder, 'tools'));
    await session.startProviders(folder, [config(['serve', 'ci', 'more words'], { cwd: 'tools', env: { GIVEN: 'yes' } })]);
    const { pid = 0 } = await state('running');
    await owner.tools('a', ['where'], WAIT_MS);
    assert.deepEqual(await session.call('where', {}), { ok: true, data: pid });
    assert.deepEqual(JSON.parse((await line(/"cwd"/)).slice('stdout: '.length)), {
      cwd: join(folder, 'tools'),
      given: 'yes',
      argv: ['serve', 'ci', 'more words'],
    });
    assert.equal(await line(/my token is/), 'stderr: my token is …');
    const token = await tokenOf(session);
    assert.ok(!JSON.stringify([owner.events, await owner.client.request('diagnostics', {})]).includes(token));
    assert.deepEqual(processesWith(token), []);
    assert.ok(processesWith(script).includes(pid));
    const { projectProviders } = await owner.client.request('diagnostics', {});
    assert.deepEqual(projectProviders, [{ sessionId: 'a', name: 'ci', state: 'running', pid }]);
    await session.end();
    await untilGone(pid);
    await line(/cleaning up/);
    await line(/asked to end/);
    assert.ok(printed().indexOf('stdout: cleaning up') < printed().indexOf('stdout: asked to end'));
  });

  it('cannot use another name or another session', async () => {
    const session = await start();
    await session.startProviders(folder, [config(['serve', 'somebody']), config(['serve', 'fine'], { name: 'fine' })]);
    assert.match(await line(/error UN/), /error UNAUTHORIZED: this token is for the provider "ci"/);
    await owner.tools('a', ['where'], WAIT_MS);
    const { providers } = await owner.client.request('diagnostics', {});
    assert.deepEqual(
      providers.map(({ name, sessions, trust }) => [name, sessions, trust]),
      [['fine', ['a'], 'project']],
    );
  });

  it('go on over a call that outlives the connection of their owner, and end where it does not start them again', async () => {
    test = new TestGateway();
    await test.start({ ownerGraceMs: 1_000 });
    const key = 'k'.repeat(43);
    owner = await test.owner(key);
    const before = await owner.session('a');
    await before.startProviders(folder, [config(), config(['serve', 'other'], { name: 'other' })]);
    const { pid } = await state('running');
    const other = (await state('running', 'other')).pid ?? 0;
    await owner.tools('a', ['where'], WAIT_MS).catch(() => undefined);
    await before.call('where', {}, undefined, undefined, undefined, 'kept');
    owner.dispose();
    owner = await test.owner(key);
    const after = await owner.session('a');
    await after.startProviders(folder, [config()]);
    assert.equal((await state('running')).pid, pid, 'the same process');
    await state('stopped', 'other');
    assert.deepEqual([isAlive(pid ?? 0), isAlive(other)], [true, false]);
  });

  it('are waited for with one timer, however often their owner comes back', async () => {
    const ownerGraceMs = 4_000_000;
    const waiting = new Set<object>();
    const setTimer: Clock['setTimer'] = (callback, delayMs) => {
      const timer = systemClock.setTimer(callback, delayMs);
      if (delayMs !== ownerGraceMs) return timer;
      const counted = { dispose: () => (waiting.delete(counted), timer.dispose()) };
      waiting.add(counted);
      return counted;
    };
    test = new TestGateway();
    await test.start({ ownerGraceMs, clock: { ...systemClock, setTimer } });
    const key = 'k'.repeat(43);
    owner = await test.owner(key);
    let session = await owner.session('a');
    await session.startProviders(folder, [config()]);
    await owner.tools('a', ['where'], WAIT_MS);
    await session.call('where', {}, undefined, undefined, undefined, 'kept');
    for (let round = 0; round < 3; round++) {
      owner.dispose();
      owner = await test.owner(key);
      session = await owner.session('a');
      assert.equal(waiting.size, 1);
    }
    await session.end();
    assert.equal(waiting.size, 0);
  });

  it('lose their connections and their token when they are stopped', async () => {
    const session = await start();
    await session.startProviders(folder, [config()]);
    const { pid = 0 } = await state('running');
    await owner.tools('a', ['where'], WAIT_MS);
    const token = await tokenOf(session);
    const thief = await test.authenticated(token);
    thief.say({ type: 'hello', name: 'ci', instance: 'two', protocolVersion: 2 });
    const { reconnectToken } = await thief.next('hello.ack');
    await session.stopProviders(['ci']);
    assert.ok(!isAlive(pid));
    assert.equal(await thief.closed(), 1001);
    for (const auth of [{ token }, { reconnectToken, name: 'ci', instance: 'two' }]) {
      const again = await test.peer();
      again.say({ type: 'auth', ...auth });
      assert.equal((await again.next('error')).code, 'AUTH_FAILED');
    }
    await state('stopped');
    await session.startProviders(folder, [config()]);
    await owner.next('provider/state', (params) => params.state === 'running' && params.pid !== pid, WAIT_MS);
  });

  it('are started again with growing pauses, then given up; after that they can be started again', async () => {
    const clock = new FakeClock();
    const session = await start({ clock });
    await session.startProviders(folder, [config(['crash'])]);
    for (let round = 1; round < MAX_STARTS; round++) {
      const waits = () => owner.events.filter(({ event, params }) => event === 'provider/state' && params.state === 'waiting');
      await eventually(() => waits().length === round, `the end of run ${round}`, WAIT_MS);
      const { error, retryInMs = 0 } = await state('waiting');
      assert.equal(error, 'it ended with code 3');
      const backoff = 1000 * 2 ** (round - 1);
      assert.ok(retryInMs >= backoff * 0.5 && retryInMs <= backoff * 1.5, `${retryInMs}`);
      clock.advance(retryInMs - 1);
      assert.equal((await state('waiting')).retryInMs, retryInMs);
      clock.advance(1);
    }
    assert.match((await state('failed')).error ?? '', /code 3, for the 5th time/);
    assert.equal(await line(/crash/), 'stderr: about to crash');
    const status = await owner.client.request('diagnostics', {});
    assert.ok(status.lastErrors.some(({ provider, message }) => provider === 'ci' && message.includes('code 3')));
    await session.startProviders(folder, [config()]);
    const { announcer, sessions } = test.server.gateway;
    const registered = sessions.get('a') as Session;
    await eventually(() => (clock.advance(1), announcer.toolsOf(registered).has('where')), 'its tool', WAIT_MS);
  });

  it('are not started again while the session is ending', async () => {
    const clock = new FakeClock();
    const session = await start({ clock });
    const slow = await test.bound({ name: 'slow', session: 'a' });
    await session.startProviders(folder, [config(['crash'])]);
    await state('waiting');
    const ended = session.end();
    while ((await slow.next('session.lifecycle')).state !== 'shutdown.pending');
    clock.advance(1500);
    await state('stopped');
    slow.say({ type: 'shutdown.ready', sessionId: 'a' });
    await ended;
    assert.equal(owner.events.filter(({ event, params }) => event === 'provider/state' && params.state === 'running').length, 1);
  });

  it('that cannot be started at all are given up at once', async () => {
    const session = await start();
    await session.startProviders(folder, [config([], { command: 'no-such-program' })]);
    assert.match((await state('failed')).error ?? '', /no-such-program ENOENT/);
  });

  it('are killed with all that they have started when they do not end', async () => {
    const clock = new FakeClock();
    const session = await start({ clock });
    await session.startProviders(folder, [config(['stubborn'])]);
    const { pid = 0 } = await state('running');
    const child = Number((await line(/child/)).split(' ').at(-1));
    const stopped = session.stopProviders();
    await line(/no/);
    clock.advance(4999);
    assert.ok(isAlive(pid) && isAlive(child));
    clock.advance(1);
    await untilGone(pid, child);
    await eventually(
      () => (clock.advance(50), !owner.events.every(({ params }) => (params as { state?: string }).state !== 'stopped')),
      'its end',
    );
    await stopped;
  });

  it('end when their owner goes', async () => {
    const session = await start();
    await session.startProviders(folder, [config()]);
    const { pid = 0 } = await state('running');
    await owner.tools('a', ['where'], WAIT_MS);
    owner.dispose();
    await untilGone(pid);
  });

  it('that print without end are paused and delay nothing else', async () => {
    const session = await start();
    await session.startProviders(folder, [config(['noisy'], { name: 'noisy' }), config()]);
    await owner.tools('a', ['where'], WAIT_MS);
    await line(/noise/);
    for (let at = 0; at < 100; at++) assert.ok((await session.call('where', {})).ok);
    const seconds = (await owner.client.request('diagnostics', {})).uptimeMs / 1000;
    const heard = printed().filter((text) => text.includes('noise')).length * 6000;
    assert.ok(heard < 256 * 1024 * (seconds + 2) * 2, `${heard} characters in ${seconds} s`);
  });

  it('are refused as a whole with the name of the field', async () => {
    const session = await start();
    symlinkSync(tmpdir(), join(folder, 'out'));
    for (const [where, providers, expected] of [
      ['relative', [config()], /folder: must be an absolute path/],
      [join(folder, 'none'), [config()], /folder: ENOENT/],
      [folder, [config(), config(['serve'], { name: 'b', cwd: '..' })], /providers\.1\.cwd: "\.\." lies outside/],
      [folder, [config(['serve'], { cwd: 'out' })], /providers\.0\.cwd: "out" lies outside/],
      [folder, [config(['serve'], { cwd: tmpdir() })], /providers\.0\.cwd: .* lies outside/],
      [folder, [config(['serve'], { cwd: 'none' })], /providers\.0\.cwd: ENOENT/],
      [folder, [config(), config()], /providers\.1\.name: "ci" is named twice/],
      [folder, [config(['serve'], { env: { TAP_GATEWAY_URL: 'x' } })], /providers\.0\.env\.TAP_GATEWAY_URL: is set by the gateway/],
    ] as const) {
      await assert.rejects(session.startProviders(where, providers), expected);
    }
    const other = await test.owner();
    const request = { sessionId: 'a', folder, providers: [config()] };
    await assert.rejects(other.client.request('providers/start', request), /no session "a"/);
    assert.deepEqual((await owner.client.request('diagnostics', {})).projectProviders, []);
    unlinkSync(join(folder, 'out'));
    await session.startProviders(folder, [config(['serve'], { cwd: '.' })]);
    await assert.rejects(session.startProviders(folder, [config()]), /providers\.0\.name: "ci" is already started/);
  });
});

describe('the environment of a project provider', () => {
  it('is the gateway’s without its editor’s variables, then the provider’s own, then those that find the gateway', () => {
    const own = { PATH: '/bin', TAP_PROVIDER_TOKEN: 'old', ELECTRON_RUN_AS_NODE: '1', VSCODE_IPC_HOOK: 'x', TAPLINE_HOME: '/h', LANG: 'C' };
    assert.deepEqual(childEnvironment(own, { LANG: 'D', A: '1' }, { TAP_PROVIDER_TOKEN: 'new' }), {
      PATH: '/bin',
      LANG: 'D',
      A: '1',
      TAP_PROVIDER_TOKEN: 'new',
    });
  });
});
