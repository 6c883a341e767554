import assert from 'node:assert/strict';
import { durationText, roughDuration } from './duration.ts';

describe('durationText', () => {
  for (const [ms, expected] of [
    [20, '0.1 s'],
    [400, '0.4 s'],
    [8000, '8 s'],
    [59_700, '1 min'],
    [72_000, '1 min 12 s'],
    [7_500_000, '2 h 5 min'],
  ] as const) {
    it(`says ${ms} ms as ${expected}`, () => assert.equal(durationText(ms), expected));
  }
});

describe('roughDuration', () => {
  for (const [ms, expected] of [
    [-5, '0 s'],
    [59_999, '59 s'],
    [72_000, '1 min'],
    [7_500_000, '2 h'],
  ] as const) {
    it(`says ${ms} ms as ${expected}`, () => assert.equal(roughDuration(ms), expected));
  }
});
