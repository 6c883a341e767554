import assert from 'node:assert/strict';
import { english, phrase } from '../../base/text/phrase.ts';
import { listedPaths, resultError } from './runResult.ts';

describe('what a portal says about a result', () => {
  const path = (at: number) => `/home/ada/.tapline/worktrees/run/${String(at).padStart(2, '0')}-${'x'.repeat(40)}`;

  it('names all paths that have room, and none by half', () => {
    assert.equal(english(listedPaths(['/a'])), '/a');
    assert.equal(english(listedPaths(['/a', '/b', '/c'])), '/a, /b, /c');
    const all = Array.from({ length: 12 }, (_, at) => path(at));
    const { message, words } = resultError('WorktreeNotCommitted', phrase`Commit it first, in ${listedPaths(all)}.`);
    const [, named = '', more] = /^Commit it first, in (.*), and (\d+) more\.$/.exec(message) ?? assert.fail(message);
    const paths = named.split(', ');
    assert.deepEqual(paths, all.slice(0, paths.length));
    assert.equal(paths.length + Number(more), all.length);
    assert.ok(paths.length > 3, 'as many as have room');
    assert.equal(english(words ?? assert.fail()), message);
  });

  it('names one, however long it is', () => {
    const { message } = resultError('WorktreeNotCommitted', phrase`Commit it first, in ${listedPaths([`/${'x'.repeat(900)}`, '/b'])}.`);
    assert.match(message, /^Commit it first, in \/x+…/);
  });
});
