import assert from 'node:assert/strict';
import { runDeeds } from './runDeeds.ts';

describe('what people did to a run', () => {
  it('is told with who it was, and what happened by itself is not', () => {
    const deeds = runDeeds({
      history: [
        { at: 1, what: 'Pausing', by: 'the command line' },
        { at: 2, what: 'Paused' },
        { at: 3, what: 'Continued', by: 'the portal’s page', edit: { taskName: 'a\u202eb', userInput: 'x\ny', prompt: 'p'.repeat(400) } },
        { at: 4, what: 'Interrupted' },
        { at: 5, what: 'Continued', by: 'a program over HTTP', skipped: ['0#0'] },
        { at: 6, what: 'constructor', by: 'x' },
      ],
      stoppedBy: 'the command line',
      endedAt: 7,
      resultChanges: [
        { at: 8, did: 'discarded', by: 'me', files: ['a.txt'] },
        { at: 9, did: 'discarded', by: 'me', files: ['a.txt'], more: 4 },
        { at: 10, did: 'committed', by: 'me', branch: 'night', commit: 'abc' },
        { at: 11, did: 'pushed', by: 'me', branch: 'night', address: 'forge.example:o/r' },
        { at: 12, did: 'opened', by: 'me', branch: 'night', address: 'https://forge.example/1' },
        { at: 13, did: 'of another version', by: 'me' },
      ],
    });
    assert.deepEqual(
      deeds.map(({ at, text }) => [at, text.length > 200 ? text.length < 400 : text]),
      [
        [1, 'The command line paused it after the steps that ran.'],
        [3, 'The portal’s page changed the input of “a b”: “x y”.'],
        [3, true],
        [3, 'The portal’s page let it go on.'],
        [5, 'A program over HTTP let it go on without a step.'],
        [7, 'The command line stopped it.'],
        [8, 'Me discarded the change of a.txt.'],
        [9, 'Me discarded the changes of 5 files.'],
        [10, 'Me committed abc on the branch night.'],
        [11, 'Me pushed the branch night to forge.example:o/r.'],
        [12, 'Me opened a pull request for the branch night: https://forge.example/1.'],
      ],
    );
  });

  it('is nothing in a run that went by itself', () => assert.deepEqual(runDeeds({}), []));
});
