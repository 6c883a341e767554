import assert from 'node:assert/strict';
import { UserError } from '../../../base/errors.ts';
import { lentHere } from './lending.ts';

describe('What is said to a user who wants the tools lent here', () => {
  it('is how many are, and where to see which are not', () => {
    assert.equal(lentHere({ kind: 'lending', tools: 1, leftOut: 0 }), 'This window lends 1 tool to the session.');
    assert.equal(
      lentHere({ kind: 'lending', tools: 3, leftOut: 2 }),
      'This window lends 3 tools to the session. 2 are left out: “Tapline: Review Tools…” says why.',
    );
  });

  it('is that the tools of programs follow by themselves, where none has come yet', () => {
    assert.equal(
      lentHere({ kind: 'lending', tools: 0, leftOut: 0 }),
      'This window lends its tools to the session. No program has offered it one yet; those that come are lent by themselves.',
    );
    assert.match(lentHere({ kind: 'lending', tools: 0, leftOut: 1 }), /^This window lends 0 tools to the session\. 1 is left out/);
  });

  it('is why they are not', () => {
    for (const [lending, why] of [
      [{ kind: 'otherClient', name: 'Other\nwindow' }, /^“Other window” lends its tools to the session still\./],
      [{ kind: 'refused', reason: 'no clients here' }, /does not take our tools: no clients here/],
      [{ kind: 'waiting', for: 'session' }, /^The host of this session is away/],
      [{ kind: 'waiting', for: 'gateway' }, /has not named its tools yet/],
      [{ kind: 'waiting', for: 'gateway', error: 'no port' }, /cannot be reached: no port/],
    ] as const)
      assert.throws(
        () => lentHere(lending),
        (error) => error instanceof UserError && why.test(error.message),
        lending.kind,
      );
  });
});
