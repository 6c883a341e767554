import assert from 'node:assert/strict';
import { atRest } from '../../../test/fakes/eventually.ts';
import { FailureNotice } from './failureNotice.ts';

describe('The notice of a failure', () => {
  function setUp() {
    const shown: string[] = [];
    const close: ((wantsTo: boolean) => void)[] = [];
    const notice = new FailureNotice('It does not work', (text) => {
      shown.push(text);
      return new Promise((resolve) => close.push(resolve));
    });
    let tries = 0;
    return { notice, shown, close, fail: (why: string) => notice.report(new Error(why), () => tries++), tries: () => tries };
  }

  it('is shown once until the user has closed it, and tries again only where they want it', async () => {
    const { shown, close, fail, tries } = setUp();
    fail('no\nfile');
    fail('no disk');
    assert.deepEqual(shown, ['It does not work: no file']);
    close[0]?.(false);
    await atRest();
    assert.equal(tries(), 0);
    fail('no disk');
    close[1]?.(true);
    await atRest();
    assert.deepEqual([shown.at(-1), tries()], ['It does not work: no disk', 1]);
  });

  it('does nothing more when the window has ended', async () => {
    const { notice, shown, close, fail, tries } = setUp();
    fail('no file');
    notice.dispose();
    close[0]?.(true);
    await atRest();
    fail('no disk');
    assert.deepEqual([shown.length, tries()], [1, 0]);
  });
});
