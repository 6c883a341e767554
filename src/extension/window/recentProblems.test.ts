import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { RecentProblems } from './recentProblems.ts';

describe('recent problems', () => {
  it('are the last that were logged, and the log has them as before', () => {
    const written: unknown[][] = [];
    const channel = Object.freeze({
      name: 'Tapline',
      info: (...args: unknown[]) => void written.push(args),
      warn: (...args: unknown[]) => void written.push(args),
      error: (...args: unknown[]) => void written.push(args),
    }) as unknown as vscode.LogOutputChannel;
    const problems = new RecentProblems();
    const log = problems.of(channel);
    log.info('fine');
    log.warn('slow', 1);
    log.error(new Error('broken'));
    assert.equal(log.name, 'Tapline');
    assert.deepEqual(
      problems.all.map(({ text }) => text),
      ['slow', 'broken'],
    );
    assert.deepEqual(written.slice(0, 2), [['fine'], ['slow', 1]]);
    assert.equal(written.length, 3);
  });

  it('are few and short', () => {
    const nothing = () => undefined;
    const problems = new RecentProblems();
    const log = problems.of({ warn: nothing, error: nothing } as unknown as vscode.LogOutputChannel);
    for (let count = 0; count < 100; count++) log.warn(`${count} ${'x'.repeat(10_000)}`);
    assert.equal(problems.all.length, 20);
    assert.match(problems.all[19]?.text ?? '', /^99 x{997}$/);
  });
});
