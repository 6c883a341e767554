import assert from 'node:assert/strict';
import { UserError } from '../../../base/errors.ts';
import { type Lending, lendingInfo, lendingLine, lentHere, windowName } from './lending.ts';

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
      [{ kind: 'otherClient', name: 'Other\nwindow' }, /^“Other window” still lends its tools to the session\./],
      [{ kind: 'refused', reason: 'no clients here' }, /did not take the tools of this window: no clients here/],
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

describe('What a session’s page says of the tools that this window lends', () => {
  const textOf = (lending: Lending, hasProviders = true) => lendingInfo(lending, hasProviders)?.text;

  it('is how many the agent has, with the way to those that it has not', () => {
    assert.deepEqual(lendingInfo({ kind: 'lending', tools: 1, leftOut: 0 }, true), { tone: 'fine', text: '1 tool lent' });
    assert.deepEqual(lendingInfo({ kind: 'lending', tools: 4, leftOut: 2 }, true)?.action, { label: 'Review', command: 'reviewTools' });
    assert.match(textOf({ kind: 'waiting', for: 'gateway', error: 'port in use' }) ?? '', /cannot be reached: port in use/);
    assert.equal(textOf({ kind: 'waiting', for: 'gateway' }), undefined);
  });

  it('names the window or the program that lends in its place', () => {
    for (const [name, who] of [
      [windowName('web-app'), /^The VS Code window “web-app” lends its tools to this session\./],
      [windowName(undefined), /^Another VS Code window lends its tools to this session\./],
      ['Some\u202eEditor\n', /^“Some Editor” lends its tools to this session\./],
      ['Tapline (a\nb)', /^The VS Code window “a b” lends/],
    ] as const) {
      const info = lendingInfo({ kind: 'otherClient', name }, true);
      assert.match(info?.text ?? '', who);
      assert.deepEqual([info?.tone, info?.action], ['problem', { label: 'Lend from this window', command: 'lendToolsHere' }]);
      assert.match(lendingLine({ kind: 'otherClient', name }), new RegExp(who.source.replace('to this session\\.', 'to this session,')));
    }
    assert.match(textOf({ kind: 'refused', reason: 'it\ntakes none' }) ?? '', /host did not take them: it takes none$/);
  });

  it('is nothing where the user has no tools that the agent could call', () => {
    assert.equal(textOf({ kind: 'otherClient', name: 'Some Editor' }, false), undefined);
    assert.equal(textOf({ kind: 'refused', reason: 'it takes none' }, false), undefined);
  });

  it('has no longer a name for a window than its folder needs', () => {
    assert.equal(windowName('x'.repeat(5_000)).length, 'Tapline ()'.length + 100);
  });
});
