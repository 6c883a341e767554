import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { UserError } from '../../base/errors.ts';
import { RecentProblems } from './recentProblems.ts';

/** What only the user may see: a prompt, a title, an address. */
const PRIVATE = '“Sell the house” at ws://ada.example:80';

function started() {
  const written: unknown[][] = [];
  const write = (...args: unknown[]) => void written.push(args);
  const channel = Object.freeze({ name: 'Tapline', info: write, warn: write, error: write }) as unknown as vscode.LogOutputChannel;
  const problems = new RecentProblems(channel);
  return { written, problems, kinds: () => problems.all.map(({ kind }) => kind) };
}

describe('recent problems', () => {
  it('are the last that were logged, and the log has them as before', () => {
    const { written, problems, kinds } = started();
    const { log } = problems;
    const broken = new TypeError('broken');
    log.info('fine');
    log.warn('slow', 1);
    log.error(broken);
    assert.equal(log.name, 'Tapline');
    assert.deepEqual(written, [['fine'], ['slow', 1], [broken]]);
    const [warning, error] = kinds();
    assert.match(warning!, /^warning at recentProblems\.test\.ts:\d+:\d+$/);
    assert.match(error!, /^TypeError at recentProblems\.test\.ts:\d+:\d+$/);
  });

  it('name the command, and what kind of failure it was', () => {
    const { written, problems, kinds } = started();
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    problems.commandFailed('archiveSession', refused);
    problems.commandFailed('newSession', 'no more');
    assert.match(kinds()[0]!, /^archiveSession: Error ECONNREFUSED at recentProblems\.test\.ts:\d+:\d+$/);
    assert.equal(kinds()[1], 'newSession: error');
    assert.deepEqual(written, [[refused], ['newSession: no more']]);
  });

  it('hold nothing of what an error or the log says', () => {
    const { problems, kinds } = started();
    const lines = [PRIVATE, `${PRIVATE}\n    at f (/home/ada/house.js:1:2)`, ''];
    for (const text of lines) {
      problems.log.warn(text);
      problems.log.error(text);
      problems.log.error(new Error(text));
      problems.log.error(Object.assign(new Error(text), { name: text, code: text }));
      problems.log.error(Object.assign(new Error(text), { message: 'another' }));
      problems.log.error(Object.assign(new Error('x'), { stack: text }));
      problems.commandFailed('archiveSession', new UserError(text));
      problems.commandFailed('archiveSession', text);
    }
    assert.ok(kinds().length > 0);
    for (const kind of kinds())
      assert.match(kind, /^(?:archiveSession: )?(?:warning|error|Error|UserError)(?: at recentProblems\.test\.ts:\d+:\d+)?$/);
  });

  it('are few', () => {
    const { problems } = started();
    for (let count = 0; count < 100; count++) problems.log.warn('x');
    assert.equal(problems.all.length, 20);
  });
});
