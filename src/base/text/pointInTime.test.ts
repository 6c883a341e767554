import assert from 'node:assert/strict';
import { pointInTime } from './pointInTime.ts';

describe('a time on a command line', () => {
  const now = new Date(2026, 10, 27, 22, 30, 20).getTime();

  it('is the next one with these hours and minutes', () => {
    assert.equal(pointInTime('23:05', now), new Date(2026, 10, 27, 23, 5).getTime());
    assert.equal(pointInTime('6:00', now), new Date(2026, 10, 28, 6, 0).getTime());
    assert.equal(pointInTime('22:30', now), new Date(2026, 10, 27, 22, 30).getTime());
    assert.equal(pointInTime('22:29', now), new Date(2026, 10, 28, 22, 29).getTime());
  });

  it('may have its day, and its zone', () => {
    assert.equal(pointInTime('2026-11-28T06:00', now), new Date(2026, 10, 28, 6, 0).getTime());
    assert.equal(pointInTime('2026-11-28 06:00:30', now), new Date(2026, 10, 28, 6, 0, 30).getTime());
    assert.equal(pointInTime('2026-11-28T06:00Z', now), Date.UTC(2026, 10, 28, 6, 0));
    assert.equal(pointInTime('2026-11-28T06:00+02:00', now), Date.UTC(2026, 10, 28, 4, 0));
  });

  for (const text of ['', '24:00', '22:60', 'tomorrow', '2026-13-01T06:00', '2026-11-31T06:00', '2026-11-28', '2026-11-28T06:00 CET'])
    it(`is not “${text}”`, () => assert.equal(pointInTime(text, now), undefined));
});
