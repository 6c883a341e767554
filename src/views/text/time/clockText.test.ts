import assert from 'node:assert/strict';
import { clockText, secondText, spanText } from './clockText.ts';

const at = (day: number, hour: number, minute: number, year = 2026) => new Date(year, 10, day, hour, minute, 5).getTime();
const now = at(27, 8, 0);

describe('times of day', () => {
  it('say the day where it is not today', () => {
    assert.match(clockText(at(27, 2, 14), now), /^0?2:14( AM)?$/);
    assert.match(clockText(at(26, 2, 14), now), /Nov.*26.*2:14|26.*Nov.*2:14/);
    assert.match(clockText(at(26, 2, 14, 2025), now), /2025/);
    assert.match(secondText(at(27, 2, 14)), /2:14:05/);
    assert.equal(clockText(Number.NaN, now), '');
  });

  it('say the day of both ends once', () => {
    assert.equal(spanText(at(26, 23, 0), at(26, 23, 30), now).match(/26/g)?.length, 1);
    assert.equal(spanText(at(26, 23, 0), at(27, 0, 30), now).match(/26|27/g)?.length, 1, 'today is not said');
    assert.equal(spanText(at(26, 2, 14), at(26, 2, 14) + 900, now), clockText(at(26, 2, 14), now));
    assert.match(spanText(at(27, 2, 14), undefined, now), /^since 0?2:14/);
  });
});
