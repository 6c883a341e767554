/**
 * A text of a peer costs no more than its length, whatever it is filled with. This is the one test that measures time. It is the time of the
 * processor, and of each text the quickest of several readings counts, so that a crowded machine does not fail it.
 */
import assert from 'node:assert/strict';
import { type PeerText, peerTexts } from './peerTexts.ts';

/** What patterns repeat, and what Markdown and marked blocks look at. */
const FILLINGS = ['\n', '\r', ' ', '.', '/', '-', '[', '&', 'a'];
const READINGS = 8;
/** Of the text of letters, which only says how much a length takes anyway. */
const READINGS_OF_LETTERS = 3;
/** More than a text of letters may take. */
const ALLOWED_MS = 50;
/** Work that grows with the square shows in a short text already. A long one would not come to an end. */
const FIRST_LENGTH = 30_000;

/** Milliseconds of the quickest reading, or of the first one that is quick enough. */
function quickest({ read }: PeerText, text: string, readings: number, enough = 0): number {
  let best = Number.POSITIVE_INFINITY;
  for (let reading = 0; reading < readings && best > enough; reading++) {
    const start = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/** Not a rope of pieces, which would be joined while it is read. */
const filled = (length: number, filling: string) => Buffer.alloc(length, filling).toString('latin1');

describe('A text of a stranger', function () {
  this.timeout(120_000);
  // A core that others use, too, can be slow in all readings of one text. Work that grows too fast is slow each time.
  this.retries(2);

  for (const peerText of peerTexts)
    it(`costs no more than its length: ${peerText.peer}, ${peerText.text}`, () => {
      const { limit } = peerText;
      for (let length = Math.min(FIRST_LENGTH, limit); ; length = Math.min(length * 8, limit)) {
        const letters = quickest(peerText, filled(length, 'a'), READINGS_OF_LETTERS);
        for (const filling of FILLINGS) {
          const taken = quickest(peerText, filled(length, filling), READINGS, letters + ALLOWED_MS);
          assert.ok(
            taken <= letters + ALLOWED_MS,
            `${length} of ${JSON.stringify(filling)} take ${Math.round(taken)} ms, letters ${Math.round(letters)} ms`,
          );
        }
        if (length === limit) break;
      }
    });
});
