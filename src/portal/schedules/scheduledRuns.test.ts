import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { nullLogger } from '../../base/log.ts';
import type { Entry } from '../entry/entry.ts';
import type { Schedule } from '../entry/jobSchedule.ts';
import { validateEntry } from '../entry/validateEntry.ts';
import { ScheduledRuns, type StartOutcome } from './scheduledRuns.ts';

const DAY_MS = 24 * 3_600_000;
/** Of the fake clock: 00:16:40 on the first day. */
const BEGIN = 1_000_000;
/** 06:30 of that many days later, in UTC. */
const half6 = (day: number) => day * DAY_MS + 6.5 * 3_600_000;
const daily = { cron: '30 6 * * *', timeZone: 'UTC', folder: '/w' };

function entryWith(...schedules: (Partial<Schedule> | undefined)[]): Entry {
  const jobs = schedules.map((schedule, at) => [
    `job ${at}`,
    { work: { kind: 'Ref', taskId: 'tidy' }, ...(schedule && { schedule: { ...daily, ...schedule } }) },
  ]);
  const task = { model: { category: 'driving' }, prompt: ['tidy'], requireUserInput: false };
  return validateEntry({
    models: { driving: 'm' },
    promptVariables: {},
    tasks: { tidy: task },
    jobs: Object.fromEntries(jobs) as object,
    grid: [],
  });
}

describe('the schedules of jobs', () => {
  let folder: string;
  const opened: ScheduledRuns[] = [];
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tapline-schedules-'))));
  afterEach(() => {
    for (const one of opened.splice(0)) one.dispose();
    rmSync(folder, { recursive: true });
  });

  function open(clock = new FakeClock(), outcome: (jobId: string) => StartOutcome = (jobId) => ({ jobId })) {
    const started: [at: number, jobName: string, jobId: string][] = [];
    const running = new Set<string>();
    const warnings: string[] = [];
    const log = (text: string) => void warnings.push(text);
    const runs = new ScheduledRuns({
      start: async ({ jobName, jobId }) => {
        started.push([clock.now(), jobName, jobId]);
        return outcome(jobId);
      },
      isRunning: (jobId) => running.has(jobId),
      ...{ file: join(folder, 'schedules.json'), clock },
      logger: { ...nullLogger, warn: log, error: log },
    });
    opened.push(runs);
    return { clock, runs, started, running, warnings };
  }

  it('start a job at each of its times, and no other job', async () => {
    const { clock, runs, started } = open();
    runs.install(entryWith(undefined, {}));
    assert.equal(runs.listed('job 0'), undefined);
    assert.deepEqual(runs.listed('job 1'), { ...daily, next: half6(0) });
    for (let day = 0; day < 2; day++) {
      clock.advance(DAY_MS);
      await atRest();
    }
    assert.deepEqual(
      started.map(([at, name]) => [at, name]),
      [
        [half6(0), 'job 1'],
        [half6(1), 'job 1'],
      ],
    );
    assert.notEqual(started[0]?.[2], started[1]?.[2]);
    assert.deepEqual(runs.listed('job 1'), { ...daily, next: half6(2), last: { at: half6(1), jobId: started[1]?.[2] } });
  });

  it('keep to the time zone, also where its clock is changed', async () => {
    const clock = new FakeClock();
    clock.sleep(Date.UTC(2026, 9, 24) - BEGIN);
    const { runs } = open(clock);
    runs.install(entryWith({ timeZone: 'Europe/Berlin' }));
    assert.equal(runs.listed('job 0')?.next, Date.UTC(2026, 9, 24, 4, 30));
    clock.sleep(DAY_MS);
    // Summer time has ended in this night.
    assert.equal(runs.listed('job 0')?.next, Date.UTC(2026, 9, 25, 5, 30));
  });

  it('have the same run at the same time, at every portal', async () => {
    const [one, other] = [open(), open(new FakeClock(), () => ({ error: 'JobExists' }))];
    for (const { runs, clock } of [one, other]) {
      runs.install(entryWith({}));
      clock.advance(DAY_MS);
    }
    await atRest();
    assert.deepEqual(one.started, other.started);
    assert.match(one.started[0]?.[2] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(other.runs.listed('job 0')?.last, one.runs.listed('job 0')?.last);
    assert.deepEqual(other.warnings, []);
  });

  for (const missed of ['skip', 'run'] as const)
    it(`say what was missed while no portal ran, and ${missed === 'run' ? 'run it once' : 'leave it out'}`, async () => {
      const before = open();
      before.runs.install(entryWith({ missed }));
      before.clock.advance(DAY_MS);
      await atRest();
      before.runs.dispose();
      before.clock.sleep(3 * DAY_MS);
      const { runs, started, warnings, clock } = open(before.clock);
      runs.install(entryWith({ missed }));
      await atRest();
      assert.equal(started.length, missed === 'run' ? 1 : 0);
      assert.match(warnings.join(), /was to start 3 times while the portal did not run, or slept/);
      assert.deepEqual(runs.listed('job 0')?.missedTimes, missed === 'run' ? undefined : { count: 3, last: half6(3) });
      clock.advance(DAY_MS);
      await atRest();
      assert.equal(started.at(-1)?.[0], half6(4), 'it goes on');
      assert.equal(runs.listed('job 0')?.missedTimes, undefined);
    });

  it('start late by a little after a sleep, and count what was slept over', async () => {
    const { clock, runs, started, warnings } = open();
    runs.install(entryWith({}));
    clock.sleep(half6(2) + 30_000 - BEGIN);
    await atRest();
    assert.equal(started.length, 1);
    assert.match(warnings.join(), /was to start 2 times .* It starts now\./);
  });

  it('miss nothing of what is new, or has another time', async () => {
    const before = open();
    before.runs.install(entryWith({}));
    before.runs.dispose();
    before.clock.sleep(5 * DAY_MS);
    const { runs, started, warnings, clock } = open(before.clock);
    runs.install(entryWith(undefined, {}));
    runs.install(entryWith({ cron: '0 0 * * *' }, { cron: '0 0 * * *' }));
    await atRest();
    assert.deepEqual([started, warnings], [[], []]);
    clock.advance(DAY_MS);
    await atRest();
    assert.equal(started.length, 2);
  });

  it('do not start a job whose run of before still runs, and say so', async () => {
    const { clock, runs, started, running, warnings } = open();
    runs.install(entryWith({}));
    clock.advance(DAY_MS);
    await atRest();
    running.add(started[0]?.[2] ?? '');
    clock.advance(DAY_MS);
    await atRest();
    assert.equal(started.length, 1);
    assert.deepEqual(runs.listed('job 0')?.last, { at: half6(1), jobId: started[0]?.[2], problem: 'its run of before still runs' });
    assert.match(warnings.join(), /did not start by its schedule: its run of before still runs/);
  });

  it('have missed nothing where the times were changed while no portal ran', async () => {
    const before = open();
    before.runs.install(entryWith({ missed: 'run' }));
    before.runs.dispose();
    before.clock.sleep(3 * DAY_MS);
    const { runs, started, warnings } = open(before.clock);
    runs.install(entryWith({ missed: 'run', cron: '0 6 * * *' }));
    await atRest();
    assert.deepEqual([started, warnings], [[], []]);
  });

  it('have missed nothing while the entry did not have them', async () => {
    const before = open();
    before.runs.install(entryWith({ missed: 'run' }));
    before.runs.dispose();
    const { runs, clock, started, warnings } = open(before.clock);
    runs.install(entryWith({ missed: 'run' }));
    runs.install(entryWith());
    clock.sleep(3 * DAY_MS);
    runs.install(entryWith({ missed: 'run' }));
    await atRest();
    assert.deepEqual([started, warnings], [[], []]);
  });

  it('know the run of before also when they get other times', async () => {
    const { runs, clock, started, running } = open();
    runs.install(entryWith({}));
    clock.advance(DAY_MS);
    await atRest();
    running.add(started[0]?.[2] ?? '');
    runs.install(entryWith({ cron: '0 7 * * *' }));
    clock.advance(DAY_MS);
    await atRest();
    assert.equal(started.length, 1);
    assert.equal(runs.listed('job 0')?.last?.problem, 'its run of before still runs');
  });

  it('start later what could not be started, also after a restart, and know the run of before', async () => {
    let isAway = true;
    const away = (jobId: string) => {
      if (isAway) throw new Error('the store is away');
      return { jobId };
    };
    const first = open(undefined, away);
    first.runs.install(entryWith({}));
    first.clock.advance(half6(0) - BEGIN);
    await atRest();
    assert.equal(first.runs.listed('job 0')?.last?.problem, 'the store is away');
    first.runs.dispose();
    const again = open(first.clock, away);
    again.runs.install(entryWith({}));
    await atRest();
    isAway = false;
    again.clock.advance(60_000);
    await atRest();
    assert.deepEqual(new Set([...first.started, ...again.started].map(([, , id]) => id)).size, 1);
    const { last } = again.runs.listed('job 0') ?? {};
    assert.deepEqual(last, { at: half6(0), jobId: first.started[0]?.[2] });
    again.clock.advance(300_000);
    await atRest();
    assert.equal(again.started.length, 2, 'it is tried no more');
    again.runs.dispose();
    const third = open(again.clock);
    third.running.add(last?.jobId ?? '');
    third.runs.install(entryWith({}));
    third.clock.advance(DAY_MS);
    await atRest();
    assert.equal(third.runs.listed('job 0')?.last?.problem, 'its run of before still runs');
  });

  it('say why a job did not start', async () => {
    const { clock, runs, warnings } = open(undefined, () => ({ error: 'JobNotFound' }));
    runs.install(entryWith({}));
    clock.advance(DAY_MS);
    await atRest();
    assert.equal(runs.listed('job 0')?.last?.problem, 'JobNotFound');
    assert.equal(warnings.length, 1);
  });

  it('count at most a thousand missed times, however many there are', () => {
    const before = open();
    before.runs.install(entryWith({ cron: '* * * * *' }));
    before.runs.dispose();
    before.clock.sleep(30 * DAY_MS);
    const { runs } = open(before.clock);
    runs.install(entryWith({ cron: '* * * * *' }));
    const { count, last = 0 } = runs.listed('job 0')?.missedTimes ?? {};
    assert.equal(count, 1000);
    assert.ok(before.clock.now() - last <= 120_000, 'the last of them');
  });

  it('begin anew where what was kept cannot be read, and say so', () => {
    writeFileSync(join(folder, 'schedules.json'), '{');
    const { runs, warnings } = open();
    runs.install(entryWith({}));
    assert.match(warnings.join(), /schedules\.json cannot be read/);
    assert.equal(runs.listed('job 0')?.next, half6(0));
  });

  it('leave no timer behind', () => {
    const { clock, runs } = open();
    runs.install(entryWith({}));
    runs.dispose();
    assert.equal(clock.pending, 0);
  });
});

describe('the schedule of an entry', () => {
  for (const [given, message] of [
    [{ cron: 'x' }, /jobs\["job 0"\]\.schedule\.cron: must have the five fields of cron/],
    [{ cron: '0 0 0 * * *' }, /schedule\.cron: must have the five fields of cron/],
    [{ cron: '0 0 31 2 *' }, /schedule\.cron: is a time that never comes/],
    [{ timeZone: 'Mars/Olympus' }, /schedule\.timeZone: must be a time zone/],
    [{ folder: 'here' }, /schedule\.folder: must be an absolute path/],
  ] as const)
    it(`is refused with ${JSON.stringify(given)}`, () => assert.throws(() => entryWith(given), message));

  it('needs the input that its job requires', () => {
    const input = (userInput?: string) =>
      validateEntry({
        models: { driving: 'm' },
        promptVariables: {},
        tasks: { ask: { model: { category: 'driving' }, prompt: ['$user-input'], requireUserInput: true } },
        jobs: { ask: { work: { kind: 'Ref', taskId: 'ask' }, schedule: { ...daily, ...(userInput !== undefined && { userInput }) } } },
        grid: [],
      });
    assert.throws(() => input(), /schedule\.userInput: is needed/);
    assert.throws(() => input(''), /schedule\.userInput: is needed/);
    assert.equal(input('look').jobs['ask']?.schedule?.userInput, 'look');
  });
});
