import assert from 'node:assert/strict';
import { deepFreeze } from '../../../../test/support/deepFreeze.ts';
import type { TerminalAction, TerminalContentPart, TerminalState } from '../terminal.ts';
import { terminalReducer } from './terminalReducer.ts';

type Unaddressed<A> = A extends unknown ? Omit<A, 'terminal'> : never;

const terminal = 'agenthost-terminal:/1';
const empty: TerminalState = deepFreeze({ title: 'bash', content: [], claim: { kind: 'client', clientId: 'c' } });

function reduce(from: TerminalState, ...actions: Unaddressed<TerminalAction>[]): TerminalState {
  return actions.reduce((state, action) => terminalReducer(state, deepFreeze({ ...action, terminal } as TerminalAction), 0), from);
}
function withContent(...content: TerminalContentPart[]): TerminalState {
  return deepFreeze({ ...empty, content });
}
const command = { type: 'command' as const, commandId: 'c1', commandLine: 'ls', output: '', timestamp: 1, isComplete: false };

describe('terminalReducer', () => {
  it('appends data to a new part when there is none, and to the same one after that', () => {
    assert.deepEqual(reduce(empty, { type: 'terminal/data', data: 'a' }, { type: 'terminal/data', data: 'b' }).content, [
      { type: 'unclassified', value: 'ab' },
    ]);
  });

  it('puts data that comes after the end of its command in a part of its own, so that the joined parts stay the stream', () => {
    const done = withContent({ type: 'unclassified', value: '$ ' }, { ...command, isComplete: true });
    const next = reduce(done, { type: 'terminal/data', data: 'late' });
    assert.deepEqual(next.content, [...done.content, { type: 'unclassified', value: 'late' }]);
    assert.equal(next.content[0], done.content[0]);
  });

  it('leaves a part of a later version alone', () => {
    const later = withContent({ type: 'image', data: 'x' } as unknown as TerminalContentPart);
    assert.deepEqual(reduce(later, { type: 'terminal/data', data: 'a' }).content, [later.content[0], { type: 'unclassified', value: 'a' }]);
  });

  it('opens a running command, which says that commands are detected, and completes it', () => {
    const executed = reduce(empty, { type: 'terminal/commandExecuted', commandId: 'c1', commandLine: 'ls', timestamp: 1 });
    assert.deepEqual(executed, { ...empty, content: [command], supportsCommandDetection: true });
    const finished = reduce(
      executed,
      { type: 'terminal/data', data: 'x' },
      { type: 'terminal/commandFinished', commandId: 'c1', durationMs: 5 },
    );
    assert.deepEqual(finished.content, [{ ...command, output: 'x', isComplete: true, durationMs: 5 }]);
  });

  it('completes every command of that id, also one that is complete, and leaves others', () => {
    const done = withContent({ ...command, isComplete: true, exitCode: 0 }, command);
    const again = reduce(done, { type: 'terminal/commandFinished', commandId: 'c1', durationMs: 2 });
    const complete = { ...command, isComplete: true, durationMs: 2 };
    assert.deepEqual(again.content, [complete, complete]);
    assert.equal(reduce(done, { type: 'terminal/commandFinished', commandId: 'other' }), done);
  });

  it('sets size, claim, title, directory and exit code', () => {
    const claim = { kind: 'session' as const, session: 'copilot:/1' };
    const next = reduce(
      empty,
      { type: 'terminal/resized', cols: 100, rows: 30 },
      { type: 'terminal/claimed', claim },
      { type: 'terminal/titleChanged', title: 'zsh' },
      { type: 'terminal/cwdChanged', cwd: '/opt' },
      { type: 'terminal/exited', exitCode: 7 },
    );
    assert.deepEqual(next, { title: 'zsh', content: [], claim, cols: 100, rows: 30, cwd: '/opt', exitCode: 7 });
    assert.equal('exitCode' in reduce(empty, { type: 'terminal/exited' }), false, 'killed without a code');
  });

  it('has a part for no data where there was none to append it to', () => {
    const once = reduce(empty, { type: 'terminal/data', data: '' });
    assert.deepEqual(once.content, [{ type: 'unclassified', value: '' }]);
    assert.equal(reduce(once, { type: 'terminal/data', data: '' }), once);
  });

  it('changes nothing for input and for clearing what is empty', () => {
    for (const action of [{ type: 'terminal/input', data: 'x' }, { type: 'terminal/cleared' }] as const) {
      assert.equal(reduce(empty, action), empty);
    }
  });
});
