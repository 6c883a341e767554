import assert from 'node:assert/strict';
import { asEntry } from './stderrLogger.ts';

describe('an entry of the log on stderr', () => {
  it('cannot be mistaken for two, and holds nothing that a terminal obeys', () => {
    const forged = 'it said: x\n2026-01-01T00:00:00.000Z [error] all is lost\r\u001b[2J\u009b1m';
    assert.equal(asEntry(forged), 'it said: x\n  2026-01-01T00:00:00.000Z [error] all is lost\\x0d\\x1b[2J\\x9b1m');
    assert.equal(asEntry('Error: x\n\tat y'), 'Error: x\n  \tat y');
  });
});
