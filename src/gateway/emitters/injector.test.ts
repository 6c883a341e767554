import assert from 'node:assert/strict';
import { Limit } from '../../tap/wire/limits.ts';
import { type Inject, InjectQueue } from '../sessions/injectQueue.ts';
import { Injector } from './injector.ts';

describe('lines for the agent', () => {
  let inbox: InjectQueue;
  let given: Inject[];
  let isOpen: boolean;
  beforeEach(() => {
    given = [];
    isOpen = true;
    inbox = new InjectQueue({ isOpen: () => isOpen, deliver: (inject) => given.push(inject) });
  });
  const injector = (name = 'tests') => {
    const made = new Injector(name, { provider: 'tap', stream: name });
    inbox.attach(made);
    return made;
  };
  const lines = (count: number, from = 1) => Array.from({ length: count }, (_, at) => `${from + at}`);
  const say = (to: Injector, ...texts: string[]) => {
    for (const text of texts) to.add(text);
    inbox.poke();
  };
  const idleAgain = () => (inbox.setIdle(false), inbox.setIdle(true));

  it('come in batches of four, one at a time, each when the session is idle', () => {
    inbox.setIdle(false);
    const tests = injector();
    say(tests, ...lines(6));
    assert.equal(given.length, 0);
    inbox.setIdle(true);
    assert.deepEqual(given, [{ provider: 'tap', stream: 'tests', text: '1\n2\n3\n4', isPrompt: false }]);
    say(tests, '7');
    assert.equal(given.length, 1, 'the turn runs');
    idleAgain();
    assert.deepEqual([given[1]?.text, tests.waiting], ['5\n6\n7', 0]);
  });

  it('are the newest where many came, and what was dropped is counted and said once', () => {
    inbox.setIdle(false);
    const tests = injector();
    say(tests, ...lines(Limit.injectLines + 3));
    assert.deepEqual([tests.waiting, tests.dropped], [Limit.injectLines, 3]);
    inbox.setIdle(true);
    idleAgain();
    assert.deepEqual(
      given.map(({ text }) => text),
      ['(3 earlier lines were left out)\n4\n5\n6\n7', '8\n9\n10\n11'],
    );
  });

  it('pause after the third turn in a row until the user speaks, and wait meanwhile', () => {
    const tests = injector();
    for (let turn = 0; turn < 5; turn++) {
      say(tests, `${turn}`);
      idleAgain();
    }
    assert.deepEqual([given.map(({ text }) => text), inbox.isPaused('tests')], [['0', '1', '2'], true]);
    inbox.userSpoke();
    assert.equal(given.length, 3, 'the user’s own turn comes first');
    idleAgain();
    assert.equal(given[3]?.text, '3\n4');
  });

  it('of several emitters take turns, after what providers have pushed', () => {
    inbox.setIdle(false);
    const [one, two] = [injector('one'), injector('two')];
    say(one, ...lines(8));
    say(two, 'x');
    inbox.add('ci', { provider: 'ci', stream: 'ci', text: 'pushed', isPrompt: false });
    for (let turn = 0; turn < 4; turn++) idleAgain();
    assert.deepEqual(
      given.map(({ text }) => text),
      ['pushed', '1\n2\n3\n4', 'x', '5\n6\n7\n8'],
    );
  });

  it('of all emitters and providers together are ten turns', () => {
    for (let at = 0; at < 6; at++)
      for (let turn = 0; turn < 3; turn++) {
        say(injector(`e${at}`), 'x');
        idleAgain();
      }
    assert.equal(given.length, Limit.sessionInjectCycles);
  });

  it('that wait are dropped and counted when the emitter is stopped, and so are those that still come', () => {
    inbox.setIdle(false);
    const tests = injector();
    say(tests, ...lines(Limit.injectLines + 1));
    tests.stop();
    say(tests, 'bye');
    inbox.setIdle(true);
    assert.deepEqual([given, tests.waiting, tests.dropped], [[], 0, Limit.injectLines + 2]);
    tests.start();
    say(tests, 'again');
    assert.deepEqual(
      given.map(({ text }) => text),
      ['again'],
    );
  });

  it('of runs that are out of date are dropped and counted, while they wait', () => {
    inbox.setIdle(false);
    const tests = injector();
    tests.add('of run 1', undefined, 1);
    tests.add('of run 2', undefined, 2);
    tests.add('of no run');
    assert.equal(
      tests.forget((run) => run === 1),
      1,
    );
    assert.deepEqual([tests.waiting, tests.dropped], [2, 1]);
    inbox.setIdle(true);
    assert.deepEqual([given[0]?.text, tests.forget(() => true)], ['of run 2\nof no run', 0]);
  });

  it('wait while the injector is off, the session is left, or it is no more', () => {
    const tests = injector();
    tests.isEnabled = false;
    say(tests, 'a');
    tests.isEnabled = true;
    isOpen = false;
    inbox.poke();
    assert.deepEqual([given, tests.waiting], [[], 1]);
    isOpen = true;
    inbox.poke();
    assert.equal(given.length, 1);
    const attached = inbox.attach(tests);
    attached.dispose();
    say(tests, 'b');
    idleAgain();
    assert.equal(given.length, 1);
  });
});
