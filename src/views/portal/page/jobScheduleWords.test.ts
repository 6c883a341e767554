import assert from 'node:assert/strict';
import { clockText } from '../../text/time/clockText.ts';
import { scheduleWords } from './jobScheduleWords.ts';

const now = Date.UTC(2026, 10, 27, 12);
const next = Date.UTC(2026, 10, 28, 6);
const given = { cron: '0 6 * * *', timeZone: 'UTC', folder: '/home/me/code', next };
const first = `Starts by itself at “0 6 * * *” (UTC) in /home/me/code, next ${clockText(next, now)}.`;

describe('the words about a schedule', () => {
  it('are none without one', () => assert.deepEqual(scheduleWords({}, now), []));

  it('say when and where it starts next', () => assert.deepEqual(scheduleWords({ schedule: given }, now), [first]));

  it('say what became of the last time, and what was missed', () => {
    const at = now - 3_600_000;
    const words = (more: object) => scheduleWords({ schedule: { ...given, ...more } }, now).slice(1);
    assert.deepEqual(words({ last: { at, jobId: 'j' } }), [`Started last ${clockText(at, now)}.`]);
    assert.deepEqual(words({ last: { at, problem: 'its run\nof before still runs' } }), [
      `Did not start ${clockText(at, now)}: its run of before still runs.`,
    ]);
    assert.deepEqual(words({ last: { at, problem: '/a is in no work tree of Git, which the job needs.' } }), [
      `Did not start ${clockText(at, now)}: /a is in no work tree of Git, which the job needs.`,
    ]);
    assert.deepEqual(words({ missedTimes: { count: 1, last: at } }), [
      `Missed one time while the portal did not run, last ${clockText(at, now)}; that is not made up for.`,
    ]);
    assert.deepEqual(words({ missed: 'run', missedTimes: { count: 1000, last: at } }), [
      `Missed 1,000 times while the portal did not run, last ${clockText(at, now)}.`,
    ]);
  });
});
