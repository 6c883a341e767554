/** Emitters over the owner link, with real commands. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type WriteStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { OwnedSession } from '../../src/tap/owner/ownerClient.ts';
import type { EmitterInput } from '../../src/tap/wire/emitters/emitterSpec.ts';
import type { EmitterStatus } from '../../src/tap/wire/emitters/emitterStatus.ts';
import { Limit } from '../../src/tap/wire/limits.ts';
import { eventually } from '../fakes/eventually.ts';
import { TestGateway, TestOwner } from '../integration/gateway/gatewayHarness.ts';
import { isAlive, processesWith, untilGone } from '../support/processes.ts';

const WAIT_MS = 15_000;
const KEY = 'k'.repeat(43);
const MINUTE_MS = 60_000;
/** A minute is over at once. */
const hasty = { ...systemClock, setTimer: (callback: () => void, ms: number) => systemClock.setTimer(callback, ms === MINUTE_MS ? 0 : ms) };

describe('emitters', () => {
  let test: TestGateway;
  let owner: TestOwner;
  let session: OwnedSession;
  let folder: string;
  const feeds: WriteStream[] = [];

  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapline-emitters-')))));
  afterEach(async () => {
    for (const feed of feeds.splice(0)) feed.destroy();
    await test.stop();
    rmSync(folder, { recursive: true });
  });

  const begin = async (options?: Parameters<TestGateway['start']>[0], key?: string) => {
    test = new TestGateway();
    await test.start(options);
    owner = await test.owner(key);
    session = await register();
  };
  const register = async (sessionId = 'a', cwd: string | undefined = folder) => {
    const added = owner.client.addSession({ sessionId, label: 'x', ...(cwd !== undefined && { cwd }) });
    await owner.next('tools/changed', (params) => params.sessionId === sessionId);
    return added;
  };
  /** A command that prints what the test writes, until the test ends it. */
  const feed = (name = 'feed') => {
    const path = join(folder, name);
    execFileSync('mkfifo', [path]);
    const stream = createWriteStream(path);
    feeds.push(stream);
    return { command: `cat ${name}`, write: (text: string) => void stream.write(text), end: () => void stream.end() };
  };
  const start = (emitter: Partial<EmitterInput>, of = session) => of.emitters.start({ name: 'e', ...emitter } as EmitterInput);
  const state = async (wanted: EmitterStatus['state'], fits: (status: EmitterStatus) => boolean = () => true, name = 'e') =>
    (await owner.next('emitter/state', ({ emitter }) => emitter.name === name && emitter.state === wanted && fits(emitter), WAIT_MS))
      .emitter;
  const status = async (name = 'e') => {
    const found = (await session.emitters.list()).find((emitter) => emitter.name === name);
    assert.ok(found, name);
    return found;
  };
  /** Oldest first. */
  const kept = async (stream = 'e', last = 200) =>
    (await session.streams(last))
      .filter((dump) => dump.stream === stream)
      .flatMap(({ entries }) => entries.map(({ event }) => event).reverse());
  const lines = (event: string) => eventually(async () => (await kept()).includes(event), event);
  const surfaced = () => owner.events.flatMap(({ event, params }) => (event === 'push/surfaced' ? [params.event] : []));
  const injected = () => owner.events.flatMap(({ event, params }) => (event === 'push/inject' ? [params.text] : []));

  it('run a command on, and do with each line what the first rule says', async () => {
    await begin();
    const { command, write, end } = feed();
    const eventFilter = [
      { match: '^noise', outcome: 'drop' as const },
      { match: 'FAIL', outcome: 'inject' as const },
      { match: 'warn', outcome: 'surface' as const },
    ];
    const started = await start({ name: ' E ', command, eventFilter, description: 'the feed' });
    assert.deepEqual([started.name, started.state, started.runSchedule, started.ownership], ['e', 'running', 'continuous', 'userOwned']);
    assert.ok(isAlive(started.pid ?? 0));
    write('noise FAIL\nplain\r\n\u001b[31mwarning\u001b[0m\n\none FAIL\nlast');
    await lines('one FAIL');
    assert.deepEqual(await kept(), ['plain', 'warning', 'one FAIL']);
    assert.deepEqual([surfaced(), injected()], [['warning', 'one FAIL'], ['one FAIL']]);
    end();
    const over = await state('ended');
    assert.deepEqual(
      [over.lines, over.lastLine, over.lastEnd],
      [{ drop: 1, keep: 2, surface: 1, inject: 1 }, 'last', 'it ended with code 0'],
    );
    assert.equal(over.pid, undefined);
    assert.deepEqual((await kept()).slice(-2), ['last', 'e is over: it ended with code 0']);
    assert.deepEqual(surfaced().at(-1), 'e is over: it ended with code 0', 'a watch that is over is shown');
    assert.deepEqual(
      (await session.streams()).flatMap(({ provider, stream }) => [provider, stream]),
      ['tap', 'e'],
    );
  });

  it('take what a command says on its standard error where that is wanted', async () => {
    await begin();
    await start({ command: 'echo out; echo err >&2', maxRuns: 1 });
    await state('ended');
    assert.deepEqual(await kept(), ['out', 'e is over: it ended with code 0']);
    await start({ name: 'both', command: 'echo err >&2; exit 3', includeStderr: true });
    const over = await state('ended', undefined, 'both');
    assert.deepEqual([over.lastEnd, await kept('both')], ['it ended with code 3', ['err', 'both is over: it ended with code 3']]);
    assert.deepEqual((await session.streams()).find(({ stream }) => stream === 'both')?.entries.at(-1)?.metadata, {
      ...{ emitter: 'both', run: 1, from: 'stderr' },
    });
  });

  it('run again after their interval until their last run is over', async () => {
    await begin({ clock: hasty });
    await start({ command: 'echo run', runInterval: '1m', maxRuns: 3, stream: 'Runs' });
    const over = await state('ended');
    assert.deepEqual([over.runs, over.runSchedule, over.stream], [3, 'timed', 'runs']);
    assert.deepEqual(await kept('runs'), ['run', 'run', 'run', 'e is over: it ended with code 0']);
  });

  it('wait for their next run, and run now when the user says so', async () => {
    await begin();
    const first = await start({ command: 'echo run', runInterval: ['2m', '1h'] });
    assert.equal(first.runs, 1);
    const waiting = await state('waiting');
    assert.ok(
      waiting.nextRunInMs !== undefined && waiting.nextRunInMs > 110_000 && waiting.nextRunInMs <= 120_000,
      `${waiting.nextRunInMs}`,
    );
    await session.emitters.run('e');
    await state('waiting', ({ runs, nextRunInMs = 0 }) => runs === 2 && nextRunInMs > 3_500_000);
    await session.emitters.stop('e');
    assert.equal((await status()).nextRunInMs, undefined);
    await session.emitters.run('e');
    await state('waiting', ({ runs }) => runs === 1);
    assert.deepEqual(await kept(), ['run', 'run', 'run']);
  });

  it('that do not start by themselves wait for the user', async () => {
    await begin();
    const { state: before } = await start({ command: 'echo run', maxRuns: 1, autoStart: false });
    assert.equal(before, 'stopped');
    await session.emitters.run('e');
    await state('ended');
    assert.equal((await kept())[0], 'run');
  });

  it('get another filter while they run, without a lost or doubled line', async () => {
    await begin();
    const { command, write, end } = feed();
    await start({ command });
    let number = 0;
    for (let round = 0; round < 40; round++) {
      write(Array.from({ length: 50 }, () => `${++number}\n`).join(''));
      const outcome = round % 3 === 0 ? 'drop' : 'keep';
      await session.emitters.setFilter('e', [
        { match: round % 2 ? '[02468]$' : '[13579]$', outcome },
        { match: '.', outcome: 'keep' },
      ]);
    }
    end();
    const { lines: counts } = await state('ended');
    assert.equal(counts.drop + counts.keep + counts.surface + counts.inject, number);
    const numbers = (await kept()).slice(0, -1).map(Number);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    await assert.rejects(session.emitters.setFilter('e', [{ match: '(', outcome: 'drop' }]), /eventFilter\[0\]\.match: /);
    assert.equal((await status()).eventFilter.length, 2, 'nothing has changed');
  });

  it('show on their newest lines, also those that were dropped, what another filter would do', async () => {
    await begin();
    const { command, write, end } = feed();
    await start({ command, eventFilter: [{ match: 'noise', outcome: 'drop' }] });
    write('noise 1\nfail 2\n');
    await lines('fail 2');
    const tried = await session.emitters.preview('e', [
      { match: '(', outcome: 'drop' },
      { match: 'noise', outcome: 'surface' },
    ]);
    assert.deepEqual(tried.lines, [
      { text: 'noise 1', outcome: 'surface', rule: 1 },
      { text: 'fail 2', outcome: 'keep' },
    ]);
    assert.deepEqual(
      tried.problems.map(({ rule }) => rule),
      [0],
    );
    assert.deepEqual((await status()).eventFilter, [{ match: 'noise', outcome: 'drop' }]);
    await assert.rejects(session.emitters.preview('other', []), /there is no emitter "other"/);
    end();
  });

  it('are stopped with all that they have started, and what they say until then is kept', async () => {
    await begin();
    const mark = `mark-${process.pid}-stop`;
    const loop = `trap 'echo bye; exit' TERM; sh -c 'while :; do sleep 60; done' ${mark} & echo ready; wait`;
    const { pid = 0 } = await start({ command: loop });
    await lines('ready');
    assert.ok(processesWith(mark).length > 0);
    await session.emitters.stop('e');
    assert.deepEqual([processesWith(mark), isAlive(pid)], [[], false]);
    assert.equal((await status()).state, 'stopped');
    assert.ok((await kept()).includes('bye'));
    assert.equal((await status()).lines.keep, 2);
  });

  it('end with their session, with their owner, and with the gateway', async () => {
    await begin();
    const others = await register('b');
    const pids = await Promise.all([session, others].map(async (of) => (await start({ command: 'sleep 600' }, of)).pid ?? 0));
    await session.end(0);
    await untilGone(pids[0]!);
    assert.ok(isAlive(pids[1]!));
    owner.dispose();
    await untilGone(pids[1]!);
    owner = await test.owner();
    session = await register();
    const { pid = 0 } = await start({ command: 'sleep 600' });
    await test.server.close(0);
    assert.equal(isAlive(pid), false);
  });

  it('end as their session begins to end, and are not told about after that', async () => {
    await begin();
    const peer = await test.bound({ session: 'a' });
    const { pid = 0 } = await start({ command: 'sleep 600' });
    await start({ name: 'p', prompt: 'x', runInterval: '1h' });
    await session.emitters.list();
    const told = () => owner.events.filter(({ event }) => event === 'emitter/state').length;
    const before = told();
    const ending = session.end(60_000);
    await untilGone(pid);
    assert.equal(test.server.gateway.sessions.all.length, 1, 'the provider still cleans up');
    peer.say({ type: 'shutdown.ready', sessionId: 'a' });
    await ending;
    assert.equal(told(), before);
  });

  it('do not interrupt with what a failed run has said once a later one is good', async () => {
    await begin();
    const run = async (runs: number) => {
      await session.emitters.run('e');
      await state('waiting', (now) => now.runs === runs);
    };
    const command = 'if test -f mended; then echo good; else echo FAIL; exit 1; fi';
    await start({ command, runInterval: '1h', eventFilter: [{ match: 'FAIL', outcome: 'inject' }] });
    await state('waiting', ({ runs }) => runs === 1);
    await run(2);
    assert.deepEqual([injected(), (await status()).injector.waiting], [['FAIL'], 1], 'the turn about the first runs');
    writeFileSync(join(folder, 'mended'), '');
    await run(3);
    const { waiting, dropped } = (await status()).injector;
    assert.deepEqual([waiting, dropped], [0, 1]);
    await session.update({ idle: true });
    assert.deepEqual(injected(), ['FAIL']);
    assert.equal((await kept()).at(-1), '1 line of earlier runs that failed did not go to the agent, because run 3 is good');
    rmSync(join(folder, 'mended'));
    await run(4);
    assert.deepEqual(injected(), ['FAIL', 'FAIL'], 'it fails again');
  });

  it('know a run from an earlier one of the same number', async () => {
    await begin();
    const command = 'if test -f mended; then echo good; else echo FAIL; exit 1; fi';
    const again = async () => {
      await session.emitters.run('e');
      await state('ended', ({ runs }) => runs === 1);
    };
    await start({ command, maxRuns: 1, eventFilter: [{ match: 'FAIL', outcome: 'inject' }] });
    await state('ended');
    await again();
    assert.deepEqual([injected(), (await status()).injector.waiting], [['FAIL'], 1]);
    writeFileSync(join(folder, 'mended'), '');
    await again();
    const { waiting, dropped } = (await status()).injector;
    assert.deepEqual([waiting, dropped], [0, 1]);
  });

  it('go on while their owner is away for a while, and end when it does not come back', async () => {
    await begin({ ownerGraceMs: 1_500 }, KEY);
    const { command, write } = feed();
    const { pid = 0 } = await start({ command, eventFilter: [{ match: 'FAIL', outcome: 'inject' }] });
    const gone = async () => {
      const count = test.server.ownerCount;
      owner.dispose();
      await eventually(() => test.server.ownerCount < count, 'the loss');
    };
    await gone();
    write('a FAIL\n');
    owner = await test.owner(KEY);
    session = await register();
    await lines('a FAIL');
    await eventually(() => injected().length === 1, 'the line for the agent');
    assert.equal((await status()).pid, pid, 'the same process');
    await gone();
    await untilGone(pid);
  });

  it('go on at the next gateway with what they have said, and say that they were started again', async () => {
    const options = { journalsFolder: join(folder, 'journals'), withTap: true };
    await begin(options);
    let current = test;
    const find = async () => ({ url: current.server.url, token: current.server.gateway.grants.ownerSecret });
    owner = new TestOwner(find);
    try {
      await owner.connected();
      session = await register('b');
      await start({ command: 'sleep 600', eventFilter: [] });
      await start({ name: 'done', command: 'echo once', maxRuns: 1 });
      await state('ended', undefined, 'done');
      await start({ command: 'echo idle', name: 'later', autoStart: false, lifespan: 'persistent' });
      mkdirSync(join(folder, 'sub'));
      await start({ name: 'lost', command: 'echo lost; sleep 600', cwd: 'sub' });
      await session.call('tap_start_emitter', { name: 'agents', command: 'echo agents; sleep 600' });
      await eventually(async () => (await kept('agents')).length + (await kept('lost')).length === 2, 'their lines');
      rmSync(join(folder, 'sub'), { recursive: true });
      await session.emitters.setFilter('e', [{ match: 'x', outcome: 'drop' }]);
      await session.emitters.setInjector('e', false);
      const { pid: before } = await status();
      const next = new TestGateway();
      await next.start(options);
      current = next;
      await test.stop();
      test = next;
      const { pid, eventFilter } = await state('running', (emitter) => emitter.pid !== before);
      assert.ok(isAlive(pid ?? 0));
      assert.deepEqual(eventFilter, [{ match: 'x', outcome: 'drop' }], 'as it was last');
      assert.equal((await status()).injector.enabled, false);
      assert.deepEqual(await kept(), ['e was started again']);
      assert.equal((await status('done')).state, 'stopped');
      assert.deepEqual(await kept('done'), ['once', 'done is over: it ended with code 0'], 'what was over does not run again');
      const { state: later, lifespan } = await status('later');
      assert.deepEqual([later, lifespan], ['stopped', 'persistent']);
      assert.equal((await status('agents')).state, 'stopped');
      assert.deepEqual(await kept('agents'), ['agents', 'agents has ended with the gateway: what a model starts is not started again']);
      const [said, why, ...more] = await kept('lost');
      assert.deepEqual([said, more], ['lost', []]);
      assert.match(why ?? '', /^lost was not started again: /);
      assert.ok(surfaced().includes(why ?? ''));
      await session.end();
      assert.deepEqual(readdirSync(options.journalsFolder), [], 'nothing outlives the session');
    } finally {
      owner.dispose();
    }
  });

  describe('at the gateway after one that was killed', () => {
    const seconds: { gateway: TestGateway; owner: TestOwner | undefined }[] = [];
    afterEach(async () => {
      for (const { gateway, owner: of } of seconds.splice(0)) {
        of?.dispose();
        await gateway.stop();
      }
    });
    const options = () => ({ journalsFolder: join(folder, 'journals') });
    /** It has what the first one would have left if it had been killed now. */
    const killed = async ({ cwd = folder, isTrusted = true, clock = systemClock, first }: Next = {}) => {
      const gateway = new TestGateway();
      const about: (typeof seconds)[number] = { gateway, owner: undefined };
      seconds.push(about);
      await gateway.start({ ...options(), clock });
      const endpoint = { url: gateway.server.url, token: gateway.server.gateway.grants.ownerSecret };
      const second = new TestOwner(endpoint, undefined, isTrusted);
      about.owner = second;
      await second.connected();
      await first?.(gateway);
      const of = second.client.addSession({ sessionId: 'a', label: 'x', cwd });
      await second.next('tools/changed', undefined, 30_000);
      const said = async (stream = 'e') =>
        (await of.streams(200))
          .filter((dump) => dump.stream === stream)
          .flatMap(({ entries }) => entries.map(({ event }) => event).reverse());
      const states = async () => (await of.emitters.list()).map(({ name, state, lifespan }) => `${name} ${state} ${lifespan}`);
      return { of, said, states, gateway };
    };
    interface Next {
      cwd?: string;
      isTrusted?: boolean;
      clock?: typeof systemClock;
      first?(gateway: TestGateway): unknown;
    }
    /** It does not end when it is asked to. */
    const stubborn = { command: `trap '' TERM; echo ready; while :; do sleep 0.1; done` };

    it('what the user has stopped or refused stays so, while its command still runs', async () => {
      await begin(options());
      await start(stubborn);
      await start({ ...stubborn, name: 'refused', lifespan: 'persistent' });
      await eventually(async () => (await kept()).length + (await kept('refused')).length === 2, 'the commands');
      const stopping = [session.emitters.stop('e'), session.emitters.withdrawOthers(new Set())];
      await eventually(async () => (await session.emitters.list()).every((one) => one.state === 'stopped'), 'the stops');
      assert.ok((await session.emitters.list()).every(({ pid }) => pid !== undefined && isAlive(pid)));
      const { states, said } = await killed();
      assert.deepEqual(await states(), ['e stopped temporary', 'refused stopped temporary']);
      assert.deepEqual([await said(), await said('refused')], [['ready'], ['ready']]);
      await Promise.all(stopping);
    });

    it('a session that was ended has left nothing, from the beginning of its end', async () => {
      await begin(options());
      const peer = await test.bound({ session: 'a' });
      await start({ command: 'sleep 600' });
      assert.equal(readdirSync(options().journalsFolder).length, 1);
      const ending = session.end(60_000);
      await eventually(() => test.server.gateway.sessions.get('a')?.ending, 'the end');
      assert.deepEqual(readdirSync(options().journalsFolder), []);
      peer.say({ type: 'shutdown.ready', sessionId: 'a' });
      await ending;
      assert.deepEqual(readdirSync(options().journalsFolder), []);
    });

    it('what is stopped or ended while the gateway itself is ending does not come back', async () => {
      await begin(options());
      await register('b');
      const [peer, other] = [await test.bound({ session: 'a' }), await test.bound({ session: 'b' })];
      const second = owner.client;
      await start({ command: 'sleep 600' });
      await start({ name: 'on', command: 'sleep 600' });
      const ended = test.server.gateway.sessions.get('b');
      assert.ok(ended);
      await second.request('emitters/start', { sessionId: 'b', emitter: { name: 'e', command: 'sleep 600' } });
      const closing = test.server.close(60_000);
      await eventually(() => test.server.gateway.sessions.get('a')?.ending, 'the end');
      await session.emitters.stop('e');
      const gone = second.request('session/end', { sessionId: 'b', deadlineMs: 60_000 });
      await eventually(() => readdirSync(options().journalsFolder).length === 1, 'one journal');
      peer.say({ type: 'shutdown.ready', sessionId: 'a' });
      other.say({ type: 'shutdown.ready', sessionId: 'b' });
      await Promise.all([closing, gone]);
      const { states } = await killed();
      assert.deepEqual(await states(), ['on running temporary', 'e stopped temporary']);
    });

    it('a stop that it has not heard counts all the same', async () => {
      await begin(options());
      let current = test;
      owner = new TestOwner(async () => ({ url: current.server.url, token: current.server.gateway.grants.ownerSecret }));
      seconds.push({ gateway: test, owner });
      await owner.connected();
      session = await register('b');
      await start({ command: 'sleep 600' });
      const next = new TestGateway();
      await next.start(options());
      current = next;
      await test.server.close(0);
      test = next;
      await assert.rejects(session.emitters.stop('e'));
      await owner.connected();
      await eventually(async () => (await session.emitters.list().catch(() => [])).length === 1, 'the session');
      assert.equal((await status()).state, 'stopped');
      assert.deepEqual(await kept(), []);
      await session.emitters.run('e');
      await state('running');
    });

    it('nothing starts in another folder, in a workspace that is not trusted, or after a long time', async () => {
      await begin(options());
      await start({ command: 'echo ran; sleep 600' });
      await start({ name: 'p', prompt: 'go on', runInterval: '1h' });
      await lines('ran');
      mkdirSync(join(folder, 'other'));
      symlinkSync(folder, join(folder, 'link'));
      const copy = join(folder, 'copy');
      const journals = options().journalsFolder;
      cpSync(journals, copy, { recursive: true });
      const again = () => cpSync(copy, journals, { recursive: true });
      const late = { ...systemClock, now: () => systemClock.now() + 31_000 };
      for (const [about, why] of [
        [{ cwd: join(folder, 'other') }, 'the session works in another folder'],
        [{ isTrusted: false }, 'the workspace is not trusted'],
        [{ clock: late }, 'there was no gateway for too long'],
      ] as const) {
        again();
        const { states, said } = await killed(about);
        assert.deepEqual(await states(), ['e stopped temporary', 'p stopped temporary'], why);
        assert.deepEqual(await said(), ['ran', `e was not started again: ${why}`]);
        assert.equal((await said('p')).at(-1), `p was not started again: ${why}`);
        const { states: later } = await killed(about);
        assert.deepEqual(await later(), ['e stopped temporary', 'p stopped temporary'], 'nor at the next one');
      }
      again();
      const { states } = await killed({ cwd: join(folder, 'link') });
      assert.deepEqual(await states(), ['e running temporary', 'p waiting temporary'], 'the same folder by its real path');
    });

    it('what runs is stopped when the window comes back untrusted', async () => {
      await begin(options(), KEY);
      await start({ command: 'sleep 600' });
      const count = test.server.ownerCount;
      owner.dispose();
      await eventually(() => test.server.ownerCount < count, 'the loss');
      owner = new TestOwner({ url: test.server.url, token: test.server.gateway.grants.ownerSecret }, KEY, false);
      seconds.push({ gateway: new TestGateway(), owner });
      await owner.connected();
      session = await register();
      assert.equal((await status()).state, 'stopped');
      assert.deepEqual(await kept(), ['e was stopped: the workspace is not trusted']);
    });

    it('what stands in a list of the folder waits for the owner to start it, as it is now', async () => {
      await begin(options());
      const spec = { command: 'sleep 600', lifespan: 'persistent' as const };
      for (const name of ['e', 'gone', 'off']) await start({ ...spec, name });
      await session.emitters.setFilter('e', [{ match: 'x', outcome: 'drop' }]);
      await session.emitters.setInjector('e', false);
      await session.emitters.setFilter('off', [{ match: 'x', outcome: 'drop' }]);
      await session.emitters.stop('off');
      const { states } = await killed();
      assert.deepEqual(await states(), ['e stopped persistent', 'gone stopped persistent', 'off stopped persistent']);
      const { of, states: third, said } = await killed();
      await of.emitters.withdrawOthers(new Set(['e', 'off']));
      const started = await of.emitters.start({ ...spec, name: 'e' });
      assert.deepEqual([started.state, started.injector.enabled, started.eventFilter.length], ['running', false, 1]);
      assert.equal((await of.emitters.start({ ...spec, name: 'off' })).state, 'stopped', 'the user has stopped it');
      assert.deepEqual(await third(), ['e running persistent', 'gone stopped temporary', 'off stopped persistent']);
      assert.deepEqual([await said(), await said('gone')], [['e was started again'], []]);
    });

    it('what a list has run by the user alone goes on only soon and in the same folder', async () => {
      await begin(options());
      const spec = { name: 'deploy', command: 'sleep 600', lifespan: 'persistent' as const, autoStart: false };
      await start(spec);
      await session.emitters.run('deploy');
      await state('running', undefined, 'deploy');
      const copy = join(folder, 'copy');
      const journals = options().journalsFolder;
      cpSync(journals, copy, { recursive: true });
      mkdirSync(join(folder, 'other'));
      const late = { ...systemClock, now: () => systemClock.now() + 31_000 };
      for (const [about, found] of [
        [{ clock: late }, 'stopped'],
        [{ cwd: join(folder, 'other') }, 'stopped'],
        [{}, 'running'],
      ] as const) {
        cpSync(copy, journals, { recursive: true });
        const { of } = await killed(about);
        assert.equal((await of.emitters.start(spec)).state, found, JSON.stringify(about));
      }
    });

    it('what cannot be started is kept as stopped, and the session is there', async function () {
      this.timeout(60_000);
      let ahead = 0;
      const clock = { ...systemClock, now: () => systemClock.now() + ahead };
      await begin({ ...options(), clock });
      mkdirSync(join(folder, 'sub'));
      await start({ name: 'lost', command: 'sleep 600', cwd: 'sub', stream: 'own' });
      // Eight are more than can be compiled at once.
      const eventFilter = Array.from({ length: 5 }, () => ({ match: 'x'.repeat(900), outcome: 'drop' as const }));
      const names = Array.from({ length: Limit.emitters - 1 }, (_, at) => `e${at}`);
      for (const [at, name] of names.entries()) {
        ahead += 10_000;
        await start({ name, command: 'sleep 600', ...(at < 8 && { eventFilter }) });
      }
      rmSync(join(folder, 'sub'), { recursive: true });
      const { states, said, gateway } = await killed({ clock });
      assert.match((await said('own')).join(), /^lost was not started again: /);
      assert.match((await said('e7')).join(), /^e7 was not started again: too many patterns/);
      const second = await states();
      assert.ok(second.length < names.length && second.length > 10 && second.every((one) => one.includes(' running ')), second.join());
      assert.equal(gateway.server.gateway.sessions.all.length, 1);
      mkdirSync(join(folder, 'sub'));
      ahead += 20_000;
      const { states: third, said: says } = await killed({ clock });
      assert.ok((await third()).includes('lost stopped temporary'), (await third()).join());
      assert.equal((await says('own')).length, 1, 'once');
    });
  });

  it('that are persistent give way to another injector or start in an allowed list', async () => {
    await begin();
    const spec = { command: 'sleep 600', lifespan: 'persistent' as const };
    const first = await start(spec);
    const off = await start({ ...spec, injector: false });
    assert.deepEqual([off.injector.enabled, off.state], [false, 'running']);
    assert.notEqual(off.pid, first.pid);
    await session.emitters.setInjector('e', true);
    assert.equal((await start({ ...spec, injector: false })).pid, off.pid, 'the user has switched it on');
    const waiting = await start({ ...spec, injector: false, autoStart: false });
    assert.equal(waiting.state, 'stopped');
    await session.emitters.run('e');
    const ran = await start({ ...spec, injector: false, autoStart: false });
    assert.equal(ran.state, 'running', 'the user has started it');
    const again = await start(spec);
    assert.deepEqual([again.state, again.injector.enabled], ['running', true]);
  });

  it('that the user has stopped stay so when the session has ended at the gateway meanwhile', async () => {
    await begin();
    let current = test;
    owner = new TestOwner(async () => ({ url: current.server.url, token: current.server.gateway.grants.ownerSecret }));
    try {
      await owner.connected();
      session = await register('b');
      const spec = { command: 'sleep 600', lifespan: 'persistent' as const };
      await start(spec);
      await start({ ...spec, name: 'on' });
      await session.emitters.stop('e');
      const next = new TestGateway();
      await next.start();
      current = next;
      await test.stop();
      test = next;
      await state('running', undefined, 'on');
      await eventually(async () => (await session.emitters.list().catch(() => [])).length === 2, 'both');
      assert.equal((await status()).state, 'stopped');
      assert.equal((await start(spec)).state, 'stopped', 'as a window does for an unchanged list');
    } finally {
      owner.dispose();
    }
  });

  it('that are persistent stay as they are when they are started again, and give way to what has changed', async () => {
    await begin();
    const spec = { command: 'echo one; sleep 600', eventFilter: [{ match: 'x', outcome: 'drop' as const }] };
    const first = await start(spec);
    assert.equal(first.lifespan, 'temporary');
    await lines('one');
    const adopted = await start({ ...spec, lifespan: 'persistent', stream: 'e', includeStderr: false });
    assert.deepEqual([adopted.pid, adopted.lifespan], [first.pid, 'persistent'], 'the user keeps it');
    await session.emitters.setFilter('e', []);
    assert.equal((await start({ ...spec, lifespan: 'persistent' })).pid, first.pid, 'as it was started');
    assert.equal((await start({ command: spec.command, lifespan: 'persistent' })).pid, first.pid, 'as it is now');
    await session.emitters.stop('e');
    assert.equal((await start({ ...spec, lifespan: 'persistent' })).state, 'stopped', 'the user has stopped it');
    await session.emitters.run('e');
    const { pid: again = 0 } = await status();
    const other = await start({ command: 'echo two; sleep 600', lifespan: 'persistent' });
    assert.ok(other.pid !== undefined && other.pid !== again);
    await lines('two');
    await untilGone(again);
    await start({ name: 'own', command: 'sleep 600' });
    await assert.rejects(start({ name: 'own', command: 'sleep 700', lifespan: 'persistent' }), /"own" is there already/);
  });

  it('send a prompt when the session is idle: once, each time, or by the interval', async () => {
    await begin({ clock: hasty });
    await session.update({ idle: false });
    await start({ name: 'once', prompt: 'do \u0007it' });
    await start({ name: 'timed', prompt: 'check', runInterval: '2m' });
    await start({ name: 'idle', prompt: 'go on', runInterval: 'idle' });
    assert.deepEqual(injected(), []);
    const turn = async () => {
      const count = injected().length;
      await session.update({ idle: false });
      await session.update({ idle: true });
      await eventually(() => injected().length > count, 'a prompt');
    };
    await turn();
    await turn();
    await turn();
    assert.deepEqual(injected(), ['do it', 'go on', 'go on']);
    assert.deepEqual(
      (await session.emitters.list()).map((one) => [one.name, one.state, one.runs]),
      [
        ['once', 'ended', 1],
        ['timed', 'waiting', 0],
        ['idle', 'waiting', 2],
      ],
    );
    await assert.rejects(session.emitters.run('timed'), /the session is busy/);
    await session.emitters.stop('idle');
    await session.update({ idle: true });
    await session.emitters.run('timed');
    await eventually(() => injected().length === 4, 'the prompt');
    assert.equal(owner.last('push/inject').isPrompt, true);
    assert.equal((await status('timed')).runs, 1);
    await assert.rejects(session.emitters.setFilter('timed', []), /sends a prompt and has no lines to filter/);
  });

  it('hold lines back while the injector is off', async () => {
    await begin();
    const { command, write } = feed();
    await start({ command, eventFilter: [{ match: '.', outcome: 'inject' }] });
    await session.emitters.setInjector('e', false);
    write('one\ntwo\n');
    await lines('two');
    assert.deepEqual([injected(), (await status()).injector], [[], { enabled: false, waiting: 2, dropped: 0, isPaused: false }]);
    await session.emitters.setInjector('e', true);
    await eventually(() => injected().length === 1, 'the lines');
    assert.deepEqual(injected(), ['one\ntwo']);
  });

  it('interrupt nobody any more once they are stopped; what a command has said that ended by itself still comes', async () => {
    await begin();
    await session.update({ idle: false });
    const eventFilter = [{ match: '.', outcome: 'inject' as const }];
    await start({ command: `trap 'echo bye; exit' TERM; echo FAIL; sleep 600 & wait`, eventFilter });
    await start({ name: 'done', command: 'echo done', maxRuns: 1, eventFilter });
    await state('ended', undefined, 'done');
    await lines('FAIL');
    await session.emitters.stop('e');
    assert.deepEqual((await status()).injector, { enabled: true, waiting: 0, dropped: 2, isPaused: false });
    for (let turn = 0; turn < 3; turn++) {
      await session.update({ idle: true });
      await session.update({ idle: false });
    }
    assert.deepEqual(injected(), ['done']);
  });

  it('show twenty lines a second at most, say that there are more, and keep them all', async () => {
    await begin();
    await start({ command: 'seq 1 100', maxRuns: 1, eventFilter: [{ match: '.', outcome: 'surface' }] });
    const { lines: counts } = await state('ended');
    assert.equal(counts.surface, 100);
    assert.equal((await kept()).length, 101);
    assert.ok(surfaced().length < 100);
    await owner.next('push/dropped', ({ provider }) => provider === 'tap');
  });

  it('get the environment of commands: no token and nothing of the gateway', async () => {
    process.env.SOME_API_TOKEN = 'hidden';
    try {
      await begin();
      await start({ command: 'env', maxRuns: 1 });
      await state('ended');
    } finally {
      delete process.env.SOME_API_TOKEN;
    }
    const env = await kept();
    assert.ok(env.some((line) => line.startsWith('PATH=')));
    assert.ok(env.some((line) => line === `PWD=${folder}`));
    assert.deepEqual(
      env.filter((line) => /hidden|TOKEN|TAP_|TAPLINE/.test(line)),
      [],
    );
  });

  it('run inside the folder of the session alone', async () => {
    await begin();
    mkdirSync(join(folder, 'src'));
    symlinkSync('/', join(folder, 'out'));
    await start({ command: 'pwd', cwd: 'src', maxRuns: 1 });
    await state('ended');
    assert.equal((await kept())[0], join(folder, 'src'));
    for (const cwd of ['..', '/', 'out', 'src/../..'])
      await assert.rejects(start({ name: 'x', command: 'pwd', cwd }), /cwd: .* lies outside the folder/);
    await assert.rejects(start({ name: 'x', command: 'pwd', cwd: 'nowhere' }), /cwd: .*ENOENT/);
    const elsewhere = owner.client.addSession({ sessionId: 'far', label: 'x' });
    await owner.next('tools/changed', ({ sessionId }) => sessionId === 'far');
    await assert.rejects(start({ command: 'pwd' }, elsewhere), /the session has no folder on this computer/);
  });

  it('fail when their folder is gone at the next run', async () => {
    await begin({ clock: hasty });
    mkdirSync(join(folder, 'src'));
    await start({ command: 'rmdir ../src', cwd: 'src', runInterval: '1m' });
    const failed = await state('failed');
    assert.match(failed.lastEnd ?? '', /ENOENT/);
    assert.match((await kept()).at(-1) ?? '', /^e is over: cwd: /);
  });

  it('are refused with what is wrong', async () => {
    await begin();
    await start({ command: 'sleep 600' });
    await assert.rejects(start({ command: 'ls' }), /"e" is there already: stop it first, or take another name/);
    await assert.rejects(start({ name: 'x', command: 'ls', prompt: 'x' }), /emitter\.prompt: stands beside a command/);
    await assert.rejects(start({ name: 'x', command: 'ls', eventFilter: [{ match: '(', outcome: 'drop' }] }), /eventFilter\[0\]\.match/);
    await assert.rejects(session.emitters.stop('nobody'), /there is no emitter "nobody", only "e"/);
    await assert.rejects(session.emitters.run('e'), /it runs at the moment/);
    await assert.rejects(owner.client.request('emitters/list', { sessionId: 'not mine' }), /this owner has no session/);
    assert.equal((await session.emitters.list()).length, 1);
  });

  it('send no prompt to a session that has no turns', async () => {
    await begin();
    const mcp = owner.client.addSession({ sessionId: 'mcp', label: 'x', cwd: folder, idle: false, hasTurns: false });
    await owner.next('tools/changed', ({ sessionId }) => sessionId === 'mcp');
    await assert.rejects(start({ prompt: 'go' }, mcp), /prompt: nothing can be sent to this session, because it has no turns/);
    await start({ command: 'true' }, mcp);
  });

  it('are twenty of a session and a hundred in all, not counting those that are over', async () => {
    await begin();
    await session.update({ idle: false });
    const prompt = 'x';
    await start({ name: 'over', command: 'true' });
    await state('ended', undefined, 'over');
    const fill = async (of: OwnedSession) => {
      for (let at = 0; at < Limit.emitters; at++) await start({ name: `e${at}`, prompt }, of);
    };
    await fill(session);
    await assert.rejects(start({ name: 'more', prompt }), /a session has at most 20 emitters: stop one first/);
    assert.equal((await session.emitters.list()).length, Limit.emitters, 'one that is over makes room');
    for (const id of ['b', 'c', 'd', 'f']) {
      const of = await register(id);
      await of.update({ idle: false });
      await fill(of);
    }
    const last = await register('g');
    await last.update({ idle: false });
    await assert.rejects(start({ prompt }, last), /there are 100 emitters in all sessions together/);
    await session.emitters.stop('e0');
    await start({ prompt }, last);
    const { emitters } = await owner.client.request('diagnostics', {});
    assert.equal(emitters?.filter((emitter) => emitter.state === 'waiting').length, Limit.allEmitters);
  });

  it('forget the stream that was written to longest ago where a session has had many', async () => {
    await begin();
    for (let at = 0; at <= Limit.streams; at++) {
      await start({ name: `e${at}`, command: `echo ${at}`, maxRuns: 1 });
      await state('ended', undefined, `e${at}`);
    }
    const names = (await session.streams()).map(({ stream }) => stream);
    assert.deepEqual([names.length, names.includes('e0'), names.includes('e1'), names.includes('e20')], [Limit.streams, false, true, true]);
  });
});
