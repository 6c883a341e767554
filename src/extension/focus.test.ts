import assert from 'node:assert/strict';
import type { FocusPage } from '../pages/pageFocus.ts';
import { Focus } from './focus.ts';

describe('Focus', () => {
  function setUp() {
    const focus = new Focus();
    const answers: string[] = [];
    let changes = 0;
    focus.onDidChange(() => changes++);
    const page = (name: string): FocusPage => ({ ref: { hostId: 'h', uri: name }, answer: (how) => answers.push(`${name} ${how}`) });
    const [a, b] = [page('a'), page('b')];
    return { focus, answers, changes: () => changes, a, b, ofA: focus.add(a), ofB: focus.add(b) };
  }

  it('is nowhere at first, and an answer key does nothing', () => {
    const { focus, answers } = setUp();
    assert.deepEqual([focus.page, focus.place], [undefined, 'none']);
    focus.answer('approve');
    assert.deepEqual(answers, []);
  });

  it('gives an answer key to the page whose card has the focus, and to no other', () => {
    const { focus, answers, ofA, ofB } = setUp();
    ofA.report('card');
    focus.answer('approve');
    ofB.report('card');
    focus.answer('deny');
    for (const place of ['page', 'field', 'composer'] as const) {
      ofB.report(place);
      focus.answer('approve');
    }
    assert.deepEqual(answers, ['a approve', 'b deny']);
  });

  it('stays with the page that took it when the other page says late that it lost it', () => {
    const { focus, b, ofA, ofB } = setUp();
    ofA.report('card');
    ofB.report('composer');
    ofA.report('none');
    assert.deepEqual([focus.page, focus.place], [b, 'composer']);
    ofB.report('none');
    assert.deepEqual([focus.page, focus.place], [undefined, 'none']);
  });

  it('remembers which page had it last, also when the focus is elsewhere', () => {
    const { focus, a, b, ofA, ofB } = setUp();
    assert.deepEqual(focus.byRecency, [a, b]);
    ofB.report('page');
    ofB.report('none');
    assert.deepEqual(focus.byRecency, [b, a]);
    ofA.cameToFront();
    assert.deepEqual([focus.byRecency, focus.page], [[a, b], undefined]);
  });

  it('forgets a page that is closed', () => {
    const { focus, answers, b, ofA } = setUp();
    ofA.report('card');
    ofA.dispose();
    ofA.report('card');
    ofA.cameToFront();
    focus.answer('approve');
    assert.deepEqual([focus.page, focus.byRecency, answers], [undefined, [b], []]);
  });

  it('tells each change once', () => {
    const { changes, ofA } = setUp();
    ofA.report('card');
    ofA.report('card');
    ofA.report('none');
    ofA.report('none');
    assert.equal(changes(), 2);
  });
});
