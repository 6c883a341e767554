import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DisplayLanguage, setLanguage } from '../../../base/l10n.ts';
import { english, type Phrase, said } from '../../../base/text/phrase.ts';
import { stillLocked } from '../../../base/text/stillLocked.ts';
import { places, runReasons } from './runReasons.ts';
import { runReasonText } from './runReasonText.ts';
import { budgetReason } from '../../../portal/limits/taskLimits.ts';
import { LoopCapError } from '../../../portal/work/runWork.ts';

const bundle = join(import.meta.dirname, '../../../../l10n/bundle.l10n.de.json');
const german = JSON.parse(readFileSync(bundle, 'utf8')) as DisplayLanguage['texts'] & object;

describe('why a run did not succeed', () => {
  it('is read from what the portal writes', () => {
    const used = { modelCalls: 0, toolCalls: 0, inputTokens: 900_000, outputTokens: 200_000, ms: 0 };
    const reasons = [
      budgetReason({ tokens: 1_000_000 }, used) ?? '',
      budgetReason({ minutes: 1 }, { ...used, ms: 60_000 }) ?? '',
      budgetReason({ modelCalls: 1 }, { ...used, modelCalls: 2 }) ?? '',
      new LoopCapError(1_000).message,
      new LoopCapError(1).message,
      'its work failed',
      'the task "look" crashed: the task was stopped',
    ];
    assert.deepEqual(reasons.map(runReasonText), [
      'its budget of 1,000,000 tokens is used up, after 1,100,000; when it is continued, it has as much again',
      'its budget of 1 minute is used up, after 1; when it is continued, it has as much again',
      'its budget of 1 model call is used up, after 2; when it is continued, it has as much again',
      'a loop has run 1,000 times and would run again',
      'a loop has run 1 time and would run again',
      'its work failed',
      'the task "look" crashed: the task was stopped',
    ]);
  });

  it('is said in the language of its reader, whatever of the folder it is about', () => {
    const values = ['/a', 'Git said: so', 'tapline/r1/run', 'tapline/r1/1', '/t/r1.run'];
    const [folder, git, branch, other, path] = values as [string, string, string, string, string];
    const work = [branch, path] as const;
    const reasons: Record<keyof typeof runReasons, Phrase> = {
      stillRuns: runReasons.stillRuns(),
      noFolder: runReasons.noFolder(JSON.stringify(folder)),
      noPlace: runReasons.noPlace(),
      noTree: runReasons.noTree(folder),
      noCommit: runReasons.noCommit(String.raw`C:\a`),
      noTrees: runReasons.noTrees(folder, git),
      isGone: runReasons.isGone(path, branch),
      elsewhere: runReasons.elsewhere(path),
      noTreeAnyMore: runReasons.noTreeAnyMore(path),
      unresolved: runReasons.unresolved(path, git),
      branchConflict: runReasons.branchConflict(git, branch, other, path),
      otherBranch: runReasons.otherBranch(folder, places.branch(other), places.noBranch(), ...work),
      conflict: runReasons.conflict(places.branch(other), git, ...work),
      overwrites: runReasons.overwrites(folder, git, ...work),
      notMerged: runReasons.notMerged(folder, git, ...work),
      left: runReasons.left(stillLocked(folder, 30), ...work),
    };
    const texts = Object.entries(reasons).map(([name, reason]) => [name, english(reason)] as const);
    for (const [, text] of texts) assert.equal(runReasonText(text), text);
    setLanguage({ language: 'de', texts: german });
    try {
      for (const [name, text] of texts) {
        const said = runReasonText(text);
        assert.notEqual(said, text, name);
        for (const value of values) assert.equal(said.split(value).length, text.split(value).length, `${name}: ${said}`);
      }
      const moved = runReasons.otherBranch('/a', places.branch('other'), places.noBranch(), 'tapline/r1/run', '/t/r1.run');
      assert.match(
        runReasonText(english(moved)),
        /^\/a ist jetzt auf dem Branch other und war auf einem Commit ohne Branch, als der Lauf begann\. /,
      );
      const locked = runReasons.left(stillLocked('/a/.git/index.lock', 30), ...work);
      for (const reason of [locked, runReasons.notMerged(folder, stillLocked('/a/.git/index.lock', 30), ...work)])
        assert.doesNotMatch(runReasonText(english(reason)), /Another Git|still there|Delete/);
      for (const reason of Object.values(reasons)) assert.equal(runReasonText(english(reason)), said(reason));
    } finally {
      setLanguage({ language: 'en' });
    }
  });

  it('has the names of files and folders as they are, whatever words are in them', () => {
    const work = ['tapline/r1/run', '/t/r1.run'] as const;
    setLanguage({ language: 'de', texts: german });
    try {
      for (const reason of [
        runReasons.conflict(places.branch('main'), 'the branch manual.txt', ...work),
        runReasons.unresolved('/a', 'a commit without a branch'),
        runReasons.otherBranch('/src/what is at home now', places.branch('x'), places.branch('y'), ...work),
        runReasons.otherBranch('/a now, and was at', places.noBranch(), places.branch('y'), ...work),
      ])
        assert.equal(runReasonText(english(reason)), said(reason));
    } finally {
      setLanguage({ language: 'en' });
    }
  });

  it('is not ours where a task has said it', () => {
    const text = 'Cannot do the task. Its work is left on evil, in /x. Continue the job to try it again.';
    setLanguage({ language: 'de', texts: german });
    try {
      assert.equal(runReasonText(text), text);
    } finally {
      setLanguage({ language: 'en' });
    }
  });

  it('is shown as it is where it is of no known form', () => {
    assert.equal(runReasonText('its budget of many tokens is used up'), 'its budget of many tokens is used up');
  });
});
