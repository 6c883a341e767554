import assert from 'node:assert/strict';
import { Limit } from '../../tap/wire/limits.ts';
import { InjectQueue } from '../sessions/injectQueue.ts';
import { PromptSource } from './promptSource.ts';

describe('a prompt', () => {
  let inbox: InjectQueue;
  let given: number;
  let taken: number;
  beforeEach(() => {
    [given, taken] = [0, 0];
    inbox = new InjectQueue({ isOpen: () => true, deliver: () => given++ });
  });
  const source = (whenIdle: boolean, account?: string) => {
    const inject = { provider: 'tap', stream: 'x', text: 'go on', isPrompt: true };
    const made = new PromptSource({ inject, account, whenIdle, taken: () => void taken++ });
    inbox.attach(made);
    return made;
  };
  const idleAgain = () => (inbox.setIdle(false), inbox.setIdle(true));

  it('is sent once for each time that it is wanted, when the session is idle', () => {
    const prompt = source(false);
    inbox.poke();
    assert.equal(given, 0);
    inbox.setIdle(false);
    prompt.want();
    inbox.poke();
    assert.equal(given, 0);
    idleAgain();
    idleAgain();
    assert.deepEqual([given, taken], [1, 1]);
  });

  it('that was given up is not sent', () => {
    const prompt = source(false);
    inbox.setIdle(false);
    prompt.want();
    assert.deepEqual([prompt.giveUp(), prompt.giveUp()], [true, false]);
    idleAgain();
    assert.equal(given, 0);
  });

  it('for an idle session is sent each time that it becomes idle, ten times until the user speaks', () => {
    const prompt = source(true);
    for (let turn = 0; turn < Limit.idleRuns + 5; turn++) idleAgain();
    assert.deepEqual([given, prompt.isPaused], [Limit.idleRuns, true]);
    inbox.userSpoke();
    assert.equal(given, Limit.idleRuns);
    for (let turn = 0; turn < 3; turn++) idleAgain();
    assert.equal(given, Limit.idleRuns + 3);
  });

  it('of a model pauses after the third turn in a row until the user speaks', () => {
    const [timed] = [source(false, 'model'), source(true, 'other')];
    const turn = () => (timed.want(), idleAgain());
    for (let count = 0; count < 10; count++) turn();
    assert.deepEqual([given, inbox.isPaused('model'), inbox.isPaused('other')], [2 * Limit.injectCycles, true, true]);
    inbox.userSpoke();
    turn();
    assert.equal(given, 2 * Limit.injectCycles + 1);
  });

  it('pauses no provider', () => {
    source(true);
    for (let turn = 0; turn < Limit.idleRuns; turn++) idleAgain();
    assert.equal(inbox.isPaused('ci'), false);
  });
});
