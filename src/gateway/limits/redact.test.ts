import assert from 'node:assert/strict';
import { FakeClock } from '../../../test/fakes/fakeClock.ts';
import { withoutTokens } from './redact.ts';
import { Diagnostics } from '../process/diagnostics.ts';
import { Grants } from '../trust/tokenGrants.ts';

describe('texts for the log and the status', () => {
  const grants = new Grants();
  const tokens = [grants.fileToken, grants.ownerSecret, grants.issueSpawnToken('a'), grants.issuePairedToken(undefined).token];

  it('hold no token of any class, wherever it stands', () => {
    for (const token of tokens) {
      assert.equal(withoutTokens(`type "${token}", ${token}.`), `type "${token.slice(0, 3)}-…", ${token.slice(0, 3)}-….`);
      const diagnostics = new Diagnostics(new FakeClock());
      diagnostics.error('UNKNOWN_TYPE', `there is no message type "${token}"`);
      assert.ok(!JSON.stringify(diagnostics.lastErrors).includes(token.slice(0, 25)));
    }
  });

  it('keep text that only begins like a token', () => {
    for (const text of ['provider ext-browser', 'tool ptk-list', 'own-goal', 'attok-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'])
      assert.equal(withoutTokens(text), text);
  });
});
