import assert from 'node:assert/strict';
import { loopOf } from './loopCommand.ts';

const kindOf = (text: string) => loopOf(text)?.kind;

describe('/loop of the composer', () => {
  it('sends a message again and again while the session is idle', () => {
    const loop = loopOf('/loop 5m check the deploy');
    assert.ok(loop?.kind === 'prompt');
    assert.deepEqual(loop.emitter, { prompt: 'check the deploy', runInterval: '5m' });
    assert.equal(loop.says, 'Enter sends this message to the agent every 5 min, while the session is idle:');
  });

  it('runs what is a command, keeps its noise, and gives what tells of a failure to the agent', () => {
    const loop = loopOf('/loop 2s npm test');
    assert.ok(loop?.kind === 'command');
    const { command, prompt, runInterval, includeStderr, eventFilter } = loop.emitter;
    assert.deepEqual([command, prompt, runInterval, includeStderr], ['npm test', undefined, '2s', true]);
    assert.equal(eventFilter?.at(-1)?.outcome, 'inject');
    assert.match(loop.says, /^Enter runs this command every 2 s\./);
  });

  it('says when it begins and how often it goes on', () => {
    const says = (text: string) => (loopOf(text) as { says: string }).says;
    assert.match(says('/loop 1m,5m $ npm test'), /^Enter runs this command after 1 min, then every 5 min\. Lines/);
    assert.equal(
      says('/loop 1m,5m check the deploy'),
      'Enter sends this message to the agent after 1 min, then every 5 min, while the session is idle:',
    );
    assert.equal(says('/loop idle go on'), 'Enter sends this message to the agent each time the session is idle:');
  });

  it('takes slower and slower times, and for a message “idle”', () => {
    assert.deepEqual(loopOf('/loop 1m,5m,1d $ x')?.kind === 'command' && (loopOf('/loop 1m,5m,1d $ x') as { emitter: object }).emitter, {
      ...{ command: 'x', runInterval: ['1m', '5m', '1d'], includeStderr: true },
      eventFilter: (loopOf('/loop 1m ls') as { emitter: { eventFilter: unknown } }).emitter.eventFilter,
    });
    const idle = loopOf('/loop idle npm test');
    assert.ok(idle?.kind === 'prompt', 'a command is never idle');
    assert.equal(idle.emitter.runInterval, 'idle');
    assert.equal(kindOf('/loop idle $ npm test'), 'wrong');
  });

  it('tells commands from sentences', () => {
    for (const command of [
      'npm test',
      './check.sh',
      '../x',
      '/usr/bin/x',
      'CI=1 yarn',
      'go test ./...',
      'make',
      'make test',
      'find . -name a',
      'git status',
    ])
      assert.equal(kindOf(`/loop 5m ${command}`), 'command', command);
    for (const sentence of [
      'check the deploy',
      'make the tests pass',
      'find what is slow',
      'test the login page',
      'Go on',
      'look at "npm test"',
    ])
      assert.equal(kindOf(`/loop 5m ${sentence}`), 'prompt', sentence);
  });

  it('is what the user says it is, and offers the other kind', () => {
    const guessed = loopOf('/loop 5m npm test');
    assert.ok(guessed?.kind === 'command');
    const asMessage = loopOf(guessed.other);
    assert.ok(asMessage?.kind === 'prompt');
    assert.equal(asMessage.text, 'npm test');
    const again = loopOf(asMessage.other);
    assert.ok(again?.kind === 'command');
    assert.equal(again.text, 'npm test');
  });

  it('says what is missing', () => {
    for (const text of ['/loop', '/loop ', '/loop 5m', '/loop often x', '/loop 0s x', '/loop 5m,x y'])
      assert.equal(kindOf(text), 'wrong', text);
  });

  it('is nothing else', () => {
    for (const text of ['/loops 5m x', 'say /loop 5m x', 'loop 5m x', '/', '']) assert.equal(loopOf(text), undefined, text);
  });
});
