import assert from 'node:assert/strict';
import { findText } from './findText.ts';

describe('a text in another', () => {
  it('is where indexOf finds it', () => {
    const letters = 'ab€\n';
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const word = (length: number) => Array.from({ length }, () => letters[random(letters.length)]).join('');
    for (let round = 0; round < 3_000; round++) {
      const [text, wanted] = [word(random(40)), word(random(6))];
      assert.equal(findText(text, wanted), text.indexOf(wanted), JSON.stringify([text, wanted]));
    }
  });

  it('is found in linear time', () => {
    const text = 'a'.repeat(2 * 1024 * 1024);
    const before = process.cpuUsage();
    assert.equal(findText(text, `b${'a'.repeat(3_999)}`), -1);
    assert.equal(findText(text, `${'a'.repeat(2_000)}b${'a'.repeat(1_999)}`), -1);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 1e6, `${user} µs`);
  });
});
