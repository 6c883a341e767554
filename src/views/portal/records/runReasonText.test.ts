import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DisplayLanguage, setLanguage } from '../../../base/l10n.ts';
import { english, type Phrase } from '../../../base/text/phrase.ts';
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
    const values = ['/a', 'Git said: so', 'tapline/r1/run', '/t/r1.run', 'x'];
    const texts = Object.entries(runReasons).map(
      ([name, make]) => [name, english((make as (...all: string[]) => Phrase)(...values))] as const,
    );
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
    } finally {
      setLanguage({ language: 'en' });
    }
  });

  it('is shown as it is where it is of no known form', () => {
    assert.equal(runReasonText('its budget of many tokens is used up'), 'its budget of many tokens is used up');
  });
});
