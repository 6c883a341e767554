import assert from 'node:assert/strict';
import { FakeClock } from '../../test/fakes/fakeClock.ts';
import { LATE_MS, PageQuestions } from './pageQuestions.ts';

describe('questions that a page asks', () => {
  let clock: FakeClock;
  let questions: PageQuestions;
  /** Titles, as they are shown one after the other. */
  let shown: (string | undefined)[];

  beforeEach(() => {
    clock = new FakeClock();
    shown = [];
    questions = new PageQuestions(clock, () => shown.push(questions.shown?.title));
  });

  const answer = (index?: number) => questions.answer(questions.shown?.id ?? '', index);

  it('are shown one after the other, each with its own answers', async () => {
    const first = questions.choose('One?', 'a', 'No', 'Yes');
    const second = questions.choose('Two?', 'b', 'Keep', 'Drop');
    const { id } = questions.shown ?? assert.fail();
    answer(1);
    questions.answer(id, 1);
    assert.deepEqual(questions.shown?.kind === 'choose' && questions.shown.answers, ['Keep', 'Drop'], 'a second click answers nothing');
    answer(0);
    assert.deepEqual(await Promise.all([first, second]), ['Yes', 'Keep']);
    assert.deepEqual(shown, ['One?', 'Two?', undefined]);
  });

  it('are left by Escape, by an answer that was not offered, and when the page goes', async () => {
    const escaped = questions.choose('One?', '', 'No', 'Yes');
    answer();
    const unknown = questions.choose('Two?', '', 'No', 'Yes');
    answer(7);
    const gone = questions.choose('Three?', '', 'No', 'Yes');
    questions.dispose();
    const late = questions.choose('Four?', '', 'No', 'Yes');
    assert.deepEqual(await Promise.all([escaped, unknown, gone, late]), [undefined, undefined, undefined, undefined]);
    assert.equal(questions.shown, undefined);
  });

  it('are no more than a few at a time', async () => {
    const asked = Array.from({ length: 20 }, (_, n) => questions.choose(`${n}?`, '', 'No'));
    assert.equal(await asked.at(-1), undefined);
    questions.leave();
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([undefined]));
  });

  it('say what is waited for once that takes long, until it is there', async () => {
    let done = (_: string) => undefined as void;
    const waited = questions.wait('Looking', () => new Promise<string>((resolve) => (done = resolve)));
    clock.advance(LATE_MS - 1);
    assert.deepEqual(shown, []);
    clock.advance(1);
    assert.equal(questions.shown?.kind, 'wait');
    done('found');
    assert.equal(await waited, 'found');
    assert.deepEqual(shown, ['Looking', undefined]);
    assert.equal(await questions.wait('Quick', async () => 'at once'), 'at once');
    clock.advance(LATE_MS);
    assert.equal(shown.length, 2);
  });

  it('end the wait when the user does not wait any longer, or the page goes', async () => {
    const untilLeft = (signal: AbortSignal) =>
      new Promise<string>((resolve) => (signal.aborted ? resolve('left') : signal.addEventListener('abort', () => resolve('left'))));
    const first = questions.wait('Looking', untilLeft);
    clock.advance(LATE_MS);
    answer();
    assert.equal(await first, 'left');
    const second = questions.wait('Not shown yet', untilLeft);
    questions.dispose();
    assert.equal(await second, 'left');
    assert.equal(await questions.wait('Too late', untilLeft), 'left');
  });
});
