import assert from 'node:assert/strict';
import type { FileEdit } from '../../../ahp/common/shapes.ts';
import type { Row } from './transcript.ts';
import { mergedEdits, turnFiles } from './turnFiles.ts';

const side = (path: string, content: string) => ({ uri: `file:///w/${path}`, content: { uri: `x:${content}` } });
const row = (...content: object[]) =>
  ({
    kind: 'toolCall',
    key: 'c',
    call: { status: 'completed', content: content.map((one) => ({ type: 'fileEdit', ...one })) },
  }) as unknown as Row;

describe('the files of a turn', () => {
  it('are counted once each, with their lines', () => {
    const rows = [
      row({ before: side('a', '1'), after: side('a', '2'), diff: { added: 3, removed: 1 } }, { after: side('b', '1') }),
      row({ after: side('c', '3'), diff: { added: 1 } }),
    ];
    assert.equal(turnFiles({ rows }), '3 files changed +4 −1');
    const again = row({ before: side('a', '2'), after: side('a', '3'), diff: { added: 1 } });
    assert.equal(turnFiles({ rows: [...rows, again] }), '3 files changed', 'lines of one file that was changed twice do not add up');
    assert.equal(turnFiles({ rows: [row({ before: side('a', '1') })] }), '1 file changed');
    assert.equal(turnFiles({ rows: [row({}), { kind: 'markdown', key: 'm', text: 'x' }] }), undefined);
  });

  it('are shown from what they were first to what they are last', () => {
    const edits: FileEdit[] = [
      { before: side('a', '1'), after: side('a', '2') },
      { after: side('b', '1') },
      { before: side('a', '2'), after: side('c', '2') },
      { before: side('b', '1') },
    ];
    assert.deepEqual(mergedEdits(edits), [{ before: side('a', '1'), after: side('c', '2') }]);
  });
});
