import assert from 'node:assert/strict';
import type { MessageAttachment } from '../../ahp/channels/shapes/message.ts';
import { linesOf, nameOf } from './attachmentWords.ts';

const selected = (start: [number, number], end: [number, number]) => {
  const [from, to] = [start, end].map(([line, character]) => ({ line, character })) as [
    { line: number; character: number },
    { line: number; character: number },
  ];
  return { range: { start: from, end: to } };
};

describe('The words for an attachment', () => {
  it('count lines as people do', () => {
    const cases = [
      [selected([0, 0], [0, 0]), 'line 1'],
      [selected([2, 4], [2, 9]), 'line 3'],
      [selected([2, 0], [3, 0]), 'line 3'],
      [selected([2, 0], [5, 0]), 'lines 3–5'],
      [selected([2, 0], [4, 1]), 'lines 3–5'],
      [undefined, undefined],
    ] as const;
    for (const [selection, lines] of cases) assert.equal(linesOf(selection), lines);
  });

  it('say of every kind what it is', () => {
    const selection = selected([2, 0], [4, 1]);
    const cases: [MessageAttachment, string][] = [
      [{ type: 'resource', label: 'a.ts', uri: 'file:///a.ts' }, '`a.ts`'],
      [{ type: 'resource', label: 'a.ts', uri: 'file:///a.ts', selection }, 'lines 3–5 of `a.ts`'],
      [{ type: 'resource', label: 'src', uri: 'file:///src', displayKind: 'directory' }, 'the folder `src`'],
      [{ type: 'embeddedResource', label: 'dot', data: '', contentType: 'image/png' }, '`dot` (image/png)'],
      [{ type: 'simple', label: 'Problems' }, '`Problems`'],
      [{ type: 'annotations', label: 'Review', resource: 'ahp-annotations:1' }, 'the annotations `Review`'],
      [{ type: 'chat', label: 'Plan', resource: 'ahp-chat:1' }, 'the chat `Plan`'],
      [{ type: 'later' } as unknown as MessageAttachment, '`later`'],
    ];
    for (const [attachment, words] of cases) assert.equal(nameOf(attachment), words);
    assert.ok(nameOf({ type: 'simple', label: 'x'.repeat(100_000) }).length < 300);
  });
});
