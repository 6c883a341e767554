import assert from 'node:assert/strict';
import { setLanguage } from '../../../base/l10n.ts';
import { withoutAsking } from '../../../portal/entry/approve.ts';
import { byText } from './byText.ts';
import { queueText } from './queueText.ts';
import { unaskedText } from './unaskedText.ts';

describe('words of the portal', () => {
  const inOther = (texts: Record<string, string>, work: () => void) => {
    setLanguage({ language: 'de', texts });
    try {
      work();
    } finally {
      setLanguage({ language: 'en' });
    }
  };

  it('say what a run waits for, the same in English', () => {
    for (const words of [
      'begins now',
      'waits until 2999-01-02 03:04',
      'waits until the portal has its jobs',
      'waits for run 1a2b3c4d (a) in this folder) in this folder',
      'waits for task 1a2b3c4d (a) with the model m, before it in the queue',
      'waits until 2 of these in its folder at the agent host h have ended: run 1 (a), run 2 (b, c), run 3 (d) and 4 more',
      'waits for one of these in this folder, of which there may be 2: run 1 (a), task 2 (b), before it in the queue',
      'something else',
      'waits for',
    ])
      assert.equal(queueText(words, 500), words);
  });

  it('are translated without the names in them', () => {
    const texts = { 'waits for {0} {1}': '{1}: {0} wartet', 'in this folder/a run': 'hier', 'run {0} ({1})': 'Lauf {0} ({1})' };
    inOther(texts, () => assert.equal(queueText('waits for run 1 (a) in this folder', 500), 'hier: Lauf 1 (a) wartet'));
    inOther({ 'the client {0}': 'Client {0}' }, () => {
      assert.equal(byText('the client "A \\" b"', 100), 'Client "A \\" b"');
      assert.equal(byText('the client A', 100), 'the client A');
    });
  });

  it('say what a task does without asking, all of it that is known', () => {
    const known = withoutAsking({
      a: { approve: ['job-tools'] },
      b: { approve: ['edits'], host: 'h' },
      c: { approve: ['edits', 'job-tools'] },
      d: { approve: ['everything', 'edits'] },
    });
    const all = Object.values(known ?? {}).map(unaskedText);
    assert.equal(all.length, 4);
    for (const text of all) assert.doesNotMatch(text ?? 'without asking', /without asking/);
    assert.match(all[1] ?? '', /at the agent host “h”$/);
    assert.equal(unaskedText('eats files, without asking'), undefined);
    const more = 'reads and changes files in its folder, without asking, and burns them';
    assert.equal(unaskedText(more), undefined);
  });
});
