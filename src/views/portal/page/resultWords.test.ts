import assert from 'node:assert/strict';
import type { ChangedFile, ResultOfStep } from '../answers/resultAnswers.ts';
import { changedLines, vsCodeLink } from './resultWords.ts';

const file = (path: string, added?: number, removed?: number): ChangedFile => ({
  ...{ id: `file://${path}`, path, change: 'changed', revision: '' },
  ...(added !== undefined && { added }),
  ...(removed !== undefined && { removed }),
});
const step = (files: ChangedFile[], more: Partial<ResultOfStep> = {}): ResultOfStep => ({
  ...{ step: '0#0', workId: 0, taskName: 'a', status: 'Succeeded', documents: [], problems: [] },
  changes: [{ sessionId: 's', files, revision: '' }],
  ...more,
});

describe('what a run has brought about, in words', () => {
  it('counts a file once, also where several steps have changed it, and its lines each time', () => {
    assert.equal(changedLines([]), undefined);
    assert.equal(changedLines([step([])]), undefined);
    assert.deepEqual(changedLines([step([file('/a', 1, 2)])]), { text: '1 file changed', added: 1, removed: 2 });
    assert.deepEqual(changedLines([step([file('/a', 1, 2), file('/b')]), step([file('/a', 3)])]), {
      text: '2 files changed',
      added: 4,
      removed: 2,
    });
    assert.deepEqual(changedLines([step([file('/a')]), step([file('/a')], { host: 'far' })])?.text, '2 files changed');
  });

  it('says where there are more', () => {
    const changes = [{ sessionId: 's', files: [file('/a')], more: 4, revision: '' }];
    assert.equal(changedLines([step([], { changes })])?.text, 'At least 5 files changed');
  });

  it('opens a file in VS Code, whatever is in its path', () => {
    for (const [path, link] of [
      ['/home/me/a.ts', 'vscode://file/home/me/a.ts'],
      ['/home/me/a b#c?d%20:12.ts', 'vscode://file/home/me/a%20b%23c%3Fd%2520%3A12.ts'],
      ['/ü/“x”', 'vscode://file/%C3%BC/%E2%80%9Cx%E2%80%9D'],
      ['C:\\Users\\me\\a b.ts', 'vscode://file/C%3A/Users/me/a%20b.ts'],
      ['\\\\server\\share\\a.ts', 'vscode://file//server/share/a.ts'],
      ['/a\\b', 'vscode://file/a%5Cb'],
    ] as const)
      assert.equal(vsCodeLink(path), link);
  });
});
